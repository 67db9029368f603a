"""The way in: make the environment when it is not there yet, then do what was asked.

This file and env_stamp.py parse on every Python 3, because a Python that is too old must still be
able to say so. An environment that is complete is entered without starting anything else.
"""

import os
import signal
import subprocess
import sys

import env_stamp

SUPPORTED = ((3, 11), (3, 12), (3, 13))

# What each command needs in the environment.
STEPS = {
    "run": ("run",),
    "test": ("run", "dev", "torch"),
    "check": ("run", "dev"),
    "bench": ("run", "dev"),
    "lock": (),
    "translations": ("run",),
}

_PROBE = (
    "import sys\n"
    "try:\n"
    "    import ensurepip, venv\n"
    "    makes = 1\n"
    "except ImportError:\n"
    "    makes = 0\n"
    "print(sys.version_info[0], sys.version_info[1], makes)\n"
)


def main(arguments: "list[str]") -> int:
    """Run `install-torch` or one of STEPS; the arguments after `--` are the command's own."""
    command, flags, rest = split(arguments)
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    venv = os.path.join(root, ".venv")
    if command == "install-torch":
        return install_torch(root, env_stamp.python_of(venv), flags)
    if command not in STEPS:
        print(f"usage: bootstrap.py {'|'.join(STEPS)} [--torch] [-- ARGUMENTS]")
        print("       bootstrap.py install-torch [--progress json]")
        return 2
    steps = STEPS[command]
    if "--torch" in flags and "torch" not in steps:
        steps += ("torch",)
    inside = env_stamp.python_of(venv)
    running_inside = os.path.realpath(sys.prefix) == os.path.realpath(venv)
    if os.path.exists(inside) and not running_inside:
        return replace_process([inside, os.path.abspath(__file__), *arguments])
    if running_inside and not env_stamp.missing_steps(root, venv, steps, sys.version_info[:2]):
        return enter(root, inside, command, rest)

    found = find_pythons(os.environ.get("PATH", ""))
    python, problem = choose(found)
    if python is None:
        print(f"oscillama: {problem}", file=sys.stderr)
        return 1
    install = os.path.join(root, ".ci", "env_install.py")
    code = call([python, install, *steps])
    return enter(root, inside, command, rest) if code == 0 else code


def call(command: "list[str]") -> int:
    """Run a command to its end. Ctrl+C reaches it as well, and how it ends then is its own."""
    # A handler that does nothing: to ignore it would be handed on to the command.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        return subprocess.call(command)
    finally:
        signal.signal(signal.SIGINT, before)


def split(arguments: "list[str]") -> "tuple[str, list[str], list[str]]":
    """The command, the flags meant for this script, and what comes after `--`."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    own, rest = arguments[:at], arguments[at + 1 :]
    return (own[0] if own else ""), own[1:], rest


def enter(root: str, python: str, command: str, rest: "list[str]") -> int:
    """Do what was asked with the environment's own Python."""
    os.chdir(root)
    if command == "run":
        return replace_process([python, "main.py", *rest])
    if command == "test":
        # A file of tests stays in one process: what is costly to load is loaded once for it.
        two = ["--numprocesses", "2", "--dist", "loadfile"]
        return replace_process([python, "-m", "pytest", *two, *rest])
    return replace_process([python, os.path.join(".ci", f"env_{command}.py"), *rest])


def install_torch(root: str, python: str, flags: "list[str]") -> int:
    """Install torch into the environment that is there, and do nothing else."""
    if not os.path.exists(python):
        print("oscillama: there is no environment yet: make one with `make run`", file=sys.stderr)
        return 1
    return replace_process([python, os.path.join(root, ".ci", "env_torch.py"), *flags])


def replace_process(command: "list[str]") -> int:
    """Become the command; where a process cannot be replaced (Windows), wait for it."""
    if os.name != "nt":
        sys.stdout.flush()
        os.execv(command[0], command)
    return subprocess.call(command)


def find_pythons(path: str) -> "list[tuple[str, tuple[int, int], bool]]":
    """Every Python that runs: where, which version, and whether it can make environments.

    This Python comes first, then those on PATH from new to old. A version manager puts commands on
    PATH that fail unless selected; those are passed over, and so is what comes twice.
    """
    candidates = [getattr(sys, "_base_executable", None) or sys.executable]
    for name in [f"python{major}.{minor}" for major, minor in reversed(SUPPORTED)] + ["python3"]:
        candidates += [os.path.join(folder, name) for folder in path.split(os.pathsep)]
    seen = set()
    found = []
    for candidate in candidates:
        real = os.path.realpath(candidate)
        # Shims of a version manager are one file under many names, so the name counts too.
        key = (real, os.path.basename(candidate))
        if key in seen or not os.access(candidate, os.X_OK):
            continue
        seen.add(key)
        answer = probe(candidate)
        if answer is not None:
            found.append((candidate, *answer))
            if answer[0] in SUPPORTED and answer[1]:
                break
    return found


def probe(python: str) -> "tuple[tuple[int, int], bool] | None":
    """Ask one Python for its version and its venv module; None when it does not run."""
    try:
        answer = subprocess.check_output(
            [python, "-I", "-c", _PROBE], stderr=subprocess.DEVNULL, timeout=20
        )
        major, minor, makes = answer.split()
        return (int(major), int(minor)), makes == b"1"
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def choose(found: "list[tuple[str, tuple[int, int], bool]]") -> "tuple[str | None, str]":
    """The Python to use, or None and the line that says what to install."""
    for python, version, makes in found:
        if version in SUPPORTED and makes:
            return python, ""
    for _, (major, minor), _ in found:
        if (major, minor) in SUPPORTED:
            return None, (
                f"Python {major}.{minor} is here but cannot make environments: it lacks "
                "ensurepip. On Debian and Ubuntu install that with: "
                f"sudo apt-get install python{major}.{minor}-venv"
            )
    versions = sorted({version for _, version, _ in found})
    names = ", ".join(f"{major}.{minor}" for major, minor in versions) or "none"
    return None, (
        f"Python 3.11, 3.12 or 3.13 is needed; found {names}. On Debian 12 and newer and Ubuntu "
        "24.04 install one with: sudo apt-get install python3 python3-venv"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
