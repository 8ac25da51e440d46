// test_program_cli.c: the commands of the real program: exit status, messages, output, files, as the manual of the
// command line has them. Every row is a line that a user may type.
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "program/program.h"
#include "program/wellformed.h"

// A command line, its exit status, and the patterns of what it prints; NULL: nothing. Messages are exact unless they
// quote
// a system or a compiler.
typedef struct Case { const char *line; int status; const char *out, *err; } Case;

static void check_case(const Case *c) {
  ProgramRun run;
  program_run(&run, c->line);
  bool as_expected = run.status == c->status && program_matches(c->out ? c->out : "", run.out) &&
      program_matches(c->err ? c->err : "", run.err);
  if (!as_expected)
    printf("\n%s\n  status %d, expected %d\n  out: %.1500s\n  err: %s\n  expected: %s\n", c->line, run.status,
           c->status, run.out,
           run.err,
           c->err ? c->err : "no message");
  CHECK(as_expected);
  program_run_free(&run);
}

static void check_cases(const Case *cases, int count) {
  for (int i = 0; i < count; i++) check_case(&cases[i]);
}

// ---- the command line itself
// -----------------------------------------------------------------------------------------

static const Case line_cases[] = {
    {"lanescope --version", 0, "lanescope 0.*\n", NULL},
    {"lanescope -h", 0, "lanescope: see what*\nCommands:\n  lesson *\n  kernels *\n  man *--no-mouse*", NULL},
    {"lanescope --help", 0, "Examples:\n*Usage: lanescope*--budget N*", NULL},
    {"lanescope explore --help", 0, "Examples:\n*Usage: lanescope explore WHAT\n*-a, --arg ARG *--sched its|stack*",
     NULL},
    {"lanescope stats -h", 0, "lanescope stats: run and print the counters, the findings*", NULL},
    {"lanescope | head -3", 0, "lanescope shows what the lanes of a warp do.*", NULL},
    {"lanescope notes ../talk", 2, NULL, "lanescope: '../talk' is no name of notes: letters, digits, - and _, at most 40 of them*"},
    {"lanescope demo", 2, NULL, "lanescope: lanescope demo needs the demo's name; lanescope demo --list lists them\n"},
    {"lanescope demo nix", 2, NULL, "lanescope: there is no demo 'nix'; there are: *column, *corner,*"},
    {"lanescope demo --list --json", 0, "{\"demos\": [{\"name\": \"*\", \"title\": \"*\", \"minutes\": *", NULL},
    {"lanescope demo corner", 0, "The warp that turns the corner\n1.5 min*It is B, 8.*The hardware counts threads.*", NULL},
    {"lanescope demo corner --check", 0, "ok      60x18\nok      80x24\nok      100x30\nok      120x36\nok *", NULL},
    {"lanescope serve-run > answer", 2, NULL, "lanescope: the input ended before anybody greeted\n"},
    {"lanescope explre reduce2", 2, NULL, "lanescope: there is no command 'explre'\nDid you mean lanescope explore?\n"},
    {"lanescope reduce2", 2, NULL,
     "lanescope: there is no command 'reduce2'\nlanescope --help lists the commands; lanescope explore reduce2 opens a kernel.\n"},
    {"lanescope reduce2 stats", 2, NULL,
     "lanescope: there is no command 'reduce2'\nlanescope --help lists the commands; lanescope explore reduce2 opens a kernel.\n"},
    {"lanescope --color never --ascii kernels reduce2", 0, "reduce2 (K57): *", NULL},
    {"lanescope --pln", 2, NULL, "lanescope: there is no option --pln\nDid you mean --plain?\n"},
    {"lanescope -Z", 2, NULL, "lanescope: there is no option -Z\nlanescope --help lists them.\n"},
    {"lanescope stats", 2, NULL, "lanescope: stats needs WHAT; lanescope stats --help shows examples\n"},
    {"lanescope stats reduce2 reduce3 reduce4", 2, NULL,
     "lanescope: 'reduce4' is one word too many: it is lanescope stats WHAT [WHAT]\n"},
    {"lanescope stats reduce2 reduce3", 2, NULL,
     "lanescope: reduce2 is one launch: programs of several are put side by side\n"},
    {"lanescope devices all", 2, NULL, "lanescope: 'all' is one word too many: it is lanescope devices\n"},
    {"lanescope stats reduce2 --at 3", 2, NULL, "lanescope: lanescope stats does not take --at\n"},
    {"lanescope stats reduce2 --budget", 2, NULL, "lanescope: --budget needs N\n"},
    {"lanescope stats reduce2 --json=yes", 2, NULL, "lanescope: --json takes no value\n"},
    {"lanescope kernels --color=pink", 2, NULL, "lanescope: --color takes auto, always or never, not 'pink'\n"},
    {"lanescope completion fish", 2, NULL, "lanescope: completion is for bash or zsh, not 'fish'\n"},
    {"lanescope trace reduce2", 2, NULL, "lanescope: trace needs -o FILE, where the trace goes\n"},
};

static void the_line_is_judged(void) { check_cases(line_cases, LS_COUNT(line_cases)); }

// ---- lecture kernels
// -------------------------------------------------------------------------------------------------

