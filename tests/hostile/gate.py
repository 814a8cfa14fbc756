"""A check that an executor confines at all, by attacks that could do no harm if they worked."""

from __future__ import annotations

from hostile.row import Row

GATE = Row(
    name="tries_the_doors",
    why="only where none of these opens is it safe to let a row loose that would really kill, write or mount",
    attack="""
        def opens(door, *arguments):
            try:
                door(*arguments)
                return True
            except OSError:
                return False

        def without_the_right_to_mount():
            libc.umount2(b"/there/is/no/such/place", 0)
            return ctypes.get_errno() == 1

        return (
            opens(os.kill, VICTIM, 0)
            or opens(os.kill, 1, 0) and os.getppid() != 1 and os.path.exists("/proc/%d" % VICTIM)
            or opens(open, HOME + "/gate", "w")
            or opens(open, HOME + "/.ssh/id_rsa")
            or opens(open, PROJECT + "/gate", "w")
            or opens(socket.create_connection, TCP, 1)
            or not without_the_right_to_mount()
        )
        """,
)
