// program_children.c: the grids that a launch of the host leads to, one after the other.
//
// A grid ends when its children have, and none of its threads can wait for one, so children run behind their parent: an
// order that a device may choose, and in which memory is what any of them may rely on. What depends on another order is
// found by what they touch (kinship.h), and by seeds, which shuffle whatever streams do not order.
#include "app/run/program_children.h"
#include "app/run/program_snapshots.h"

#include <stdlib.h>
#include <string.h>

#include "app/run/run_parts.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "ptx/demangle.h"

// ---- what was asked for --------------------------------------------------------------------------------------------

void program_asked_take(ProgramAsked *asked, const Device *device, const DevRun *run, const PtxModule *module) {
  int count = 0;
  const SimDeviceOp *ops = device->asked ? device->asked(run, &count) : NULL;
  *asked = (ProgramAsked){.count = count};
  asked->ops = ls_alloc(sizeof *asked->ops * (size_t)(count + 1));
  asked->params = ls_alloc(sizeof *asked->params * (size_t)(count + 1));
  for (int i = 0; i < count; i++) {
    asked->ops[i] = ops[i];
    if (ops[i].kind != SIM_DEVICE_LAUNCH) continue;
    size_t size = (size_t)module->funcs[ops[i].func].param_bytes;
    asked->params[i] = memcpy(ls_alloc(size + 1), device->asked_params(run, &ops[i]), size);
  }
}

void program_asked_free(ProgramAsked *asked) {
  for (int i = 0; i < asked->count; i++) free(asked->params[i]);
  free(asked->params);
  free(asked->ops);
}

// ---- words ---------------------------------------------------------------------------------------------------------

const char *program_stream_name(uint64_t stream) {
  if (stream <= SIM_STREAM_PER_THREAD) return "default";
  return stream == SIM_STREAM_TAIL ? "tail" : stream == SIM_STREAM_FORGET ? "forget" : "own";
}

static void add_name(const ProgramLaunch *root, int number, int child, LsText *out) {
  if (child < 0) {
    ls_text_addf(out, "%d", number);
    return;
  }
  add_name(root, number, root->children[child].parent, out);
  ls_text_addf(out, ".%d", root->children[child].number);
}

void program_run_name(const ProgramRun *run, int number, int child, LsText *out) {
  add_name(&run->launches[number - 1], number, child, out);
}

static void add_dims(LsText *out, const uint32_t dims[3]) {
  if (dims[1] == 1 && dims[2] == 1) ls_text_addf(out, "%u", dims[0]);
  else ls_text_addf(out, "(%u,%u,%u)", dims[0], dims[1], dims[2]);
}

static void add_index(LsText *out, const char *what, uint32_t number, const uint32_t dims[3]) {
  ls_text_addf(out, "%s (%u,%u,%u)", what, number % dims[0], number / dims[0] % dims[1], number / dims[0] / dims[1]);
}

static void add_line(const ProgramRun *run, int32_t pc, LsText *out) {
  int file = 0, line = 0;
  if (pc >= 0 && ptx_line_of(run->module, pc, &file, &line))
    ls_text_addf(out, " at %s:%d", ls_path_base(run->module->files[file]), line);
}

void program_run_child_place(const ProgramRun *run, int number, int child, LsText *out) {
  const ProgramLaunch *root = &run->launches[number - 1];
  const ProgramStep *step = &run->program.steps[root->step];
  const ProgramChild *c = &root->children[child], *parent = c->parent < 0 ? NULL : &root->children[c->parent];
  ls_text_add(out, "launch ");
  add_name(root, number, child, out);
  const char *kernel = run->module->funcs[c->entry].demangled;
  ls_text_addf(out, " (%.*s<<<", ptx_name_length(kernel), kernel);
  add_dims(out, c->grid);
  ls_text_add(out, ", ");
  add_dims(out, c->block);
  ls_text_add(out, ">>>, by ");
  add_index(out, "thread", c->by_thread, parent ? parent->block : step->block);
  add_index(out, " of block", c->by_block, parent ? parent->grid : step->grid);
  ls_text_add(out, " of launch ");
  add_name(root, number, c->parent, out);
  add_line(run, c->pc, out);
  ls_text_add(out, ")");
}

bool program_run_has_inner(const ProgramRun *run) {
  for (int i = 0; run->module && i < run->launch_count; i++) {
    const char *kernel = run->program.steps[run->launches[i].step].kernel;
    if (run_launches_inside(run->device, run->module, ptx_find_entry(run->module, kernel, NULL))) return true;
  }
  return false;
}

// ---- one grid ------------------------------------------------------------------------------------------------------

