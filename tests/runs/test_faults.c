// test_faults.c: kernels with planted faults, which must be told, and dangerous-looking right ones, which must not.
//
// The kernels are tests/runs/faults/NAME.cu; assets/make-ptx tests/runs/faults tests/runs/faults makes their NAME.ptx and NAME.g.ptx.
// Comments say how each is run and what must come of it; marks at the ends of lines stand for their numbers:
//
//   //: run KERNEL OPTIONS           -g -b -s -a --budget as on the command line; --sched its|stack, otherwise both;
//                                   --cut written|compiled: only so; --seed N. In both orders of warps
//   //: expect KIND [@MARK [@MARK]] [block N] [thread N] ["WORDS" ...]     of all faults that are told, one fits. Where
//                                   all that is expected are notes: nothing worse is told, with any seed, and the results
//                                   are the same with all of them
//   //: wrong ARGUMENT KERNEL        for some seed the buffer is not what that right kernel leaves in it
//   //: clean                        no fault, no note, with any seed, and the same results
//   //: cure KIND @MARK [@MARK] insert|replace "TEXT" KERNEL ["WORDS" ...]
//                                    all faults have one cause, it is mended so, its advice names these lines and has
//                                    these words; with TEXT behind the first line (or before the second), or in its
//                                    place, the kernel is that right one, to the letter
//   //: cure KIND @MARK launch "OPTIONS" ["WORDS" ...]     no fault with these options
//
//   x[i] = x[i + 1];                 // @MARK
//
// Two marks are the lines of both parties of a race, in any order. A mark on several lines stands for any of them.
#include "app/run/run.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "check_recipes.h"

enum { MAX_LINES = 1000, MAX_EXPECTED = 4, MAX_WORDS = 6, MAX_CASES = 64, SEEDS = 8 };

typedef struct Expected {
  FaultKind kind;
  char *marks[2]; int mark_count;
  int64_t block, thread;              // -1: any
  char *words[MAX_WORDS]; int word_count;
} Expected;

typedef enum CureWay { CURE_BY_NOTHING, CURE_BY_INSERTING, CURE_BY_REPLACING, CURE_BY_LAUNCH } CureWay;
typedef struct Cured {
  char *kind, *marks[2]; int mark_count;
  CureWay way;
  char *text, *twin;
  char *words[MAX_WORDS]; int word_count;
} Cured;

typedef struct Case {
  char *kernel, *options;
  int line;
  Expected expected[MAX_EXPECTED]; int expected_count;
  bool clean;
  int wrong_arg; char *twin;          // 0: nothing said; from 1
  Cured cured;
} Case;

typedef struct Sheet {                // a .cu file
  char *name, *text;
  char *lines[MAX_LINES]; int line_count;
  Case cases[MAX_CASES]; int case_count;
} Sheet;

// ---- reading the comments ------------------------------------------------------------------------------------------

// The next word or "quoted words"; NULL at the end.
static char *next_word(char **at, bool *quoted) {
  while (**at == ' ') ++*at;
  if (!**at) return NULL;
  char end = ' ', *word = *at;
  *quoted = **at == '"';
  if (*quoted) { end = '"'; word++; }
  char *stop = strchr(word, end);
  *at = stop ? stop + 1 : word + strlen(word);
  if (stop) *stop = '\0';
  return word;
}

static int fault_kind(const char *name) {
  for (int k = 0; k < FAULT_KIND_COUNT; k++) if (strcmp(trace_fault_name((FaultKind)k), name) == 0) return k;
  printf("\nthere is no kind of fault %s\n", name);
  CHECK(false);
  return 0;
}

static void read_expected(Case *c, char *rest) {
  Expected *e = &c->expected[c->expected_count++];
  bool quoted;
  *e = (Expected){.kind = (FaultKind)fault_kind(next_word(&rest, &quoted)), .block = -1, .thread = -1};
  for (char *word; (word = next_word(&rest, &quoted));) {
    if (quoted) e->words[e->word_count++] = word;
    else if (*word == '@') e->marks[e->mark_count++] = word;
    else if (strcmp(word, "block") == 0) e->block = atoi(next_word(&rest, &quoted));
    else if (strcmp(word, "thread") == 0) e->thread = atoi(next_word(&rest, &quoted));
    else { printf("\nwhat is %s?\n", word); CHECK(false); }
  }
}

static void read_cure(Cured *cured, char *rest) {
  bool quoted;
  *cured = (Cured){.kind = next_word(&rest, &quoted)};
  for (char *word; (word = next_word(&rest, &quoted));) {
    if (quoted && !cured->text) cured->text = word;
    else if (quoted) cured->words[cured->word_count++] = word;
    else if (*word == '@') cured->marks[cured->mark_count++] = word;
    else if (strcmp(word, "insert") == 0) cured->way = CURE_BY_INSERTING;
    else if (strcmp(word, "replace") == 0) cured->way = CURE_BY_REPLACING;
    else if (strcmp(word, "launch") == 0) cured->way = CURE_BY_LAUNCH;
    else cured->twin = word;
  }
}

