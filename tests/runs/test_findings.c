// test_findings.c: what a run is said to waste: kernels that do, and their twins that do not.
//
// The kernels are tests/runs/findings/findings.cu; assets/make-ptx tests/runs/findings tests/runs/findings makes its
// PTX. Lines are found by the comment that stands on them. What is wasted was counted by hand where the table has
// numbers; and all findings are held against the counters of the run, line by line.
#include <math.h>
#include <string.h>

#include "app/run/run.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/recipe.h"

static RecipeBook *book;

// ---- runs ----------------------------------------------------------------------------------------------------------

static Run *make_run(RunRequest *request, const char *name) {
  LsErr err = {0};
  free(request->device);
  request->device = ls_strdup("emu");
  request->cut_given = true;
  Run *run = run_new(request, NULL, &err);
  if (!run) printf("\n%s: %s\n", name, err.message);
  CHECK(run != NULL);
  run_request_fini(request);
  return run;
}

enum { MOST_ARGS = 3 };
typedef struct Job {
  const char *kernel;
  uint32_t grid[3], block[3];
  uint64_t shared;
  const char *args[MOST_ARGS];
} Job;

static void request_of(const Job *job, DevCut cut, RunRequest *request) {
  LsErr err = {0};
  run_request_init(request);
  request->cut = cut;
  request->what = ls_strdup(cut == DEV_WRITTEN ? LS_SOURCE_DIR "/tests/runs/findings/findings.g.ptx"
                                               : LS_SOURCE_DIR "/tests/runs/findings/findings.ptx");
  request->launch.kernel = ls_strdup(job->kernel);
  for (int i = 0; i < 3; i++)
    request->launch.grid[i] = LS_MAX(job->grid[i], 1), request->launch.block[i] = LS_MAX(job->block[i], 1);
  request->launch.shared_bytes = job->shared;
  for (int i = 0; i < MOST_ARGS && job->args[i]; i++) CHECK(launch_add_arg(&request->launch, job->args[i], &err));
}

static Run *run_job(const Job *job, DevCut cut) {
  RunRequest request;
  request_of(job, cut, &request);
  return make_run(&request, job->kernel);
}

static Run *run_recipe(const char *name, const char *assignment, DevCut cut) {
  LsErr err = {0};
  RunRequest request;
  if (!book) book = recipe_book_open(LS_SOURCE_DIR "/kernels", &err);
  run_request_init(&request);
  request.what = ls_strdup(name);
  request.recipe = book ? book->get(book, name, &err) : NULL;
  request.cut = cut;
  if (request.recipe) recipe_defaults(request.recipe, &request.values);
  if (request.recipe && assignment) CHECK(recipe_set(request.recipe, &request.values, assignment, &err));
  return make_run(&request, name);
}

// ---- findings of a run ---------------------------------------------------------------------------------------------

// Of the launch's size there is always something to say: the grids are small.
static bool is_of_small_grid(const Finding *finding) {
  return finding->kind == FINDING_LOW_OCCUPANCY && strstr(finding->message, "by the grid");
}

static const Finding *first_of(Run *run, FindingKind kind) {
  const Findings *findings = run_findings(run);
  for (int i = 0; i < findings->count; i++)
    if (findings->items[i].kind == kind && !is_of_small_grid(&findings->items[i])) return &findings->items[i];
  return NULL;
}

static uint32_t kinds_of(Run *run) {
  const Findings *findings = run_findings(run);
  uint32_t kinds = 0;
  for (int i = 0; i < findings->count; i++)
    if (!is_of_small_grid(&findings->items[i])) kinds |= 1u << findings->items[i].kind;
  return kinds;
}

// The line that ends with "// MARK".
static int marked_line(const char *mark) {
  static char *text;
  if (!text) text = ls_file_read(LS_SOURCE_DIR "/tests/runs/findings/findings.cu", 1 << 20, NULL, NULL);
  char *wanted = ls_format("// %s\n", mark);
  int line = 1;
  const char *at = text ? strstr(text, wanted) : NULL;
  for (const char *p = text; p && at && p < at; p++) line += *p == '\n';
  free(wanted);
  return at ? line : 0;
}

static uint64_t sum_of(const CounterSet *set, const CounterId *ids, int count) {
  uint64_t sum = 0;
  for (int i = 0; i < count; i++) sum += set->value[ids[i]];
  return sum;
}

