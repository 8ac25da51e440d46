// sim_rig.c: runs a kernel that a test wrote, and keeps its events.
#include "sim_rig.h"
#include "base/mem.h"
#include "base/random.h"

static void mix(Rig *rig, const void *bytes, size_t size) { rig->hash = rig->hash * 31 + ls_hash64(bytes, size); }

static void take_event(TraceSink *sink, const TraceEvent *e) {
  Rig *rig = (Rig *)(void *)sink;
  Event copy = {.e = *e};
  if (e->addr) memcpy(copy.addr, e->addr, sizeof copy.addr);
  if (e->value) memcpy(copy.value, e->value, sizeof copy.value);
  if (e->result) memcpy(copy.result, e->result, sizeof copy.result);
  copy.e.addr = copy.e.value = copy.e.result = NULL;
  const uint32_t parts[] = {e->block,  e->warp, e->kind,  e->flags,   (uint32_t)e->pc,
                            e->active, e->mask, e->taken, e->members, e->arrived};
  mix(rig, parts, sizeof parts);
  for (int i = 0; i < 32; i++) if (e->addr && e->mask >> i & 1) mix(rig, &e->addr[i], 8);
  CHECK(e->step == (uint64_t)rig->count);
  LS_PUSH(rig->events, rig->count, rig->capacity, copy);
}

static void take_access(TraceSink *sink, const TraceEvent *e) {
  CHECK(e->kind != TRACE_EXEC);
  ((Rig *)(void *)sink)->accesses++;
}

static void take_fault(TraceSink *sink, const TraceFault *fault) {
  (void)fault;
  ((Rig *)(void *)sink)->fault_calls++;
}

static void take_tally(TraceSink *sink, const TraceTally *tallies, int count) {
  Rig *rig = (Rig *)(void *)sink;
  rig->tallies = ls_alloc(sizeof *tallies * (size_t)(count + 1));
  memcpy(rig->tallies, tallies, sizeof *tallies * (size_t)count);
  rig->tally_count = count;
}

const char rig_head[] = ".version 8.6\n.target sm_90\n.address_size 64\n";
const char rig_registers[] =
    "  .reg .pred %p<16>; .reg .b16 %rs<16>; .reg .b32 %r<64>; .reg .f32 %f<16>; .reg .b64 %rd<32>; .reg .f64 "
    "%fd<16>;\n";
// %rd1: the first parameter; %r1: thread in the block; %rd3: the thread's word of the first parameter.
static const char prologue[] =
    "  ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;\n";

void rig_init(Rig *rig, const char *text) {
  *rig = (Rig){.sink = {.event = take_event, .access = take_access, .fault = take_fault, .tally = take_tally}};
  sim_options_init(&rig->options);
  rig->options.record_all = true;
  launch_init(&rig->launch);
  rig->module = ptx_parse("test.ptx", text, strlen(text), &rig->err);
  if (!rig->module) printf("\n%s\n", rig->err.message);
  CHECK(rig->module != NULL);
}

void rig_kernel(Rig *rig, const char *params, const char *outside, const char *body) {
  char *text = ls_format("%s%s\n.visible .entry k(%s)\n{\n%s%s%s\n}\n", rig_head, outside, params, rig_registers, prologue,
                         body);
  rig_init(rig, text);
  free(text);
}

void rig_free(Rig *rig) {
  sim_free(rig->sim);
  launch_fini(&rig->launch);
  ptx_module_free(rig->module);
  free(rig->events);
  free(rig->tallies);
}

void rig_size(Rig *rig, const char *grid, const char *block) {
  CHECK(launch_parse_dim(grid, true, rig->launch.grid, &rig->err));
  CHECK(launch_parse_dim(block, false, rig->launch.block, &rig->err));
}

void rig_arg(Rig *rig, const char *text) { CHECK(launch_add_arg(&rig->launch, text, &rig->err)); }

bool rig_make(Rig *rig) {
  int entry = ptx_find_entry(rig->module, "k", &rig->err);
  rig->sim = entry < 0 ? NULL : sim_new(rig->module, entry, &rig->launch, &rig->options, &rig->err);
  return rig->sim != NULL;
}

void rig_run(Rig *rig) {
  bool made = rig_make(rig);
  if (!made) printf("\n%s\n", rig->err.message);
  CHECK(made);
  if (made) CHECK(sim_run(rig->sim, &rig->sink, &rig->err));
}

const uint32_t *rig_words(Rig *rig, int arg) {
  static const uint32_t nothing[4096];
  uint64_t size;
  const uint8_t *bytes = rig->sim ? sim_buffer(rig->sim, arg, &size) : NULL;
  return bytes ? (const uint32_t *)(const void *)bytes : nothing;
}

const TraceFault *rig_fault(Rig *rig, FaultKind kind) {
  int count = 0;
  const TraceFault *faults = rig->sim ? sim_faults(rig->sim, &count) : NULL;
  for (int i = 0; i < count; i++) if (faults[i].kind == kind) return &faults[i];
  return NULL;
}

int rig_faults(Rig *rig) {
  int count = 0;
  if (rig->sim) sim_faults(rig->sim, &count);
  return count;
}

void run_simple(Rig *rig, const char *outside, const char *body, int threads, int words) {
  char block[32], arg[32];
  snprintf(block, sizeof block, "%d", threads);
  snprintf(arg, sizeof arg, "u32[%d]=zero", words);
  rig_kernel(rig, ".param .u64 p0", outside, body);
  rig_size(rig, "1", block);
  rig_arg(rig, arg);
  rig_run(rig);
}

bool saw_mask(const Rig *rig, uint32_t mask) {
  for (int i = 0; i < rig->count; i++)
    if (rig->events[i].e.kind == TRACE_STORE && rig->events[i].e.mask == mask) return true;
  return false;
}

void expect_fault(FaultKind kind, const char *outside, const char *body, int threads, const char *words,
                  SimSched sched) {
  Rig rig;
  char block[32];
  snprintf(block, sizeof block, "%d", threads);
  rig_kernel(&rig, ".param .u64 p0", outside, body);
  bool is_long = kind == FAULT_BUDGET || kind == FAULT_LIVELOCK;
  rig.options.sched = sched;
  rig.options.budget = 16000000;
  rig.options.record_all = !is_long;
  rig_size(&rig, "1", block);
  rig_arg(&rig, "u32[64]=zero");
  rig_run(&rig);
  const TraceFault *fault = rig_fault(&rig, kind);
  if (!fault && rig_faults(&rig)) { int n; printf("\n  instead: %s\n", sim_faults(rig.sim, &n)[0].message); }
  CHECK(fault != NULL);
  if (fault && !strstr(fault->message, words)) printf("\n  got: %s\n  without: %s\n", fault->message, words);
  CHECK(fault && strstr(fault->message, words));
  CHECK(rig.fault_calls >= 1);
  bool told = is_long || (fault && kind == FAULT_RACE && fault->space == TRACE_GLOBAL && fault->step == UINT64_MAX);
  for (int i = 0; i < rig.count; i++)
    if (trace_kind_is_fault(rig.events[i].e.kind) && fault && rig.events[i].e.step == fault->step)
      told = rig.events[i].e.pc == fault->pc;
  CHECK(told);
  rig_free(&rig);
}
