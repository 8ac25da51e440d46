// program_memory.c: buffers and variables from step to step.
#include "app/run/program_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "launch/launch_variable.h"
#include "launch/program_args.h"
#include "launch/settle.h"

static uint64_t size_of(const ProgramMemory *m, int buffer) {
    return program_buffer_bytes(&m->program->buffers[buffer]); }

// ---- variables -----------------------------------------------------------------------------------------------------

static const LaunchArg *symbol_of(const HostProgram *program, const char *name) {
  for (int i = 0; i < program->symbol_count; i++)
    if (strcmp(program->symbols[i].name, name) == 0) return &program->symbols[i];
  return NULL;
}

static LaunchArg variable_arg(const char *name, const char *text) {
  return (LaunchArg){.name = ls_strdup(name), .role = LAUNCH_VARIABLE, .is_buffer = true, .text = ls_strdup(text)};
}

bool program_memory_variables(const HostProgram *program, const PtxModule *module, Launch *all, LsErr *err) {
  for (int i = 0; i < program->symbol_count; i++)
    if (launch_find_variable(module, program->symbols[i].name, err) < 0) return false;
  for (int v = 0; v < module->var_count; v++) {
    const PtxVar *var = &module->vars[v];
    if (!launch_is_variable(var) || var->size <= 0) continue;
    const LaunchArg *symbol = symbol_of(program, var->source_name);
    LaunchArg arg = variable_arg(var->source_name, symbol ? symbol->text : "");
    LS_PUSH(all->args, all->arg_count, all->arg_capacity, arg);
    if (!launch_settle_variable(module, all, all->arg_count - 1, NULL, err)) return false;
  }
  return true;
}

// ---- begin and end -------------------------------------------------------------------------------------------------

static ProgramBytes contents_of(const LaunchArg *arg, bool filled) {
  uint64_t size = arg->count * (uint64_t)launch_type_size(arg->type);
  ProgramBytes side = {.bytes = ls_alloc(size + 1)};
  if (!filled || !launch_fill(arg, side.bytes)) side.written = ls_alloc(size + 1);
  return side;
}

bool program_memory_init(ProgramMemory *m, const HostProgram *program, const PtxModule *module, LsErr *err) {
  size_t count = (size_t)program->buffer_count + 1;
  *m = (ProgramMemory){.program = program, .module = module};
  launch_init(&m->variables);
  m->device = ls_alloc(sizeof *m->device * count);
  m->host = ls_alloc(sizeof *m->host * count);
  m->freed = ls_alloc(sizeof *m->freed * count);
  m->came_to_host = ls_alloc(sizeof *m->came_to_host * count);
  for (int i = 0; i < program->buffer_count; i++) {
    m->device[i] = contents_of(&program->buffers[i].contents, !program->buffers[i].starts_on_host);
    m->freed[i] = -1;
  }
  return program_memory_variables(program, module, &m->variables, err);
}

static void side_free(ProgramBytes *side) {
  free(side->bytes);
  free(side->written);
}

void program_memory_fini(ProgramMemory *m) {
  for (int i = 0; m->program && i < m->program->buffer_count; i++) {
    side_free(&m->device[i]);
    side_free(&m->host[i]);
  }
  free(m->device);
  free(m->host);
  free(m->freed);
  free(m->came_to_host);
  free(m->heap);
  launch_fini(&m->variables);
  *m = (ProgramMemory){0};
}

ProgramBytes *program_memory_host(ProgramMemory *m, int buffer) {
  const ProgramBuffer *b = &m->program->buffers[buffer];
  if (b->host == PROGRAM_DEVICE_ONLY) return NULL;
  if (b->host == PROGRAM_MANAGED) return &m->device[buffer];
  if (!m->host[buffer].bytes) m->host[buffer] = contents_of(&b->contents, b->starts_on_host);
  return &m->host[buffer];
}

ProgramBytes *program_memory_device(ProgramMemory *m, int buffer) { return &m->device[buffer]; }

const uint8_t *program_memory_result(ProgramMemory *m, int buffer, uint64_t *size) {
  ProgramBytes *side = m->came_to_host[buffer] ? program_memory_host(m, buffer) : NULL;
  *size = size_of(m, buffer);
  return side ? side->bytes : m->device[buffer].bytes;
}

static void *copy_of(const void *bytes, uint64_t size) { return memcpy(ls_alloc(size + 1), bytes, size); }

// ---- launches ------------------------------------------------------------------------------------------------------