static const Case kernel_cases[] = {
    {"lanescope kernels", 0, "*reduce2                K57  Reduction tree in shared memory*\n*warp_reduce *", NULL},
    {"lanescope kernels reduce2", 0, "reduce2 (K57): *\n  -p N=4096  *(1 to 16777216)\n*", NULL},
    {"lanescope kernels reduce_2", 2, NULL,
     "lanescope: there is no lecture kernel 'reduce_2'\nDid you mean reduce2?\nthere are: *"},
    {"lanescope kernels vec_add --json", 0, "*\"name\": \"threads\", \"default\": 256, \"choices\": *32, 64, *", NULL},
    {"lanescope stats reduce2", 0,
     "reduce2: kernel reduce2, as compiled, on emulator (its, profile h200)\n*answer: right*\n  reduce2.cu *", NULL},
    {"lanescope stats reduce2 --code written --sched stack --profile v100", 0,
     "*as written, on emulator (stack, profile v100)*answer: right*", NULL},
    {"lanescope stats reduce2 -p threads=64 -p N=1000", 0,
     "*parameters: form=right N=1000 blocks=4 threads=64\n*answer: right*", NULL},
    {"lanescope stats reduce2 --check none", 0, "*answer: right*", NULL},
    {"lanescope kernels race_add", 0,
     "race_add (K20): *\n  -p form=atomic  which form of the kernel (1 atomic, 2 plain, 3 "
     "volatile)\n*\n  --form atomic  atomicAdd; expected: a right result\n  --form plain  an ordinary +=, *; expected: a wrong result; "
     "race\n*", NULL},
    {"lanescope kernels race_add --json", 0,
     "*\"forms\": *\"name\": \"volatile\"*\"define\": \"VOLATILE\"*\"verdict\": "
     "\"wrong\"*", NULL},
    {"lanescope kernels", 0, "*race_add               K20  All threads add 1 to one cell (3 forms)*", NULL},
    {"lanescope stats race_add", 0, "*form atomic: atomicAdd; expected: a right result\n*answer: right*", NULL},
    {"lanescope stats race_add --form plain", 1, "*form plain: *; expected: a wrong result; race\n\n*answer: WRONG*",
     NULL},
    {"lanescope stats race_add -p form=3 --check none", 1, "*form=volatile *answer: WRONG*", NULL},
    {"lanescope stats race_add --form plain -p threads=32 --json", 1, "*\"as_expected\": true*\"answer\": \"wrong\"*",
     NULL},
    {"lanescope stats race_add --form plain -p threads=1 --json", 1,
     "*\"as_expected\": false, \"differs\": \"race_add form=plain blocks=2 threads=1: expected a wrong result, and it is right\"*", NULL},
    {"lanescope stats race_add --form plain -p threads=1 -p blocks=1", 0, "*answer: right*", NULL},
    {"lanescope stats reduce1 --lecture --form lecture -p N=4096", 0,
     "*parameters: form=lecture N=4096 blocks=288 threads=256\n*", NULL},
    {"lanescope stats reduce1 -p form=lecture --timing -p N=4096 -p blocks=4", 1,
     "*parameters: form=lecture N=4096 blocks=4 threads=256\n*", NULL},
    {"lanescope stats bcast --timing", 2, NULL,
     "lanescope: the recipe of bcast names no sizes for timing: -p NAME=VALUE gives them\n"},
    {"lanescope stats bcast --lecture", 2, NULL,
     "lanescope: the recipe of bcast names no sizes of the lecture: -p NAME=VALUE gives them\n"},
    {"lanescope stats reduce1 --lecture --timing", 2, NULL,
     "lanescope: --lecture and --timing are two sizes: choose one\n"},
    {"lanescope kernels vec_add", 0, "*\n  timing: form=right n=16777216 threads=256\n*", NULL},
    {"lanescope stats reduce_sync --profile a100", 0, "*answer: right*", NULL},
    {"lanescope stats quicksort_tree -p N=16", 0, "*\n 1.2.1   quicksort *\n 1.1     is_sorted *answer: right*", NULL},
    {"lanescope stats quicksort_tree -p N=16 --json", 0,
     "*\"launch\": \"1.2.1\", \"parent\": \"1.2\", \"depth\": 2*\"stream\": \"tail\"*\"answer\": \"right\"*", NULL},
    {"lanescope stats grid_barrier -p version=two", 0, "*answer: right*", NULL},
    {"lanescope stats reduce_sync --profile v100", 2, NULL,
     "lanescope: reduce_sync needs compute capability 8.0 or later, and the profile v100 has 7.0: --profile takes another, *\n"},
    {"echo 'return { name = \"occ34\", id = \"K\", title = \"T\", about = \"A\", topic = \"basics\", lessons = {}, model = "
     "\"occupancy\", values = { profile = \"v100\", registers = 34 } }' > occ34.lua; lanescope explore occ34.lua", 0,
     "occupancy: *\nprofile=v100 threads=256 registers=34 *6 blocks of 8 warps*", NULL},
    {"lanescope export occ34.lua -p registers=64 --view model", 0, " Tesla V100*4 blocks, 32 of 64 warps, 50 %*", NULL},
    {"lanescope export occ34.lua -p warps=64", 2, NULL, "lanescope: occupancy has no parameter 'warps'*"},
    {"lanescope stats occ34.lua; rm occ34.lua", 0, NULL, "lanescope: occ34.lua is a model, which does not run: *"},
    {"lanescope stats race_add --form plane", 2, NULL,
     "lanescope: form cannot be 'plane'; it is one of 1 atomic, 2 plain, 3 volatile\n"},
    {"lanescope stats race_add --form plain --form volatile", 2, NULL,
     "lanescope: two forms were given, plain and volatile: a run is of one; c in the explorer compares two\n"},
    {"lanescope stats race_add -p form=plain --form atomic", 2, NULL,
     "lanescope: two forms were given, atomic and plain: *"},
    {"lanescope stats race_add -p form=plain -p form=atomic", 2, NULL,
     "lanescope: two forms were given, plain and atomic: *"},
    {"lanescope stats race_add --form atomic -p form=atomic --form atomic", 0, "*answer: right*", NULL},
    {"lanescope stats reduce0 --form plain", 2, NULL,
     "lanescope: reduce0 has one form only: there is no --form to choose\n"},
    {"lanescope explore transpose_32x32", 0, "transpose_32x32: *line*\ntotals\n*", NULL},
    {"lanescope stats reduce2 --blocks 4", 2, NULL,
     "lanescope: there is no block 4: the grid has 4, numbered from 0\n"},
    {"lanescope stats reduce2 -p M=3", 2, NULL,
     "lanescope: reduce2 has no parameter 'M'; it has form, N, blocks, threads\n"},
    {"lanescope stats reduce2 -p N=abc", 2, NULL, "lanescope: N needs a whole number, not 'abc'\n"},
    {"lanescope stats reduce2 -p N=0", 2, NULL, "lanescope: N is 0; it can be 1 to 16777216\n"},
    {"lanescope stats reduce2 -p N", 2, NULL, "lanescope: 'N' is not of the form NAME=VALUE\n"},
    {"lanescope stats reduce2 -g 4", 2, NULL,
     "lanescope: reduce2 is a lecture kernel: it takes -p NAME=VALUE (lanescope kernels reduce2), not --grid\n"},
    {"lanescope stats reduce2 --check speed", 2, NULL,
     "lanescope: --check takes memory, init, race, sync (with commas), all or none, not 'speed'\n"},
    {"lanescope stats reduce2 --time-limit 5", 2, NULL,
     "lanescope: --time-limit means nothing on the emulator of this machine: *--budget stops an emulated run\n"},
    {"lanescope stats reduce2 --device auto --time-limit 5", 2, NULL,
     "lanescope: --time-limit means nothing on the emulator of*"},
    {"lanescope stats reduce2 --sched volta", 2, NULL, "lanescope: --sched takes its|stack, not 'volta'\n"},
    {"lanescope stats reduce2 --device tpu", 2, NULL,
     "lanescope: there is no device 'tpu'; --device takes auto, emu, cuda, recorded\n"},
    {"lanescope stats reduce2 --profile tpu", 2, NULL,
     "lanescope: there is no device profile 'tpu'; there are:\n  g80 *h200 *"},
    {"lanescope stats reduce2 --budget 0", 2, NULL,
     "lanescope: --budget takes a whole number from 1 to 18446744073709551615, not '0'\n"},
    {"lanescope stats reduce2 --runner ' '", 2, NULL,
     "lanescope: --runner takes a command that leads to another machine, like 'ssh gpu01'\n"},
    {"lanescope stats reduce2 --time-limit 0", 2, NULL, "lanescope: --time-limit takes seconds above 0, *not '0'\n"},
    {"lanescope stats reduce2 --runner env --device recorded", 2, NULL,
     "lanescope: --runner runs kernels elsewhere with *not 'recorded'\n"},
    {"lanescope stats reduce2 --runner 'sh -c \"exit 3\"'", 3, NULL,
     "lanescope: the runner 'sh -c \"exit 3\"' ended with status 3 before it answered\nTry it by hand: *\n"},
    {"lanescope trace reduce2 --blocks 9 -o t", 2, NULL,
     "lanescope: there is no block 9: the grid has 4, numbered from 0\n"},
    {"lanescope trace reduce2 --blocks x -o t", 2, NULL,
     "lanescope: --blocks takes block numbers like 0,3-5,middle,last or all, not 'x'\n"},
    {"lanescope stats reduce2 -p N=16777216 -p blocks=65535 --budget 100000", 1,
     "*\nfault budget: *give the run a larger --budget.\n*", NULL},
};

static void lecture_kernels_run(void) { check_cases(kernel_cases, LS_COUNT(kernel_cases)); }

// ---- a file of the user's
// --------------------------------------------------------------------------------------------

#define VECADD "lanescope stats $S/tests/bench/vecadd.ptx -g 4 -b 256 "
#define VECADD_ARGS "-a 'f32[1024]=iota' -a 'f32[1024]=const:2' -a 'f32[1024]=none' -a i32=1024 "
#define REDUCE2 "lanescope stats $S/assets/ptx/reduce2.g.ptx -g 4 -b 256 -s 1024 "
#define TYPES "u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64"

