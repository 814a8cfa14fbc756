"""Candidates that want to talk to somebody."""

from __future__ import annotations

from hostile.row import Row

NETWORK = (
    Row(
        name="calls_a_local_server",
        why="services on this machine trust whoever can reach them",
        attack="""
            socket.create_connection(TCP, 1).sendall(b"PWNED")
            return True
            """,
    ),
    Row(
        name="sends_datagrams",
        why="Landlock does not cover UDP; a second datagram fails where nobody took the first",
        attack="""
            sending = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            sending.connect(UDP)
            for _ in range(2):
                sending.send(b"PWNED")
                time.sleep(0.05)
            return True
            """,
    ),
    Row(
        name="calls_a_socket_in_the_file_system",
        why="an agent for keys or containers listens at such a place; Landlock does not cover it",
        attack="""
            socket.socket(socket.AF_UNIX).connect(SOCKET)
            return True
            """,
    ),
    Row(
        name="sends_to_a_socket_in_the_file_system",
        why="the system's log listens at such a place",
        attack="""
            return socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"PWNED", DATAGRAMS)
            """,
    ),
    Row(
        name="calls_an_abstract_socket",
        why="such a socket has no file that could be hidden",
        attack="""
            socket.socket(socket.AF_UNIX).connect(b"\\0" + ABSTRACT.encode())
            return True
            """,
    ),
    Row(
        name="takes_packets_off_the_wire",
        why="no capability for raw sockets",
        attack="""
            socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
            return True
            """,
    ),
    Row(
        name="opens_a_socket_to_the_host_machine",
        why="a virtual machine's line to its host belongs to no network namespace",
        attack="""
            return socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
            """,
    ),
    Row(
        name="asks_for_a_ring_of_calls",
        why="io_uring makes system calls that no filter sees",
        attack="return libc.syscall(425, 4, ctypes.create_string_buffer(256)) >= 0",
    ),
    Row(
        name="calls_the_kernel_in_32_bits",
        why="a filter that knows only the 64-bit numbers lets the others pass",
        attack="""
            if platform.machine() != "x86_64":
                return False
            code = bytes.fromhex("53 b867010000 bb02000000 b901000000 31d2 cd80 5b c3")
            page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
            page.write(code)
            address = ctypes.addressof(ctypes.c_char.from_buffer(page))
            return ctypes.CFUNCTYPE(ctypes.c_int)(address)() >= 0
            """,
    ),
    Row(
        name="calls_the_kernel_by_its_other_numbers",
        why="x86-64 has a second set of numbers, told apart by one bit",
        attack="return platform.machine() == 'x86_64' and libc.syscall(0x40000000 | 41, 2, 1, 0) >= 0",
    ),
)