// What a kind's amount, waste and total are as counters: those of the line, and of the run.
typedef struct Law { FindingKind kind; CounterId amount[2], wasted[2]; int amounts, wastes; } Law;
static const Law laws[] = {
    {FINDING_BANK_CONFLICT, {COUNTER_SHARED_LOAD_WAVEFRONTS, COUNTER_SHARED_STORE_WAVEFRONTS},
     {COUNTER_SHARED_LOAD_BANK_CONFLICTS, COUNTER_SHARED_STORE_BANK_CONFLICTS}, 2, 2},
    {FINDING_UNCOALESCED, {COUNTER_GLOBAL_LOAD_SECTORS, COUNTER_GLOBAL_STORE_SECTORS}, {0}, 2, 0},
    {FINDING_CONTENDED_ATOMIC, {COUNTER_ATOMICS}, {COUNTER_ATOMIC_CONFLICTS}, 1, 1},
    {FINDING_SERIALIZED_CONSTANT, {COUNTER_CONST_LOAD_ADDRESSES}, {0}, 1, 0},
    {FINDING_REDUNDANT_BARRIER, {COUNTER_BARRIERS}, {COUNTER_BARRIERS}, 1, 1},
};

// Where hardly any lane queues in its warp, what a block repeats is told instead: no counter has that.
static bool is_of_blocks(const Finding *finding) {
  return finding->kind == FINDING_CONTENDED_ATOMIC && strstr(finding->message, "that the block has changed");
}

// A function of another file is told of where it is called, and its counts are not that line's.
static bool is_of_callee(const Run *run, const Finding *finding) {
  int file = -1, line = 0;
  return finding->pc >= 0 && run->module->code[finding->pc].func != run->entry &&
         (!ptx_line_of(run->module, finding->pc, &file, &line) || file != finding->file);
}

// All findings of a line and kind together are no more than what the counters have for that line, and their totals
// are the run's.
static void check_law(Run *run, const Finding *finding) {
  const Findings *findings = run_findings(run);
  const CounterSet *total = counters_total(run->counters);
  CounterSet line;
  for (int i = 0; i < LS_COUNT(laws); i++) {
    const Law *law = &laws[i];
    uint64_t amount = 0, wasted = 0;
    if (law->kind != finding->kind || finding->line == 0 || is_of_blocks(finding) || is_of_callee(run, finding))
      continue;
    counters_line(run->counters, finding->file, finding->line, &line);
    for (int k = 0; k < findings->count; k++)
      if (findings->items[k].kind == law->kind && findings->items[k].line == finding->line)
        amount += findings->items[k].amount, wasted += findings->items[k].wasted;
    CHECK(amount <= sum_of(&line, law->amount, law->amounts));
    if (law->wastes) CHECK_INT(wasted, sum_of(&line, law->wasted, law->wastes));
    CHECK_INT(finding->total, sum_of(total, law->amount, law->amounts));
  }
}

static bool is_sentence(const char *words) {
  size_t length = words ? strlen(words) : 0;
  return !words ||
         (length > 3 && length < 400 && words[length - 1] == '.' && !strstr(words, "(null)") && !strstr(words, "  "));
}

// What holds for every finding, whatever it is.
static void check_findings(Run *run, const char *name) {
  const Findings *findings = run_findings(run);
  for (int i = 0; i < findings->count; i++) {
    const Finding *f = &findings->items[i];
    bool sound = f->wasted <= f->amount && f->amount <= f->total && f->share >= FINDING_LEAST && f->share <= 1 &&
                 fabs(f->share - (double)f->wasted / (double)f->total) < 1e-9;
    bool ordered = i == 0 || f->share <= findings->items[i - 1].share;
    bool worded = f->message && is_sentence(f->message) && is_sentence(f->cause) && is_sentence(f->cure) &&
                  is_sentence(f->gain);
    if (!sound || !ordered || !worded)
      printf("\n%s: %s, line %d: %s\n  %s\n  %s\n  %s\n", name, finding_def(f->kind)->id, f->line, f->message,
             f->cause ? f->cause : "-", f->cure ? f->cure : "-", f->gain ? f->gain : "-");
    CHECK(sound && ordered && worded);
    check_law(run, f);
  }
}

// ---- kernels that waste, and what ----------------------------------------------------------------------------------