static const Case file_cases[] = {
    {VECADD "-a 'f32[1024]=iota' -a 'f32[1024]=const:2' -a 'f32[1024]=none' -a i32=1024", 0,
     "vecadd.ptx: kernel vecadd, as compiled*", NULL},
    {VECADD "-a 'f32[1024]=iota' -a 'f32[1024]=const:2' -a 'f32[1000]=none' -a i32=1024", 1,
     "*fault out_of_bounds: thread (232,0,0) of block (3,0,0) writes 4 bytes at argument 3[1000]*", NULL},
    {VECADD "-a 'f32[1024]=none' -a 'f32[1024]=const:2' -a 'f32[1024]=none' -a i32=1024", 1,
     "*fault uninitialized: *argument 1*",
     NULL},
    {VECADD "-a 'f32[1024]=none' -a 'f32[1024]=const:2' -a 'f32[1024]=none' -a i32=1024 --check none", 0, "*", NULL},
    {REDUCE2 "-a N=4096 -a y='f32[4]=none' -a x='f32[4096]=const:1'", 0, "reduce2.g.ptx: kernel reduce2, as written*",
     NULL},
    {VECADD, 2, NULL, "lanescope: vecadd takes 4 arguments (.u64, .u64, .u64, .u32), the launch gives 0\nMissing: -a for *"},
    {VECADD "-a 'f32[8]=iota' -a 'f32[8]=iota' -a i32=3 -a i32=8", 2, NULL,
     "lanescope: argument 3 of vecadd: a scalar of type i32 (4 bytes) is given; the kernel expects .u64\n"},
    {REDUCE2 "-a M=4096 -a 'f32[4]=none' -a 'f32[4096]=iota'", 2, NULL,
     "lanescope: reduce2 has no parameter named M; it has y, x, N\n"},
    {REDUCE2 "-a N=4096 -a N=3", 2, NULL, "lanescope: argument 'N=3': 'N' already has a value\n"},
    {VECADD "-a foo", 2, NULL,
     "lanescope: argument 'foo': expected TYPE=VALUE, TYPE[COUNT]=INIT or NAME=VALUE, such as i32=1000, f32[1000]=iota or N=1000\n"},
    {VECADD "-a 'f32[10=iota'", 2, NULL,
     "lanescope: argument 'f32[10=iota': expected TYPE[COUNT]=INIT, such as f32[1000]=iota\n"},
    {VECADD "-a 'f32[0]=iota'", 2, NULL,
     "lanescope: argument 'f32[0]=iota': the number of elements is a whole number of at least 1, not '0'\n"},
    {VECADD "-a 'f32[9]=ones'", 2, NULL,
     "lanescope: argument 'f32[9]=ones': 'ones' is no initial content of a buffer: it is zero, iota, const:V, mod:M, random:SEED, "
     "file:PATH, none, or values V,V,...\n"},
    {VECADD "-a 'f32[9]=file:gone'", 2, NULL,
     "lanescope: argument 'f32[9]=file:gone': cannot open gone: No such file or directory\n"},
    {VECADD "-a 'f32[9]=iota>'", 2, NULL,
     "lanescope: argument 'f32[9]=iota>': the name of the output file is missing after '>'\n"},
    {VECADD "-a i32=abc", 2, NULL,
     "lanescope: argument 'i32=abc': i32 takes a whole number from -2147483648 to 2147483647, not 'abc'\n"},
    {VECADD "-a u8=300", 2, NULL, "lanescope: argument 'u8=300': u8 takes a whole number from 0 to 255, not '300'\n"},
    {VECADD "-a 'unsigned float=3'", 2, NULL,
     "lanescope: argument 'unsigned float=3': 'unsigned float' is neither a type (" TYPES
     ", or C's: int, unsigned char, float) nor the name of a parameter\n"},
    {VECADD "-a 'float[1000]=iota' -a 'const float[1000]=const:1' -a 'f32[1000]=zero' -a 'unsigned int=1000'", 0, "*",
     NULL},
    {"lanescope stats $S/tests/unit/sim/kernels/arguments.g.ptx -b 32 -a 'struct:n=3,out=float[32]=zero,in=float[32]=iota' -a int2=1,2 "
     "-a half=3 -a '@coefficients=float:1,2,3' -a '@table=iota' -a '@more=float[32]=zero'", 0,
     "*note: settings (__constant__ Params) was given no value and reads as zeros; -a '@settings=struct:n=V,...' gives one\n*"
     "note: p: members that are not named are zero: v, p, d, c, b, q\n*", NULL},
    {"lanescope stats $S/tests/unit/sim/kernels/arguments.g.ptx -b 32 -a struct:m=3 -a int2=1,2 -a half=3", 2, NULL,
     "lanescope: argument 1, p: there is no member 'm'; Params is int n, float *out, const float *in, float v[3], Inner p, double d, "
     "signed char c, bool b, float4 q\n"},
    {"lanescope stats $S/tests/unit/sim/kernels/arguments.ptx -b 32 -a struct:n=3 -a int2=1,2 -a short=3", 2, NULL,
     "lanescope: argument 1: 'n=3': without the source's names members stand in order with their types, as in "
     "struct:i32=1,f32=2 (names are known in a .cu, or in PTX made with nvcc -G)\n"},
    {"lanescope stats bank_patterns -p pattern=3", 0, "*pattern=pairs*", NULL},
    {"lanescope stats bank_patterns -p pattern=8", 2, NULL,
     "lanescope: pattern cannot be '8'; it is one of 1 order, 2 permuted, "
     "3 pairs, 4 two-way, 5 three-way, 6 column, 7 xor\n"},
    {VECADD "-a f32=iota", 2, NULL,
     "lanescope: argument 'f32=iota': a buffer needs the number of its elements: TYPE[COUNT]=iota, such as f32[1000]=iota\n"},
    {VECADD "-g 0", 2, NULL,
     "lanescope: '0' is not the size of a grid: expected X[,Y[,Z]] with whole numbers from 1, such as 64 or 16,16\n"},
    {VECADD "-g 1,70000", 2, NULL, "lanescope: the grid is 70000 in y, but at most 65535 is possible\n"},
    {VECADD "-b 32,32,2", 2, NULL, "lanescope: a block of 32x32x2 has 2048 threads, but at most 1024 are possible\n"},
    {VECADD VECADD_ARGS "-s 49152 | grep -c cudaFuncSetAttribute", 1, "0\n", NULL},
    {VECADD VECADD_ARGS "-s 49153 | grep -o 'cudaFuncSetAttribute(.*49153)'", 0,
     "cudaFuncSetAttribute(vecadd*, cudaFuncAttributeMaxDynamicSharedMemorySize, 49153)\n", NULL},
    {VECADD VECADD_ARGS "-s 49153 --profile gtx1080", 2, NULL,
     "lanescope: a block needs 49153 bytes of shared memory (0 in the kernel, 49153 dynamic); the limit is 49152\n"},
    {VECADD "-s many", 2, NULL, "lanescope: --shared takes a whole number from 0 to 4294967295, not 'many'\n"},
    {VECADD "-k nosuch", 2, NULL, "lanescope: */vecadd.ptx has no kernel 'nosuch'; it has\n  vecadd\n"},
    {"lanescope stats $S/tests/unit/model/hardware/h200-counters.ptx", 2, NULL,
     "lanescope: *h200-counters.ptx has several kernels; say which of\n  k_stride\n*"},
    {VECADD "-p N=3", 2, NULL,
     "lanescope: -p is for lecture kernels; */vecadd.ptx is a file: give its arguments with -a\n"},
    {"lanescope stats gone.ptx", 2, NULL, "lanescope: there is no file gone.ptx\n"},
    {"mkdir -p d.ptx; lanescope stats d.ptx", 2, NULL, "lanescope: d.ptx is a directory\n"},
    {": > empty.ptx; lanescope stats empty.ptx", 2, NULL,
     "lanescope: empty.ptx:1:1: this is no PTX: it has no .version, no function and no variable\n"},
    {"sed s/setp.ge/setp.gee/ $S/tests/bench/vecadd.ptx > broken.ptx; lanescope stats broken.ptx", 2, NULL,
     "lanescope: broken.ptx:38:6: 'setp' has no modifier '.gee'; did you mean '.ge'?\n\tsetp.gee.s32 \t%p1, %r1, %r2;\n\t    ^\n"},
    {"lanescope stats $S/tests/bench/vecadd.ptx -g 2147483647 -b 1024 -a 'f32[4]=zero' -a 'f32[4]=zero' -a 'f32[4]=zero' -a i32=4 "
     "--budget 100000",
     1, "*fault budget: *", NULL},
};

static void own_files_run(void) { check_cases(file_cases, LS_COUNT(file_cases)); }

// The buffers after the run, to the byte: 1024 sums of iota and 2, and what a file held, unchanged.
static void output_files_hold_the_buffers(void) {
  float in[1024], *out;
  size_t size = 0;
  for (int i = 0; i < 1024; i++) in[i] = (float)i * 0.5f;
  CHECK(ls_file_write("in.bin", in, sizeof in, NULL));
  check_case(&(Case){VECADD "-a 'f32[1024]=file:in.bin>same.bin' -a 'f32[1024]=const:2' -a 'f32[1024]=none>out.bin' -a i32=1024", 0,
                     "*", NULL});
  out = (float *)(void *)ls_file_read("out.bin", 1 << 20, &size, NULL);
  CHECK_INT(size, sizeof in);
  for (int i = 0; size == sizeof in && i < 1024; i++) CHECK(out[i] == (float)i * 0.5f + 2);
  free(out);
  out = (float *)(void *)ls_file_read("same.bin", 1 << 20, &size, NULL);
  CHECK(size == sizeof in && memcmp(out, in, size) == 0);
  free(out);
}

// Whoever gets a trace from somebody else does not want its files written here.
static void a_saved_trace_writes_no_files(void) {
  ProgramRun run;
  program_run(&run, "lanescope trace $S/tests/bench/vecadd.ptx -g 1 -b 32 -a 'f32[32]=iota' -a 'f32[32]=iota' "
                    "-a 'f32[32]=none>theirs.bin' -a i32=32 -o theirs.lst && rm theirs.bin && "
                    "lanescope trace theirs.lst -o again.lst && lanescope stats theirs.lst && ls again.lst && ! ls theirs.bin");
  CHECK_INT(run.status, 0);
  program_run_free(&run);
}

// What buffers hold at first, by the bytes of one that no thread writes.
typedef struct Filled { const char *arg, *bytes; } Filled;
static const Filled filled[] = {
    {"u8[6]=mod:4", " 00 01 02 03 00 01\n"},
    {"i8[3]=const:-2", " fe fe fe\n"},
    {"u16[3]=iota", " 00 00 01 00 02 00\n"},
    {"i16[2]=const:-1", " ff ff ff ff\n"},
    {"u32[2]=random:5489", " 5c bb 91 d0 f6 9e ae 22\n"},   // 3499211612, 581869302: the generator's published first
                                                            // numbers
    {"i32[3]=zero", " 00 00 00 00 00 00 00 00 00 00 00 00\n"},
    {"i64[2]=iota", " 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00\n"},
    {"f16[2]=const:1.5", " 00 3e 00 3e\n"},
    {"f32[2]=iota", " 00 00 00 00 00 00 80 3f\n"},
    {"f64[1]=const:-2", " 00 00 00 00 00 00 00 c0\n"},
    {"u8[3]=file:abc", " 61 62 63\n"},
};

static void buffers_begin_as_told(void) {
  CHECK(ls_file_write("abc", "abc", 3, NULL));
  for (int i = 0; i < LS_COUNT(filled); i++) {
    char *line = ls_format("lanescope stats $S/tests/bench/vecadd.ptx -a 'f32[1]=zero' -a '%s>b.bin' -a 'f32[1]=zero' -a i32=0 > "
                           "log && od -An -tx1 b.bin",
                           filled[i].arg);
    check_case(&(Case){line, 0, filled[i].bytes, NULL});
    free(line);
  }
}

// ---- .cu files, as far as this machine can compile them
// ---------------------------------------------------------------

static bool has_compiler(const char *prefix) {
  ProgramRun run;
  char *line = ls_format("%s lanescope doctor --json", prefix);
  program_run(&run, line);
  bool found = json_is_valid(run.out) && !json_is_string(run.out, "compiler.found", "none");
  program_run_free(&run);
  free(line);
  return found;
}

static const char saxpy[] =
    "__global__ void saxpy(float a, const float *x, float *y, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = a * x[i] + y[i];\n}\n";
static const Case cu_cases[] = {
    {"lanescope stats saxpy.cu -g 4 -b 256 -a a=2 -a x='f32[1000]=iota' -a y='f32[1000]=const:1' -a n=1000", 0,
     "saxpy.cu: kernel saxpy(*\n  saxpy.cu *", NULL},
    {"lanescope stats saxpy.cu -g 4 -b 256 -a a=2 -a x='f32[1000]=iota' -a y='f32[1000]=const:1' -a n=1024", 1,
     "*fault out_of_bounds: thread (232,0,0) of block (3,0,0) reads 4 bytes at x[1000]*saxpy.cu:3*", NULL},
    {"cp saxpy.cu copy.cu; lanescope stats copy.cu -g 4 -b 256 -a a=2 -a x='f32[1000]=iota' -a y='f32[1000]=iota' -a n=1000", 0,
     "copy.cu: kernel saxpy(*\n  copy.cu *", NULL},
    {"sed 's/x;/x/' saxpy.cu > bad.cu; lanescope stats bad.cu", 2, NULL,
     "lanescope: bad.cu does not compile:\n*bad.cu*;*"},
};

