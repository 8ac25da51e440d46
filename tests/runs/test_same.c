// test_same.c: a kernel comes to the same, to the byte, however the emulator gets there: on each instruction set that
// the machine has, recorded or not, checked or not; told again by a replay; and counted from what its trace says.
//
// The kernels are all forms of all recipes, random programs (tests/gpu/generate.h), and accesses whose addresses form
// patterns that come, move on and change, of which the results are known.
#include "base/mem.h"
#include "base/random.h"
#include "check_recipes.h"
#include "gpu/generate.h"
#include "model/counter.h"
#include "outcome.h"
#include "sim/alu/alu.h"

static RecipeBook *book;

// ---- ways to run it ------------------------------------------------------------------------------------------------

// Sets LANESCOPE_ISA until it is set back; false: the machine does not have it, or it is the one that is used anyway.
static bool use_isa(const char *name) {
  LsErr err = {0};
  bool best = strcmp(sim_alu_isa(), name) == 0;
  setenv("LANESCOPE_ISA", name, 1);
  if (!best && sim_alu_isa_check(&err)) return true;
  unsetenv("LANESCOPE_ISA");
  return false;
}

static Outcome run_with(const Loaded *l, SimOptions options, bool record, uint32_t checks) {
  options.record_all = record;
  options.checks = checks;
  return outcome_of(l->module, l->entry, &l->launch, &options);
}

static void check_isas(const Loaded *l, SimOptions options, const Outcome *recorded, const Outcome *counted,
                       const char *what) {
  static const char *const isas[] = {"generic", "avx2", "avx512"};
  for (int i = 0; i < LS_COUNT(isas); i++) {
    if (!use_isa(isas[i])) continue;
    Outcome again = run_with(l, options, true, SIM_CHECK_ALL), quick = run_with(l, options, false, 0);
    unsetenv("LANESCOPE_ISA");
    char *name = ls_format("%s on %s", what, isas[i]);
    outcome_check(recorded, &again, OUTCOME_ALL, name);
    outcome_check(counted, &quick, OUTCOME_ALL, name);
    free(name);
    outcome_free(&again);
    outcome_free(&quick);
  }
}

// ---- the trace as a judge ------------------------------------------------------------------------------------------

static Trace *trace_of(const Outcome *o) {
  LsErr err = {0};
  uint8_t *bytes = ls_alloc(o->trace_bytes);
  memcpy(bytes, o->trace, o->trace_bytes);
  Trace *trace = trace_open_memory(bytes, o->trace_bytes, &err);
  if (!trace) printf("\n%s\n", err.message);
  CHECK(trace != NULL);
  return trace;
}

static bool same_counters(const PtxModule *module, const Counters *counters, const Outcome *o) {
  LsText text = {0};
  for (int pc = 0; pc < module->code_count; pc++)
    for (int i = 0; i < COUNTER_COUNT; i++)
      if (counters_at(counters, pc)->value[i])
        ls_text_addf(&text, "pc %d: %llu %s\n", pc, (unsigned long long)counters_at(counters, pc)->value[i],
                     counter_def((CounterId)i)->name);
  bool same = strncmp(ls_text_str(&text), ls_text_str(&o->counters), text.length) == 0;
  ls_text_free(&text);
  return same;
}

// Counters are those of the events, which a trace has one by one.
static void check_counters_of_trace(const PtxModule *module, Trace *trace, const Outcome *o, const char *what) {
  LsErr err = {0};
  Counters *counters = counters_new(module);
  bool same = trace_push(trace, counters_sink(counters), NULL, &err) && same_counters(module, counters, o);
  if (!same) printf("\n%s: the trace counts otherwise: %s\n", what, err.message);
  CHECK(same);
  counters_free(counters);
}

// ---- replays -------------------------------------------------------------------------------------------------------

typedef struct Listener { TraceSink sink; Trace *trace; uint64_t next, wrong; } Listener;

