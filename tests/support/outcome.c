// outcome.c: runs a kernel in the emulator and keeps all that comes of it: counters, faults, output, memory, trace.
#include "outcome.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "model/counter.h"

void outcome_free(Outcome *o) {
  ls_text_free(&o->counters);
  ls_text_free(&o->faults);
  ls_text_free(&o->steps);
  ls_text_free(&o->prints);
  free(o->trace);
}

static void add_counters(Outcome *o, const PtxModule *module, const Counters *counters, const Sim *sim) {
  for (int pc = 0; pc < module->code_count; pc++) {
    const CounterSet *set = counters_at(counters, pc);
    for (int i = 0; i < COUNTER_COUNT; i++)
      if (set->value[i])
        ls_text_addf(&o->counters, "pc %d: %llu %s\n", pc, (unsigned long long)set->value[i],
                     counter_def((CounterId)i)->name);
  }
  ls_text_addf(&o->counters, "%llu warp instructions, %llu thread instructions\n",
               (unsigned long long)sim_warp_instructions(sim), (unsigned long long)sim_thread_instructions(sim));
}

static void add_faults(Outcome *o, const Sim *sim) {
  int count = 0;
  const TraceFault *faults = sim_faults(sim, &count);
  for (int i = 0; i < count; i++) {
    const TraceFault *f = &faults[i];
    ls_text_addf(&o->faults, "%s at %d and %d, block %u thread %u, other %u %u, 0x%llx, %d %lld, %d, %llu times: %s\n",
                 trace_fault_name((FaultKind)f->kind), f->pc, f->other_pc, f->block, f->thread, f->other_block,
                 f->other_thread, (unsigned long long)f->addr, f->object, (long long)f->distance, f->size,
                 (unsigned long long)f->count, f->message);
    ls_text_addf(&o->steps, "%lld ", (long long)f->step);
  }
}

static void add_memory(Outcome *o, const Sim *sim, const PtxModule *module, const Launch *launch) {
  uint64_t size;
  for (int i = 0; i < launch->arg_count; i++) {
    const uint8_t *bytes = sim_buffer(sim, i, &size);
    if (bytes) o->memory = o->memory * 31 + ls_hash64(bytes, size);
  }
  for (int v = 0; v < module->var_count; v++) {
    const uint8_t *bytes = sim_global(sim, module->vars[v].name, &size);
    if (bytes) o->memory = o->memory * 31 + ls_hash64(bytes, size);
  }
}

static void add_all(Outcome *o, const Sim *sim, const PtxModule *module, const Launch *launch,
                    const Counters *counters) {
  o->threads = sim_threads(sim);
  add_counters(o, module, counters, sim);
  add_faults(o, sim);
  add_memory(o, sim, module, launch);
  ls_text_add(&o->prints, sim_output(sim));
}

Outcome outcome_of(const PtxModule *module, int entry, const Launch *launch, const SimOptions *options) {
  Outcome o = {0};
  LsErr err = {0};
  TraceInfo info;
  trace_info_init(&info);
  launch_fini(&info.launch);
  launch_copy(&info.launch, launch);
  Sim *sim = sim_new(module, entry, launch, options, &err);
  Counters *counters = counters_new(module);
  TraceWriter *writer = trace_writer_new(NULL, &info, &err);
  TraceTee tee;
  trace_tee_init(&tee, counters_sink(counters), trace_writer_sink(writer));
  o.ok = sim && sim_run(sim, &tee.sink, &err);
  CHECK(trace_writer_finish(writer, &err));
  o.trace = trace_writer_take(writer, &o.trace_bytes);
  if (sim) add_all(&o, sim, module, launch, counters);
  if (!o.ok) ls_text_add(&o.prints, err.message);
  trace_writer_free(writer);
  counters_free(counters);
  sim_free(sim);
  trace_info_fini(&info);
  return o;
}

Outcome outcome_counted(const PtxModule *module, int entry, const Launch *launch, const SimOptions *options) {
  Outcome o = {0};
  LsErr err = {0};
  Sim *sim = sim_new(module, entry, launch, options, &err);
  Counters *counters = counters_new(module);
  o.ok = sim && sim_run(sim, counters_sink(counters), &err);
  if (sim) add_all(&o, sim, module, launch, counters);
  if (!o.ok) ls_text_add(&o.prints, err.message);
  counters_free(counters);
  sim_free(sim);
  return o;
}