static void cu_files_are_compiled(void) {
  CHECK(ls_file_write("saxpy.cu", saxpy, sizeof saxpy - 1, NULL));
  if (has_compiler("")) check_cases(cu_cases, LS_COUNT(cu_cases));
  if (has_compiler("PATH=$B")) return;   // found without PATH
  check_case(&(Case){"PATH=$B; lanescope stats saxpy.cu -g 4 -b 256", 3, NULL, "lanescope: *compiler*"});
}

// ---- traces
// ----------------------------------------------------------------------------------------------------------

static const Case trace_cases[] = {
    {"lanescope trace reduce2 -o r.lst", 0, NULL, "r.lst: 3540 steps of 4 of 4 blocks, * bytes\n"},
    {"lanescope trace reduce2 --blocks 0,3 -o two.lst", 0, NULL, "two.lst: 1770 steps of 2 of 4 blocks, * bytes\n"},
    {"lanescope play r.lst", 0, "reduce2: kernel reduce2, as compiled*\n  step 3539, *\ntotals\n*", NULL},
    {"lanescope trace reduce2 --code written -o w.lst && lanescope play w.lst --plain | head -14", 0,
     "*int tid = blockIdx.x * blockDim.x + id;\n  steps 5 to 7, block 0, warp 0: All 32 lanes work on line 8.\n"
     "  step 8, block 0, warp 0: Line 8 sets `tid` in all 32 lanes.\n*", "*"},
    {"lanescope explore --plain r.lst | tail -1", 0, "*barriers *288*", NULL},
    {"lanescope stats r.lst --sched stack", 2, NULL,
     "lanescope: r.lst is a saved trace, which is shown as it was recorded: --sched cannot change it\n"},
    {"lanescope play r.lst --sched stack", 2, NULL, "lanescope: lanescope play does not take --sched\n"},
    {"head -c 2400 r.lst > cut.lst; lanescope play cut.lst", 0,
     "*the trace ends early: what is whole (* steps) is shown\n*", NULL},
    {"head -c 100 r.lst > cut.lst; lanescope play cut.lst", 2, NULL,
     "lanescope: cut.lst is damaged, or cut off, in its header: *\n"},
    {"head -c 10 r.lst > cut.lst; lanescope play cut.lst", 2, NULL,
     "lanescope: cut.lst is a trace that was cut off after 10 bytes, before its first event\n"},
    {": > cut.lst; lanescope play cut.lst", 2, NULL, "lanescope: cut.lst is not a trace: it is empty\n"},
    {"(head -c 60 r.lst; printf XXXX; tail -c +65 r.lst) > bad.lst; lanescope play bad.lst", 2, NULL,
     "lanescope: bad.lst is damaged *\n"},
    {"(head -c 8 r.lst; printf '\\011'; tail -c +10 r.lst) > new.lst; lanescope play new.lst", 2, NULL,
     "lanescope: new.lst was written by a newer lanescope (format 9.*; this one reads 1.x)\n"},
    {"lanescope export r.lst --format chrome -o t.json && head -c 24 t.json", 0, "{\"displayTimeUnit\": \"ns\"", NULL},
    {"lanescope export r.lst --format chrome --view lanes", 2, NULL,
     "lanescope: --format chrome is a timeline of the whole run: it does not take --view\n"},
    {"lanescope export r.lst --format png", 2, NULL,
     "lanescope: --format takes svg, text, ansi or chrome, not 'png'\n"},
    {"lanescope play $S/LICENSE", 2, NULL, "lanescope: */LICENSE is not a trace: it looks like text\n"},
    {"lanescope play gone.lst", 2, NULL, "lanescope: cannot open gone.lst: No such file or directory\n"},
    {"lanescope trace reduce2 -o nowhere/r.lst", 2, NULL,
     "lanescope: cannot write nowhere/r.lst: No such file or directory\n"},
};

static void traces_are_saved_and_played(void) { check_cases(trace_cases, LS_COUNT(trace_cases)); }

// What another machine's emulator says is what this one's says, but for the time it took: counters of all blocks,
// lines, faults,
// the answer; and files of results come home.
static void a_run_elsewhere_is_a_run_here(void) {
  static const char *const lines[] = {
      "reduce2", "histogram", "warp_reduce --code written", "transpose_32x32 --sched stack",
          "gpu_sin_if -p steps=500", "warp_lock",
      "$S/tests/runs/faults/out_of_bounds.ptx -k past_end -g 2 -b 64 -a 'f32[128]=iota' -a 'f32[128]=none>away.bin'",
  };
  for (int i = 0; i < LS_COUNT(lines); i++) {
    ProgramRun here, there;
    const char *end = "2>&1 | sed 's/, \"elapsed_ns\": [0-9]*//'; test ! -e away.bin || od -x away.bin; rm -f away.bin";
    char *line = ls_format("lanescope stats --json %s %s", lines[i], end);
    char *elsewhere = ls_format("lanescope stats --json --device emu --runner 'echo Welcome; env' %s %s", lines[i],
                                end);
    program_run(&here, line);
    program_run(&there, elsewhere);
    bool same = strcmp(here.out, there.out) == 0 && strstr(here.out, "\"counters\"");
    if (!same) printf("\n%s: elsewhere it is\n%.300s\n", lines[i], there.out);
    CHECK(same);
    program_run_free(&here);
    program_run_free(&there);
    free(elsewhere);
    free(line);
  }
}

// A trace holds all that the counters need: its statistics are those of the run, but for the time it took.
static void a_trace_has_the_counters_of_its_run(void) {
  ProgramRun run, played;
  check_case(&(Case){"lanescope trace histogram -o h.lst", 0, NULL, "h.lst: *"});
  program_run(&run, "lanescope stats histogram --json");
  program_run(&played, "lanescope stats h.lst --json");
  CHECK(json_is_valid(run.out) && json_is_valid(played.out));
  char *counters = strstr(run.out, "\"counters\""), *played_counters = strstr(played.out, "\"counters\"");
  char *end = strstr(run.out, ", \"faults\""), *played_end = strstr(played.out, ", \"faults\"");
  CHECK(counters && played_counters && end && played_end);
  if (end && played_end) {
    *end = *played_end = 0;
    CHECK_STR(played_counters, counters);
  }
  program_run_free(&run);
  program_run_free(&played);
}

// ---- JSON
// ------------------------------------------------------------------------------------------------------------

typedef struct Field { const char *path; char kind; } Field;

static char *checked_json(const char *line, const Field *fields, int count) {
  ProgramRun run;
  program_run(&run, line);
  bool valid = json_is_valid(run.out);
  if (!valid) printf("\n%s: no JSON: %.300s\n", line, run.out);
  CHECK(valid);
  CHECK_INT(run.status, 0);
  CHECK_STR(run.err, "");
  for (int i = 0; valid && i < count; i++) {
    char kind = json_kind(run.out, fields[i].path);
    if (kind != fields[i].kind) printf("\n%s: %s is '%c', not '%c'\n", line, fields[i].path, kind, fields[i].kind);
    CHECK(kind == fields[i].kind);
  }
  char *text = valid ? ls_strdup(run.out) : NULL;
  program_run_free(&run);
  return text;
}

static const Field stats_fields[] = {
    {"kernel", 's'}, {"code", 's'}, {"device", 's'}, {"sched", 's'}, {"profile", 's'}, {"grid", 'a'}, {"block", 'a'},
    {"shared_bytes", 'n'}, {"counters", 'o'}, {"lines", 'a'}, {"lines.0.file", 's'}, {"lines.0.line", 'n'},
    {"lines.0.counters", 'o'}, {"faults", 'a'}, {"elapsed_ns", 'n'},
};
// The counters that scripts rely on, with what they are for reduce2 with its default launch: 4096 floats are 128
// requests of 4 sectors; each of 4 blocks stores one float; nothing conflicts.
typedef struct Counted { const char *name; int value; } Counted;
static const Counted reduce2_counters[] = {
    {"global_load_requests", 128}, {"global_load_sectors", 512}, {"global_store_requests", 4},
        {"global_store_sectors", 4},
    {"global_red_requests", 0}, {"global_red_sectors", 0}, {"global_atom_requests", 0}, {"global_atom_sectors", 0},
    {"shared_load_instructions", 100}, {"shared_load_wavefronts", 100}, {"shared_load_bank_conflicts", 0},
    {"shared_store_instructions", 112}, {"shared_store_wavefronts", 112}, {"shared_store_bank_conflicts", 0},
    {"warp_instructions", 3540}, {"thread_instructions", 109564}, {"branches", 736}, {"divergent_branches", 24},
        {"barriers", 288},
};

static void stats_json_keeps_its_fields(void) {
  char *text = checked_json("lanescope stats reduce2 --json", stats_fields, LS_COUNT(stats_fields));
  for (int i = 0; text && i < LS_COUNT(reduce2_counters); i++) {
    char path[80];
    snprintf(path, sizeof path, "counters.%s", reduce2_counters[i].name);
    CHECK_INT(json_number(text, path), reduce2_counters[i].value);
    double sum = 0;
    for (int line = 0; line < json_count(text, "lines"); line++) {
      snprintf(path, sizeof path, "lines.%d.counters.%s", line, reduce2_counters[i].name);
      sum += json_number(text, path);
    }
    CHECK_INT(sum, reduce2_counters[i].value);   // every instruction of this kernel has a line
  }
  CHECK(text && json_is_string(text, "kernel", "reduce2") && json_is_string(text, "lines.0.file", "reduce2.cu"));
  CHECK(text && json_number(text, "grid.0") == 4 && json_number(text, "block.0") == 256 &&
        json_number(text, "block.2") == 1);
  CHECK_INT(text ? json_count(text, "faults") : -1, 0);
  free(text);
}