static void read_comment(Sheet *sheet, char *rest, int line) {
  bool quoted;
  char *what = next_word(&rest, &quoted);
  Case *c = &sheet->cases[LS_MAX(sheet->case_count - 1, 0)];
  if (strcmp(what, "run") == 0) {
    char *kernel = next_word(&rest, &quoted);
    sheet->cases[sheet->case_count++] = (Case){.kernel = kernel, .options = rest, .line = line};
  } else if (strcmp(what, "expect") == 0) {
    read_expected(c, rest);
  } else if (strcmp(what, "clean") == 0) {
    c->clean = true;
  } else if (strcmp(what, "cure") == 0) {
    read_cure(&c->cured, rest);
  } else {
    CHECK_STR(what, "wrong");
    c->wrong_arg = atoi(next_word(&rest, &quoted));
    c->twin = next_word(&rest, &quoted);
  }
}

static Sheet *sheet_read(const char *name) {
  char *path = ls_format("%s/tests/runs/faults/%s.cu", LS_SOURCE_DIR, name);
  LsErr err = {0};
  Sheet *sheet = ls_alloc(sizeof *sheet);
  sheet->name = ls_strdup(name);
  sheet->text = ls_file_read(path, 1 << 20, NULL, &err);
  if (!sheet->text) printf("\n%s\n", err.message);
  CHECK(sheet->text != NULL);
  char *rest = sheet->text, *line;
  while (rest && (line = strsep(&rest, "\n")) && sheet->line_count < MAX_LINES) {
    sheet->lines[sheet->line_count++] = line;
    if (strncmp(line, "//: ", 4) == 0) read_comment(sheet, line + 4, sheet->line_count);
  }
  free(path);
  return sheet;
}

static void sheet_free(Sheet *sheet) {
  free(sheet->text);
  free(sheet->name);
  free(sheet);
}

static bool is_marked(const Sheet *sheet, int line, const char *mark) {
  if (line < 1 || line > sheet->line_count) return false;
  const char *at = strstr(sheet->lines[line - 1], "// @");
  return at && strcmp(at + 3, mark) == 0;
}

// Whether all that is expected is allowed.
static bool is_noted(const Case *c) {
  for (int i = 0; i < c->expected_count; i++)
    if (trace_fault_def(c->expected[i].kind)->grade != GRADE_NOTE) return false;
  return c->expected_count > 0;
}

// ---- sheets ---------------------------------------------------------------------------------------------------------

static const char *const sheets[] = {"advice", "advice_waits", "async", "atomics", "barrier", "correct", "grid", "livelock",
                                     "mask", "matrix", "misaligned", "next_array", "out_of_bounds", "race", "race_global",
                                     "race_lanes", "same_stores", "heap", "launch", "recursion", "stops",
                                     "uninitialized", "volatile"};

// ---- running -------------------------------------------------------------------------------------------------------

static void take_option(RunRequest *request, const char *option, const char *value) {
  LsErr err = {0};
  bool ok = true;
  if (strcmp(option, "-g") == 0) ok = launch_parse_dim(value, true, request->launch.grid, &err);
  else if (strcmp(option, "-b") == 0) ok = launch_parse_dim(value, false, request->launch.block, &err);
  else if (strcmp(option, "-a") == 0) ok = launch_add_arg(&request->launch, value, &err);
  else if (strcmp(option, "-s") == 0) request->launch.shared_bytes = strtoull(value, NULL, 10);
  else if (strcmp(option, "--budget") == 0) request->budget = strtoull(value, NULL, 10);
  else if (strcmp(option, "--seed") == 0) request->seed = strtoull(value, NULL, 10);
  else if (strcmp(option, "--sched") != 0 && strcmp(option, "--cut") != 0) ok = false;
  if (!ok) printf("\n%s %s: %s\n", option, value, err.message);
  CHECK(ok);
}

typedef struct How { DevCut cut; SimSched sched; SimOrder order; uint64_t seed; bool record; int threads; } How;