#define BIT(KIND) (1u << FINDING_##KIND)
#define NO_KINDS 0u
#define FLOATS "f32[65536]=random:1"
#define OUT "f32[65536]=zero"
#define MATRIX "f32[4096]=iota"
#define MATRIX_OUT "f32[4096]=zero"

typedef struct Sheet {
  Job job;
  uint32_t compiled, written;      // kinds, each
  const char *mark;                // of the worst of the kind, or NULL
  FindingKind kind;
  uint64_t wasted, total;          // of the compiled code, by hand; 0: not told here
  const char *words;               // in its cause or cure, or NULL
} Sheet;

static const Sheet sheets[] = {
    // 128 warps write 32 sectors where 4 would do, and read 4.
    {{"transpose_naive", {2, 8}, {32, 8}, 0, {MATRIX_OUT, MATRIX}},
     BIT(UNCOALESCED), BIT(UNCOALESCED), "transpose_naive", FINDING_UNCOALESCED, 128 * 28, 128 * 36,
     "tile in shared memory"},
    {{"copy_columns", {2, 8}, {32, 8}, 0, {MATRIX_OUT, MATRIX}},
     BIT(UNCOALESCED), BIT(UNCOALESCED), "copy_columns", FINDING_UNCOALESCED, 128 * 28, 128 * 64,
     "in place of threadIdx.y"},
    {{"copy_rows", {2, 8}, {32, 8}, 0, {MATRIX_OUT, MATRIX}}, NO_KINDS, NO_KINDS, NULL, 0, 0, 0, NULL},
    // 16 warps, 16 rounds each; and a result each.
    {{"sum_pieces", {4}, {128}, 0, {OUT, FLOATS, "i32=16"}},
     BIT(UNCOALESCED), BIT(UNCOALESCED), "sum_pieces", FINDING_UNCOALESCED, 256 * 28, 256 * 32 + 16 * 4,
     "gridDim.x * blockDim.x"},
    {{"sum_strided", {4}, {128}, 0, {OUT, FLOATS, "i32=16"}}, NO_KINDS, NO_KINDS, NULL, 0, 0, 0, NULL},
    {{"every_nth", {4}, {128}, 0, {OUT, FLOATS, "i32=8"}},
     BIT(UNCOALESCED) | BIT(UNUSED_BYTES), BIT(UNCOALESCED) | BIT(UNUSED_BYTES), "every_nth", FINDING_UNCOALESCED,
     16 * 28, 16 * 36, "32 bytes apart"},
    // Of 128 sectors of a block 28 bytes are between words that it wants, but for those behind the last one; 16 sectors
    // are written.
    {{"every_nth", {4}, {128}, 0, {OUT, FLOATS, "i32=8"}},
     BIT(UNCOALESCED) | BIT(UNUSED_BYTES), BIT(UNCOALESCED) | BIT(UNUSED_BYTES), "every_nth",
     FINDING_UNUSED_BYTES, 4 * 127 * 28, 4 * (128 + 16) * 32, "one element in 8"},
    {{"every_nth", {4}, {128}, 0, {OUT, FLOATS, "i32=1"}}, NO_KINDS, NO_KINDS, NULL, 0, 0, 0, NULL},
    {{"masses", {4}, {128}, 0, {OUT, FLOATS}},
     BIT(UNCOALESCED) | BIT(UNUSED_BYTES), BIT(UNCOALESCED) | BIT(UNUSED_BYTES), "masses", FINDING_UNCOALESCED,
     16 * 12, 16 * 20, "16 bytes"},
    {{"triples", {4}, {128}, 0, {OUT, FLOATS}},
     BIT(UNCOALESCED), BIT(UNCOALESCED), "triples", FINDING_UNCOALESCED, 48 * 8, 48 * 12 + 16 * 4,
     "through shared memory"},
    {{"triples_staged", {4}, {128}, 0, {OUT, FLOATS}}, NO_KINDS, NO_KINDS, NULL, 0, 0, 0, NULL},
    {{"odd_lanes", {4}, {128}, 0, {OUT, FLOATS, "i32=20"}},
     BIT(DIVERGENCE), BIT(DIVERGENCE), "odd_lanes", FINDING_DIVERGENCE, 0, 0, "threadIdx.x / 32"},
    {{"odd_warps", {4}, {128}, 0, {OUT, FLOATS, "i32=20"}}, NO_KINDS, NO_KINDS, NULL, 0, 0, 0, NULL},
    {{"every_fourth", {4}, {128}, 0, {OUT, FLOATS, "i32=20"}},
     BIT(DIVERGENCE), BIT(DIVERGENCE), "every_fourth", FINDING_DIVERGENCE, 0, 0, "neighboring threads"},
    {{"first_quarter", {4}, {128}, 0, {OUT, FLOATS, "i32=20"}}, NO_KINDS, NO_KINDS, NULL, 0, 0, 0, NULL},
    {{"rounds_by_data", {4}, {128}, 0, {OUT, "i32[512]=mod:31"}},
     BIT(DIVERGENCE), BIT(DIVERGENCE), "rounds_by_data", FINDING_DIVERGENCE, 0, 0, "round the loop"},
    {{"rounds_by_data", {4}, {128}, 0, {OUT, "i32[512]=const:31"}}, NO_KINDS, NO_KINDS, NULL, 0, 0, 0, NULL},
    {{"count_all", {4}, {128}, 0, {"i32[1]=zero", "i32[512]=iota"}},
     BIT(CONTENDED_ATOMIC), BIT(CONTENDED_ATOMIC), "count_all", FINDING_CONTENDED_ATOMIC, 512 - 16, 512,
     "32 of 32 lanes"},
    {{"count_blocks", {4}, {128}, 0, {"i32[1]=zero", "i32[512]=iota"}}, NO_KINDS, NO_KINDS, NULL, 0, 0, 0, NULL},
    {{"places_global", {4}, {128}, 0, {"i32[128]=zero"}},
     BIT(CONTENDED_ATOMIC), NO_KINDS, "places_global", FINDING_CONTENDED_ATOMIC, 4 * (1024 - 128), 4 * 1024,
     "Gather in shared memory"},
    {{"places_shared", {4}, {128}, 0, {"i32[128]=zero"}}, NO_KINDS, NO_KINDS, NULL, 0, 0, 0, NULL},
    {{"table_by_lane", {4}, {128}, 0, {OUT}},
     BIT(SERIALIZED_CONSTANT), BIT(SERIALIZED_CONSTANT), "table_by_lane", FINDING_SERIALIZED_CONSTANT, 16 * 31,
     16 * 32, "table[1]"},
    {{"table_by_round", {4}, {128}, 0, {OUT}}, NO_KINDS, NO_KINDS, NULL, 0, 0, 0, NULL},
    {{"own_array", {4}, {128}, 0, {OUT, "i32[512]=random:3"}},
     BIT(LOCAL_MEMORY), NO_KINDS, NULL, FINDING_LOCAL_MEMORY, 0, 0, NULL},
    {{"own_registers", {4}, {128}, 0, {OUT, "i32[512]=random:3"}}, NO_KINDS, NO_KINDS, NULL, 0, 0, 0, NULL},
    // A block loads 5 x 128 words, 132 of them for the first time.
    {{"blur", {4}, {128}, 0, {OUT, FLOATS, "i32=512"}},
     BIT(RELOADED) | BIT(UNCOALESCED), BIT(RELOADED) | BIT(UNCOALESCED), "blur", FINDING_RELOADED,
     4 * 4 * (640 - 132), 4 * 4 * 640, "shared memory"},
    {{"blur_tile", {4}, {128}, 0, {OUT, FLOATS, "i32=512"}}, NO_KINDS, NO_KINDS, NULL, 0, 0, 0, NULL},
    {{"own_words", {4}, {128}, 0, {OUT, FLOATS}},
     BIT(REDUNDANT_BARRIER), BIT(REDUNDANT_BARRIER), "own_words", FINDING_REDUNDANT_BARRIER, 16, 48,
     "__syncwarp()"},
    {{"others_words", {4}, {128}, 0, {OUT, FLOATS}}, NO_KINDS, NO_KINDS, NULL, 0, 0, 0, NULL},
    // One warp alone: its barriers keep lanes in order, and nobody else is there.
    {{"own_words", {4}, {32}, 0, {OUT, FLOATS}}, NO_KINDS, NO_KINDS, NULL, 0, 0, 0, NULL},
    {{"rows_by_hand", {4}, {128}, 4096, {OUT, "i32=16"}},
     BIT(BANK_CONFLICT), BIT(BANK_CONFLICT), "rows_by_hand", FINDING_BANK_CONFLICT, 16 * 15, 16 * 16 + 16 * 4,
     "17 words apart"},
    {{"rows_by_hand", {4}, {128}, 4096, {OUT, "i32=17"}}, NO_KINDS, NO_KINDS, NULL, 0, 0, 0, NULL},
    // 40 KiB and 1 more that the system takes: 5 blocks of 4 warps on an SM of 64.
    {{"shared_block", {1320}, {128}, 0, {"f32[200000]=zero"}},
     BIT(LOW_OCCUPANCY), BIT(LOW_OCCUPANCY), NULL, FINDING_LOW_OCCUPANCY, 44, 64, "shared memory"},
    {{"every_nth", {8448}, {32}, 0, {"f32[300000]=zero", "f32[300000]=iota", "i32=1"}},
     BIT(LOW_OCCUPANCY), BIT(LOW_OCCUPANCY), NULL, FINDING_LOW_OCCUPANCY, 32, 64, "64 threads"},
    // 132 SMs with 8 blocks each: 144 blocks are left for a second wave.
    {{"every_nth", {1200}, {256}, 0, {"f32[400000]=zero", "f32[400000]=iota", "i32=1"}},
     BIT(IDLE_TAIL), BIT(IDLE_TAIL), NULL, FINDING_IDLE_TAIL, 2 * 1056 - 1200, 2 * 1056, "1,056"},
    {{"every_nth", {1056}, {256}, 0, {"f32[400000]=zero", "f32[400000]=iota", "i32=1"}},
     NO_KINDS, NO_KINDS, NULL, 0, 0, 0, NULL},
    // Two warps a block, of which one has 16 lanes, and both execute the same.
    {{"every_nth", {4224}, {48}, 0, {"f32[300000]=zero", "f32[300000]=iota", "i32=1"}},
     BIT(PARTIAL_WARPS), BIT(PARTIAL_WARPS), NULL, FINDING_PARTIAL_WARPS, 0, 0, "64 threads"},
    {{"every_nth", {4224}, {64}, 0, {"f32[300000]=zero", "f32[300000]=iota", "i32=1"}},
     NO_KINDS, NO_KINDS, NULL, 0, 0, 0, NULL},
};