static void faults_are_in_the_json(void) {
  static const Field fields[] = {{"kind", 's'}, {"message", 's'}, {"file", 's'}, {"line", 'n'}, {"block", 'n'},
                                 {"thread", 'n'}};
  ProgramRun run;
  program_run(&run, VECADD "-a 'f32[1024]=iota' -a 'f32[1024]=const:2' -a 'f32[1000]=none' -a i32=1024 --json");
  CHECK_INT(run.status, 1);
  CHECK(json_is_valid(run.out));
  for (int i = 0; json_is_valid(run.out) && i < LS_COUNT(fields); i++) {
    char path[40];
    snprintf(path, sizeof path, "faults.0.%s", fields[i].path);
    CHECK(json_kind(run.out, path) == fields[i].kind);
  }
  CHECK(json_is_string(run.out, "faults.0.kind", "out_of_bounds"));
  CHECK(json_is_string(run.out, "faults.0.grade", "fault"));
  CHECK_INT(json_number(run.out, "faults.0.block"), 3);
  CHECK_INT(json_number(run.out, "faults.0.thread"), 232);
  program_run_free(&run);
}

static void other_json_is_whole(void) {
  static const Field kernels[] = {{"kernels", 'a'}, {"kernels.0.name", 's'}, {"kernels.0.title", 's'},
                                  {"kernels.0.parameters.0.name", 's'},
                                  {"kernels.0.parameters.0.default", 'n'}, {"kernels.0.parameters.0.help", 's'}};
  static const Field devices[] = {{"devices.0.name", 's'}, {"devices.0.available", 'b'}, {"profiles.0.name", 's'},
                                  {"profiles.0.sms", 'n'}};
  static const Field occupancy[] = {{"profile", 's'}, {"blocks_per_sm", 'n'}, {"warps_per_sm", 'n'}, {"occupancy", 'n'},
                                    {"limit", 's'}};
  static const Field lessons[] = {{"lessons.0.id", 's'}, {"lessons.0.title", 's'}, {"lessons.0.state", 's'}};
  static const Field doctor[] = {{"gpu.found", 's'}, {"compiler.meaning", 's'}, {"terminal.found", 's'},
                                 {"files.found", 's'},
                                 {"progress.found", 's'}, {"progress.state", 's'}};
  char *text = checked_json("lanescope kernels --json", kernels, LS_COUNT(kernels));
  CHECK(text && json_count(text, "kernels") >= 26);
  free(text);
  free(checked_json("lanescope kernels reduce2 --json", kernels, 0));
  free(checked_json("lanescope devices --json", devices, LS_COUNT(devices)));
  text = checked_json("lanescope occupancy --device v100 --block 256 --regs 34 --json", occupancy, LS_COUNT(occupancy));
  CHECK(text && json_number(text, "warps_per_sm") == 48 && json_is_string(text, "limit", "registers"));
  free(text);
  text = checked_json("lanescope lesson --list --json", lessons, LS_COUNT(lessons));
  CHECK_INT(text ? json_count(text, "lessons") : 0, 18);
  free(text);
  free(checked_json("lanescope doctor --json", doctor, LS_COUNT(doctor)));
}

// ---- occupancy
// -------------------------------------------------------------------------------------------------------

static const Case occupancy_cases[] = {
    {"lanescope occupancy --block 8,8", 0, "*: 64 threads per block, 32 registers per thread, *", NULL},
    {"lanescope occupancy --block 4,4,64", 0, "*: 1024 threads per block, *", NULL},
    {"lanescope occupancy --block 1,1024", 0, "*: 1024 threads per block, *", NULL},
    {"lanescope occupancy -b 32,33", 2, NULL,
     "lanescope: a block of 32x33x1 has 1056 threads, but at most 1024 are possible\n"},
    {"lanescope occupancy --block 1,1,65", 2, NULL, "lanescope: the block is 65 in z, but at most 64 is possible\n"},
    {"lanescope occupancy --block 2000", 2, NULL, "lanescope: the block is 2000 in x, but at most 1024 is possible\n"},
    {"lanescope occupancy --block 0", 2, NULL, "lanescope: '0' is not the size of a block: expected X[,Y[,Z]] *"},
    {"lanescope occupancy --block 8,8,", 2, NULL, "lanescope: '8,8,' is not the size of a block: *"},
    {"lanescope occupancy --block 2,2,2,2", 2, NULL, "lanescope: '2,2,2,2' is not the size of a block: *"},
};

// The shape of a block does not matter, only its threads, and for these test_model_occ asks NVIDIA's cuda_occupancy.h.
static void blocks_of_any_shape(void) {
  static const struct { const char *shape; int threads; } same[] = {
      {"8,8", 64}, {"16,16", 256}, {"33,1,3", 99}, {"5,7,11", 385}, {"32,32", 1024}, {"1,1,64", 64}};
  check_cases(occupancy_cases, LS_COUNT(occupancy_cases));
  for (int i = 0; i < LS_COUNT(same); i++) {
    char line[300];
    snprintf(line, sizeof line,
             "for d in h200 v100 g80; do lanescope occupancy --json --regs 40 --device $d --block %s > a; "
             "lanescope occupancy --json --regs 40 --device $d --block %d > b; cmp a b || exit 1; done",
                 same[i].shape, same[i].threads);
    check_case(&(Case){line, 0, NULL, NULL});
  }
}

// ---- models
// ----------------------------------------------------------------------------------------------------------

static const Case model_cases[] = {
    {"lanescope model", 0, "occupancy  *How many warps live on an SM at once\n*", NULL},
    {"lanescope model occupancy", 0,
     "occupancy: How many warps *\nprofile=v100 threads=256 registers=34 *\n\n6 blocks of 8 warps*blocks  *6 blocks\n*", NULL},
    {"lanescope model occupancy -p profile=gt200 -p registers=22", 0, "*\n2 blocks of 8 warps: 16 of 32 warps, 50 %*",
     NULL},
    {"lanescope model occupancy -p registers=256", 2, NULL, "lanescope: registers is 256; it can be 0 to 255\n"},
    {"lanescope model roofs", 2, NULL, "lanescope: there is no model 'roofs'; there are occupancy*"},
    {"lanescope model -p registers=3", 2, NULL, "lanescope: -p is for a model: *"},
    {"lanescope export occupancy --size 80x24", 0, " lanescope ▸ occupancy *registers*limit*", NULL},
    {"lanescope export occupancy --view model --size 80x16 --format svg", 0, "*<svg *>slots<*", NULL},
    {"lanescope export occupancy --view banks", 2, NULL,
     "lanescope: occupancy is a model: --view takes screen or model, not 'banks'\n"},
    {"lanescope export occupancy --format chrome", 2, NULL,
     "lanescope: --format chrome is a timeline of a run: occupancy is a model\n"},
    {"lanescope export occupancy -p threads=0", 2, NULL, "lanescope: threads is 0; it can be 1 to 1024\n"},
};

static void models_of_numbers(void) {
  static const Field fields[] = {{"model", 's'}, {"params.threads", 'n'}, {"params.profile", 's'},
                                 {"facts.blocks", 'n'}, {"facts.limit", 's'},
                                 {"words", 's'}};
  static const Field list[] = {{"models.0.name", 's'}, {"models.0.rules", 's'}, {"models.0.parameters.0.name", 's'}};
  check_cases(model_cases, LS_COUNT(model_cases));
  char *text = checked_json("lanescope model occupancy -p threads=320 -p registers=40 --json", fields,
                            LS_COUNT(fields));
  CHECK(text && json_number(text, "facts.blocks") == 4);
  free(text);
  free(checked_json("lanescope model --json", list, LS_COUNT(list)));
}

// ---- the environment
// -------------------------------------------------------------------------------------------------

#define ISA_MESSAGE "LANESCOPE_ISA is 'sse9', which is no instruction set that the emulator has here\n*Set it to one of generic*, or unset it.\n*"
#define DATA_MESSAGE "LANESCOPE_DATA is /nowhere, but lanescope's own files are not there; point it at the directory that holds " \
  "kernels, lessons, lua and assets, or unset it\n"

static const Case environment_cases[] = {
    {"LANESCOPE_ISA=sse9 lanescope stats reduce2", 2, NULL, "lanescope: " ISA_MESSAGE},
    {"LANESCOPE_ISA=sse9 lanescope doctor", 0, "*emulator  does not start\n          " ISA_MESSAGE, NULL},
    {"LANESCOPE_ISA=generic lanescope stats reduce2", 0, "*answer: right*", NULL},
    {"LANESCOPE_ISA= lanescope stats reduce2", 0, "*answer: right*", NULL},
    {"LANESCOPE_ISA=generic lanescope doctor", 0, "*emulator  generic\n*", NULL},
    {"LANESCOPE_DATA=/nowhere lanescope kernels", 3, NULL, "lanescope: " DATA_MESSAGE},
    {"LANESCOPE_DATA=/nowhere lanescope stats reduce2", 3, NULL, "lanescope: " DATA_MESSAGE},
    {"LANESCOPE_DATA=/nowhere lanescope lesson --list", 3, NULL, "lanescope: " DATA_MESSAGE},
    {"LANESCOPE_DATA=/nowhere lanescope doctor", 0, "*files     missing\n*" DATA_MESSAGE "*", NULL},
    {"LANESCOPE_DATA=$S lanescope kernels reduce2", 0, "reduce2 (K57): *", NULL},
    {"LANESCOPE_DATA= lanescope kernels reduce2", 0, "reduce2 (K57): *", NULL},
};