static Run *run_case(const Sheet *sheet, const Case *c, How how) {
  RunRequest request;
  LsErr err = {0};
  run_request_init(&request);
  request.what = ls_format("%s/tests/runs/faults/%s%s", LS_SOURCE_DIR, sheet->name, how.cut == DEV_WRITTEN ? ".g.ptx"
                                                                                                      : ".ptx");
  request.launch.kernel = ls_strdup(c->kernel);
  request.cut = how.cut;
  request.sched = how.sched;
  request.order = how.order;
  request.order_given = true;
  request.seed = how.seed;
  request.record = how.record;
  request.threads = (uint64_t)LS_MAX(how.threads, 1);
  char *copy = ls_strdup(c->options), *rest = copy, *option, *value;
  bool quoted;
  while ((option = next_word(&rest, &quoted)) && (value = next_word(&rest, &quoted)))
    take_option(&request, option, value);
  Run *run = run_new(&request, NULL, &err);
  if (!run) printf("\n%s.cu:%d: %s\n", sheet->name, c->line, err.message);
  CHECK(run != NULL);
  free(copy);
  run_request_fini(&request);
  return run;
}

static bool wants_sched(const Case *c, SimSched sched) {
  if (!strstr(c->options, "--sched")) return true;
  return strstr(c->options, sched == SIM_STACK ? "--sched stack" : "--sched its");
}

static bool wants_cut(const Case *c, DevCut cut) {
  return !strstr(c->options, cut == DEV_WRITTEN ? "--cut compiled" : "--cut written");
}

static void print_faults(const Sheet *sheet, const Case *c, How how, const Run *run) {
  printf("\n%s.cu:%d: %s (%s, %s, %s, seed %d)%s\n", sheet->name, c->line, c->kernel,
         how.cut == DEV_WRITTEN ? "written" : "compiled", how.sched == SIM_ITS ? "its" : "stack",
         how.order == SIM_TURNS ? "turns" : "whole", (int)how.seed,
         run->fault_count ? "" : ": no fault");
  for (int i = 0; i < run->fault_count; i++)
    printf("  %s: %s\n", trace_fault_name((FaultKind)run->faults[i].kind), run->faults[i].message);
}

// ---- faults --------------------------------------------------------------------------------------------------------

static int line_of(const Run *run, int32_t pc) {
  int file, line;
  return ptx_line_of(run->module, pc, &file, &line) ? line : 0;
}

static bool fits(const Sheet *sheet, const Expected *e, const Run *run, const TraceFault *f) {
  int line = line_of(run, f->pc), other = line_of(run, f->other_pc);
  if (f->kind != e->kind) return false;
  if (e->block >= 0 && e->block != f->block) return false;
  if (e->thread >= 0 && e->thread != f->thread) return false;
  if (e->mark_count == 1 && !is_marked(sheet, line, e->marks[0])) return false;
  if (e->mark_count == 2 && !(is_marked(sheet, line, e->marks[0]) && is_marked(sheet, other, e->marks[1])) &&
      !(is_marked(sheet, line, e->marks[1]) && is_marked(sheet, other, e->marks[0]))) return false;
  // Only the kernel as written knows the names of its parameters.
  bool names = run->request.cut == DEV_WRITTEN;
  for (int i = 0; i < e->word_count; i++)
    if (!strstr(f->message, e->words[i]) && !(names && strstr(e->words[i], "argument "))) return false;
  return true;
}

// The trace has the fault at its step.
static void check_event(const Run *run, int index) {
  const TraceFault *f = &run->faults[index];
  TraceEvent event;
  LsErr err = {0};
  CHECK(run->trace != NULL);
  if (!run->trace || f->step == UINT64_MAX) { CHECK(f->step != UINT64_MAX); return; }
  CHECK(trace_event(run->trace, f->step, &event, &err));
  CHECK_INT(event.kind, trace_fault_grade(f) == GRADE_FAULT ? TRACE_FAULT : TRACE_NOTE);
  CHECK_INT(event.fault, index);
  CHECK_INT(event.pc, f->pc);
  CHECK_INT(event.block, f->block);
  if (event.pc >= 0) CHECK_INT(event.warp, f->thread / 32);
}

// After every event, the lanes of the next one stand at its instruction: faults are events in a replay, too.
static bool stands_at(const SimReplay *replay, const TraceEvent *next) {
  SimGroup groups[32];
  int count = sim_replay_groups(replay, next->warp, groups, 32);
  for (int i = 0; i < count; i++) if (groups[i].mask & next->active && groups[i].pc == next->pc) return true;
  return false;
}

// A mask, or a register that nobody set, is told before the operation that has it, and both are one instruction.
static bool is_mask_fault(const Run *run, const TraceEvent *e) {
  if (!trace_kind_is_fault(e->kind)) return false;
  const TraceFault *fault = &run->faults[e->fault];
  if (fault->kind == FAULT_UNINITIALIZED && !fault->size) return true;
  FaultKind kind = (FaultKind)run->faults[e->fault].kind;
  return kind == FAULT_BAD_MASK || kind == FAULT_EXITED_LANES || kind == FAULT_PARTIAL_WARP;
}