static bool same_lanes(const uint64_t *a, const uint64_t *b, uint32_t mask) {
  if (!a != !b) return false;
  for (int i = 0; a && i < 32; i++)
    if (mask >> i & 1 && a[i] != b[i]) return false;
  return true;
}

static bool same_event(const TraceEvent *a, const TraceEvent *b) {
  return a->block == b->block && a->warp == b->warp && a->kind == b->kind && a->pc == b->pc &&
         a->active == b->active && a->mask == b->mask && a->space == b->space && a->width == b->width &&
         same_lanes(a->addr, b->addr, a->mask);
}

static void compare_event(TraceSink *sink, const TraceEvent *event) {
  Listener *l = (Listener *)sink;
  TraceEvent recorded;
  l->wrong += !trace_event(l->trace, l->next++, &recorded, NULL) || !same_event(event, &recorded);
}

enum { EVENTS = 40, PLACES = 3 };

// Some events of a block, from one on.
static void check_events(SimReplay *replay, Trace *trace, const TraceBlock *b, uint64_t first, const char *what) {
  LsErr err = {0};
  uint64_t end = LS_MIN(b->count, first + EVENTS);
  Listener listener = {.sink = {.event = compare_event}, .trace = trace, .next = b->first + first};
  bool ok = sim_replay_emit(replay, b->block, first, end - first, &listener.sink, &err) && !listener.wrong &&
            listener.next == b->first + end;
  if (!ok)
    printf("\n%s: event %llu of block %u is another one: %s\n", what, (unsigned long long)first, b->block, err.message);
  CHECK(ok);
}

static void check_replay(const Loaded *l, const SimOptions *options, Trace *trace, const char *what) {
  LsErr err = {0};
  LsMt mt;
  int count;
  const TraceBlock *blocks = trace_blocks(trace, &count);
  SimReplay *replay = sim_replay_new(l->module, l->entry, &l->launch, options, &err);
  CHECK(replay != NULL);
  ls_mt_seed(&mt, (uint32_t)count);
  for (int i = 0; replay && count && i < PLACES; i++) {
    const TraceBlock *b = &blocks[ls_mt_u32(&mt) % (uint32_t)count];
    if (b->count) check_events(replay, trace, b, ls_mt_u32(&mt) % b->count, what);
  }
  sim_replay_free(replay);
}

// ---- all of it -----------------------------------------------------------------------------------------------------

// A replay of one block does not find races with others by itself, so a kernel with faults is left out.
static void check_trace(const Loaded *l, SimOptions options, const Outcome *recorded, const char *what) {
  Trace *trace = trace_of(recorded);
  if (!trace) return;
  check_counters_of_trace(l->module, trace, recorded, what);
  options.record_all = true;
  options.checks = SIM_CHECK_ALL;
  if (!recorded->faults.length) check_replay(l, &options, trace, what);
  trace_close(trace);
}

// A run that is not recorded knows no steps; one without checks knows no faults but those that end it.
static void check_same(const Loaded *l, SimOptions options, const char *what) {
  enum { BUT_STEPS = OUTCOME_ALL & ~(OUTCOME_STEPS | OUTCOME_TRACE), BUT_FAULTS = BUT_STEPS & ~OUTCOME_FAULTS };
  options.threads = 1;
  Outcome recorded = run_with(l, options, true, SIM_CHECK_ALL), checked = run_with(l, options, false, SIM_CHECK_ALL),
          counted = run_with(l, options, false, 0);
  outcome_check(&recorded, &checked, BUT_STEPS, what);
  if (!recorded.faults.length) outcome_check(&checked, &counted, BUT_FAULTS, what);
  check_isas(l, options, &recorded, &counted, what);
  check_trace(l, options, &recorded, what);
  outcome_free(&recorded);
  outcome_free(&checked);
  outcome_free(&counted);
}

enum { WAYS = 4 };