static void print_kinds(uint32_t kinds) {
  for (int k = 0; k < FINDING_KIND_COUNT; k++)
    if (kinds >> k & 1) printf(" %s", finding_def((FindingKind)k)->id);
}

static void check_kinds(Run *run, const char *name, uint32_t expected) {
  uint32_t kinds = kinds_of(run);
  if (kinds != expected) {
    printf("\n%s: found", name);
    print_kinds(kinds);
    printf("; expected");
    print_kinds(expected);
    printf("\n");
  }
  CHECK(kinds == expected);
  check_findings(run, name);
}

static bool says(const Finding *finding, const char *words) {
  return (finding->cause && strstr(finding->cause, words)) || (finding->cure && strstr(finding->cure, words));
}

static void check_sheet(const Sheet *sheet, Run *run) {
  const Finding *finding = sheet->compiled ? first_of(run, sheet->kind) : NULL;
  check_kinds(run, sheet->job.kernel, sheet->compiled);
  if (!finding) return;
  if (sheet->mark) CHECK_INT(finding->line, marked_line(sheet->mark));
  if (sheet->wasted) CHECK_INT(finding->wasted, sheet->wasted);
  if (sheet->total) CHECK_INT(finding->total, sheet->total);
  bool worded = !sheet->words || says(finding, sheet->words);
  if (!worded) printf("\n%s: not '%s' in: %s / %s\n", sheet->job.kernel, sheet->words, finding->cause, finding->cure);
  CHECK(worded);
}