// A copy from memory to memory is one instruction and two events; what moves a matrix has one for each piece of it; the
// race of an atomic is told before it.
static bool is_second_half(const Run *run, const TraceEvent *first, const TraceEvent *next) {
  uint16_t op = run->module->code[next->pc].op;
  if (trace_kind_is_fault(first->kind) && next->kind == TRACE_ATOM && first->warp == next->warp) return true;
  return first->pc == next->pc && first->warp == next->warp && (op == PTX_OP_cp || op == PTX_OP_wmma);
}

static void check_replay_at(Run *run, SimReplay *replay, const TraceBlock *block, uint64_t i) {
  LsErr err = {0};
  TraceEvent event, before;
  CHECK(trace_event(run->trace, block->first + i, &event, &err));
  before = event;
  if (is_mask_fault(run, &event)) return;
  CHECK(sim_replay_seek(replay, block->block, i, &err));
  CHECK(trace_event(run->trace, block->first + i + 1, &event, &err));
  CHECK(trace_kind_is_fault(event.kind) || is_second_half(run, &before, &event) || stands_at(replay, &event));
}

// Events of a replay against those of the trace.
typedef struct Listener { TraceSink sink; Trace *trace; uint64_t next, wrong; } Listener;

static void compare_event(TraceSink *sink, const TraceEvent *e) {
  Listener *l = (Listener *)sink;
  TraceEvent recorded;
  bool same = trace_event(l->trace, l->next++, &recorded, NULL) && e->block == recorded.block && e->warp == recorded.warp &&
              e->kind == recorded.kind && e->pc == recorded.pc && e->active == recorded.active &&
              e->mask == recorded.mask && e->fault == recorded.fault;
  l->wrong += !same;
}

// From any event of a block on, the replay tells what the run did, races with other blocks included.
static void check_told_again(Run *run, SimReplay *replay, const TraceBlock *block, uint64_t first) {
  LsErr err = {0};
  Listener l = {.sink = {.event = compare_event}, .trace = run->trace, .next = block->first + first};
  CHECK(sim_replay_emit(replay, block->block, first, block->count - first, &l.sink, &err));
  CHECK_INT(l.wrong, 0);
  CHECK_INT(l.next, block->first + block->count);
}

static void check_replay(Run *run) {
  LsErr err = {0};
  int count = 0;
  const TraceBlock *blocks = trace_blocks(run->trace, &count);
  SimReplay *replay = trace_steps(run->trace) < 2000 ? run_replay(run, &err) : NULL;
  for (int b = 0; replay && b < count; b++)
    for (uint64_t i = 0; i + 1 < blocks[b].count; i++) check_replay_at(run, replay, &blocks[b], i);
  for (int b = 0; replay && b < count; b++)
    for (uint64_t i = 0; i < blocks[b].count; i += blocks[b].count / 2 + 1)
      check_told_again(run, replay, &blocks[b], i);
}

// Who is outside of an array is found out again from the addresses of the access, and named in its sentence.
static void check_bounds(const Run *run, const TraceFault *f) {
  TraceEvent event;
  LsText text = {0};
  if (f->kind != FAULT_OUT_OF_BOUNDS || f->size == 0 || f->step == 0 || f->step == UINT64_MAX) return;
  CHECK(trace_event(run->trace, f->step - 1, &event, NULL));
  for (uint64_t at = f->step - 1; trace_kind_is_fault(event.kind); at--) CHECK(trace_event(run->trace, at, &event, NULL));
  Bounds b = bounds_of(&run->info, run->faults, run->fault_count, &event);
  CHECK(b.outside >> f->thread % 32 & 1);
  CHECK_INT(b.outside & ~event.mask, 0);
  SentenceAbout about = run_about(run);
  sentence_of(&about, &event, &text);
  CHECK(strstr(ls_text_str(&text), "outside of") || strstr(ls_text_str(&text), "where no array is"));
  ls_text_free(&text);
}

static void check_expected(const Sheet *sheet, const Case *c, How how) {
  Run *run = run_case(sheet, c, how);
  if (!run) return;
  CHECK_INT(run_exit_status(run), !is_noted(c));
  for (int i = 0; i < c->expected_count; i++) {
    int found = -1;
    for (int k = 0; k < run->fault_count && found < 0; k++)
      if (fits(sheet, &c->expected[i], run, &run->faults[k])) found = k;
    if (found < 0) print_faults(sheet, c, how, run);
    CHECK(found >= 0);
    if (found >= 0) check_event(run, found);
  }
  for (int i = 0; i < run->fault_count; i++) check_bounds(run, &run->faults[i]);
  check_replay(run);
  run_free(run);
}

static void faults_are_told(const char *name) {
  Sheet *sheet = sheet_read(name);
  for (int i = 0; i < sheet->case_count; i++) {
    const Case *c = &sheet->cases[i];
    for (int sched = 0; sched < 2; sched++)
      for (int cut = 0; cut < 2; cut++)
        if (!c->clean && wants_sched(c, (SimSched)sched) && wants_cut(c, (DevCut)cut))
          for (int order = 0; order < 2; order++)
            check_expected(sheet, c, (How){.cut = (DevCut)cut, .sched = (SimSched)sched, .order = (SimOrder)order,
                                           .record = true});
  }
  sheet_free(sheet);
}