static bool add_param(const ProgramMemory *m, int entry, const ProgramStep *s, int index, Launch *launch, LsErr *err) {
  const ProgramArg *given = &s->args[index];
  LaunchArg arg = {.count = 1, .role = LAUNCH_PARAMETER};
  const char *source = ptx_param_source_name(m->module, entry, index);
  if (given->is_buffer) {
    int elem = launch_type_size(m->program->buffers[given->buffer].contents.type);
    arg.type = LAUNCH_U64;
    arg.points = true;
    arg.owner = s->arg_count + given->buffer;
    arg.offset = given->first * (uint64_t)elem;
  } else {
    if (!program_number(m->module, entry, s, index, &arg.type, &arg.scalar, err)) return false;
  }
  arg.name = source ? ls_strdup(source) : NULL;
  LS_PUSH(launch->args, launch->arg_count, launch->arg_capacity, arg);
  return true;
}

static void add_memory(const ProgramMemory *m, int buffer, bool keeps, Launch *launch) {
  const LaunchArg *contents = &m->program->buffers[buffer].contents;
  const ProgramBytes *side = &m->device[buffer];
  uint64_t size = size_of(m, buffer);
  LaunchArg arg = {.name = ls_strdup(contents->name), .role = LAUNCH_MEMORY, .type = contents->type, .is_buffer = true,
                   .count = contents->count, .init = LAUNCH_DATA};
  arg.data = keeps ? copy_of(side->bytes, size) : side->bytes;
  if (side->written) arg.written = keeps ? copy_of(side->written, size) : side->written;
  LS_PUSH(launch->args, launch->arg_count, launch->arg_capacity, arg);
}

static void add_variable(const LaunchArg *variable, bool keeps, Launch *launch) {
  LaunchArg arg = *variable;
  arg.name = ls_strdup(variable->name);
  bool has_bytes = variable->init == LAUNCH_DATA && variable->data;   // more than the text says, which is of the start
  arg.text = variable->text && !has_bytes ? ls_strdup(variable->text) : NULL;
  arg.path = arg.output = NULL;
  if (keeps && arg.data) arg.data = copy_of(variable->data,
                                            variable->count * (uint64_t)launch_type_size(variable->type));
  LS_PUSH(launch->args, launch->arg_count, launch->arg_capacity, arg);
}

static void add_heap(const ProgramMemory *m, bool keeps, Launch *launch) {
  if (!m->heap) return;
  launch->heap = keeps ? copy_of(m->heap, m->heap_bytes) : m->heap;
  launch->heap_bytes = m->heap_bytes;
}

static void take_heap(ProgramMemory *m, const Device *device, const DevRun *run) {
  uint64_t size = 0;
  uint8_t *heap = run && device->heap ? device->heap(run, &size) : NULL;
  if (!heap) return;
  free(m->heap);
  m->heap = heap;
  m->heap_bytes = size;
}

bool program_memory_launch(const ProgramMemory *m, int step, bool keeps, Launch *launch, LsErr *err) {
  const ProgramStep *s = &m->program->steps[step];
  launch_init(launch);
  int entry = program_entry(m->module, s, err);
  if (entry < 0) return false;
  launch->kernel = ls_strdup(s->kernel);
  memcpy(launch->grid, s->grid, sizeof launch->grid);
  memcpy(launch->block, s->block, sizeof launch->block);
  launch->shared_bytes = s->shared_bytes;
  launch->together = s->cooperative ? LAUNCH_COOPERATIVE : LAUNCH_PLAIN;
  bool ok = true;
  for (int i = 0; ok && i < s->arg_count; i++) ok = add_param(m, entry, s, i, launch, err);
  for (int i = 0; ok && i < m->program->buffer_count; i++) add_memory(m, i, keeps, launch);
  for (int i = 0; ok && i < m->variables.arg_count; i++) add_variable(&m->variables.args[i], keeps, launch);
  if (ok) add_heap(m, keeps, launch);
  if (ok) return true;
  launch_fini(launch);
  return false;
}

// The buffer that an address is in, or right behind; -1: none.
static int buffer_at(const ProgramMemory *m, const uint64_t *bases, uint64_t address) {
  for (int i = 0; i < m->program->buffer_count; i++)
    if (bases[i] && address >= bases[i] && address - bases[i] <= size_of(m, i)) return i;
  return -1;
}

