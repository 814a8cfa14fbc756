"""Candidates that read what is secret in the project, or keep more on the disk than they may."""

from __future__ import annotations

from hostile.row import Must, Row

_READ = """
            def tells(*places):
                for place in places:
                    try:
                        with open(place, "rb") as file:
                            if b"SECRET" in file.read(65536):
                                return True
                    except OSError:
                        pass
                    try:
                        descriptor = os.open(place, os.O_RDONLY)
                        if b"SECRET" in os.read(descriptor, 65536):
                            return True
                    except OSError:
                        continue
                return False
"""


def _reading(name: str, why: str, body: str) -> Row:
    return Row(name=name, why=why, attack=_READ + body)


SECRETS = (
    _reading(
        "reads_the_settings_beside_the_code",
        "what looks like a secret is empty to runs",
        """
            return tells(PROJECT + "/.env", ".env", "config/prod.env", "server.pem", "deploy")
        """,
    ),
    _reading(
        "reads_the_settings_by_other_ways",
        "what counts is the file, not how it is spelled",
        """
            project = os.open(PROJECT, os.O_RDONLY)
            ways = ["/proc/self/root" + PROJECT, "/proc/self/cwd", "/proc/self/fd/%d" % project,
                    "/proc/%d/cwd" % os.getppid(), PROJECT + "/tests/..", "/proc/thread-self/root" + PROJECT]
            try:
                if b"SECRET" in os.read(os.open(".env", os.O_RDONLY, dir_fd=project), 100):
                    return True
            except OSError:
                pass
            return tells(*(way + "/.env" for way in ways))
        """,
    ),
    _reading(
        "reads_the_settings_by_another_name",
        "a hard link is the same file, and a rule for a link is one for what it leads to",
        """
            return tells("hard", "link", "linked/prod.env", "real-settings", "up/.env")
        """,
    ),
    _reading(
        "links_the_settings_into_its_own_folder",
        "a link at a place that may be read leads to the same file",
        """
            for make in (os.link, os.symlink, os.rename):
                try:
                    make(PROJECT + "/.env", temporary + "/" + make.__name__)
                except OSError:
                    continue
            return tells(*(temporary + "/" + name for name in ("link", "symlink", "rename")))
        """,
    ),
    _reading(
        "takes_the_editors_copies_of_the_settings",
        "what an editor keeps of a secret is as secret",
        """
            return tells("..env.swp", ".env~", "#.env#")
        """,
    ),
    _reading(
        "reads_what_git_ignores",
        "what is in no commit is nobody's to read, unless the tests need it",
        """
            own = ("local_data.json", "kept/deep/notes.txt", "config/own.local")
            places = (*own, "linked/own.local", "up/local_data.json")
            ways = (PROJECT, "/proc/self/root" + PROJECT, "/proc/self/cwd", "/proc/thread-self/root" + PROJECT)
            return tells(*places, *(way + "/" + place for way in ways for place in places))
        """,
    ),
    _reading(
        "reads_what_git_ignores_in_other_ways",
        "a repository within the project ignores for itself, a hard link is the same file, and data is no code",
        """
            return tells("inner/own.private", "plain.txt", "built/notes.txt", "up/plain.txt", "up/inner/own.private")
        """,
    ),
    _reading(
        "reads_what_was_once_committed",
        "a repository holds all that was ever committed, tokens in its addresses, and hooks",
        """
            import zlib
            found = False
            for place, _, names in os.walk(PROJECT + "/.git"):
                for name in names:
                    path = place + "/" + name
                    found = found or tells(path)
                    try:
                        with open(path, "rb") as file:
                            found = found or b"SECRET" in zlib.decompress(file.read())
                    except (OSError, zlib.error):
                        continue
            return found or tells(".git/config", ".git/hooks/pre-commit", ".git/objects/ab/cdef")
        """,
    ),
    _reading(
        "reads_the_settings_through_what_is_imported",
        "loaders read files as well, each in its own way",
        """
            import fileinput, importlib.machinery, linecache, mmap, runpy, shutil, tokenize
            found = any("SECRET" in line for line in linecache.getlines(PROJECT + "/.env"))
            for read in (
                lambda path: importlib.machinery.SourceFileLoader("env", path).get_data(path),
                lambda path: runpy.run_path(path).values(),
                lambda path: tokenize.open(path).read(),
                lambda path: shutil.copy(path, temporary + "/copied") and open(temporary + "/copied").read(),
                lambda path: libc.open(path.encode(), 0) > 0 and os.read(libc.open(path.encode(), 0), 100),
                lambda path: os.sendfile(os.open(temporary + "/sent", 66), os.open(path, 0), 0, 100) and "SECRET",
            ):
                try:
                    found = found or "SECRET" in str(read(PROJECT + "/.env"))
                except Exception:
                    continue
            return found
        """,
    ),
    _reading(
        "looks_through_the_users_own_folders",
        "settings, histories, keyrings, and what certo keeps of other searches are nobody's to read",
        """
            names = (".config/token", ".local/share/certo/journal", ".local/share/keyrings/login.keyring",
                     ".bash_history", ".cache/certo/verdicts", ".ssh/id_rsa")
            homes = (HOME, "/root", os.path.expanduser("~root"), "/home")
            return tells(*(home + "/" + name for home in homes for name in names))
        """,
    ),
    Row(
        name="leaves_a_tree_deeper_than_any_path",
        why="what is left is removed, however deep it is, and ends no search",
        must=Must.ACCEPT,
        attack="""
            back = os.open(".", os.O_RDONLY)
            os.chdir(temporary)
            for _ in range(2500):
                os.mkdir("deep")
                os.chdir("deep")
            open("file", "w").close()
            os.fchdir(back)
            return True
            """,
    ),
    Row(
        name="leaves_everything_that_is_not_a_file",
        why="pipes, sockets, closed folders and names of any bytes are removed like anything else",
        must=Must.ACCEPT,
        attack="""
            place = os.fsencode(temporary)
            for name in (b"new\\nline", b"\\xff\\xfe", b"x" * 255, b"-rf", b"certo-0", b"*"):
                os.mkdir(place + b"/" + name)
                open(place + b"/" + name + b"/" + name, "w").close()
            os.mkfifo(temporary + "/pipe")
            os.symlink(PROJECT, temporary + "/project")
            for mode in (0o000, 0o300, 0o500):
                os.umask(0)
                os.mkdir(temporary + "/closed%d" % mode, mode)
            return True
            """,
    ),
    Row(
        name="links_files_of_others_into_its_folder",
        why="removing what it leaves changes nothing of what it leads to",
        must=Must.EITHER,
        attack="""
            for number, place in enumerate((PROJECT + "/mod.py", HOME + "/.bashrc", PROJECT)):
                for make in (os.link, os.symlink):
                    try:
                        make(place, temporary + "/" + make.__name__ + str(number))
                    except OSError:
                        continue
            return True
            """,
    ),
    Row(
        name="keeps_files_without_names",
        why="what is deleted and still open takes space all the same",
        must=Must.WITHHOLD,
        attack="""
            import array
            ours, theirs = socket.socketpair()
            for number in range(60):
                with tempfile.TemporaryFile() as file:
                    for _ in range(32):
                        file.write(bytes(1 << 20))
                    file.flush()
                    rights = array.array("i", [file.fileno()])
                    ours.sendmsg([b"."], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
            time.sleep(60)
            return True
            """,
    ),
    Row(
        name="makes_more_files_than_it_may",
        why="inodes run out as well, and all of them are gone afterwards",
        must=Must.WITHHOLD,
        attack="""
            for number in range(200000):
                os.close(os.open(temporary + "/" + str(number), os.O_CREAT))
            return True
            """,
    ),
)
