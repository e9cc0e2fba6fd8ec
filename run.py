"""Sets Lampion up in its own `.venv`, then becomes what was asked for.

python3 run.py                open the games room in the browser
python3 run.py test [WORDS]   run the tests from the root of the repository; the words go to pytest
python3 run.py docs           write the documentation to build/site
python3 run.py release        walk the checklist of a release and build it; with --dry-run leave nothing behind
python3 run.py WORDS          the same as `lampion WORDS`

Needs nothing but the standard library. Its own words go to stderr: stdout belongs to what it starts.
"""

import contextlib
import hashlib
import os
import sys
import time

WINDOWS = os.name == "nt"
ROOT = os.path.dirname(os.path.realpath(__file__))
VENV = os.path.join(ROOT, ".venv")
BIN = os.path.join(VENV, "Scripts" if WINDOWS else "bin")
PYTHON = os.path.join(BIN, "python.exe" if WINDOWS else "python")
REQUIREMENTS = {"run": ["run.txt"], "test": ["run.txt", "test.txt"]}
HERE = "Python {}.{}.{} in {}".format(*sys.version_info[:3], ROOT)

TEXTS = {
    "en": {
        "old": "Lampion needs Python 3.11 or newer, and this is Python {}.{}.",
        "venv": "Python cannot make a virtual environment. On Debian or Ubuntu: apt install python3-venv",
        "wait": "Another start is setting Lampion up; waiting for it ...",
        "make": "Setting Lampion up, this once. Making .venv ...",
        "fetch": "Downloading and installing {} packages (a minute or two) ...",
        "install": "Installing Lampion itself and building its pages ...",
        "chromium": "Installing Chromium for the tests of the browser ...",
        "failed": "That did not work; the reason is above. Is the network there? Then start again.",
        "stopped": "Stopped. The next start sets Lampion up again.",
    },
    "fr": {
        "old": "Lampion a besoin de Python 3.11 ou plus récent, et voici Python {}.{}.",
        "venv": "Python ne peut pas créer d'environnement virtuel. Sous Debian ou Ubuntu : apt install python3-venv",
        "wait": "Un autre démarrage installe Lampion ; on l'attend ...",
        "make": "Installation de Lampion, une fois pour toutes. Création de .venv ...",
        "fetch": "Téléchargement et installation de {} paquets (une minute ou deux) ...",
        "install": "Installation de Lampion lui-même et construction de ses pages ...",
        "chromium": "Installation de Chromium pour les tests du navigateur ...",
        "failed": "Cela n'a pas marché ; la raison est au-dessus. Le réseau est-il là ? Alors recommencez.",
        "stopped": "Arrêté. Le prochain démarrage reprendra l'installation.",
    },
}


def text(key, *facts):
    """The sentence in the language of the terminal."""
    asked = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return TEXTS["fr" if asked.lower().startswith("fr") else "en"][key].format(*facts)


def say(key, *facts):
    print(text(key, *facts), file=sys.stderr, flush=True)


