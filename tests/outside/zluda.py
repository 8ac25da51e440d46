"""ZLUDA's tests of PTX: a kernel, what it reads and what it must leave, in the macros of spirv_run/mod.rs.

A launch is one block of 1 thread (test_ptx!) or 64 (test_ptx_warp!) with 1024 bytes of dynamic shared memory;
parameters are the input and the output, which starts as zero (the output alone where there is no input). A test
without values is read and decoded only, as are files that no test runs.
"""
import re
from pathlib import Path

from common import Tally, fault_line, in_parallel, ptx_entries, stats
from rust_values import pack, read_array, size_of, unpack

FOLDER = "ptx/src/test/spirv_run"
NOT_READ = {
    "ptx/src/pass": "ZLUDA's own language, not PTX",
    "ptx/src/test/spirv_fail": "not PTX on purpose",
    "ptx/src/test/spirv_run/32": "addresses of 32 bits, which no CUDA of today takes",
}
# Tests that pass on a GPU with a fault of their own, which must be told: 64 threads leave twice what was allocated.
FAULTS = dict.fromkeys(("ldmatrix", "mma_m16n8k16_f32_bf16_bf16_f32_2x"), "out_of_bounds")
MACRO = re.compile(r"^(test_ptx(?:_with_32|_warp)?)!\s*\(", re.M)


def strip_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def split_top(text):
    """The parts between commas that stand in no bracket."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part.strip() for part in parts + [text[start:]] if part.strip()]


def read_tests(source):
    """-> [(macro, name, [text of input and output])] in the order of the file."""
    source, tests = strip_comments(source), []
    for found in MACRO.finditer(source):
        depth, end = 1, found.end()
        while depth:
            depth += (source[end] == "(") - (source[end] == ")")
            end += 1
        name, *values = split_top(source[found.end():end - 1])
        tests.append((found.group(1), name, values))
    return tests


def takes_two(path, name):
    head = re.search(r"\.entry\s+%s\s*\(([^)]*)\)" % re.escape(name), path.read_text())
    return bool(head) and head.group(1).count(".param") > 1


def run_test(folder, macro, name, values):
    """-> (verdict, why)"""
    warp, path = macro == "test_ptx_warp", Path(folder) / (name + ".ptx")
    try:
        arrays = [read_array(text) for text in values]
    except ValueError as error:
        return "skipped", "values that are not understood: %s" % error
    kind, expected = arrays[-1]
    expected = unpack(kind, pack(kind, expected))
    length = len(expected) * size_of(kind)
    args = [("u8", length, bytes(length))]
    if not warp or takes_two(path, name):
        given = args[0][2] if warp else pack(*arrays[0])
        args.insert(0, ("u8", len(given), given))
    run = stats(path, name, 1, 64 if warp else 1, args, shared=1024)
    if run.error:
        return "refused", run.error
    got = unpack(kind, run.outputs.get(len(args) - 1, b""))
    if got != expected:
        at = next((i for i, pair in enumerate(zip(got, expected)) if pair[0] != pair[1]), 0)
        why = "[%d] is %s, expected %s" % (at, got[at] if at < len(got) else "not there", expected[at])
        return "wrong", why + "".join("; " + fault_line(fault) for fault in run.faults[:1])
    planted = FAULTS.get(name)
    if planted:
        return ("right", "") if any(fault["kind"] == planted for fault in run.faults) else ("missed", planted)
    return ("alarm", fault_line(run.faults[0])) if run.faults else ("right", "")


def check(checkout):
    folder = Path(checkout) / FOLDER
    tests = read_tests((folder / "mod.rs").read_text())
    ran = [test for test in tests if test[2]]
    runs, reads = Tally("zluda"), Tally("zluda-read")
    for (_, name, _), (verdict, why) in zip(ran, in_parallel(lambda test: run_test(folder, *test), ran)):
        runs.add(verdict, name, why)
    seen = {name for _, name, values in tests if values}
    rest = [path for path in sorted(Path(checkout).rglob("*.ptx")) if path.parent != folder or path.stem not in seen]
    found = ptx_entries(rest)
    for path in rest:
        name = str(path.relative_to(checkout))
        why = next((why for start, why in NOT_READ.items() if name.startswith(start)), None)
        refused = [message for verdict, _, message in found[str(path)] if verdict != "ok"]
        reads.add("skipped" if why else "refused" if refused else "right", name, why or "; ".join(refused[:1]))
    return [runs, reads]