// ---- right kernels, and the order of warps and lanes ---------------------------------------------------------------

// A hash of all buffers, or of one argument's (from 1).
static uint64_t results_of(const Run *run, int arg) {
  uint64_t hash = 0;
  for (int i = 0; i < run->info.launch.arg_count; i++) {
    uint64_t size = 0;
    const uint8_t *bytes = run->device->buffer(run->device_run, i, &size);
    if (bytes && (!arg || arg == i + 1)) hash = hash * 31 + ls_hash64(bytes, size);
  }
  return hash;
}

static uint64_t check_clean_once(const Sheet *sheet, const Case *c, How how) {
  Run *run = run_case(sheet, c, how);
  if (!run) return 0;
  int notes = c->clean ? 0 : run_count_graded(run, GRADE_NOTE);
  int told = run->fault_count - notes - run_count_graded(run, GRADE_WARNING);   // a result may have holes by design
  if (told) print_faults(sheet, c, how, run);
  CHECK_INT(told, 0);
  uint64_t results = results_of(run, 0);
  run_free(run);
  return results;
}

static void check_clean(const Sheet *sheet, const Case *c) {
  uint64_t first = 0;
  for (int cut = 0; cut < 2; cut++)
    for (int sched = 0; sched < 2 && (c->clean || wants_cut(c, (DevCut)cut)); sched++)
      for (uint64_t i = 0; wants_sched(c, (SimSched)sched) && i <= SEEDS + 1; i++) {
        uint64_t seed = i ? i - 1 : 0;
        How how = {.cut = (DevCut)cut, .sched = (SimSched)sched, .order = (SimOrder)(i % 2), .seed = seed};
        uint64_t results = check_clean_once(sheet, c, how);
        if (!first) first = results;
        if (results != first) printf("\n%s: %s: another result with seed %d\n", sheet->name, c->kernel, (int)seed);
        CHECK(results == first);
      }
}

static void right_ones_are_clean(const char *name) {
  Sheet *sheet = sheet_read(name);
  for (int i = 0; i < sheet->case_count; i++) {
    const Case *c = &sheet->cases[i];
    if (c->clean || is_noted(c)) check_clean(sheet, c);
  }
  sheet_free(sheet);
}

// Blocks that wait for one another, at events here and there.
static void check_jumps(const Sheet *sheet, const Case *c, How how) {
  LsErr err = {0};
  LsMt mt;
  int count = 0;
  Run *run = run_case(sheet, c, how);
  bool is_short = run && trace_steps(run->trace) < 100000;
  SimReplay *replay = is_short ? run_replay(run, &err) : NULL;
  const TraceBlock *blocks = run ? trace_blocks(run->trace, &count) : NULL;
  CHECK(replay || !is_short);
  CHECK(count > 0);
  ls_mt_seed(&mt, 12);
  for (int i = 0; replay && i < 60; i++) {
    const TraceBlock *block = &blocks[ls_mt_u32(&mt) % (uint32_t)count];
    check_replay_at(run, replay, block, ls_mt_u32(&mt) % (block->count - 1));
  }
  run_free(run);
}

static void grids_again(void) {
  Sheet *sheet = sheet_read("grid");
  for (int i = 0; i < sheet->case_count; i++) {
    const Case *c = &sheet->cases[i];
    for (int k = 0; c->clean && k < 4; k++) {
      How how = {.cut = (DevCut)(k % 2), .sched = (SimSched)(k / 2), .order = (SimOrder)(k / 2 ^ k % 2),
                 .seed = (uint64_t)(i + k) % 3, .record = true};
      if (wants_sched(c, how.sched)) check_jumps(sheet, c, how);
    }
  }
  sheet_free(sheet);
}

static const Case *case_of(const Sheet *sheet, const char *kernel) {
  for (int i = 0; i < sheet->case_count; i++) if (strcmp(sheet->cases[i].kernel, kernel) == 0) return &sheet->cases[i];
  return NULL;
}

static void check_wrong(const Sheet *sheet, const Case *c, DevCut cut) {
  const Case *twin = case_of(sheet, c->twin);
  Run *right = twin ? run_case(sheet, twin, (How){0}) : NULL;
  CHECK(right != NULL);
  if (!right) return;
  int wrong = 0;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    Run *run = run_case(sheet, c, (How){.cut = cut, .seed = seed});
    wrong += run && results_of(run, c->wrong_arg) != results_of(right, c->wrong_arg);
    run_free(run);
  }
  if (!wrong) printf("\n%s.cu:%d: %s is right with every seed\n", sheet->name, c->line, c->kernel);
  CHECK(wrong > 0);
  run_free(right);
}

