"""The modules, members and builtins that give a program access to its surroundings, and the capability of each."""

from __future__ import annotations

from enum import Enum


class Capability(Enum):
    """The kind of access that a construct has; each value is its name for the user."""

    FILES = "the file system"
    NETWORK = "the network"
    PROCESSES = "other processes"
    CODE = "code made at run time"
    ENVIRONMENT = "the environment"
    INTERNALS = "the interpreter's internals"
    TESTS = "the test machinery"
    DEFINITIONS = "the definitions of the file"


def reach_of(dotted: str) -> tuple[str, Capability] | None:
    """Return the charged name and the capability of a dotted name; None if it is harmless.

    A module with one capability is charged as a whole; of a mixed one, such as `sys`, the member is.

    The longest matching prefix decides, so that `os.path.join` is harmless though `os` is not. One module is often
    reachable through another (`random._os`), so a known name further down counts as the module it names. Relative
    imports are the project's own and harmless.
    """
    if dotted.startswith("."):
        return None
    parts = dotted.split(".")
    for start in range(len(parts) - 1, 0, -1):
        if parts[start].lstrip("_") in _MODULES_INSIDE_OTHERS and ".".join(parts[: start + 1]) not in _REACHES:
            found = reach_of(".".join([parts[start].lstrip("_"), *parts[start + 1 :]]))
            if found is not None:
                return found
    for end in range(len(parts), 0, -1):
        entry = ".".join(parts[:end])
        if entry in _REACHES:
            reach = _REACHES[entry]
            whole = parts[0] in _REACHES and parts[0] != "builtins"
            return None if reach is None else (parts[0] if whole else entry, reach)
    return None


def is_mixed(module: str) -> bool:
    """True if the members of a module differ in capability, so that one says little about others."""
    return module in _MIXED


def is_listed(name: str) -> bool:
    """True if this exact dotted name is listed."""
    return name in _REACHES


def _entries(reach: Capability | None, module: str, names: str) -> dict[str, Capability | None]:
    """Return an entry for each name in a module, or for each module if `module` is ""."""
    prefix = f"{module}." if module else ""
    return {prefix + name: reach for name in names.split()}


_REACHES: dict[str, Capability | None] = {
    **_entries(
        Capability.FILES,
        "",
        "os posix nt pathlib io _io shutil tempfile glob fileinput zipfile tarfile gzip bz2 lzma sqlite3 dbm mmap "
        "fcntl linecache mailbox msvcrt winreg codecs.open logging.FileHandler logging.basicConfig logging.config "
        "builtins.open aiofiles anyio.open_file anyio.Path numpy.save numpy.load numpy.savetxt numpy.fromfile "
        "numpy.memmap",
    ),
    **_entries(
        None,
        "os",
        "path name sep altsep extsep pathsep linesep curdir pardir devnull fspath fsencode fsdecode PathLike "
        "strerror cpu_count getpid getcwd urandom get_terminal_size terminal_size error stat_result "
        "supports_follow_symlinks",
    ),
    **_entries(
        Capability.PROCESSES,
        "os",
        "system popen fork forkpty kill killpg abort _exit wait wait3 wait4 waitpid waitid posix_spawn "
        "posix_spawnp nice startfile setsid setpgid setuid setgid execl execle execlp execlpe execv execve execvp "
        "execvpe spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe register_at_fork",
    ),
    **_entries(Capability.ENVIRONMENT, "os", "environ environb getenv getenvb putenv unsetenv"),
    **_entries(None, "io", "StringIO BytesIO IOBase RawIOBase BufferedIOBase TextIOBase UnsupportedOperation SEEK_SET"),
    **_entries(None, "pathlib", "PurePath PurePosixPath PureWindowsPath"),
    **_entries(None, "", "gzip.compress gzip.decompress bz2.compress bz2.decompress lzma.compress lzma.decompress"),
    **_entries(
        Capability.NETWORK,
        "",
        "socket _socket ssl http urllib ftplib smtplib poplib imaplib nntplib telnetlib socketserver xmlrpc "
        "wsgiref webbrowser requests httpx httpx2 httpcore aiohttp urllib3 websockets websocket paramiko boto3 "
        "botocore grpc pycurl asyncio.open_connection asyncio.start_server asyncio.open_unix_connection "
        "asyncio.start_unix_server anyio.connect_tcp anyio.create_tcp_listener logging.handlers",
    ),
    **_entries(None, "", "http.HTTPStatus http.HTTPMethod urllib.parse urllib.error"),
    **_entries(
        Capability.PROCESSES,
        "",
        "subprocess _posixsubprocess multiprocessing pty pexpect psutil sh signal "
        "concurrent.futures.ProcessPoolExecutor asyncio.create_subprocess_exec asyncio.create_subprocess_shell "
        "anyio.run_process anyio.open_process resource",
    ),
    **_entries(
        Capability.CODE,
        "",
        "importlib imp runpy code codeop pickle _pickle cPickle marshal dill cloudpickle joblib shelve ctypes "
        "_ctypes cffi pkgutil zipimport pdb bdb timeit.timeit timeit.repeat timeit.Timer types.FunctionType "
        "types.CodeType types.LambdaType pydoc rlcompleter cProfile profile trace "
        "builtins.eval builtins.exec builtins.compile builtins.__import__ _imp "
        "_frozen_importlib",
    ),
    **_entries(
        Capability.INTERNALS,
        "",
        "gc builtins builtins.globals builtins.breakpoint builtins.__builtins__ builtins.__loader__ "
        "builtins.__spec__ atexit faulthandler site _thread.interrupt_main __main__ inspect.currentframe "
        "inspect.stack inspect.trace inspect.getouterframes inspect.getinnerframes inspect.getframeinfo "
        "inspect.getmembers inspect.getmembers_static inspect.getclosurevars inspect.getmodule "
        "traceback.walk_stack traceback.walk_tb traceback.extract_stack traceback.format_stack traceback.print_stack",
    ),
    **_entries(
        Capability.INTERNALS,
        "sys",
        "modules _getframe _getframemodulename _current_frames _current_exceptions settrace setprofile gettrace "
        "getprofile meta_path path path_hooks path_importer_cache addaudithook breakpointhook excepthook "
        "unraisablehook displayhook monitoring call_tracing __excepthook__ __stdout__ __stderr__ __stdin__ "
        "_xoptions _MEIPASS orig_argv",
    ),
    **_entries(
        Capability.TESTS,
        "",
        "pytest _pytest unittest pluggy doctest hypothesis coverage nose conftest test.support",
    ),
}
"""The access that a dotted name gives, or None for a harmless member of a listed module."""

_MIXED = frozenset(entry[:at] for entry in _REACHES for at, character in enumerate(entry) if character == ".")

_MODULES_INSIDE_OTHERS = frozenset(
    {"os", "sys", "builtins", "subprocess", "importlib", "socket", "shutil", "ctypes", "marshal", "pickle", "inspect"}
)