static SimOptions way(int i) {
  static const struct { SimSched sched; uint64_t seed; SimOrder order; } ways[WAYS] = {
      {SIM_ITS, 0, SIM_TURNS}, {SIM_STACK, 0, SIM_WHOLE}, {SIM_ITS, 7, SIM_WHOLE}, {SIM_STACK, 3, SIM_TURNS},
  };
  SimOptions options;
  sim_options_init(&options);
  options.sched = ways[i % WAYS].sched;
  options.seed = ways[i % WAYS].seed;
  options.order = ways[i % WAYS].order;
  return options;
}

// ---- recipes -------------------------------------------------------------------------------------------------------

static int kernels_seen;

static void check_form(const Recipe *recipe, int form, bool written) {
  char *assignment = recipe_has_forms(recipe) ? ls_format("form=%s", recipe->forms[form].name) : ls_strdup("");
  Loaded l;
  if (loaded_recipe(&l, book, recipe->name, assignment, written)) {
    int first = kernels_seen++;
    for (int i = 0; i < check_long(1, WAYS); i++) {
      char *what = ls_format("%s %s%s, way %d", recipe->name, assignment, written ? " as written" : "",
                             (first + i) % WAYS);
      check_same(&l, way(first + i), what);
      free(what);
    }
  }
  loaded_free(&l);
  free(assignment);
}