static void kernels_and_their_twins(void) {
  for (int i = 0; i < LS_COUNT(sheets); i++) {
    Run *run = run_job(&sheets[i].job, DEV_COMPILED);
    if (run) check_sheet(&sheets[i], run);
    run_free(run);
    run = run_job(&sheets[i].job, DEV_WRITTEN);
    if (run) check_kinds(run, sheets[i].job.kernel, sheets[i].written);
    run_free(run);
  }
}

// Half of the lanes that a line executes are idle: of all instructions, as the tallies have them.
static void idle_lanes_are_those_of_the_tallies(void) {
  static const Job job = {"odd_lanes", {4}, {128}, 0, {OUT, FLOATS, "i32=20"}};
  Run *run = run_job(&job, DEV_COMPILED);
  if (!run) return;
  const Finding *finding = first_of(run, FINDING_DIVERGENCE);
  const uint64_t *v = counters_total(run->counters)->value;
  uint64_t slots = 32 * v[COUNTER_WARP_INSTRUCTIONS], idle = slots - v[COUNTER_THREAD_INSTRUCTIONS];
  CHECK(finding && finding->total == slots && finding->wasted == idle);   // nothing else in it is idle
  run_free(run);
}

static void lanes_that_are_not_there_are_nobodys(void) {
  static const Job job = {"every_nth", {40}, {48}, 0, {OUT, FLOATS, "i32=1"}};
  for (int cut = 0; cut < 2; cut++) {
    Run *run = run_job(&job, cut ? DEV_WRITTEN : DEV_COMPILED);
    if (!run) continue;
    const Finding *finding = first_of(run, FINDING_PARTIAL_WARPS);
    uint64_t slots = 32 * counters_total(run->counters)->value[COUNTER_WARP_INSTRUCTIONS];
    CHECK(finding && finding->total == slots && finding->wasted == slots / 4);   // a half of every second warp
    CHECK(finding && !first_of(run, FINDING_DIVERGENCE));
    run_free(run);
  }
}