void program_family_init(ProgramFamily *f, ProgramRun *run, ProgramLaunch *root, const SimOptions *options,
                         const TraceInfo *info, int first_arg) {
  int buffers = run->program.buffer_count;
  *f = (ProgramFamily){.run = run, .root = root, .options = options};
  f->bases = ls_alloc(sizeof *f->bases * (size_t)(buffers + 1));
  for (int i = 0; i < info->object_count; i++) {
    const TraceObject *o = &info->objects[i];
    if (o->space == TRACE_GLOBAL && o->arg >= first_arg && o->arg < first_arg + buffers)
      f->bases[o->arg - first_arg] = o->base;
  }
}

void program_family_fini(ProgramFamily *f) { free(f->bases); }

static void fill_launch(const ProgramFamily *f, const SimDeviceOp *op, const uint8_t *params, Launch *launch) {
  launch_init(launch);
  launch->kernel = ls_strdup(f->run->module->funcs[op->func].name);
  memcpy(launch->grid, op->grid, sizeof launch->grid);
  memcpy(launch->block, op->dims, sizeof launch->block);
  launch->shared_bytes = op->shared;
  program_memory_child(f->run->memory, op->func, params, f->bases, false, launch);
}

static bool watch(ProgramFamily *f, DevRun *device_run, int entry, const Launch *launch, TraceInfo *info,
                  ProgramLaunch *out, LsErr *err) {
  Counters *counters = counters_new(f->run->module);
  Witness *witness = NULL;
  TraceTee first, all;
  if (f->run->snapshots) witness = witness_new(f->run->module, launch, false, counters_sink(counters));
  TraceSink *counting = witness ? witness_sink(witness) : counters_sink(counters);
  trace_tee_init(&first, f->kin ? kinship_sink(f->kin) : NULL, f->touched ? touched_sink(f->touched) : NULL);
  trace_tee_init(&all, counting, f->kin || f->touched ? &first.sink : NULL);
  uint64_t start = ls_clock_ns();
  bool ok = f->run->device->run(device_run, f->kin || f->touched ? &all.sink : counting, err);
  out->elapsed_ns = ls_clock_ns() - start;
  out->counters = *counters_total(counters);
  out->findings = -1;
  if (ok && witness) program_judge(f->run, entry, launch, info, counters, witness, out);
  witness_free(witness);
  counters_free(counters);
  return ok;
}

// Runs a child; what it asks for itself goes to asked.
static bool run_grid(ProgramFamily *f, const SimDeviceOp *op, const uint8_t *params, ProgramLaunch *out,
                     ProgramAsked *asked, LsErr *err) {
  ProgramRun *run = f->run;
  TraceInfo info;
  Launch launch;
  trace_info_init(&info);
  fill_launch(f, op, params, &launch);
  DevRequest request = {.module = run->module, .entry = op->func, .launch = &launch, .options = f->options,
                        .connection = run->connection, .runner = run_request_runner(&run->request),
                        .time_limit = run->request.time_limit};
  DevRun *device_run = run->device->open(&request, &info, err);
  bool ok = device_run && watch(f, device_run, op->func, &launch, &info, out, err);
  if (ok) {
    program_take_faults(out, run->device, device_run);
    program_take_cost(run, &launch, out);
    counter_add(&run->counters, &out->counters);
    run->stopped = program_was_stopped(run->device, device_run, out);
    program_asked_take(asked, run->device, device_run, run->module);
  }
  program_memory_end_launch(run->memory, &launch, run->device, ok ? device_run : NULL);
  if (device_run) run->device->close(device_run);
  trace_info_fini(&info);
  return ok;
}

// ---- copies --------------------------------------------------------------------------------------------------------

static ProgramBytes *bytes_at(const ProgramFamily *f, uint64_t address, uint64_t count, uint64_t *offset) {
  for (int i = 0; i < f->run->program.buffer_count; i++) {
    uint64_t size = program_buffer_bytes(&f->run->program.buffers[i]);
    *offset = address - f->bases[i];
    if (f->bases[i] && address >= f->bases[i] && *offset <= size && count <= size - *offset)
      return program_memory_device(f->run->memory, i);
  }
  return NULL;
}

