"""Whole programs as others published them: nvcc builds them with emulated_runtime.so in place of CUDA's runtime, they
run on the emulator, and check their results themselves, as on a GPU. programs.txt lists them.

The folder has a checkout of each repository under its name. A program is right if it says what the list expects and
ends well, and the emulator tells no fault; or it tells one that the list names.
"""
import os
import re
import shutil
import tempfile
from pathlib import Path

from common import HERE, TOP, Tally, command, find_nvcc, in_parallel

SOURCES = (".cu", ".cpp")


class Program:
    """A line of the list: FILE or FOLDER | arguments | words of its output | the kinds of fault that it has."""

    def __init__(self, line):
        cells = [cell.strip() for cell in line.split("|")] + ["", "", ""]
        self.path, self.args, self.says = cells[:3]
        self.faults = cells[3].split()
        self.repository = self.path.split("/")[0]


def read_list(text):
    """-> (programs, {repository: [(pattern, text)]}). A line "smaller NAME | PATTERN | TEXT" changes sizes in it."""
    programs, edits = [], {}
    for line in text.splitlines():
        if line.startswith("smaller "):
            name, pattern, replacement = (cell.strip() for cell in line[len("smaller "):].split(" | "))
            edits.setdefault(name, []).append((pattern, replacement))
        elif line.strip() and not line.startswith("#"):
            programs.append(Program(line))
    return programs, edits


def make_smaller(repository, edits, work):
    """A copy of the checkout in which large sizes are small ones."""
    copy = Path(work) / repository.name
    shutil.copytree(repository, copy, ignore=shutil.ignore_patterns(".git"))
    for path in copy.rglob("*.cu"):
        text = path.read_text(errors="surrogateescape")
        for pattern, replacement in edits:
            text = re.sub(pattern, replacement, text)
        path.write_text(text, errors="surrogateescape")
    return copy


def runtime():
    return Path(os.environ.get("builddir", TOP)).resolve() / "tests/outside/emulated_runtime.so"


def build(source, output, repository):
    """-> None, or why not."""
    files = [source]
    if source.is_dir():
        files = sorted(path for path in source.iterdir() if path.suffix in SOURCES)
    folder = files[0].parent
    includes = [folder, folder.parent / "common", folder.parent / "inc", repository / "Common",
                repository / "examples/common"]
    line = [find_nvcc(), "-w", "-std=c++17", "-gencode", "arch=compute_90,code=compute_90", "-no-compress",
            "-cudart", "none", *("-I%s" % path for path in includes), "-o", output, *files, runtime()]
    status, _, err = command(line, timeout=300)
    if status == 0:
        return None
    return next((text for text in err.splitlines() if "error" in text or "undefined" in text), err)


def read_log(path):
    """-> (kernels that were launched, [(kernel, kind, message)], [what was refused])"""
    rows = [line.split("\t") for line in path.read_text().splitlines()] if path.exists() else []
    return ({row[1] for row in rows if row[0] == "launch"}, [row[1:] for row in rows if row[0] == "fault"],
            [": ".join(row[1:]) for row in rows if row[0] == "refused"])


def judge(program, status, said, log):
    """-> (verdict, why)"""
    kernels, faults, refused = read_log(log)
    unexpected = [fault for fault in faults if fault[1] not in program.faults]
    if unexpected:
        return "alarm", ": ".join(unexpected[0])
    if refused:
        return "refused", refused[0]
    if program.faults:
        return ("right", faults[0][1]) if faults else ("missed", " ".join(program.faults))
    if status != 0 or not re.search(program.says, said):
        return "wrong", "exit status %s, no '%s' in: %s" % (status, program.says, said[-200:])
    return "right", "%d kernels" % len(kernels)


def run_program(job):
    """-> (verdict, why)"""
    program, repository = job
    source = repository.parent / program.path
    if not source.exists():
        return "skipped", "not there"
    with tempfile.TemporaryDirectory() as work:
        binary, log = Path(work) / "program", Path(work) / "log"
        why = build(source, binary, repository)
        if why:
            return "skipped", why
        status, out, err = command([binary, *program.args.split()], int(os.environ.get("OUTSIDE_SECONDS", "60")),
                                   cwd=source if source.is_dir() else source.parent,
                                   env={**os.environ, "LANESCOPE_LOG": str(log)})
        return ("skipped", err) if status is None else judge(program, status, out + err, log)


def check(folder):
    if not runtime().exists():
        raise SystemExit("outside: there is no %s here: make tests/outside/emulated_runtime.so" % runtime())
    text = Path(os.environ.get("OUTSIDE_PROGRAMS", HERE / "programs.txt")).read_text()
    programs, edits = read_list(text)
    tally, folder = Tally("programs"), Path(folder).resolve()
    with tempfile.TemporaryDirectory() as work:
        places = {program.repository: folder / program.repository for program in programs}
        for name in edits:
            if name in places and places[name].is_dir():
                places[name] = make_smaller(places[name], edits[name], work)
        jobs = [(program, places[program.repository]) for program in programs]
        for (program, _), (verdict, why) in zip(jobs, in_parallel(run_program, jobs)):
            tally.add(verdict, program.path, why)
    if tally.tried() == 0:
        raise FileNotFoundError("none of the programs of the list can be built and run")
    return [tally]
