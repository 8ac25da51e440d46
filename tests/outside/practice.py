"""Exercises: reference.cu and alt_*.cu must be clean, wrong_*.cu and fooled_*.cu must be told apart from them.

A file is told apart by the first of: it does not compile, a rule about its code, and for each case and each order of
execution a fault, another result than expected, or a counter beyond its limit; or, at last, by a warning or note of a
kind that no sound solution of the exercise has. README.md describes launches.json.
"""
import json
import math
import re
import tempfile
from pathlib import Path

from common import Tally, command, fault_line, find_nvcc, in_parallel, stats
from rust_values import pack, unpack

SOUND, UNSOUND = ("reference", "alt_"), ("wrong_", "fooled_")
SUFFIXES = (".cu", ".ptx")
SEEDS = (0, 1, 2, 7)
NO_RESULT = -24680    # that a result begins with in the second order: who does not write is found where 0 is right, too
BUDGET = 1 << 24


class Told(Exception):
    """How a file was told apart: fault, result, limit, code, or error."""

    def __init__(self, how, why):
        super().__init__("%s: %s" % (how, why))
        self.how = how


def bytes_of(kind, value, count):
    bits = [int(value)] if kind[0] == "i" else [int(value) % (1 << int(kind[1:]))] if kind[0] == "u" else [float(value)]
    return pack(kind, bits * count)


class Memory:
    """The buffers of a case, from step to step. What was never written stays so until the first step writes it."""

    def __init__(self, buffers, folder, filled):
        self.buffers, self.folder = buffers, folder
        self.bytes = {}
        for name, buffer in buffers.items():
            kind = buffer["type"]
            if "values" in buffer:
                self.bytes[name] = pack(kind, buffer["values"])
            elif filled:
                self.bytes[name] = bytes_of(kind, NO_RESULT if kind not in ("u8", "i8", "f16") else 99, buffer["count"])

    def argument(self, word):
        if "=" in word:
            return word
        buffer = self.buffers[word]
        if "image" in buffer:
            path = Path(self.folder) / word
            path.write_bytes(self.bytes[word])
            return buffer["image"].replace("@", str(path))
        kind = buffer["type"]
        data = self.bytes.get(word)
        count = len(unpack(kind, data)) if data is not None else buffer["count"]
        return kind, count, data

    def values(self, name):
        return unpack(self.buffers[name]["type"], self.bytes[name])


def run_steps(path, case, memory, seed, remarks):
    counters = {}
    options = ["--threads", "1", *case.get("options", [])] + (["--seed", seed] if seed else [])
    options += [] if "--budget" in options else ["--budget", BUDGET]
    for step in case["steps"]:
        args = [memory.argument(word) for word in step["args"]]
        run = stats(path, step["kernel"], step["grid"], step["block"], args, step.get("shared", 0), options)
        if run.error:
            raise Told("error", run.error)
        if run.faults:
            raise Told("fault", fault_line(run.faults[0]))
        remarks.update({remark["kind"]: fault_line(remark) for remark in run.remarks})
        for position, data in run.outputs.items():
            memory.bytes[step["args"][position]] = data
        for name, value in run.counters.items():
            counters[name] = counters.get(name, 0) + (value or 0)
    return counters


def is_near(got, want, rule):
    if got == want or (math.isnan(got) and math.isnan(want)):
        return True
    return abs(got - want) <= rule.get("relative", 0) * abs(want) + rule.get("absolute", 0)


def check_result(name, got, rule):
    if "least" in rule:
        if got[0] < rule["least"]:
            raise Told("result", "%s[0] is %s, expected at least %s" % (name, got[0], rule["least"]))
        return
    want = rule["values"]
    some = rule.get("any_order", 0)
    got = sorted(got[:some]) + got[some:len(want)]
    want = sorted(want[:some]) + want[some:]
    for index, pair in enumerate(zip(got, want)):
        if not is_near(*pair, rule):
            raise Told("result", "%s[%d] is %s, expected %s" % (name, index, *pair))