static bool move(const ProgramFamily *f, const SimDeviceOp *op, bool keeps, LsErr *err) {
  uint64_t to, from = 0;
  ProgramBytes *target = bytes_at(f, op->to, op->count, &to);
  ProgramBytes *source = op->kind == SIM_DEVICE_COPY ? bytes_at(f, op->from, op->count, &from) : target;
  if (!target || !source)
    return ls_fail(err, LS_EUNSUPPORTED,
                   "cudaMemcpyAsync and cudaMemsetAsync in device code are emulated for the program's "
                   "buffers, not for variables and memory that the kernel allocated");
  if (op->kind == SIM_DEVICE_SET) memset(target->bytes + to, op->byte, op->count);
  else memmove(target->bytes + to, source->bytes + from, op->count);
  if (target->written && op->kind == SIM_DEVICE_COPY && source->written)
    memmove(target->written + to, source->written + from, op->count);
  else if (target->written) memset(target->written + to, 1, op->count);
  ProgramLaunch *root = f->root;
  if (keeps) LS_PUSH(root->moves, root->move_count, root->move_capacity, ((ProgramMove){root->child_count, *op}));
  return true;
}

// ---- all of them ---------------------------------------------------------------------------------------------------

static int add_child(ProgramFamily *f, int parent, const SimDeviceOp *op, const uint8_t *params, int number) {
  ProgramLaunch *root = f->root;
  ProgramChild child = {.launch = {.step = root->step}, .parent = parent, .number = number, .entry = op->func,
                        .depth = parent < 0 ? 1 : root->children[parent].depth + 1, .shared = op->shared,
                        .stream = op->stream, .by_block = op->block, .by_thread = op->thread, .pc = op->pc};
  memcpy(child.grid, op->grid, sizeof child.grid);
  memcpy(child.block, op->dims, sizeof child.block);
  size_t size = (size_t)f->run->module->funcs[op->func].param_bytes;
  child.params = memcpy(ls_alloc(size + 1), params, size);
  child.launch.position = ++f->run->positions;
  LS_PUSH(root->children, root->child_count, root->child_capacity, child);
  return root->child_count - 1;
}

static bool is_too_many(const ProgramFamily *f, LsErr *err) {
  return ls_fail(err, LS_EREQUEST,
                 "this launch leads to more than %d launches in device code, which is all that the emulator follows: "
                 "is there "
                 "an end to the recursion?",
                 (int)PROGRAM_MOST_CHILDREN) ||
         !f;
}

static bool run_asked(ProgramFamily *f, int parent, int node, const ProgramAsked *asked, LsErr *err);

// What one grid asked for, while it is done.
typedef struct Doing {
  const ProgramAsked *asked;
  const KinOrder *order;
  int *picked, *numbers;           // operations as they are done; of launches, as they were asked for, from 1
  int *children;                   // that launches have become
} Doing;

static void add_after(const Doing *d, int op, ProgramChild *child) {
  int before[KIN_MOST_AFTER], count = kin_order_after(d->order, op, before);
  child->after = ls_alloc(sizeof *child->after * (size_t)(count + 1));
  child->after_count = count;
  for (int i = 0; i < count; i++) child->after[i] = d->children[before[i]];
}

static bool run_child(ProgramFamily *f, int parent, int node, const Doing *d, int op, LsErr *err) {
  const ProgramAsked *asked = d->asked;
  const KinOrder *order = d->order;
  if (f->root->child_count >= PROGRAM_MOST_CHILDREN) return is_too_many(f, err);
  int child = add_child(f, parent, &asked->ops[op], asked->params[op], d->numbers[op]);
  d->children[op] = child;
  add_after(d, op, &f->root->children[child]);
  int own = f->kin ? kinship_begin(f->kin, node, order, op) : 0;
  ProgramLaunch out = f->root->children[child].launch;
  ProgramAsked next = {0};
  if (f->run->snapshots && !program_snapshots_is_much(f->run->snapshots))
    program_snapshots_take(f->run->snapshots, f->run->memory, out.position);
  bool ok = run_grid(f, &asked->ops[op], asked->params[op], &out, &next, err);
  f->root->children[child].launch = out;
  if (ok && !f->run->stopped) ok = run_asked(f, child, own, &next, err);
  program_asked_free(&next);
  return ok;
}

static bool is_canceled(const ProgramFamily *f, LsErr *err) {
  return f->progress && f->progress->cancel && !ls_fail(err, LS_ECANCEL, "the run was canceled");
}

static void begin_doing(Doing *d, KinOrder *order, uint64_t seed) {
  int count = d->asked->count;
  d->picked = ls_alloc(sizeof *d->picked * (size_t)count);
  d->numbers = ls_alloc(sizeof *d->numbers * (size_t)count);
  d->children = ls_alloc(sizeof *d->children * (size_t)count);
  kin_order_init(order, d->asked->ops, count);
  kin_order_pick(order, seed, d->picked);
  for (int i = 0, number = 0; i < count; i++)
    d->numbers[i] = d->asked->ops[i].kind == SIM_DEVICE_LAUNCH ? ++number : 0;
}

