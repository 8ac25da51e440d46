#!/bin/sh
# check_recordings.sh: the recordings that are shipped are those of their manifest; and assets/make-recordings, on the driver
# without a GPU, records, keeps what is good, makes anew what is not, goes on after a failure, and never takes it for a GPU.
set -u
top=$(cd "${srcdir:-.}" && pwd) program=$PWD/lanescope driver=$PWD/tests/fake_cuda/fake_cuda.so
sh "$top/assets/make-recordings" --check "$top/assets/recordings" || exit 1
[ -x "$program" ] && [ -f "$driver" ] || { echo "check_recordings: build lanescope and tests/fake_cuda first"; exit 77; }
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
out=$scratch/out failed=0
LANESCOPE_CUDA_LIBRARY=$driver
export LANESCOPE_CUDA_LIBRARY

record() { sh "$top/assets/make-recordings" "$program" "$@" > "$scratch/said" 2>&1; }

# expect WHAT COMMAND...
expect() {
  what=$1
  shift
  "$@" && return
  echo "check_recordings: $what; it said"
  cat "$scratch/said"
  failed=1
}
says() { grep -q -e "$1" "$scratch/said"; }
has_rows() { [ "$(grep -c -v '^#' "$out/MANIFEST")" -eq "$1" ]; }

record "$top/assets/recordings" bcast
expect "a driver without a GPU must not record for everybody" says "nothing was recorded: NVIDIA H200 (fake) is no GPU"
FAKE_CUDA_NAME="NVIDIA H200" record "$top/assets/recordings" bcast
expect "nor under another name" says "nothing was recorded: LANESCOPE_CUDA_LIBRARY names another driver"
DEVICE=emu record "$out" bcast
expect "the emulator is no GPU" says "nothing was recorded: --device emu is no GPU"
FAKE_CUDA_DEVICES=0 record "$out" bcast
expect "no GPU" says "shows no GPU"

expect "two kernels" record "$out" bcast bank_patterns
expect "two cuts each, and no second recording of defaults that are the lecture's" has_rows 4
expect "the parameters, the GPU and the whole grid are in the manifest" \
  grep -q "^bank_patterns.written.lst	.*	pattern=order	.*	1	1	20..-..-..	NVIDIA H200 (fake)	CUDA 13.0	" "$out/MANIFEST"
expect "the same again" record "$out" bcast
expect "what is there is kept" says "bcast.written.lst  *kept"
echo damage >> "$out/bcast.written.lst"
expect "after damage" record "$out" bcast
expect "what is damaged is made anew" says "bcast.written.lst  *[0-9]* bytes, 40 steps of 1 of 1 blocks"
expect "what is not is kept" says "bcast.compiled.lst  *kept"
expect "another GPU" env FAKE_CUDA_NAME="NVIDIA A100 (fake)" sh "$top/assets/make-recordings" "$program" "$out" bcast > "$scratch/said" 2>&1
expect "is no reason to keep" says "bcast.compiled.lst  *[0-9]* bytes"

expect "forms, and versions of a program" env KINDS="default choice" sh "$top/assets/make-recordings" "$program" "$out" race_add \
  grid_barrier > "$scratch/said" 2>&1
plain=$top/assets/ptx/race_add.PLAIN.g.ptx
ptx=$({ sha256sum "$plain" 2>/dev/null || shasum -a 256 "$plain"; } | cut -d ' ' -f 1)
expect "a form has a recording of its own, with its own code" \
  grep -q "^race_add.form-plain.written.lst	.*	$ptx	race_add	written	form=plain blocks=2 threads=64	" "$out/MANIFEST"
expect "whose answer may be wrong" says "wrong answer: a.0. is 4, expected 128"
expect "the form of the defaults has no second one" test ! -e "$out/race_add.form-atomic.written.lst"
expect "nor has a version" test ! -e "$out/grid_barrier.version-together.written.lst"
expect "a program in two launches is recorded in both" says "grid_barrier.version-two.written.lst .* of 17 of 17 blocks"
data=$scratch/data
mkdir -p "$data/assets"
ln -s "$top/kernels" "$top/lua" "$data"
ln -s "$top/assets/ptx" "$data/assets"
ln -s "$out" "$data/assets/recordings"
LANESCOPE_DATA=$data "$program" kernels grid_barrier > "$scratch/said" 2>&1
expect "all of its launches are counted" says "recorded: version=two .*, as compiled, .* 20..-..-..; 3932 steps of 17 blocks"
LANESCOPE_DATA=$data "$program" stats grid_barrier -p version=two --device recorded > "$scratch/said" 2>&1
expect "a recorded program has its measured times" says "^all of it in .*, measured on NVIDIA H200 (fake)"
LANESCOPE_DATA=$data "$program" stats race_add --form plain --device recorded > "$scratch/said" 2>&1
expect "a recorded form is opened" says "^form plain: "
KINDS="default choice" record "$out" race_add
expect "a form that is there is kept" says "race_add.form-volatile.compiled.lst  *kept"
KINDS=choices record "$out" race_add
expect "a kind that is none" says "KINDS: choices is none of default, lecture, timing, choice"

KINDS=timing record "$out" pointer_chase
expect "other choices for timing" grep -q \
  "^pointer_chase.timing.form-places.compiled.lst	.*	form=places hops=1024 nodes=262144 step=64 threads=32	" "$out/MANIFEST"
expect "and their times" grep -q "^pointer_chase.timing.nodes-1024.compiled.lst	" "$out/MANIFEST"

EVENTS=500 record "$out" histogram
expect "a grid of too many steps is recorded in part" says "histogram.written.lst .* steps of 3 of 4 blocks"
expect "a grid of few steps is not" says "histogram.compiled.lst .* of 4 of 4 blocks"
FORCE=1 FILE_MOST=10 record "$out" bcast
expect "a recording that is too large" says "bytes for one block, at most 10"
expect "does not stop the others" says "not recorded: bcast.compiled.lst bcast.written.lst"
expect "and leaves the one that was there" test -s "$out/bcast.written.lst"
MOST=3000 record "$out" vec_add
expect "all together have a limit" says "no room: with its .* in all, at most 3000"
LIMIT=0 FORCE=1 record "$out" bcast
expect "time has a limit, too" says "0 s are over; call it again for: bcast.compiled.lst bcast.written.lst"
expect "which costs nothing" test -s "$out/bcast.written.lst"
record "$out" nosuchkernel
expect "a name that is none" says "nosuchkernel"
expect "nothing is left over" test ! -e "$out/new.lst" -a ! -e "$out/said" -a ! -e "$out/MANIFEST.new"
sh "$top/assets/make-recordings" --check "$out" > "$scratch/said"
expect "they are told from a GPU's" says "of a driver that stands in"
expect "and are what the manifest says" test "$(wc -l < "$scratch/said")" -eq 1
FORCE=1 RUNNER=env record "$out" bcast
expect "a GPU that a command leads to" says "bcast.written.lst  *[0-9]* bytes, 40 steps of 1 of 1 blocks"
rm "$out/bcast.written.lst"
sh "$top/assets/make-recordings" --check "$out" > "$scratch/said"
expect "one is missing" says "bcast.written.lst: in the manifest, but not here"
exit $failed