static bool same_text(const LsText *a, const LsText *b) { return strcmp(ls_text_str(a), ls_text_str(b)) == 0; }

static bool same_trace(const Outcome *a, const Outcome *b) {
  return a->trace_bytes == b->trace_bytes && memcmp(a->trace, b->trace, a->trace_bytes) == 0;
}

int outcome_differs(const Outcome *a, const Outcome *b) {
  return (a->ok == b->ok ? 0 : OUTCOME_END) | (same_text(&a->counters, &b->counters) ? 0 : OUTCOME_COUNTERS) |
         (same_text(&a->faults, &b->faults) ? 0 : OUTCOME_FAULTS) |
         (same_text(&a->steps, &b->steps) ? 0 : OUTCOME_STEPS) |
         (same_text(&a->prints, &b->prints) ? 0 : OUTCOME_PRINTS) | (a->memory == b->memory ? 0 : OUTCOME_MEMORY) |
         (same_trace(a, b) ? 0 : OUTCOME_TRACE);
}

void outcome_check(const Outcome *a, const Outcome *b, int kinds, const char *what) {
  static const char *const names[] = {"end", "counters", "faults", "steps of faults", "prints", "memory", "trace"};
  int differs = outcome_differs(a, b) & kinds;
  if (differs) printf("\n%s: not the same:", what);
  for (int i = 0; i < LS_COUNT(names); i++)
    if (differs >> i & 1) printf(" %s", names[i]);
  if (differs & OUTCOME_FAULTS) printf("\n%s\n%s", ls_text_str(&a->faults), ls_text_str(&b->faults));
  CHECK(!differs);
}

// ---- kernels -------------------------------------------------------------------------------------------------------

bool loaded_ptx(Loaded *l, const char *path) {
  LsErr err = {0};
  size_t length = 0;
  char *text = ls_file_read(path, 1 << 24, &length, &err);
  l->module = text ? ptx_parse(path, text, length, &err) : NULL;
  l->entry = l->module ? ptx_find_entry(l->module, l->launch.kernel, &err) : -1;
  if (l->entry < 0) printf("\n%s: %s\n", path, err.message);
  CHECK(l->entry >= 0);
  free(text);
  return l->entry >= 0;
}

static bool assign(const Recipe *recipe, RecipeValues *values, const char *assignments) {
  LsErr err = {0};
  char *copy = ls_strdup(assignments), *rest = copy, *word;
  bool ok = true;
  while ((word = strsep(&rest, " ")))
    if (*word) ok = recipe_set(recipe, values, word, &err) && ok;
  if (!ok) printf("\n%s %s: %s\n", recipe->name, assignments, err.message);
  CHECK(ok);
  free(copy);
  return ok;
}

// As assets/make-ptx names what it makes of a form.
static char *ptx_path(const RecipeForm *form, bool written) {
  const char *ending = written ? ".g.ptx" : ".ptx";
  char *suffix = form->define ? ls_format(".%s%s", form->define, ending) : ls_strdup(ending);
  for (char *p = suffix; *p; p++) *p = *p == '=' ? '-' : *p;
  char *stem = ls_path_with_suffix(form->source, suffix), *path = ls_format("%s/assets/ptx/%s", LS_SOURCE_DIR, stem);
  free(suffix);
  free(stem);
  return path;
}

bool loaded_recipe(Loaded *l, RecipeBook *book, const char *name, const char *assignments, bool written) {
  LsErr err = {0};
  RecipeValues values;
  const Recipe *recipe = book->get(book, name, &err);
  *l = (Loaded){.entry = -1};
  launch_init(&l->launch);
  if (!recipe || recipe->sequence) return false;   // the kernels of a sequence are those of other recipes
  recipe_defaults(recipe, &values);
  if (!assign(recipe, &values, assignments)) return false;
  CHECK(recipe->launch(recipe, &values, &l->launch, &err));
  char *path = ptx_path(recipe_form(recipe, &values), written);
  bool ok = loaded_ptx(l, path);
  free(path);
  return ok;
}

void loaded_free(Loaded *l) {
  launch_fini(&l->launch);
  ptx_module_free(l->module);
}