static void seeds_show_it(const char *name) {
  Sheet *sheet = sheet_read(name);
  for (int i = 0; i < sheet->case_count; i++)
    for (int cut = 0; sheet->cases[i].wrong_arg && cut < 2; cut++) check_wrong(sheet, &sheet->cases[i], (DevCut)cut);
  sheet_free(sheet);
}

// ---- advice --------------------------------------------------------------------------------------------------------

// Appends a line of a kernel without blanks, comments and the kernel's name.
static void add_bare(const char *line, const char *kernel, LsText *out) {
  size_t name = strlen(kernel);
  for (const char *p = line; *p && !(p[0] == '/' && p[1] == '/'); p++) {
    bool named = strncmp(p, kernel, name) == 0 && p[name] == '(';
    if (named) p += name - 1;
    else if (*p != ' ') ls_text_addc(out, *p);
  }
}

// The kernel's text with `edit` in place of `line`, or behind it; line 0: as it is.
static void kernel_text(const Sheet *sheet, const char *kernel, int line, const Cured *cured, LsText *out) {
  char *head = ls_format("void %s(", kernel);
  int at = 0;
  while (at < sheet->line_count && !strstr(sheet->lines[at], head)) at++;
  free(head);
  for (; at < sheet->line_count; at++) {
    bool here = at + 1 == line;
    add_bare(here && cured->way == CURE_BY_REPLACING ? cured->text : sheet->lines[at], kernel, out);
    if (here && cured->way == CURE_BY_INSERTING) add_bare(cured->text, kernel, out);
    if (strcmp(sheet->lines[at], "}") == 0) return;
  }
}

static bool gives_twin(const Sheet *sheet, const Case *c, int line) {
  LsText edited = {0}, twin = {0};
  kernel_text(sheet, c->kernel, line, &c->cured, &edited);
  kernel_text(sheet, c->cured.twin, 0, NULL, &twin);
  bool same = strcmp(ls_text_str(&edited), ls_text_str(&twin)) == 0;
  ls_text_free(&edited);
  ls_text_free(&twin);
  return same;
}

// The advised line is where the edit goes. Between two lines it may as well stand just before the second.
static bool edit_cures(const Sheet *sheet, const Case *c, const Cause *cause) {
  if (gives_twin(sheet, c, cause->line)) return true;
  return c->cured.way == CURE_BY_INSERTING && !cause->carried && gives_twin(sheet, c, cause->other_line - 1);
}

static bool names_lines(const Sheet *sheet, const Cured *cured, const Cause *cause) {
  if (!is_marked(sheet, cause->line, cured->marks[0])) return false;
  return cured->mark_count < 2 || is_marked(sheet, cause->other_line, cured->marks[1]);
}

static void check_launch(const Sheet *sheet, const Case *c, How how) {
  Case right = *c;
  right.options = c->cured.text;
  Run *run = run_case(sheet, &right, how);
  CHECK(run && run->fault_count == 0);
  run_free(run);
}

static void check_cure(const Sheet *sheet, const Case *c, How how) {
  const Cured *cured = &c->cured;
  Run *run = run_case(sheet, c, how);
  const Cause *cause = run && run->causes->count ? &run->causes->items[0] : NULL;
  CHECK(cause != NULL);
  CHECK(run && run_count_causes(run, GRADE_FAULT) == 1);   // what is not written of results may be warned of besides
  if (!cause) { run_free(run); return; }
  bool right = strcmp(cure_def(cause->cure)->id, cured->kind) == 0 && names_lines(sheet, cured, cause);
  for (int i = 0; i < cured->word_count; i++) right &= strstr(cause->advice, cured->words[i]) != NULL;
  if (cured->way != CURE_BY_LAUNCH) right &= edit_cures(sheet, c, cause);
  if (!right) {
    print_faults(sheet, c, how, run);
    printf("  advice (%s, lines %d and %d): %s\n", cure_def(cause->cure)->id, cause->line, cause->other_line,
           cause->advice);
  }
  CHECK(right);
  if (cured->way == CURE_BY_LAUNCH) check_launch(sheet, c, how);
  run_free(run);
}

// Whatever the order, in both cuts; the twins are among the clean ones.
static void advice_cures(void) {
  for (int i = 0; i < LS_COUNT(sheets); i++) {
    Sheet *sheet = sheet_read(sheets[i]);
    for (int k = 0; k < sheet->case_count; k++) {
      const Case *c = &sheet->cases[k];
      const Case *twin = c->cured.twin ? case_of(sheet, c->cured.twin) : NULL;
      CHECK(!c->cured.twin || (twin && twin->clean));
      for (int n = 0; c->cured.kind && n < 6; n++) {
        How how = {.cut = (DevCut)(n % 2), .order = (SimOrder)(n / 2 % 2), .seed = (uint64_t)n / 2};
        how.sched = wants_sched(c, SIM_ITS) ? SIM_ITS : SIM_STACK;
        check_cure(sheet, c, how);
      }
    }
    sheet_free(sheet);
  }
}

