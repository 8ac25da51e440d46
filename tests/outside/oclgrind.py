"""Oclgrind's test kernels: OpenCL through clang to PTX, with the errors and results that Oclgrind's references state.

A test is NAME.cl, NAME.sim (geometry and arguments, a line or a few each) and NAME.ref (errors, and values of what is
dumped). Clang translates with the builtins of opencl_builtins.h. What OpenCL has and CUDA has not is skipped by name.
"""
import os
import re
import shutil
import tempfile
from pathlib import Path

from common import HERE, Tally, command, fault_line, in_parallel, stats
from rust_values import pack, unpack

FOLDER = "tests/kernels"
# Oclgrind's words, and the kinds of fault that say the same.
ERRORS = (("data race", {"race"}), ("Uninitialized", {"uninitialized"}),
          ("divergence", {"divergent_barrier", "deadlock", "bad_mask"}),
          ("Invalid read of", {"out_of_bounds"}), ("Invalid write of", {"out_of_bounds"}),
          ("exceeds static array", {"out_of_bounds"}), ("not aligned", {"misaligned"}))
FATAL = {"out_of_bounds", "misaligned"}
SKIPPED = (
    (r"data-race/((local|global)_only_fence|intragroup_hidden_race)|atomics/atomic_(local|global)_fence",
     "a CUDA barrier orders all memory"),
    (r"memcheck/.*(read_only|write_only)|bugs/write_vector_write_only", "buffers to read only, or to write only"),
    (r"wait_event/|async_copy_unwaited|async_copy.*divergent|async_copy_single", "events, and copies by a work-group"),
    (r"misc/non_uniform", "blocks of several sizes in one launch"),
    (r"interactive/", "a session of a debugger"),
    (r"misc/printf$", "formats of OpenCL vectors"),
    (r"partially_uninitialized_fract", "a function that this check has not translated"),
)
TYPES = (("float", "f32"), ("uchar", "u8"), ("char", "i8"), ("ushort", "u16"), ("short", "i16"), ("ulong", "u64"),
         ("size_t", "u64"), ("long", "i64"), ("uint", "u32"), ("int", "i32"))


def type_in(text):
    return next((kind for word, kind in TYPES if re.search(r"\b%s\d*\b" % word, text)), "i32")


class Argument:
    """One <...> of a .sim file with the values behind it."""

    def __init__(self, options, values, declared):
        self.given = dict(option.partition("=")[::2] for option in options)
        self.name = re.findall(r"\w+", declared)[-1]
        self.size = int(self.given.get("size", 0))
        named = next((kind for word, kind in TYPES if word in self.given), None)
        self.kind = named or type_in(declared)
        self.values = values

    def count(self):
        return self.size // len(pack(self.kind, [0]))

    def numbers(self):
        if "fill" in self.given:
            return [self.read(self.given["fill"])] * self.count()
        if "range" in self.given:
            first, step, _ = map(self.read, self.given["range"].split(":"))
            return [first + i * step for i in range(self.count())]
        return [self.read(word) for word in self.values]

    def read(self, word):
        if self.kind.startswith("f"):
            return float(word)
        value = int(word, 16 if "hex" in self.given else 0)
        return value % (1 << int(self.kind[1:])) if self.kind.startswith("u") else value

    def bytes(self):
        numbers = self.numbers()
        return pack(self.kind, numbers) if numbers else None


def read_sim(path, source):
    lines = [re.sub("#.*", "", line).strip() for line in path.read_text().splitlines()]
    lines = [line for line in lines if line]
    entry, global_size, local_size = lines[1], *([int(word) for word in lines[i].split()] for i in (2, 3))
    head = re.search(r"kernel\s+void\s+%s\s*\(([^)]*)\)" % re.escape(entry), source, re.S)
    declared = [text for text in head.group(1).split(",")] if head else []
    arguments = []
    for part in re.findall(r"<([^>]*)>([^<]*)", " ".join(lines[4:])):
        arguments.append(Argument(part[0].split(), part[1].split(), declared[len(arguments)]))
    return entry, global_size, local_size, arguments