// ---- the lecture's kernels -----------------------------------------------------------------------------------------

typedef struct Lecture { const char *name, *assignment; uint32_t kinds; } Lecture;
static const Lecture lectures[] = {
    {"transpose_32x32", NULL, BIT(BANK_CONFLICT)},
    {"transpose_32x33", NULL, NO_KINDS},
    {"matmul_naive", NULL, BIT(RELOADED)},
    {"matmul_tiled", NULL, NO_KINDS},
    {"position_aos", NULL, BIT(UNCOALESCED)},
    {"position_soa", NULL, NO_KINDS},
    {"gpu_sin_block_major", NULL, BIT(UNCOALESCED)},
    {"gpu_sin", NULL, NO_KINDS},
    {"diverge_if_else", NULL, BIT(DIVERGENCE)},
    {"diverge_between_warps", NULL, NO_KINDS},
    {"histogram", NULL, BIT(CONTENDED_ATOMIC)},
    {"bank_patterns", "pattern=column", BIT(BANK_CONFLICT)},
    {"bank_patterns", "pattern=order", NO_KINDS},
    {"bank_patterns", "pattern=xor", NO_KINDS},
    {"load_patterns", "pattern=scattered", BIT(UNCOALESCED)},
    {"load_patterns", "pattern=aligned", NO_KINDS},
    {"load_patterns", "pattern=permuted", NO_KINDS},
    {"adj_diff_naive", NULL, BIT(RELOADED) | BIT(UNCOALESCED)},
    {"adj_diff_shared", NULL, NO_KINDS},
    {"reduce2", NULL, NO_KINDS},
    {"reduce3", NULL, NO_KINDS},
    {"vec_add", NULL, NO_KINDS},
    {"warp_reduce", NULL, NO_KINDS},
    {"warp_map_40x2", NULL, BIT(PARTIAL_WARPS)},
};

static void lectures_and_their_cures(void) {
  for (int i = 0; i < LS_COUNT(lectures); i++)
    for (int cut = 0; cut < 2; cut++) {
      Run *run = run_recipe(lectures[i].name, lectures[i].assignment, cut ? DEV_WRITTEN : DEV_COMPILED);
      if (run) check_kinds(run, lectures[i].name, lectures[i].kinds);
      run_free(run);
    }
}

// Those of grid.sync() are for what other blocks do.
static void barriers_of_the_grid_are_needed(void) {
  for (int cut = 0; cut < 2; cut++) {
    Run *run = run_recipe("grid_reverse", NULL, cut ? DEV_WRITTEN : DEV_COMPILED);
    CHECK(run && !first_of(run, FINDING_REDUNDANT_BARRIER));
    run_free(run);
  }
}

// Line 15 of the transpose, as the field knows it; and the padding is the twin's.
static void the_transpose_is_padded(void) {
  Run *run = run_recipe("transpose_32x32", NULL, DEV_COMPILED);
  const Finding *finding = run ? first_of(run, FINDING_BANK_CONFLICT) : NULL;
  CHECK(finding && finding->line == 15 && finding->wasted == 3968 && finding->amount == 4096 && finding->total == 4224);
  CHECK(finding && finding->at == 32 && finding->ideal == 1 && finding->executions == 128 && finding->blocks_read == 4);
  CHECK(finding && strstr(finding->cure, "tile[32][33]") && strstr(finding->cause, "tile[1][0]"));
  CHECK(finding && strstr(finding->gain, "4,096 wavefronts become 128"));
  run_free(run);
}