// ---- lecture kernels -----------------------------------------------------------------------------------------------

enum { SIZES = 5 };

// A size that is seldom a power of two and not much larger than the usual one.
static int64_t draw_value(const RecipeParam *param, LsMt *mt) {
  if (param->choice_count) return (int64_t)(ls_mt_u32(mt) % (uint32_t)param->choice_count);
  int64_t most = LS_MIN(param->max, LS_MAX(2 * param->fallback, param->min + 8));
  return param->min + (int64_t)(ls_mt_u32(mt) % (uint64_t)(most - param->min + 1));
}

static Run *run_recipe(const Recipe *recipe, const RecipeValues *values, DevCut cut, uint64_t seed) {
  RunRequest request;
  LsErr err = {0};
  run_request_init(&request);
  request.what = ls_strdup(recipe->name);
  request.recipe = recipe;
  request.values = *values;
  request.cut = cut;
  request.seed = seed;
  request.record = false;
  Run *run = run_new(&request, NULL, &err);
  if (!run && err.kind != LS_EREQUEST) printf("\n%s: %s\n", recipe->name, err.message);
  CHECK(run || err.kind == LS_EREQUEST);
  run_request_fini(&request);
  return run;
}

// False if these values do not go together.
static bool check_recipe(const Recipe *recipe, const RecipeValues *values) {
  for (int cut = 0; cut < 2; cut++)
    for (uint64_t seed = 0; seed < 2; seed++) {
      Run *run = run_recipe(recipe, values, (DevCut)cut, seed);
      if (!run) return false;
      uint64_t wrong = unexpected_faults(recipe, run);
      if (wrong || run->verdict != RUN_RIGHT)
        printf("\n%s %s, %s, seed %d: %s\n", recipe->name, run->info.parameters, run->info.code, (int)seed,
               run->fault_count ? run->faults[0].message : run->verdict_text);
      CHECK_INT(wrong, 0);
      CHECK_INT(run->verdict, run->program ? RUN_UNCHECKED : RUN_RIGHT);   // test_programs has their answers
      run_free(run);
    }
  return true;
}

static void recipes_are_clean(void) {
  LsErr err = {0};
  LsMt mt;
  RecipeBook *book = recipe_book_open(NULL, &err);
  CHECK(book != NULL);
  ls_mt_seed(&mt, 75);
  for (int i = 0; book && i < book->kernels(book); i++) {
    const Recipe *recipe = book->get(book, book->name(book, i), &err);
    int sizes = 0;
    for (int draws = 0; recipe && sizes < SIZES && draws < 1000 * SIZES; draws++) {
      RecipeValues values = {0};
      for (int k = 0; k < recipe->param_count; k++) values.value[k] = draw_value(&recipe->params[k], &mt);
      if (recipe_has_forms(recipe)) values.value[0] = 0;   // test_recipes_run has the others
      sizes += check_recipe(recipe, &values);
    }
    if (sizes < SIZES) printf("\n%s: %d sizes go together\n", book->name(book, i), sizes);
    CHECK_INT(sizes, SIZES);
  }
  if (book) book->free(book);
}

// ---- answers of faulty kernels -------------------------------------------------------------------------------------

// `about` is the kernel.
static bool launch_faulty(const Recipe *recipe, const RecipeValues *values, Launch *launch, LsErr *err) {
  (void)values;
  launch_init(launch);
  launch->kernel = ls_strdup(recipe->about);
  launch->block[0] = 64;
  return launch_add_arg(launch, "i32[64]=iota", err) && launch_add_arg(launch, "i32[64]=none", err);
}

static bool always_wrong(const Recipe *recipe, const RecipeValues *values, const RecipeRun *run, LsErr *err) {
  (void)recipe, (void)values, (void)run;
  return ls_fail(err, LS_EFAULT, "wrong");
}