static void the_environment_is_judged(void) { check_cases(environment_cases, LS_COUNT(environment_cases)); }

// ---- traces that are not finished
// -------------------------------------------------------------------------------------

// A full disk (a limit stands in for it) and an unknown kernel leave the older trace whole, and nothing beside it.
static const Case unfinished_cases[] = {
    {"mkdir unfinished; lanescope trace reduce2 -o unfinished/t.lst; cp unfinished/t.lst was.lst", 0, NULL,
     "unfinished/t.lst: * steps *"},
    {"trap '' 25; ulimit -f 1; lanescope trace reduce3 -o unfinished/t.lst", 2, NULL,
     "lanescope: cannot write unfinished/t.lst: File too large\n"},
    {"trap '' 25; ulimit -f 1; lanescope trace reduce3 -o unfinished/new.lst", 2, NULL,
     "lanescope: cannot write unfinished/new.lst: File too large\n"},
    {"lanescope trace nonesuch -o unfinished/t.lst", 2, NULL, "lanescope: there is no lecture kernel 'nonesuch'*"},
    {"cmp was.lst unfinished/t.lst && ls -A unfinished", 0, "t.lst\n", NULL},
    {"lanescope trace reduce3 -o unfinished/t.lst && lanescope play --plain unfinished/t.lst | head -1", 0,
     "reduce3: *",
     "unfinished/t.lst: * steps *"},
    {"lanescope trace reduce2 -o /dev/full", 2, NULL, "lanescope: cannot write /dev/full: No space left on device\n"},
    {"lanescope trace reduce2 -o /dev/stdout > whole.lst && cmp whole.lst was.lst", 0, NULL, "/dev/stdout: * steps *"},
};

static void unfinished_traces(void) { check_cases(unfinished_cases, LS_COUNT(unfinished_cases)); }

// ---- control characters
// ----------------------------------------------------------------------------------------------

// A kernel whose printf clears the screen, in three ways; a file and a word whose names do.
#define HOSTILE "sed 's/{116, 104, 114, 101, 97, 100, 32, /{27, 91, 50, 74, 194, 155, 255, /' $S/tests/unit/sim/kernels/hello.ptx > $F; "
#define HOSTILE_RUN "$F -k hello -b 32 -a 'i32[64]=zero' "
#define HOSTILE_NAME "F=$(printf 'hos\\033[2Jtile.ptx'); "

static const Case control_cases[] = {
    {"lanescope $(printf 'no\\033[2J')", 2, NULL, "lanescope: there is no command 'no\\e[2J'\n*"},
    {HOSTILE_NAME HOSTILE "lanescope explore --plain " HOSTILE_RUN "| sed '/^the kernel printed/,$d'", 0,
     "hos\\e[2Jtile.ptx: kernel hello*lanes print \"\\e[2J\\x9b\\xff3 of block 0\" (lane 3)*", NULL},
    {HOSTILE_NAME HOSTILE "lanescope stats " HOSTILE_RUN "> out; head -1 out | grep -c '\033'", 1, "0\n", NULL},
    // The kernel's own bytes, where no terminal is.
    {"grep -a -A1 'kernel printed' out | tail -1", 0, "\033[2J\302\233\3773 of block 0\n", NULL},
    {HOSTILE_NAME "lanescope stats --json " HOSTILE_RUN "> json; grep -c 'output\": \"\\\\u001b\\[2J\\\\u009b\\\\ufffd3 of' json", 0, "1\n", NULL},
};

static void controls_are_shown(void) {
  check_cases(control_cases, LS_COUNT(control_cases));
  char *json = ls_file_read("json", 1 << 20, NULL, NULL);
  CHECK(json && json_is_valid(json));
  free(json);
}

// ---- long texts
// ------------------------------------------------------------------------------------------------------

// A hundred thousand characters, wherever a message quotes what was typed: the message stays one for a person, and
// whole.
static void long_texts_are_cut(void) {
  static const char *const lines[] = {
      "$L", "--$L", "-$L", "stats $L", "stats $L.ptx", "stats reduce2 $L", "stats reduce2 --$L=1",
          "stats reduce2 -p N=$L",
      "stats reduce2 -p $L", "stats reduce2 -p $L=1", "stats reduce2 --budget $L", "stats reduce2 --sched $L",
      "stats reduce2 --check $L", "stats reduce2 --device $L", "stats reduce2 --profile $L",
          "stats reduce2 --blocks $L",
      "stats reduce2 --time-limit $L", "stats reduce2 --code=$L", "stats $S/tests/bench/vecadd.ptx -g $L",
          "stats $S/tests/bench/vecadd.ptx -b $L",
      "stats $S/tests/bench/vecadd.ptx -k $L", "stats $S/tests/bench/vecadd.ptx -a $L",
          "stats $S/tests/bench/vecadd.ptx -a $L=1", "stats $S/tests/bench/vecadd.ptx -a i32=$L",
      "stats $S/tests/bench/vecadd.ptx -a f32=$L", "stats $S/tests/bench/vecadd.ptx -a f32[$L]=iota",
          "stats $S/tests/bench/vecadd.ptx -a f32[4]=$L",
      "stats $S/tests/bench/vecadd.ptx -a f32[4]=mod:$L", "stats $S/tests/bench/vecadd.ptx -a f32[4]=const:$L",
          "stats $S/tests/bench/vecadd.ptx -a f32[4]=random:$L",
      "stats $S/tests/bench/vecadd.ptx -a f32[4]=file:$L", "stats $S/tests/bench/vecadd.ptx -a $L[4]=iota",
          "stats $S/tests/bench/vecadd.ptx -a tex.$L[4]=iota",
      "stats $S/tests/bench/vecadd.ptx -a tex.f32[4]=iota,$L",
          "stats $S/tests/bench/vecadd.ptx -a 'tex.f32[4]=iota>'$L", "explore --color=$L reduce2",
      "export reduce2 --at $L", "export reduce2 --at line:$L", "export reduce2 --view $L", "export reduce2 --format $L",
      "export reduce2 --size $L", "export reduce2 -o $L/x", "trace reduce2 -o $L/x", "play $L", "lesson $L",
          "kernels $L",
      "completion $L", "occupancy --block $L", "occupancy --regs $L", "occupancy --device $L"};
  for (int i = 0; i < LS_COUNT(lines); i++) {
    char line[400];
    ProgramRun run;
    snprintf(line, sizeof line, "L=$(printf '%%0100000d' 0 | tr 0 y); lanescope %s", lines[i]);
    program_run(&run, line);
    bool fine = run.status >= 2 && run.status <= 3 && strlen(run.err) > 20 && strlen(run.err) < 1900 &&
                !strstr(run.err, "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
                        "yyyyyyyyyyyyyyyyyyyyyyyy");
    if (!fine) printf("\n%s: status %d: %.300s\n", lines[i], run.status, run.err);
    CHECK(fine);
    program_run_free(&run);
  }
}

// The checkers themselves, on what they must refuse.
static void the_checkers_are_strict(void) {
  static const char *const bad_json[] = {"", "{", "{\"a\":1,}", "[1,]", "[01]", "[1 2]", "{\"a\":1,\"a\":2}",
                                         "\"\t\"", "[nul]",
                                         "[1.]", "1 1", "\"\\x\""};
  static const char *const bad_xml[] = {"", "<a>", "<a></b>", "<a b=1/>", "<a b=\"1\" b=\"2\"/>", "<a>&nbsp;</a>",
                                        "<a/><b/>",
                                        "<a>\x01</a>", "<a b=\"<\"/>"};
  for (int i = 0; i < LS_COUNT(bad_json); i++) CHECK(!json_is_valid(bad_json[i]));
  for (int i = 0; i < LS_COUNT(bad_xml); i++) CHECK(!xml_is_valid(bad_xml[i]));
  CHECK(json_is_valid("{\"a\": [1, -0.5e+3, \"\\u00e9\", true, null, {}], \"b\": []}\n"));
  CHECK(xml_is_valid("<?xml version=\"1.0\"?>\n<a b=\"&lt;\"><c/>\xe2\x96\x88</a>\n"));
}

// ---- pictures
// --------------------------------------------------------------------------------------------------------

static const Case export_cases[] = {
    {"lanescope export reduce2 --at line:18 --view banks", 0, "*shared banks*\n  bank *", NULL},
    {"lanescope export reduce2 --at line:18 --view banks --ascii", 0, "-- shared banks --*", NULL},
    {"lanescope export reduce2 --format ansi --size 80x24", 0, "*\033[*m*reduce2.cu*", NULL},
    {"lanescope export reduce2 --at end --size 80x24 | wc -l", 0, "24\n", NULL},
    {"lanescope export reduce2 -o p.txt && grep -c reduce2.cu p.txt", 0, "1\n", NULL},
    {"lanescope export reduce2 --at line:99", 2, NULL, "lanescope: no recorded step is on line 99\n"},
    {"lanescope export reduce2 --at fault", 2, NULL, "lanescope: nothing went wrong in this run\n"},
    {"lanescope export reduce2 --at 99999999", 2, NULL,
     "lanescope: there is no step 99999999: they go from 0 to 8235\n"},
    {"lanescope export reduce2 --at soon", 2, NULL, "lanescope: --at takes a step, line:N, fault or end, not 'soon'\n"},
    {"lanescope export reduce2 --view foo", 2, NULL, "lanescope: there is no view 'foo'; there are: screen, *\n"},
    {"lanescope export reduce2 --size 5x5", 2, NULL,
     "lanescope: --size takes COLSxROWS from 20x3 to 500x300, not '5x5'\n"},
    {"lanescope export reduce2 --format png", 2, NULL, "lanescope: --format takes svg*, not 'png'\n"},
    {"lanescope export reduce2 --lane 32", 2, NULL, "lanescope: --lane takes a whole number from 0 to 31, not '32'\n"},
    {"lanescope export reduce2 -o nowhere/p.svg", 2, NULL,
     "lanescope: cannot write nowhere/p.svg: No such file or directory\n"},
};