// ---- the same, however it is looked at -----------------------------------------------------------------------------

static bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static void check_same(Run *a, Run *b, const char *name) {
  const Findings *first = run_findings(a), *second = run_findings(b);
  CHECK_INT(first->count, second->count);
  for (int i = 0; i < first->count && i < second->count; i++) {
    const Finding *f = &first->items[i], *g = &second->items[i];
    bool same = f->kind == g->kind && f->line == g->line && f->wasted == g->wasted && f->total == g->total &&
                same_text(f->message, g->message) && same_text(f->cause, g->cause) && same_text(f->cure, g->cure) &&
                same_text(f->gain, g->gain);
    if (!same) printf("\n%s: '%s' and '%s'\n", name, f->message, g->message);
    CHECK(same);
  }
}

static Run *run_with(const Sheet *sheet, uint64_t threads, SimOrder order) {
  RunRequest request;
  request_of(&sheet->job, DEV_COMPILED, &request);
  request.record = false;
  request.threads = threads;
  request.order = order;
  request.order_given = true;
  return make_run(&request, sheet->job.kernel);
}

// Threads of the emulator change nothing.
static void threads_change_nothing(void) {
  for (int i = 0; i < LS_COUNT(sheets); i++) {
    Run *runs[2] = {run_with(&sheets[i], 1, SIM_WHOLE), run_with(&sheets[i], 4, SIM_WHOLE)};
    if (runs[0] && runs[1]) check_same(runs[0], runs[1], sheets[i].job.kernel);
    run_free(runs[0]);
    run_free(runs[1]);
  }
}

// In which order warps run is chance: what is found does not hang on it.
static void the_order_of_warps_changes_no_kind(void) {
  for (int i = 0; i < LS_COUNT(sheets); i++)
    for (int order = 0; order < 2; order++) {
      Run *run = run_with(&sheets[i], 1, order ? SIM_TURNS : SIM_WHOLE);
      if (run) check_kinds(run, sheets[i].job.kernel, sheets[i].compiled);
      run_free(run);
    }
}

// A trace in which all blocks are recorded tells as much as the run did, and where to look.
static void a_trace_tells_the_same(void) {
  const char *path = "findings.lst";
  for (int i = 0; i < LS_COUNT(sheets); i++) {
    LsErr err = {0};
    RunRequest request;
    if (sheets[i].job.grid[0] > 100) continue;
    request_of(&sheets[i].job, DEV_COMPILED, &request);
    free(request.device);
    request.device = ls_strdup("emu");
    request.record = true;
    Run *run = run_new_to_file(&request, path, NULL, &err), *played = run ? run_open(path, &err) : NULL;
    CHECK(run && played);
    while (played && run_advance_totals(played, 1 << 20)) continue;
    if (run && played) check_same(run, played, sheets[i].job.kernel);
    const Findings *findings = played ? run_findings(played) : NULL;
    for (int k = 0; findings && k < findings->count; k++) {
      TraceEvent event = {.pc = -1};
      const Finding *f = &findings->items[k];
      if (f->pc >= 0)
        CHECK(f->step != UINT64_MAX && trace_event(played->trace, f->step, &event, NULL) && event.pc == f->pc);
    }
    run_free(played);
    run_free(run);
    run_request_fini(&request);
  }
  remove(path);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"kernels and their twins", kernels_and_their_twins},
      {"idle lanes are those of the tallies", idle_lanes_are_those_of_the_tallies},
      {"lanes that are not there are nobody's", lanes_that_are_not_there_are_nobodys},
      {"barriers of the grid are needed", barriers_of_the_grid_are_needed},
    {"lectures and their cures", lectures_and_their_cures},
      {"the transpose is padded", the_transpose_is_padded},
      {"threads change nothing", threads_change_nothing},
      {"the order of warps changes no kind", the_order_of_warps_changes_no_kind},
      {"a trace tells the same", a_trace_tells_the_same},
  };
  int status = check_main("findings", checks, LS_COUNT(checks), argc, argv);
  if (book) book->free(book);
  return status;
}