static RunVerdict verdict_of(const char *source, const char *kernel, FaultKind fault) {
  RecipeForm form = {.source = source};
  Recipe recipe = {.name = kernel, .about = kernel, .forms = &form, .form_count = 1, .launch = launch_faulty, .check = always_wrong};
  RecipeValues values = {0};
  Run *run = run_recipe(&recipe, &values, DEV_COMPILED, 0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  CHECK(run->fault_count == 1 && run->faults[0].kind == fault);
  RunVerdict verdict = run->verdict;
  run_free(run);
  return verdict;
}

// A run that a fault did not stop has an answer; one that it stopped has none. An access that strays into the next
// array does not stop it, one outside of all does.
static void what_goes_on_is_checked(void) {
  CHECK_INT(verdict_of("../../tests/runs/faults/async.cu", "no_wait", FAULT_PENDING_COPY), RUN_WRONG);
  CHECK_INT(verdict_of("../../tests/runs/faults/misaligned.cu", "float4_shifted", FAULT_MISALIGNED), RUN_UNCHECKED);
  CHECK_INT(verdict_of("../../tests/runs/faults/next_array.cu", "one_past", FAULT_OUT_OF_BOUNDS), RUN_WRONG);
  CHECK_INT(verdict_of("../../tests/runs/faults/next_array.cu", "one_before", FAULT_OUT_OF_BOUNDS), RUN_WRONG);
  CHECK_INT(verdict_of("../../tests/runs/faults/out_of_bounds.cu", "shared_past", FAULT_OUT_OF_BOUNDS), RUN_UNCHECKED);
}

// ---- the tests -----------------------------------------------------------------------------------------------------

static void all_faults(void) { for (int i = 0; i < LS_COUNT(sheets); i++) faults_are_told(sheets[i]); }
static void all_clean(void) { for (int i = 0; i < LS_COUNT(sheets); i++) right_ones_are_clean(sheets[i]); }
static void all_seeds(void) { for (int i = 0; i < LS_COUNT(sheets); i++) seeds_show_it(sheets[i]); }

// Every kind of fault is planted in three kernels at least, and no sheet is forgotten.
static void nothing_is_missing(void) {
  int planted[FAULT_KIND_COUNT] = {0}, clean = 0;
  for (int i = 0; i < LS_COUNT(sheets); i++) {
    Sheet *sheet = sheet_read(sheets[i]);
    for (int k = 0; k < sheet->case_count; k++) {
      const Case *c = &sheet->cases[k];
      clean += c->clean;
      CHECK(c->clean != (c->expected_count > 0));
      if (c->expected_count) planted[c->expected[0].kind]++;
    }
    sheet_free(sheet);
  }
  for (int k = 0; k < FAULT_KIND_COUNT; k++) {
    if (k == FAULT_NEVER_WRITTEN || k == FAULT_WRITTEN_TWICE) continue;   // test_coverage.c has those
    if (planted[k] < 3) printf("\n%s: %d kernels\n", trace_fault_name((FaultKind)k), planted[k]);
    CHECK(planted[k] >= 3);
  }
  CHECK(clean >= 15);
}

// ---- several threads -----------------------------------------------------------------------------------------------

static void check_same_faults(const Run *one, const Run *many) {
  CHECK_INT(many->fault_count, one->fault_count);
  for (int i = 0; i < one->fault_count && i < many->fault_count; i++) {
    CHECK_STR(many->faults[i].message, one->faults[i].message);
    CHECK_INT(many->faults[i].count, one->faults[i].count);
    CHECK_INT(many->faults[i].step, one->faults[i].step);
  }
  CHECK(results_of(many, 0) == results_of(one, 0));
  if (one->trace && many->trace) CHECK_INT(trace_bytes(many->trace), trace_bytes(one->trace));
}

static void compare_threads(const Sheet *sheet, const Case *c, How how) {
  how.threads = 1;
  Run *one = run_case(sheet, c, how);
  how.threads = 3;
  Run *many = run_case(sheet, c, how);
  if (one && many) check_same_faults(one, many);
  run_free(one);
  run_free(many);
}

static void threads_make_no_difference(void) {
  for (int i = 0; i < LS_COUNT(sheets); i++) {
    Sheet *sheet = sheet_read(sheets[i]);
    for (int k = 0; k < sheet->case_count; k++) {
      const Case *c = &sheet->cases[k];
      SimSched sched = wants_sched(c, SIM_ITS) ? SIM_ITS : SIM_STACK;
      compare_threads(sheet, c, (How){.cut = DEV_COMPILED, .sched = sched, .record = true});
      compare_threads(sheet, c, (How){.cut = DEV_COMPILED, .sched = sched, .order = SIM_TURNS, .record = true});
      compare_threads(sheet, c, (How){.cut = DEV_WRITTEN, .sched = sched, .seed = 3});
    }
    sheet_free(sheet);
  }
}

static const Check checks[] = {
    {"faults are told", all_faults},
    {"advice cures", advice_cures},
    {"right kernels are clean", all_clean},
    {"seeds show what is missing", all_seeds},
    {"blocks that waited, again", grids_again},
    {"every kind, three times", nothing_is_missing},
    {"lecture kernels are clean", recipes_are_clean},
    {"what goes on is checked", what_goes_on_is_checked},
    {"several threads make no difference", threads_make_no_difference},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  return check_main("faults", checks, LS_COUNT(checks), argc, argv);
}