static void recipes(void) {
  LsErr err = {0};
  for (int i = 0; i < book->kernels(book); i++) {
    const Recipe *recipe = book->get(book, book->name(book, i), &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(recipe);
    for (int form = 0; form < recipe->form_count; form++)
      for (int written = 0; written < 2; written++) check_form(recipe, form, written);
  }
  CHECK(kernels_seen > 300);
}

// ---- random programs -----------------------------------------------------------------------------------------------

static void random_programs(void) {
  Forms forms;
  LsErr err = {0};
  CU_ASSERT_FATAL(forms_read(&forms, &err));
  for (int seed = 1; seed <= check_long(40, 1000); seed++) {
    Batch batch;
    batch_init(&batch);
    generate_structured(&batch, &forms, (uint64_t)seed);
    Program *program = &batch.programs[0];
    Loaded l = {.module = ptx_parse(program->name, ls_text_str(&batch.ptx), batch.ptx.length, &err),
                .launch = program->launch};
    l.entry = l.module ? ptx_find_entry(l.module, program->entry, &err) : -1;
    CHECK(l.entry >= 0);
    if (l.entry >= 0) check_same(&l, way(seed), program->name);
    ptx_module_free(l.module);
    batch_fini(&batch);
  }
  forms_free(&forms);
}

// ---- patterns of addresses -----------------------------------------------------------------------------------------

enum { BLOCKS = 3, THREADS = 96, ALL = BLOCKS * THREADS, ROUNDS = 60, WORDS = 4096, SHARED = 1024, COUNTS = 64 };

// Each round reads where the table says, in all widths and spaces, and writes a sum of it where the other one says.
static const char patterns_ptx[] =
    ".version 8.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry patterns(.param .u64 table, .param .u64 places, .param .u64 in, .param .u64 out,\n"
    "  .param .u64 bytes, .param .u64 counts, .param .u32 rounds) {\n"
    ".reg .pred %p<4>; .reg .b32 %r<40>; .reg .b64 %rd<40>;\n"
    ".shared .align 16 .b8 words[4096]; .shared .align 4 .b8 own[384]; .local .align 4 .b8 array[64];\n"
    "ld.param.u64 %rd1, [table]; ld.param.u64 %rd2, [places]; ld.param.u64 %rd3, [in]; ld.param.u64 %rd4, [out];\n"
    "ld.param.u64 %rd5, [bytes]; ld.param.u64 %rd6, [counts]; ld.param.u32 %r1, [rounds];\n"
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r2, 96, %r3;\n"
    "mul.wide.u32 %rd7, %r4, 4; add.s64 %rd1, %rd1, %rd7; add.s64 %rd2, %rd2, %rd7;\n"
    "mov.u32 %r5, %r3; mov.u32 %r6, words;\n"
    "COPY: mul.wide.u32 %rd8, %r5, 4; add.s64 %rd8, %rd3, %rd8; ld.global.u32 %r7, [%rd8];\n"
    "shl.b32 %r8, %r5, 2; add.s32 %r8, %r6, %r8; st.shared.u32 [%r8], %r7;\n"
    "add.s32 %r5, %r5, 96; setp.lt.s32 %p1, %r5, 1024; @%p1 bra COPY;\n"
    "bar.sync 0; mov.u32 %r9, 0;\n"
    "AGAIN: ld.global.s32 %r10, [%rd1]; ld.global.s32 %r11, [%rd2];\n"
    "setp.ge.s32 %p1, %r10, 0; max.s32 %r12, %r10, 0; mul.wide.s32 %rd9, %r12, 4; add.s64 %rd10, %rd3, %rd9;\n"
    "ld.global.u32 %r13, [%rd10]; mov.u32 %r14, 0; @%p1 ld.global.u32 %r14, [%rd10+4];\n"
    "cvt.s64.s32 %rd11, %r12; add.s64 %rd12, %rd3, %rd11; ld.global.u8 %r15, [%rd12];\n"
    "and.b32 %r16, %r12, -2; mul.wide.s32 %rd13, %r16, 4; add.s64 %rd14, %rd3, %rd13;\n"
    "ld.global.v2.u32 {%r17, %r18}, [%rd14]; ld.global.u64 %rd15, [%rd14];\n"
    "and.b32 %r19, %r12, -4; mul.wide.s32 %rd16, %r19, 4; add.s64 %rd17, %rd3, %rd16;\n"
    "@%p1 ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%rd17]; @!%p1 mov.u32 %r23, 0;\n"
    "ld.u32 %r24, [%rd10]; and.b32 %r25, %r12, 1023; shl.b32 %r25, %r25, 2; add.s32 %r25, %r6, %r25;\n"
    "ld.shared.u32 %r26, [%r25]; and.b32 %r27, %r9, 31; xor.b32 %r27, %r27, %r3; shl.b32 %r27, %r27, 2;\n"
    "mov.u32 %r28, own; add.s32 %r27, %r28, %r27; st.shared.u32 [%r27], %r26; ld.shared.u32 %r29, [%r27];\n"
    "bar.warp.sync -1;\n"
    "and.b32 %r30, %r12, 15; shl.b32 %r30, %r30, 2; mov.u32 %r31, array; add.s32 %r30, %r31, %r30;\n"
    "st.local.u32 [%r30], %r13; ld.local.u32 %r32, [%r30];\n"
    "cvt.u32.u64 %r33, %rd15; add.s32 %r34, %r13, %r14; mad.lo.s32 %r34, %r34, 3, %r15;\n"
    "add.s32 %r34, %r34, %r17; mad.lo.s32 %r34, %r34, 5, %r18; add.s32 %r34, %r34, %r23; add.s32 %r34, %r34, %r24;\n"
    "mad.lo.s32 %r34, %r34, 7, %r29; add.s32 %r34, %r34, %r32; add.s32 %r34, %r34, %r33;\n"
    "mul.wide.s32 %rd18, %r11, 4; add.s64 %rd19, %rd4, %rd18; @%p1 st.global.u32 [%rd19], %r34;\n"
    "cvt.s64.s32 %rd20, %r11; add.s64 %rd21, %rd5, %rd20; st.global.u8 [%rd21], %r34;\n"
    "and.b32 %r35, %r12, 63; mul.wide.u32 %rd22, %r35, 4; add.s64 %rd23, %rd6, %rd22;\n"
    "red.global.add.u32 [%rd23], 1;\n"
    "add.s64 %rd1, %rd1, 1152; add.s64 %rd2, %rd2, 1152; add.s32 %r9, %r9, 1; setp.lt.s32 %p2, %r9, %r1;\n"
    "@%p2 bra AGAIN; ret;\n}\n";
_Static_assert(ALL * sizeof(int32_t) == 1152 && THREADS == 96 && SHARED == 1024, "as the kernel has them");

typedef struct Patterns {
  int32_t table[ROUNDS][ALL], places[ROUNDS][ALL];   // elements of in, -1: none; of out
  uint32_t in[WORDS], out[ROUNDS * ALL], counts[COUNTS];
  uint8_t bytes[ROUNDS * ALL];
} Patterns;

static LsMt draws;
static int draw(int below) { return (int)(ls_mt_u32(&draws) % (uint32_t)below); }

// Where a lane of a warp reads, relative to where the warp does: at most 1,000 elements on.
static int32_t lane_place(int kind, int lane, int stride) {
  switch (kind) {
    case 0: return lane;                             // one behind the other
    case 1: return lane * stride;
    case 2: return 31 - lane;
    case 3: return 0;                                // the same
    case 4: return lane < 16 ? 0 : 7 * stride;       // two places
    case 5: return lane % 16 + (lane < 16 ? 0 : 16 * stride);    // two rows
    case 6: return lane / 8 * 8 * stride + lane % 8;             // four
    case 7: return lane == stride ? 500 : lane;      // but for one
    case 8: return lane ^ (stride & 31);
    default: return draw(1000);
  }
}
enum { KINDS = 10, STRIDES = 32, STAYS = 3 };

// A pattern stays for some rounds and moves on, by whole sectors or not; now and then some lanes take no part.
static void draw_table(Patterns *p, int warp) {
  int32_t place[32] = {0};
  uint32_t mask = 0;
  for (int r = 0; r < ROUNDS; r++) {
    if (r % (1 + draw(STAYS)) == 0) {
      int kind = draw(KINDS), stride = draw(STRIDES);
      for (int lane = 0; lane < 32; lane++) place[lane] = lane_place(kind, lane, stride);
      mask = draw(2) ? 0xffffffff : ls_mt_u32(&draws);
    }
    int base = draw(2) ? 8 * draw(380) : draw(3000);
    for (int lane = 0; lane < 32; lane++) p->table[r][32 * warp + lane] = mask >> lane & 1 ? base + place[lane] : -1;
  }
}

// Each round has its part of `out`, and each thread a place there: its own, the mirrored one, or any.
static void draw_places(Patterns *p, int round) {
  int32_t *places = p->places[round];
  int kind = draw(3);
  for (int i = 0; i < ALL; i++) places[i] = round * ALL + (kind == 1 ? ALL - 1 - i : i);
  for (int i = ALL - 1; kind == 2 && i > 0; i--) {
    int other = draw(i + 1), kept = places[i];
    places[i] = places[other];
    places[other] = kept;
  }
}

static Patterns *draw_patterns(uint32_t seed) {
  Patterns *p = ls_alloc(sizeof *p);
  ls_mt_seed(&draws, seed);
  for (int i = 0; i < WORDS; i++) p->in[i] = ls_mt_u32(&draws);
  for (int warp = 0; warp < ALL / 32; warp++) draw_table(p, warp);
  for (int r = 0; r < ROUNDS; r++) draw_places(p, r);
  return p;
}

// The kernel's round, as C: little-endian, as a GPU is.
static uint32_t sum_of(const Patterns *p, int32_t at) {
  int32_t i = LS_MAX(at, 0), even = i & -2, fourth = i & -4;
  uint32_t sum = (p->in[i] + (at >= 0 ? p->in[i + 1] : 0)) * 3 + (p->in[i / 4] >> 8 * (i % 4) & 255);
  sum = (sum + p->in[even]) * 5 + p->in[even + 1] + (at >= 0 ? p->in[fourth + 3] : 0) + p->in[i];
  return sum * 7 + p->in[i & (SHARED - 1)] + p->in[i] + p->in[even];
}

static void expect_patterns(Patterns *p) {
  for (int r = 0; r < ROUNDS; r++)
    for (int i = 0; i < ALL; i++) {
      int32_t at = p->table[r][i], place = p->places[r][i];
      uint32_t sum = sum_of(p, at);
      if (at >= 0) p->out[place] = sum;
      p->bytes[place] = (uint8_t)sum;
      p->counts[LS_MAX(at, 0) % COUNTS]++;
    }
}

// ---- the same in the emulator

enum { IN = 2, OUT, BYTES, COUNT, IN_MEMORY = 7 };   // arguments

static void add_buffer(Launch *launch, const char *text, const void *data, size_t size) {
  LsErr err = {0};
  CHECK(launch_add_arg(launch, text, &err));
  LaunchArg *arg = &launch->args[launch->arg_count - 1];
  if (!data) return;
  CHECK_INT(arg->count * (uint64_t)launch_type_size(arg->type), size);
  arg->init = LAUNCH_DATA;
  arg->data = ls_alloc(size);
  memcpy(arg->data, data, size);
}

static bool load_patterns(Loaded *l, const Patterns *p) {
  LsErr err = {0};
  *l = (Loaded){.module = ptx_parse("patterns.ptx", patterns_ptx, strlen(patterns_ptx), &err)};
  if (!l->module) printf("\n%s\n", err.message);
  CHECK(l->module != NULL);
  launch_init(&l->launch);
  l->launch.grid[0] = BLOCKS;
  l->launch.block[0] = THREADS;
  add_buffer(&l->launch, "i32[17280]=none", p->table, sizeof p->table);
  add_buffer(&l->launch, "i32[17280]=none", p->places, sizeof p->places);
  add_buffer(&l->launch, "u64=0", NULL, 0);
  add_buffer(&l->launch, "u32[17280]=zero", NULL, 0);
  add_buffer(&l->launch, "u8[17280]=zero", NULL, 0);
  add_buffer(&l->launch, "u32[64]=zero", NULL, 0);
  add_buffer(&l->launch, "i32=60", NULL, 0);
  add_buffer(&l->launch, "u32[4096]=none", p->in, sizeof p->in);
  l->launch.args[IN].points = true;                // as memory of a program, which may be written in part
  l->launch.args[IN].owner = IN_MEMORY;
  l->launch.args[IN_MEMORY].role = LAUNCH_MEMORY;
  return l->module != NULL;
}
_Static_assert(ROUNDS * ALL == 17280 && ROUNDS == 60 && WORDS == 4096 && COUNTS == 64, "as the launch has them");

static bool same_buffer(const Sim *sim, int arg, const void *expected, size_t size) {
  uint64_t found = 0;
  const uint8_t *bytes = sim_buffer(sim, arg, &found);
  return bytes && found == size && memcmp(bytes, expected, size) == 0;
}

static void check_results(const Loaded *l, const Patterns *p, SimOptions options) {
  LsErr err = {0};
  Sim *sim = sim_new(l->module, l->entry, &l->launch, &options, &err);
  bool ok = sim && sim_run(sim, NULL, &err);
  if (!ok) printf("\n%s\n", err.message);
  CHECK(ok && same_buffer(sim, OUT, p->out, sizeof p->out));
  CHECK(ok && same_buffer(sim, BYTES, p->bytes, sizeof p->bytes));
  CHECK(ok && same_buffer(sim, COUNT, p->counts, sizeof p->counts));
  sim_free(sim);
}

// The same memory behind the last event, as a replay has it.
static void check_end(const Loaded *l, const Patterns *p, SimOptions options, uint32_t block, uint64_t last_event) {
  LsErr err = {0};
  TraceInfo info;
  uint32_t *words = ls_alloc(sizeof p->out);
  SimReplay *replay = sim_replay_new(l->module, l->entry, &l->launch, &options, &err);
  trace_info_init(&info);
  if (replay) sim_replay_describe(replay, &info);
  bool ok = replay && sim_replay_seek(replay, block, last_event, &err);
  for (int i = 0; ok && i < info.object_count; i++)
    if (info.objects[i].arg == OUT)
      sim_replay_read(replay, TRACE_GLOBAL, 0, info.objects[i].base, sizeof p->out, (uint8_t *)words, NULL);
  CHECK(ok && memcmp(words, p->out, sizeof p->out) == 0);
  trace_info_fini(&info);
  sim_replay_free(replay);
  free(words);
}

static void check_replayed(const Loaded *l, const Patterns *p, SimOptions options) {
  Outcome o = run_with(l, options, true, SIM_CHECK_ALL);
  Trace *trace = trace_of(&o);
  int count;
  const TraceBlock *last = trace ? trace_blocks(trace, &count) + count - 1 : NULL;
  if (last) check_end(l, p, options, last->block, last->count - 1);
  trace_close(trace);
  outcome_free(&o);
}

static void patterns(void) {
  for (uint32_t seed = 1; seed <= (uint32_t)check_long(12, 200); seed++) {
    Patterns *p = draw_patterns(seed);
    expect_patterns(p);
    Loaded l;
    SimOptions options = way((int)seed);
    if (load_patterns(&l, p)) {
      for (int quick = 0; quick < 2; quick++) {
        options.checks = quick ? 0 : SIM_CHECK_ALL;
        options.threads = 1 + quick;
        check_results(&l, p, options);
      }
      check_replayed(&l, p, way((int)seed));
      check_same(&l, way((int)seed), "patterns");
    }
    loaded_free(&l);
    free(p);
  }
}

// ---- one lane does wrong among many that do not --------------------------------------------------------------------

enum { NOTHING_WRITTEN = 3500 };             // an element of in
typedef struct Slip { FaultKind kind; int32_t at; } Slip;

// What the only fault says; what it costs to find it is not seen in anything else.
static void check_slip(const Loaded *l, SimOptions options, const Slip *slip, uint32_t block, uint32_t thread) {
  LsErr err = {0};
  options.checks = SIM_CHECK_ALL;
  Sim *sim = sim_new(l->module, l->entry, &l->launch, &options, &err);
  CHECK(sim && sim_run(sim, NULL, &err));
  int count = 0, found = 0;
  const TraceFault *faults = sim ? sim_faults(sim, &count) : NULL;
  for (int i = 0; i < count; i++)
    found += faults[i].kind == slip->kind && faults[i].block == block && faults[i].thread == thread;
  if (!found || found < count) printf("\n%s: %d faults, %d of it\n", trace_fault_name(slip->kind), count, found);
  CHECK(count > 0 && found == count);
  sim_free(sim);
}

static void one_slips(const Slip *slip, uint32_t seed) {
  Patterns *p = draw_patterns(seed);
  int round = 20 + draw(ROUNDS - 20), thread = draw(ALL);
  for (int r = 0; r < ROUNDS; r++)
    for (int i = 0; i < ALL; i++) p->table[r][i] = LS_MIN(p->table[r][i], NOTHING_WRITTEN - 10);
  p->table[round][thread] = slip->at;
  Loaded l;
  if (load_patterns(&l, p)) {
    LaunchArg *in = &l.launch.args[IN_MEMORY];
    in->written = ls_alloc(sizeof p->in);
    memset(in->written, 1, sizeof p->in);
    memset(in->written + NOTHING_WRITTEN * sizeof *p->in, 0, sizeof *p->in);
    check_slip(&l, way((int)seed), slip, (uint32_t)(thread / THREADS), (uint32_t)(thread % THREADS));
    check_same(&l, way((int)seed), trace_fault_name(slip->kind));
  }
  loaded_free(&l);
  free(p);
}

static void slips(void) {
  static const Slip all[] = {{FAULT_OUT_OF_BOUNDS, WORDS}, {FAULT_OUT_OF_BOUNDS, 1 << 28},
                             {FAULT_UNINITIALIZED, NOTHING_WRITTEN}};
  for (int i = 0; i < LS_COUNT(all); i++)
    for (uint32_t seed = 1; seed <= (uint32_t)check_long(4, 40); seed++) one_slips(&all[i], seed);
}

static const Check checks[] = {
    {"recipes", recipes},
    {"random programs", random_programs},
    {"patterns of addresses", patterns},
    {"one lane does wrong", slips},
};

int main(int argc, char **argv) {
  return check_main_with_recipes("same", checks, LS_COUNT(checks), argc, argv, &book);
}