static void pictures_are_exported(void) { check_cases(export_cases, LS_COUNT(export_cases)); }

static void svg_is_well_formed(void) {
  static const char *const kernels[] = {"reduce2", "transpose_32x32", "warp_reduce", "histogram", "encrypt_parallel"};
  for (int i = 0; i < LS_COUNT(kernels); i++) {
    ProgramRun run;
    char *line = ls_format("lanescope export %s --at end --format svg", kernels[i]);
    program_run(&run, line);
    CHECK_INT(run.status, 0);
    CHECK(xml_is_valid(run.out));
    CHECK(ls_starts_with(run.out, "<svg xmlns=\"http://www.w3.org/2000/svg\""));
    free(line);
    program_run_free(&run);
  }
}

// ---- what the documentation says
// -------------------------------------------------------------------------------------

static const char *const commands[] = {"lesson", "exam", "practice", "report", "class", "kernels", "what", "explore",
                                       "stats", "test", "grade", "trace", "play", "export",
                                       "occupancy", "devices",
                                       "doctor",
                                       "completion", "man"};

// Kernels of one's own, and what a class handed in.
static void lay_out_folders(void) {
  ProgramRun made;
  program_run(&made, "mkdir -p kernels week3/ann && cp $S/tests/unit/cli/suite/scale.* kernels && "
                     "chmod -R u+w kernels && touch -d 2001-01-01 kernels/scale.cu && "
                     "cp $S/lessons/practice/07_transpose/reference.cu week3/ann/transpose.cu");
  CHECK_INT(made.status, 0);
  program_run_free(&made);
}

// ssh and srun as far as a run needs them: what follows the host, or the options, is run here.
static void pretend_other_machines(void) {
  ProgramRun made;
  program_run(&made,
              "mkdir -p away && printf '#!/bin/sh\nshift; exec \"$@\"\n' > away/ssh && cp away/ssh away/srun && chmod +x away/*");
  program_run_free(&made);
}

static bool needs_gpu(const char *line) {
  return strstr(line, "--device cuda") || strstr(line, "--against cuda") ||
      (strstr(line, "--runner") && !strstr(line, "--device emu"));
}

// Goes on until somebody stops it, for it waits for a speaker.
static bool waits(const char *line) {
  return strstr(line, "lanescope notes") || strstr(line, "lanescope follow /") ||
      (strstr(line, "lanescope follow ") && strchr(line, '@'));
}

// Runs every line of a text that begins with `indent` and is a command of lanescope, without the pager or comment
// after it.
static int run_examples(const char *text, const char *indent, bool can_compile) {
  int count = 0;
  for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
    const char *start = p + strlen(indent);
    if (!ls_starts_with(p, indent) || !ls_starts_with(start, "lanescope ")) continue;
    // An exam is made once, and hears the teacher's word; a student who says the same gives an answer.
    const char *before = ls_starts_with(start, "lanescope exam make ") ? "rm -f *.exam*; echo geheim | " :
        ls_starts_with(start, "lanescope exam ") ? "echo geheim | " :
        ls_starts_with(start, "lanescope practice ") ? "echo quit | " : "";
    char *line = ls_format("PATH=$PWD/away:$PATH; %s%.*s", before, (int)strcspn(start, "|#\n"), start);
    // A file that has not been written yet does not pass.
    bool judges = ls_starts_with(start, "lanescope practice ") && !strstr(line, "--list");
    // A page for its launch; here is no terminal, so it says what is missing.
    bool asks = !judges && ls_ends_with(line, ".cu");
    bool compiles = asks || judges || strstr(line, ".cu ") || strstr(line, " grade ");
    bool skipped = (!can_compile && compiles) || needs_gpu(line) || waits(line);
    if (!skipped) check_case(asks ? &(Case){line, 2, "", "*Missing: *"} : &(Case){line, judges, "*", "*"});
    count += !skipped;
    free(line);
  }
  return count;
}

static void documented_commands_work(void) {
  CHECK(ls_file_write("saxpy.cu", saxpy, sizeof saxpy - 1, NULL) &&
        ls_file_write("mine.cu", saxpy, sizeof saxpy - 1, NULL));
  bool can_compile = has_compiler("");
  pretend_other_machines();
  lay_out_folders();
  char *readme = ls_file_read(LS_SOURCE_DIR "/README.md", 1 << 20, NULL, NULL);
  const char *scripts = readme ? strstr(readme, "\nlanescope kernels") : NULL;
  CHECK(scripts && run_examples(scripts, "", can_compile) >= 4);   // first of all the trace that examples of help play
  CHECK(readme && run_examples(readme, "", can_compile) >= 4);
  free(readme);
  for (int i = 0; i < LS_COUNT(commands); i++) {
    ProgramRun help;
    char line[80];
    snprintf(line, sizeof line, "lanescope %s --help", commands[i]);
    program_run(&help, line);
    run_examples(help.out, "  ", can_compile);
    program_run_free(&help);
  }
}

// ---- what is generated from the tables
// -------------------------------------------------------------------------------

static void every_command_has_help(void) {
  ProgramRun man;
  program_run(&man, "lanescope man");
  CHECK(ls_starts_with(man.out, ".TH LANESCOPE 1"));
  for (int i = 0; i < LS_COUNT(commands); i++) {
    char line[80], out[160];
    snprintf(line, sizeof line, "lanescope %s --help", commands[i]);
    snprintf(out, sizeof out, "Examples:\n  *lanescope %s*Usage: lanescope %s*Options:\n*", commands[i], commands[i]);
    check_case(&(Case){line, 0, out, NULL});
    snprintf(line, sizeof line, "\\fBlanescope %s\\fR", commands[i]);
    CHECK(strstr(man.out, line) != NULL);
  }
  program_run_free(&man);
}

static const Case script_cases[] = {
    {"lanescope completion bash > c.bash; if command -v bash > to; then bash -n c.bash; fi", 0, NULL, NULL},
    {"if command -v bash > to; then bash -c '. ./c.bash; COMP_WORDS=(lanescope st) COMP_CWORD=1; _lanescope; echo "
     "${COMPREPLY[*]}'; else echo stats; fi",
     0, "stats\n", NULL},
    {"if command -v bash > to; then bash -c '. ./c.bash; COMP_WORDS=(lanescope stats warp_re) COMP_CWORD=2; _lanescope; echo "
     "${COMPREPLY[*]}'; else echo warp_reduce; fi", 0, "warp_reduce\n", NULL},
    {"lanescope completion zsh", 0, "#compdef lanescope\n*stats*", NULL},
};

static void completion_works(void) { check_cases(script_cases, LS_COUNT(script_cases)); }

// ---- pipes and closed ends
// -------------------------------------------------------------------------------------------

static const Case pipe_cases[] = {
    {"lanescope explore reduce2 | head -1", 0, "reduce2: kernel reduce2, as written, *\n", NULL},
    {"lanescope stats reduce2 --json | head -c 1", 0, "{", NULL},
    {"lanescope explore reduce2 <&- | head -1", 0, "reduce2: *\n", NULL},
    {"lanescope <&- | head -1", 0, "lanescope shows *\n", NULL},
    {"lanescope man > /dev/full", 2, NULL, "lanescope: cannot write the output: No space left on device\n"},
    {"lanescope --plain explore reduce2 --no-mouse --color=always 2>&1 | grep -c '\033'", 1, "0\n", NULL},
    {"LC_ALL=C lanescope kernels | head -1", 0, "adj_diff_*\n", NULL},
    {"HOME= XDG_STATE_HOME=/proc/nothing lanescope lesson --list | head -1", 0, "L01  Hello, GPU *\n",
     "lanescope: Progress lasts only until you leave: /proc/nothing/lanescope/progress.db cannot be used *\n"},
};

static void pipes_end_quietly(void) { check_cases(pipe_cases, LS_COUNT(pipe_cases)); }

static const Case practice_cases[] = {
    {"lanescope practice --list", 0, "01  map  *\n30  fusion *", NULL},
    {"lanescope practice --list --json", 0, "{\"exercises\": [*{\"number\": \"07\", \"name\": \"transpose\", *", NULL},
    {"lanescope practice trnspose", 2, "", "lanescope: there is no exercise 'trnspose'*Did you mean transpose?\n"},
    {"lanescope practice 07 --check /nowhere/a.cu", 2, "", "lanescope: cannot open /nowhere/a.cu: *"},
    {"lanescope practice 07 --check .", 2, "", "lanescope: . is a directory\n"},
    {"echo > mine.cu; lanescope practice --check mine.cu", 2, "", "lanescope: which exercise is mine.cu for? *"},
    {"echo > mine.cu; lanescope practice 07 --check mine.cu", 1,
     "It does not compile.\nThe file is empty. Wanted: __global__ void transpose(*", ""},
    {"echo 'int' > mine.cu; XDG_CACHE_HOME=$PWD/none LANESCOPE_NVRTC=none LANESCOPE_COMPILER=nvrtc "
     "lanescope practice transpose --check mine.cu", 3, "", "lanescope: no CUDA compiler is here, *Install clang *"},
    // The starter is put there once, and what a student wrote stays.
    {"export LANESCOPE_PRACTICE=$PWD/work; echo quit | lanescope practice 07 | grep '^/.*: the file to write' | wc -l;"
     " echo > work/transpose.cu; printf '%s\\n' tip tip tip tip what quit | lanescope practice 07 | tail -8;"
     " wc -c < work/transpose.cu", 0,
     "1\n*The file is empty*\ntip 1 of 3: *\ntip 3 of 3: *\nThere are no more tips.\ntip gives a tip, quit leaves; *\n"
     "1\n", ""},
};