def check_limits(limits, counters):
    for limit in limits:
        value = sum(factor * counters[name] for name, factor in limit["of"].items())
        if value > limit.get("most", value) or value < limit.get("least", value):
            bound = "at most %s" % limit["most"] if "most" in limit else "at least %s" % limit["least"]
            raise Told("limit", "%s %s, %s" % (limit["what"], value, bound))


def check_case(path, case, remarks):
    for order, seed in enumerate(case.get("seeds", SEEDS)):
        with tempfile.TemporaryDirectory() as folder:
            memory = Memory(case["buffers"], folder, filled=order == 1)
            try:
                counters = run_steps(path, case, memory, seed, remarks)
                for name, rule in case["expect"].items():
                    check_result(name, memory.values(name), rule)
                if order == 0:
                    check_limits(case.get("limits", []), counters)
            except Told as told:
                raise Told(told.how, "%s, seed %d: %s" % (case["name"], seed, str(told).split(": ", 1)[1])) from None


def check_code(path, rules):
    """What stands in the compiled code, before anything runs."""
    if "has" in rules or "has_not" in rules:
        _, ptx, _ = command([find_nvcc(), "-arch=sm_90", "-ptx", "-o", "-", path])
        for pattern in rules.get("has", []):
            if not re.search(pattern, ptx):
                raise Told("code", "no %s in the PTX" % pattern)
    if "shared_bytes" in rules:
        _, _, said = command([find_nvcc(), "-arch=sm_90", "-cubin", "-Xptxas", "-v", "-o", "/dev/null", path])
        used = max(map(int, re.findall(r"(\d+) bytes smem", said)), default=0)
        if used > rules["shared_bytes"]:
            raise Told("code", "%d bytes of shared memory, at most %d" % (used, rules["shared_bytes"]))


def judge(job):
    """-> (verdict, why, {kind: warning or note})"""
    path, launches = job
    remarks = {}
    try:
        check_code(path, launches.get("code", {}))
        for case in launches["cases"]:
            check_case(path, case, remarks)
    except Told as told:
        if "not supported" in str(told) or "cannot execute" in str(told):
            return "refused", str(told), {}
        if path.name.startswith(UNSOUND):
            return "right", str(told), {}
        return {"fault": "alarm", "error": "refused"}.get(told.how, "wrong"), str(told), {}
    return ("missed", "looks sound", remarks) if path.name.startswith(UNSOUND) else ("right", "clean", remarks)


def by_remarks(path, verdict, why, remarks, of_sound):
    """What looks sound is told apart by a remark that no sound solution gets."""
    own = [text for kind, text in remarks.items() if kind not in of_sound[path.parent]]
    return ("right", "remark: " + own[0]) if verdict == "missed" and own else (verdict, why)


def files_of(exercise):
    return [path for path in sorted(exercise.iterdir())
            if path.suffix in SUFFIXES and path.name.startswith(SOUND + UNSOUND)]


def check(folder, only=()):
    folder, jobs, tally = Path(folder), [], Tally("practice")
    for exercise in sorted(path for path in folder.iterdir() if path.is_dir()):
        if only and not exercise.name.startswith(tuple(only)):
            continue
        launches = exercise / "launches.json"
        if launches.exists():
            rules = json.loads(launches.read_text())
            jobs += [(path, rules) for path in files_of(exercise)]
        else:
            for path in files_of(exercise):
                tally.add("skipped", str(path.relative_to(folder)), "no launches.json")
    if not jobs:
        raise FileNotFoundError("no folder with launches.json and reference.cu in it")
    judged = [(path, *result) for (path, _), result in zip(jobs, in_parallel(judge, jobs))]
    of_sound = {path.parent: set() for path, *_ in judged}
    for path, _, _, remarks in judged:
        if path.name.startswith(SOUND):
            of_sound[path.parent] |= set(remarks)
    for path, verdict, why, remarks in judged:
        verdict, why = by_remarks(path, verdict, why, remarks, of_sound)
        tally.add(verdict, str(path.relative_to(folder)), why)
    return [tally]
