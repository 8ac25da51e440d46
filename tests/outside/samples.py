"""NVIDIA's samples: every .cu through nvcc, optimized and with -G, and every .ptx; each entry is read and decoded.

A file that nvcc does not compile here (it wants OpenGL, another library, another arch) is skipped with nvcc's reason,
a file without kernels, too. PTX is kept in $OUTSIDE_WORK, if that is set, and used again while it is newer than its
source.
"""
import os
import re
import tempfile
from pathlib import Path

from common import Tally, command, find_nvcc, in_parallel, ptx_entries

CUTS = {"compiled": ["-lineinfo"], "written": ["-G"]}
# nvcc's complaint, and what helps.
RETRIES = ((r"separate compilation|launched from __device__|cooperative", ["-rdc=true"]),
           (r"C\+\+17|c\+\+17", ["-std=c++17"]),
           (r"extended lambda|extended-lambda", ["--extended-lambda"]))


def compile_ptx(job):
    """-> None, or why there is no PTX."""
    source, cut, includes, output = job
    if output.exists() and output.stat().st_mtime > source.stat().st_mtime:
        return None
    more = []
    while True:
        line = [find_nvcc(), "-ptx", "-arch=sm_90", *CUTS[cut], *more, "-o", output, source]
        status, _, err = command(line + ["-I%s" % folder for folder in includes], timeout=600)
        if status == 0:
            return None
        output.unlink(missing_ok=True)
        helps = [flags for pattern, flags in RETRIES if re.search(pattern, err) and flags[0] not in more]
        if not helps:
            return next((line for line in err.splitlines() if "error" in line), err.strip() or "no end")
        more += helps[0]


def jobs_of(checkout, work):
    common = [folder for folder in (checkout / "Common", checkout / "cpp" / "Common") if folder.is_dir()]
    for source in sorted(checkout.rglob("*.cu")):
        name = str(source.relative_to(checkout))
        for cut in CUTS:
            includes = [*common, source.parent, source.parent / "inc", source.parent / "include"]
            yield source, cut, includes, work / (name.replace("/", "__")[:-3] + "." + cut + ".ptx")


def verdict_of(entries):
    refused = ["%s: %s" % (entry, message) for verdict, entry, message in entries if verdict != "ok"]
    if refused:
        return "refused", "%d of %d entries; %s" % (len(refused), len(entries), refused[0])
    return ("right", "%d entries" % len(entries)) if entries else ("skipped", "no kernel")


def check(checkout, name="samples"):
    checkout = Path(checkout).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(os.environ.get("OUTSIDE_WORK", scratch))
        work.mkdir(parents=True, exist_ok=True)
        jobs = list(jobs_of(checkout, work))
        shipped = sorted(checkout.rglob("*.ptx"))
        if not jobs + shipped:
            raise FileNotFoundError("no .cu and no .ptx below it")
        reasons = in_parallel(compile_ptx, jobs)
        found = ptx_entries([job[3] for job, why in zip(jobs, reasons) if why is None] + shipped)
        tally = Tally(name)
        for (source, cut, _, output), why in zip(jobs, reasons):
            verdict = ("skipped", why) if why else verdict_of(found[str(output)])
            tally.add(verdict[0], "%s (%s)" % (source.relative_to(checkout), cut), verdict[1])
        for path in shipped:
            narrow = ".address_size 32" in path.read_text(errors="replace")
            verdict = ("skipped", "addresses of 32 bits") if narrow else verdict_of(found[str(path)])
            tally.add(verdict[0], str(path.relative_to(checkout)), verdict[1])
        return [tally]