static void practice_judges(void) { check_cases(practice_cases, LS_COUNT(practice_cases)); }

static const Case lesson_cases[] = {
    {"lanescope lesson --list", 0, "L01  Hello, GPU *\nL18  *\n", NULL},
    {"lanescope lesson L11 --auto", 0, "*L11: * steps, * of * answers right\n", NULL},
    // In a pipe it reads answers, a line each: those that --auto gave are all right.
    {"for l in L03 L04 L08 L11; do lanescope lesson $l --auto | sed -n -e 's/^answer: line \\([0-9]*\\):.*/\\1/p' -e t"
     " -e 's/^answer: \\(\\([a-z0-9],* \\)*[a-z0-9]\\) (.*/\\1/p' -e t -e 's/^answer: \\([^ ,)]*\\).*/\\1/p'"
     " -e 's/^how sure: \\(.*\\)/\\1/p' -e 's/^reached$/skip/p' -e 's/^== \\(write\\|modify\\|make\\|parsons\\).*/skip/p'"
     " | XDG_STATE_HOME=$PWD/$l lanescope lesson $l --seed 1 | sed -n '/answers right/s/, \\(.*\\) of \\1 answers/, all answers/p'; done", 0,
     "L03: * steps, all answers right\nL04: * steps, all answers right\nL08: * steps, all answers right\n"
     "L11: * steps, all answers right\n", ""},
    {"printf '%s\\n' skip skip nonsense tip 'what is a warp' 1 2 look quit | XDG_STATE_HOME=$PWD/wrong lanescope lesson L03", 0,
     "*answer with a number; help lists what else can be said.\ntip: How many threads*\nwarp (L03): 32 threads*\nanswer: 1 *(no)\n*"
     "\nit is: 3 warps\n*\nwarp 0, shown: active all 32 lanes, line *\nL03 is left at step *. lanescope lesson L03 goes on there.\n", ""},
    {"printf '%s\\n' back 'again' | XDG_STATE_HOME=$PWD/wrong lanescope lesson L03", 0, "\n[L03, step *", ""},
    // Of two forms beside each other a conversation says the lines that differ.
    {"printf '%s\\n' 8 7 '' '' | lanescope museum E20", 0,
     "*answer: line 8: * (no)\nHere some threads read past the end. *\nanswer: line 7: if (i > 0) { (right)\n*"
     "\nbeside it, the cure:\n- 7    if (i > 0) {\n+ 7    if (i > 0 && i < n) {\nmuseum: 3 steps, *", ""},
    {"lanescope lesson L11 --auto --seed 7 | grep -c '== check: Recall'", 0, "2\n", ""},
    {"lanescope lesson L11 --auto --seed 0", 2, NULL, "lanescope: --seed takes a whole number from 1 to *"},
    {"lanescope what is a wavefront", 0, "wavefront (L11): One turn *\n", ""},
    {"lanescope what", 0, "*\nbank conflict * L11\n*", ""},
    {"lanescope what wavefrnt", 2, "",
     "lanescope: \"wavefrnt\" is not in the glossary\nDid you mean wavefront, wave?\nlanescope what lists *"},
    {"lanescope what --json AoS", 0, "{\"terms\": [{\"name\": \"array of structs\", *\"lesson\": \"L08\"}]}*", ""},
    {"echo quit | XDG_STATE_HOME=$PWD/asked lanescope quiz fq5 --seed 1", 0, "\n[quiz, step 1]\n== check: 1 of 5: L11.*quiz is left at step 1.\n", ""},
    // How code is typed is said, with a compiler or without.
    {"(yes skip | head -24; echo quit) | XDG_STATE_HOME=$PWD/typed lanescope lesson L08 | grep -c '^Type '", 0, "2\n", ""},
    {"lanescope quiz --list | grep -c '^FQ'", 0, "11\n", ""},
    {"lanescope quiz --list | tail -1", 0, "Today 0 are due, and up to 4 new.\n", ""},
    {"lanescope quiz --until 2000-01-01", 2, NULL, "lanescope: 2000-01-01 is over: *"},
    {"lanescope quiz --until Monday", 2, NULL, "lanescope: --until takes the day of an exam, as 2027-02-10, or none, not 'Monday'*"},
    {"lanescope quiz --until 2199-02-10 && lanescope quiz --list | tail -1 && lanescope quiz --until none", 0,
     "The exam is on 2199-02-10, in * days: nothing waits longer than that.\nToday 0 are due, and up to 4 new. The exam is on 2199-02-10*There is no exam.\n", ""},
    {"yes 3 | head -9 | lanescope quiz FQ5 --plain > out && lanescope quiz --export kept.jsonl && head -c 39 kept.jsonl && "
     "XDG_STATE_HOME=$PWD/other lanescope quiz --import kept.jsonl && "
     "XDG_STATE_HOME=$PWD/other lanescope quiz --import kept.jsonl && "
     "XDG_STATE_HOME=$PWD/other lanescope quiz --export - | cmp - kept.jsonl && rm -r other out kept.jsonl", 0,
     "{\"kind\":\"lanescope quiz\",\"format\":1,\"* answers are new.\n0 answers are new.\n", ""},
    {"echo '{}' > x && lanescope quiz --import x; rm x", 0, "", "lanescope: x:1: this line is damaged\n"},
    {"lanescope quiz --import nosuch", 2, NULL, "*nosuch*"},
    {"lanescope quiz --doubts", 0, "No question was held to be wrong; *", ""},
    {"lanescope quiz nosuch", 2, NULL, "lanescope: there is no family 'nosuch'; lanescope quiz --list lists all *"},
    {"lanescope lesson nosuch", 2, NULL, "lanescope: there is no lesson 'nosuch'\nthere are: L01 hello, *"},
    {"lanescope lesson --auto", 2, NULL,
     "lanescope: lanescope lesson --auto needs the lesson's name; lanescope lesson --list lists them\n"},
};

// A file that is none of ours is told, used by nobody and left as it is.
#define IN_STATE "mkdir -p state/lanescope && echo mine > state/lanescope/progress.db && XDG_STATE_HOME=$PWD/state "
static const Case progress_cases[] = {
    {IN_STATE "lanescope lesson --list", 0, "L01 *\n",
     "lanescope: Progress lasts only until you leave: */state/lanescope/progress.db is no database of lanescope: move it away\n"},
    {IN_STATE "lanescope doctor", 0,
     "*\nprogress  */progress.db\n          Progress lasts only until you leave: *move it away\n", ""},
    {IN_STATE "lanescope doctor --json", 0, "*\"state\": \"foreign\"}}\n", ""},
    {"cat state/lanescope/progress.db; ls state/lanescope", 0, "mine\nprogress.db\n", ""},
    {"rm -r state; XDG_STATE_HOME=$PWD/state lanescope doctor | tail -1", 0,
     "          what you do in lessons is saved there\n", ""},
};

static void progress_is_told(void) { check_cases(progress_cases, LS_COUNT(progress_cases)); }

static void lessons_are_listed_and_run(void) { check_cases(lesson_cases, LS_COUNT(lesson_cases)); }

static const Check checks[] = {
    {"blocks of any shape", blocks_of_any_shape},
    {"models of numbers", models_of_numbers},
    {"controls are shown", controls_are_shown},
    {"long texts are cut", long_texts_are_cut},
    {"unfinished traces", unfinished_traces},
    {"the environment is judged", the_environment_is_judged},
    {"the checkers are strict", the_checkers_are_strict},
    {"the command line is judged", the_line_is_judged},
    {"lecture kernels run", lecture_kernels_run},
    {"own files run", own_files_run},
    {"output files hold the buffers", output_files_hold_the_buffers},
    {"buffers begin as told", buffers_begin_as_told},
    {".cu files are compiled", cu_files_are_compiled},
    {"a saved trace writes no files", a_saved_trace_writes_no_files},
    {"traces are saved and played", traces_are_saved_and_played},
    {"a run elsewhere is a run here", a_run_elsewhere_is_a_run_here},
    {"a trace has the counters of its run", a_trace_has_the_counters_of_its_run},
    {"stats --json keeps its fields", stats_json_keeps_its_fields},
    {"faults are in the JSON", faults_are_in_the_json},
    {"other JSON is whole", other_json_is_whole},
    {"pictures are exported", pictures_are_exported},
    {"SVG is well formed", svg_is_well_formed},
    {"documented commands work", documented_commands_work},
    {"every command has help", every_command_has_help},
    {"completion works", completion_works},
    {"pipes end quietly", pipes_end_quietly},
    {"practice judges", practice_judges},
    {"progress is told", progress_is_told},
    {"lessons are listed and run", lessons_are_listed_and_run},
};

int main(int argc, char **argv) {
  program_set_up();
  int failed = check_main("program_cli", checks, LS_COUNT(checks), argc, argv);
  program_tear_down();
  return failed;
}
