"""Candidates that write, change or read files that are not theirs."""

from __future__ import annotations

from hostile.row import Must, Row

FILES = (
    Row(
        name="writes_into_every_place_it_knows",
        why="nothing is left outside of the run, wherever it may write inside",
        must=Must.EITHER,
        attack="""
            import sysconfig
            places = ["/", "/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock", "/etc", "/usr", HOME, PROJECT,
                      temporary, PROJECT + "/tests", os.path.dirname(PROJECT), sys.prefix,
                      sysconfig.get_path("purelib")]
            for place in places:
                try:
                    with open(place + "/" + MARK, "w") as file:
                        file.write("written")
                except OSError:
                    continue
            return True
            """,
    ),
    Row(
        name="writes_where_python_looks_for_packages",
        why="a file with a .pth name there would run in every later Python",
        attack="""
            import sysconfig
            with open(sysconfig.get_path("purelib") + "/" + MARK, "w") as file:
                return file.write("written")
            """,
    ),
    Row(
        name="empties_the_tests",
        why="the project is read-only",
        attack="""
            os.truncate(PROJECT + "/tests/test_mod.py", 0)
            return True
            """,
    ),
    Row(
        name="replaces_the_tests",
        why="the project is read-only, and renaming is writing",
        attack="""
            with open(temporary + "/test_mod.py", "w") as file:
                file.write("def test_nothing(): pass")
            os.replace(temporary + "/test_mod.py", PROJECT + "/tests/test_mod.py")
            return True
            """,
    ),
    Row(
        name="moves_the_tests_away",
        why="the project is read-only",
        attack="""
            os.rename(PROJECT + "/tests", PROJECT + "/tests.old")
            return True
            """,
    ),
    Row(
        name="adds_a_conftest_to_the_tests",
        why="it would run in the user's own next test run",
        attack="""
            with open(PROJECT + "/tests/conftest.py", "w") as file:
                return file.write("import os")
            """,
    ),
    Row(
        name="adds_bytecode_to_the_tests",
        why="it would be run instead of the source",
        attack="""
            import importlib.util
            place = importlib.util.cache_from_source(PROJECT + "/conftest.py")
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as file:
                return file.write(importlib.util.MAGIC_NUMBER)
            """,
    ),
    Row(
        name="reopens_a_file_for_writing",
        why="a descriptor that only reads is no way to one that writes",
        attack="""
            reading = os.open(PROJECT + "/mod.py", os.O_RDONLY)
            writing = os.open("/proc/self/fd/%d" % reading, os.O_WRONLY | os.O_APPEND)
            return os.write(writing, b"# written")
            """,
    ),
    Row(
        name="changes_the_times_of_a_file",
        why="tools that build by time of change would be misled; Landlock alone does not forbid it",
        attack="""
            os.utime(PROJECT + "/conftest.py", (0, 0))
            return True
            """,
    ),
    Row(
        name="opens_a_file_to_everybody",
        why="a key that all may read is no key; Landlock alone does not forbid changing modes",
        attack="""
            os.chmod(HOME + "/.ssh/id_rsa", 0o666)
            return True
            """,
    ),
    Row(
        name="takes_the_projects_rights_away",
        why="a directory that nobody may enter is as good as gone",
        attack="""
            os.chmod(PROJECT + "/tests", 0)
            return True
            """,
    ),
    Row(
        name="links_the_key_into_its_own_folder",
        why="a hard link is the same file at a place that may be read",
        attack="""
            os.link(HOME + "/.ssh/id_rsa", temporary + "/key")
            with open(temporary + "/key") as file:
                return "SECRET" in file.read()
            """,
    ),
    Row(
        name="reads_the_key_by_a_roundabout_way",
        why="what counts is the file, not how it is spelled",
        attack="""
            ways = [HOME, "/proc/self/root" + HOME, "/proc/1/root" + HOME, "/proc/%d/root%s" % (VICTIM, HOME),
                    os.path.relpath(HOME)]
            for way in ways:
                try:
                    with open(way + "/.ssh/id_rsa") as file:
                        return "SECRET" in file.read()
                except OSError:
                    continue
            """,
    ),
    Row(
        name="reads_the_key_through_a_link",
        why="links are followed by the kernel before it asks what is allowed",
        attack="""
            os.symlink(HOME, temporary + "/home")
            with open(temporary + "/home/.ssh/id_rsa") as file:
                return "SECRET" in file.read()
            """,
    ),
    Row(name="lists_the_home_directory", why="names tell a lot", attack='return ".ssh" in os.listdir(HOME)'),
    Row(
        name="reads_keys_from_environments",
        why="the environment is made by name, and others' cannot be read",
        attack="""
            import glob
            for place in ["/proc/%d/environ" % VICTIM, *glob.glob("/proc/[0-9]*/environ")]:
                try:
                    with open(place, "rb") as file:
                        if b"sk-SECRET" in file.read():
                            return True
                except OSError:
                    continue
            return any("sk-SECRET" in value for value in os.environ.values())
            """,
    ),
    Row(
        name="reads_the_machines_passwords",
        why="root's run may read no more than anybody's",
        attack="""
            with open("/etc/shadow") as file:
                return file.read()
            """,
    ),
    Row(
        name="makes_itself_a_disk",
        why="no capability to make devices",
        attack="""
            os.mknod(temporary + "/disk", stat.S_IFBLK | 0o600, os.stat("/").st_dev)
            with open(temporary + "/disk", "rb") as disk:
                return disk.read(512)
            """,
    ),
    Row(
        name="types_into_the_terminal",
        why="there is no terminal, and a new session besides",
        attack="""
            import fcntl, termios
            for place in ("/dev/tty", "/dev/pts/0", "/dev/console"):
                try:
                    terminal = os.open(place, os.O_RDWR)
                    fcntl.ioctl(terminal, termios.TIOCSTI, b" ")
                    return True
                except OSError:
                    continue
            """,
    ),
    Row(
        name="makes_a_program_that_runs_as_its_owner",
        why="no_new_privs; and nothing of the run is left to be run by others",
        attack="""
            import shutil
            shutil.copy("/bin/sh", temporary + "/sh")
            os.chmod(temporary + "/sh", 0o6755)
            return subprocess.run([temporary + "/sh", "-c", "exit 0"]).returncode == 0
            """,
    ),
    Row(
        name="works_in_its_own_folder",
        why="a program may write where it was given a place",
        must=Must.ACCEPT,
        attack="""
            os.makedirs(temporary + "/a/b")
            with open(temporary + "/a/b/c", "w") as file:
                file.write("text")
            os.rename(temporary + "/a/b/c", temporary + "/c")
            with open(temporary + "/c") as file:
                return file.read() == "text"
            """,
    ),
)
