"""What the checks from outside share: running lanescope, counting verdicts, and the table at the end."""
import json
import os
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent

# right: what it should be. refused: lanescope says that it cannot. wrong: another result than the judge's. alarm: a
# fault is told where there is none. missed: there is one, and it is not told. skipped: not asked, for the reason given.
VERDICTS = ("right", "refused", "wrong", "alarm", "missed", "skipped")


class Tally:
    """Verdicts of one collection, in the order in which they came."""

    def __init__(self, name):
        self.name = name
        self.rows = []

    def add(self, verdict, what, why=""):
        assert verdict in VERDICTS
        self.rows.append((verdict, what, " ".join(why.split())))

    def count(self, verdict):
        return sum(row[0] == verdict for row in self.rows)

    def tried(self):
        return len(self.rows) - self.count("skipped")


def print_table(tallies):
    columns = ("tried",) + VERDICTS
    print("%-12s" % "" + "".join("%9s" % name for name in columns))
    for tally in tallies:
        counts = [tally.tried()] + [tally.count(verdict) for verdict in VERDICTS]
        print("%-12s" % tally.name + "".join("%9d" % count for count in counts))


def print_rest(tally, everything=False):
    """All that is not right, with the reason."""
    for verdict, what, why in tally.rows:
        if everything or verdict != "right":
            print("%s: %-8s %s%s" % (tally.name, verdict, what, ": " + why if why else ""))


def lanescope():
    """The program: LANESCOPE, or the one that was built in this tree."""
    return os.environ.get("LANESCOPE") or str(Path(os.environ.get("builddir", TOP)) / "lanescope")


def find_nvcc():
    return os.environ.get("NVCC") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"


def jobs():
    return int(os.environ.get("JOBS", os.cpu_count() or 1))


def in_parallel(function, items):
    with ThreadPoolExecutor(jobs()) as pool:
        return list(pool.map(function, items))


def command(args, timeout=120, **more):
    """Exit status (None: out of time), standard output, standard error."""
    try:
        done = subprocess.run([str(arg) for arg in args], capture_output=True, text=True, errors="replace",
                              timeout=timeout, **more)
    except subprocess.TimeoutExpired:
        return None, "", "no end after %d s" % timeout
    return done.returncode, done.stdout, done.stderr


class Run:
    """What `lanescope stats --json` said: `error` if it did not run, else faults, milder remarks (warnings and notes),
    counters and the buffers' bytes."""

    def __init__(self, error=None, told=(), counters=None, outputs=None):
        self.error, self.counters, self.outputs = error, counters or {}, outputs or {}
        self.faults = [fault for fault in told if fault["grade"] == "fault"]
        self.remarks = [fault for fault in told if fault["grade"] != "fault"]


def stats(path, kernel, grid, block, args, shared=0, extra=(), timeout=120):
    """Runs one launch. args: "u32=3", or (TYPE, COUNT, bytes or None for `none`), whose bytes come back by position."""
    with tempfile.TemporaryDirectory() as folder:
        line = [lanescope(), "stats", path, "--json", "-g", grid, "-b", block, "-s", shared, *extra]
        line += ["-k", kernel] if kernel else []
        back = []
        for position, arg in enumerate(args):
            if isinstance(arg, str):
                line += ["-a", arg]
                continue
            kind, count, data = arg
            init, after = "none", Path(folder) / ("%d.out" % position)
            if data is not None:
                before = Path(folder) / ("%d.in" % position)
                before.write_bytes(data)
                init = "file:%s" % before
            line += ["-a", "%s[%d]=%s>%s" % (kind, count, init, after)]
            back.append((position, after))
        status, out, err = command(line, timeout)
        try:
            said = json.loads(out)
        except ValueError:
            return Run(error=err.strip() or out.strip() or "exit status %s" % status)
        outputs = {position: after.read_bytes() for position, after in back if after.exists()}
        return Run(None, said["faults"], said["counters"], outputs)


def fault_line(fault):
    return "%s: %s" % (fault["kind"], fault["message"])


def ptx_entries(paths):
    """{path: [(verdict, entry, message)]} of every entry in these PTX files, from the program beside this file."""
    program = os.environ.get("PTX_ENTRIES") or Path(os.environ.get("builddir", TOP)) / "ptx_entries"
    if not os.access(program, os.X_OK):
        raise SystemExit("outside: there is no %s here: make ptx_entries" % program)
    status, out, err = command([program, *paths], timeout=1800)
    if status not in (0, 1):
        raise SystemExit("outside: %s ended with %s: %s" % (program, status, err[-400:]))
    found = {str(path): [] for path in paths}
    for line in out.splitlines():
        verdict, path, entry, message = line.split("\t", 3)
        found[path].append((verdict, entry, message))
    return found