static LaunchArg child_param(const ProgramMemory *m, int entry, int index, const uint8_t *params,
                             const uint64_t *bases) {
  const PtxFunc *f = &m->module->funcs[entry];
  const PtxParam *p = &f->params[index];
  const char *source = ptx_param_source_name(m->module, entry, index);
  LaunchArg arg = {
      .name = source ? ls_strdup(source) : NULL, .count = 1, .type = program_param_type(m->module, entry, index)};
  const uint8_t *bytes = params + p->offset;
  if (p->size != launch_type_size(arg.type)) {
    arg.type = LAUNCH_U8;
    arg.is_struct = true;
    arg.count = (uint64_t)p->size;
    arg.data = copy_of(bytes, arg.count);
    return arg;
  }
  memcpy(&arg.scalar, bytes, (size_t)p->size);
  int buffer = p->size == 8 && !launch_type_is_float(arg.type) ? buffer_at(m, bases, arg.scalar) : -1;
  if (buffer < 0) return arg;
  arg.points = true;
  arg.owner = f->param_count + buffer;
  arg.offset = arg.scalar - bases[buffer];
  return arg;
}

void program_memory_child(const ProgramMemory *m, int entry, const uint8_t *params, const uint64_t *bases, bool keeps,
                          Launch *launch) {
  launch->together = LAUNCH_PLAIN;
  for (int i = 0; i < m->module->funcs[entry].param_count; i++)
    LS_PUSH(launch->args, launch->arg_count, launch->arg_capacity, child_param(m, entry, i, params, bases));
  for (int i = 0; i < m->program->buffer_count; i++) add_memory(m, i, keeps, launch);
  for (int i = 0; i < m->variables.arg_count; i++) add_variable(&m->variables.args[i], keeps, launch);
  add_heap(m, keeps, launch);
}

// What is written now and was not before.
static void take_written(ProgramBytes *side, const uint8_t *written, uint64_t size) {
  if (!side->written) return;
  if (written) memcpy(side->written, written, size);
  else memset(side->written, 1, size);
}

static void take_variable(LaunchArg *to, const uint8_t *bytes, uint64_t size) {
  if (size != to->count * (uint64_t)launch_type_size(to->type)) return;
  if (!to->data) to->data = ls_alloc(size + 1);
  to->init = LAUNCH_DATA;
  memcpy(to->data, bytes, size);
}

void program_memory_end_launch(ProgramMemory *m, Launch *launch, const Device *device, const DevRun *run) {
  int buffers = 0, variables = 0;
  for (int i = 0; i < launch->arg_count; i++) {
    LaunchArg *arg = &launch->args[i];
    uint64_t size = 0;
    const uint8_t *bytes = run && arg->is_buffer ? device->buffer(run, i, &size) : NULL;
    if (arg->role == LAUNCH_MEMORY) {
      ProgramBytes *side = &m->device[buffers++];
      if (bytes) memcpy(side->bytes, bytes, size);
      if (bytes) take_written(side, device->written ? device->written(run, i) : NULL, size);
    } else if (arg->is_struct) {
      continue;
    } else if (arg->role == LAUNCH_VARIABLE) {
      LaunchArg *variable = &m->variables.args[variables++];
      if (bytes) take_variable(variable, bytes, size);
    }
    arg->data = arg->written = NULL;   // borrowed
  }
  launch->heap = NULL;
  take_heap(m, device, run);
  launch_fini(launch);
}

// ---- copies --------------------------------------------------------------------------------------------------------

static void mark(ProgramBytes *side, uint64_t first, uint64_t size) {
  if (side->written) memset(side->written + first, 1, size);
}

static void move_bytes(ProgramBytes *to, uint64_t at, const ProgramBytes *from, uint64_t from_at, uint64_t size) {
  memmove(to->bytes + at, from->bytes + from_at, size);
  if (to->written && from->written) memmove(to->written + at, from->written + from_at, size);
  else mark(to, at, size);
}

void program_memory_move(ProgramMemory *m, int step) {
  const ProgramStep *s = &m->program->steps[step];
  ProgramRange range = program_range(m->program, s);
  if (s->kind == PROGRAM_SET) {
    memset(m->device[s->buffer].bytes + range.at, s->byte, range.size);
    mark(&m->device[s->buffer], range.at, range.size);
    return;
  }
  bool from_host = s->direction == PROGRAM_H2D || s->direction == PROGRAM_H2H;
  bool to_host = s->direction == PROGRAM_D2H || s->direction == PROGRAM_H2H;
  ProgramBytes *source = from_host ? program_memory_host(m, s->from) : &m->device[s->from];
  ProgramBytes *target = to_host ? program_memory_host(m, s->buffer) : &m->device[s->buffer];
  if (!source || !target) return;
  if (to_host) m->came_to_host[s->buffer] = true;
  if (source != target || range.at != range.from_at) move_bytes(target, range.at, source, range.from_at, range.size);
}