def read(*path):
    try:
        with open(os.path.join(*path), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def stamp(kind):
    """What `.venv/KIND.stamp` holds once that set-up is complete: where, then a digest of what."""
    digest = hashlib.sha256(read(ROOT, "pyproject.toml"))
    for name in REQUIREMENTS[kind]:
        digest.update(read(ROOT, "requirements", name))
    for folder, folders, files in os.walk(os.path.join(ROOT, "web")):
        folders[:] = sorted(set(folders) - {"node_modules"})
        for name in sorted(files):
            digest.update(read(folder, name))
    return f"{HERE}\n{digest.hexdigest()}\n".encode()


def ready(kind):
    return read(VENV, kind + ".stamp") == stamp(kind) and os.path.exists(PYTHON)


def set_up(kind):
    """Make or mend `.venv`. A stamp is there only while the set-up is whole: removed first, written last."""
    import subprocess

    with alone():
        if ready(kind):
            return
        stamps = {each: os.path.join(VENV, each + ".stamp") for each in REQUIREMENTS}
        whole = os.path.exists(PYTHON) and any(read(path).startswith(HERE.encode()) for path in stamps.values())
        for path in stamps.values():
            with contextlib.suppress(FileNotFoundError):
                os.remove(path)
        try:
            if not whole:
                make_venv()
            pins = os.path.join(ROOT, "requirements", REQUIREMENTS[kind][-1])
            say("fetch", read(pins).count(b"# via"))
            pip("--require-hashes", "--only-binary", ":all:", "-r", pins)
            if not has_node():
                pip("--require-hashes", "--only-binary", ":all:", "-r", os.path.join(ROOT, "requirements", "node.txt"))
            say("install")
            pip("--no-deps", "--no-build-isolation", "-e", ROOT)
        except subprocess.CalledProcessError:
            sys.exit(text("failed"))
        # The pins of the tests hold those of a plain run.
        for each in REQUIREMENTS if kind == "test" else [kind]:
            with open(stamps[each], "wb") as file:
                file.write(stamp(each))


def has_node():
    """Whether this machine has a Node.js that can build the pages; else the package brings one."""
    import shutil
    import subprocess

    if not shutil.which("node") or not shutil.which("npm"):
        return False
    said = subprocess.run(["node", "--version"], stdout=subprocess.PIPE, text=True, check=False).stdout
    numbers = said.strip().lstrip("v").split(".")[:2]
    return len(numbers) == 2 and all(map(str.isdecimal, numbers)) and tuple(map(int, numbers)) >= (20, 19)


def see_to_chromium():
    """The tests need a Chromium; as root on Debian it is installed, elsewhere its absence is said by the tests."""
    import shutil
    import subprocess

    if os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell"):
        return
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        say("chromium")
        quiet = {
            "stdout": subprocess.DEVNULL,
            "check": False,
            "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        }
        subprocess.run(["apt-get", "update", "-qq"], **quiet)
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends"]
        if subprocess.run([*install, "chromium-headless-shell"], **quiet).returncode != 0 and not any(
            map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"))
        ):
            subprocess.run([*install, "chromium"], **quiet)


def make_venv():
    say("make")
    try:
        import ensurepip  # noqa: F401
        import venv
    except ImportError:
        sys.exit(text("venv"))
    venv.create(VENV, clear=True, with_pip=True)


def pip(*words):
    import subprocess

    # Python compiles what it imports; pip would compile all, for half of its time.
    options = ["-qq", "--no-compile", "--disable-pip-version-check", "--no-input"]
    command = [PYTHON, "-I", "-m", "pip", "install", *options, *words]
    # The children keep the lock open, so that it outlives a set-up that was killed while pip still writes.
    subprocess.run(command, stdout=2, stdin=subprocess.DEVNULL, close_fds=False, check=True)


@contextlib.contextmanager
def alone():
    """Hold the lock of the set-up; the system lets go of it however the holder ends."""
    if WINDOWS:
        import msvcrt

        def grab(file):
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        def grab(file):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    with open(VENV + ".lock", "w") as file:
        os.set_inheritable(file.fileno(), True)
        told = False
        while True:
            try:
                grab(file)
                break
            except (BlockingIOError, PermissionError):
                if not told:
                    say("wait")
                told = True
                time.sleep(0.2)
        yield


def keep_bytecode():
    """Have what Python compiles kept in `.venv` where it may not lie beside the sources.

    Images of containers forbid it, and every process of a server or a test would compile all that it imports again: a
    second of the three and a half that a server takes to start.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", os.path.join(VENV, "bytecode"))


def become(command):
    """Replace this process, so that signals reach what was started."""
    keep_bytecode()
    if WINDOWS:
        import subprocess

        sys.exit(subprocess.call(command))
    os.execv(command[0], command)


def main(words):
    if sys.version_info < (3, 11):  # noqa: UP036
        sys.exit(text("old", *sys.version_info[:2]))
    testing, documenting, releasing = words[:1] == ["test"], words == ["docs"], words[:1] == ["release"]
    kind = "test" if testing or documenting or releasing else "run"
    if not ready(kind):
        try:
            set_up(kind)
        except KeyboardInterrupt:
            say("stopped")
            sys.exit(130)
    if testing:
        see_to_chromium()
        os.chdir(ROOT)
        become([PYTHON, "-m", "pytest", *words[1:]])
    if documenting:
        os.chdir(ROOT)
        become([PYTHON, "-m", "mkdocs", "build", "--quiet"])
    if releasing:
        become([PYTHON, os.path.join(ROOT, "release.py"), *words[1:]])
    become([os.path.join(BIN, "lampion"), *(words or ["serve", "--open"])])


if __name__ == "__main__":
    main(sys.argv[1:])