static bool run_asked(ProgramFamily *f, int parent, int node, const ProgramAsked *asked, LsErr *err) {
  if (!asked->count) return true;
  KinOrder order;
  Doing d = {asked, &order, NULL, NULL, NULL};
  begin_doing(&d, &order, f->options->seed);
  bool ok = true;
  for (int i = 0; i < asked->count && ok && !f->run->stopped; i++) {
    const SimDeviceOp *op = &asked->ops[d.picked[i]];
    ok = !is_canceled(f, err);
    if (ok && op->kind == SIM_DEVICE_LAUNCH) ok = run_child(f, parent, node, &d, d.picked[i], err);
    else if (ok && (op->kind == SIM_DEVICE_COPY || op->kind == SIM_DEVICE_SET)) ok = move(f, op, true, err);
  }
  kin_order_fini(&order);
  free(d.picked);
  free(d.numbers);
  free(d.children);
  return ok;
}

// ---- races ---------------------------------------------------------------------------------------------------------

// Grid n + 1 of the kinship is child n: both count launches as they are run.
static void add_grid(const ProgramFamily *f, int node, int32_t pc, LsText *out) {
  int number = (int)(f->root - f->run->launches) + 1;
  if (node > 0) {
    program_run_child_place(f->run, number, node - 1, out);
  } else {
    ls_text_addf(out, "launch %d (%s)", number, f->run->program.steps[f->root->step].kernel);
  }
  add_line(f->run, pc, out);
}

static void tell_race(ProgramFamily *f, const KinRace *race, const TraceInfo *info, int first_arg) {
  const TraceObject *o = &info->objects[race->object];
  int buffer = o->arg >= first_arg ? o->arg - first_arg : -1;
  uint64_t element = race->offset / (uint64_t)launch_type_size((LaunchType)o->type);
  LsText words = {0};
  add_grid(f, race->node, -1, &words);
  ls_text_addf(&words, " %s %s[%llu]", race->writes ? "writes" : "reads", o->name, (unsigned long long)element);
  add_line(f->run, race->pc, &words);
  ls_text_add(&words, ", which ");
  add_grid(f, race->other, -1, &words);
  ls_text_addf(&words, " %s", race->other_writes ? "writes" : "reads");
  add_line(f->run, race->other_pc, &words);
  ls_text_add(&words, ", and nothing orders the two");
  f->told(f->context, buffer, buffer < 0 ? UINT64_MAX : element, race, &words);
}

bool program_family_run(ProgramFamily *f, const ProgramAsked *asked, LsErr *err) {
  size_t size = sizeof *f->bases * (size_t)(f->run->program.buffer_count + 1);
  if (asked->count) f->root->bases = memcpy(ls_alloc(size), f->bases, size);
  return run_asked(f, -1, 0, asked, err);
}

// ---- again ---------------------------------------------------------------------------------------------------------

static bool move_again(const ProgramFamily *f, const ProgramLaunch *root, int before, LsErr *err) {
  for (int i = 0; i < root->move_count; i++)
    if (root->moves[i].before == before && !move(f, &root->moves[i].op, false, err)) return false;
  return true;
}

static bool run_again(ProgramFamily *f, const ProgramChild *child, LsErr *err) {
  SimDeviceOp op = {.kind = SIM_DEVICE_LAUNCH, .func = child->entry, .shared = child->shared};
  ProgramLaunch out = {0};
  ProgramAsked asked = {0};
  memcpy(op.grid, child->grid, sizeof op.grid);
  memcpy(op.dims, child->block, sizeof op.dims);
  bool ok = run_grid(f, &op, child->params, &out, &asked, err);
  program_asked_free(&asked);
  program_launch_fini(&out);
  return ok;
}

bool program_family_again(ProgramRun *again, const ProgramLaunch *root, int from, int to, const SimOptions *options,
                          RunProgress *progress, LsErr *err) {
  ProgramLaunch none = {0};
  ProgramFamily f = {.run = again, .root = &none, .options = options, .progress = progress, .bases = root->bases};
  bool ok = from >= 0 || move_again(&f, root, 0, err);
  for (int i = LS_MAX(from, 0); i < to && ok; i++)
    ok = !is_canceled(&f, err) && run_again(&f, &root->children[i], err) && move_again(&f, root, i + 1, err);
  return ok;
}

void program_family_tell(ProgramFamily *f, const TraceInfo *info, int first_arg) {
  int count = 0;
  const KinRace *races = f->kin ? kinship_races(f->kin, &count) : NULL;
  for (int i = 0; i < count; i++) tell_race(f, &races[i], info, first_arg);
}