def launch_arguments(arguments, ptx, entry):
    """-> arguments as lanescope takes them, and bytes of shared memory."""
    head = re.search(r"\.entry %s\((.*?)\n\)" % re.escape(entry), ptx, re.S)
    params = [line for line in (head.group(1) if head else "").splitlines() if ".param" in line]
    shared, words = 0, []
    for array in re.findall(r"\.shared \.align \d+ \.b8 +\S+\[(\d+)\]", ptx):
        shared += -(-int(array) // 16) * 16
    static = shared
    for argument, param in zip(arguments, params):
        if "null" in argument.given or argument.size == 0:
            words.append("u64=0")
        elif ".ptr .shared" in param:
            words.append("u64=%d" % shared)
            shared += -(-argument.size // 16) * 16
        elif ".ptr" in param:
            words.append((argument.kind, argument.count(), argument.bytes()))
        elif ".b8" in param:
            words.append("struct:" + ",".join("%s=%s" % (argument.kind, value) for value in argument.numbers()))
        else:
            words.append("%s=%s" % (argument.kind, argument.numbers()[0]))
    return words, shared - static


def numbers_in(text):
    return [float.fromhex(word) if word.lower().startswith("0x") else float(word)
            for word in re.findall(r"-?0x[0-9a-fA-F]+|-?\d+(?:\.\d+)?(?:e-?\d+)?", text)]


def wrong_value(reference, arguments, outputs):
    """The first line of the reference that does not hold, or None."""
    name = None
    for line in reference.splitlines():
        found = re.match(r"EXACT\s+Argument '(\w+)'", line)
        if found:
            name = found.group(1)
        found = re.match(r"EXACT\s+\w+\[(\d+)\] = (.*)", line)
        position = next((i for i, argument in enumerate(arguments) if argument.name == name), None)
        if not found or position not in outputs:
            continue
        got = unpack(arguments[position].kind, outputs[position])
        want, index = numbers_in(found.group(2)), int(found.group(1))
        step = 4 if len(want) == 3 else len(want)
        for k, value in enumerate(want):
            have = got[index * step + k]
            if abs(have - value) > 1e-4 * abs(value) and have % 256 != value % 256:
                return "%s, not %s" % (line.split(None, 1)[1], have)
    return None


def translate(path, output):
    line = [os.environ.get("CLANG") or shutil.which("clang") or "clang", "-cc1", "-triple", "nvptx64-nvidia-nvcl",
            "-target-cpu", "sm_70", "-target-feature", "+ptx64", "-x", "cl", "-cl-std=CL2.0", "-w", "-O0", "-S",
            "-include", HERE / "opencl_builtins.h", path, "-o", output]
    status, _, err = command(line)
    return None if status == 0 else next((text for text in err.splitlines() if "error" in text), err)


def run_test(sim):
    """-> (verdict, why)"""
    name = str(sim.parent.name + "/" + sim.stem)
    why = next((why for pattern, why in SKIPPED if re.search(pattern, name)), None)
    if why:
        return "skipped", why
    source, reference = sim.with_suffix(".cl"), sim.with_suffix(".ref")
    reference = reference.read_text() if reference.exists() else ""
    with tempfile.TemporaryDirectory() as folder:
        ptx = Path(folder) / (sim.stem + ".ptx")
        failed = translate(source, ptx)
        if failed:
            return "skipped", failed
        entry, global_size, local_size, arguments = read_sim(sim, source.read_text())
        words, shared = launch_arguments(arguments, ptx.read_text(), entry)
        grid = ",".join(str(-(-all_of // block)) for all_of, block in zip(global_size, local_size))
        run = stats(ptx, entry, grid, ",".join(map(str, local_size)), words, shared)
    if run.error:
        return "refused", run.error
    told = {fault["kind"] for fault in run.faults}
    wanted = [kinds for words, kinds in ERRORS if re.search(r"ERROR.*" + words, reference)]
    if FATAL & told & set().union(*wanted):    # the rest of the errors would have come later
        return "right", "/".join(sorted(told))
    if wanted:
        missed = [kinds for kinds in wanted if not kinds & told]
        return ("missed", "/".join(sorted(missed[0]))) if missed else ("right", "/".join(sorted(told)))
    if run.faults:
        return "alarm", fault_line(run.faults[0])
    wrong = wrong_value(reference, arguments, run.outputs)
    return ("wrong", wrong) if wrong else ("right", "")


def check(checkout):
    folder = Path(checkout) / FOLDER
    sims = sorted(folder.glob("*/*.sim"))
    if not sims:
        raise FileNotFoundError(str(folder / "*/*.sim"))
    tally = Tally("oclgrind")
    for sim, (verdict, why) in zip(sims, in_parallel(run_test, sims)):
        tally.add(verdict, str(sim.relative_to(folder).with_suffix("")), why)
    return [tally]
