// scene_arrays.c: what the memory pane can show: buffers, shared arrays, and arrays of a thread's own.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/scene/scene_impl.h"

struct SceneArrays {
  LsArena *arena;                      // names and types
  SceneArray *items; int count, capacity;
  int fixed;                           // those that are the same at every step, and one; 0: not made yet
  const char **words; int word_count, word_capacity;   // types of arrays
};

typedef struct Element { uint8_t kind, size; const char *name; } Element;

static Element element_of_launch(uint8_t type) {
  static const Element elements[LAUNCH_TYPE_COUNT] = {
      [LAUNCH_U8] = {PTX_DW_UINT, 1, "unsigned char"}, [LAUNCH_I8] = {PTX_DW_INT, 1, "signed char"},
      [LAUNCH_U16] = {PTX_DW_UINT, 2, "unsigned short"}, [LAUNCH_I16] = {PTX_DW_INT, 2, "short"},
      [LAUNCH_U32] = {PTX_DW_UINT, 4, "unsigned"}, [LAUNCH_I32] = {PTX_DW_INT, 4, "int"},
      [LAUNCH_U64] = {PTX_DW_UINT, 8, "unsigned long"}, [LAUNCH_I64] = {PTX_DW_INT, 8, "long"},
      [LAUNCH_F16] = {PTX_DW_FLOAT, 2, "half"}, [LAUNCH_F32] = {PTX_DW_FLOAT, 4, "float"},
      [LAUNCH_F64] = {PTX_DW_FLOAT, 8, "double"},
  };
  return type < LAUNCH_TYPE_COUNT ? elements[type] : elements[LAUNCH_U8];
}

static uint8_t launch_type_of_ptx(uint8_t type) {
  switch (type) {
    case PTX_F32: return LAUNCH_F32;
    case PTX_F64: return LAUNCH_F64;
    case PTX_F16: return LAUNCH_F16;
    case PTX_S32: case PTX_U32: case PTX_B32: return LAUNCH_I32;
    case PTX_U64: case PTX_S64: case PTX_B64: return LAUNCH_U64;
    case PTX_U16: case PTX_S16: case PTX_B16: return LAUNCH_I16;
    default: return LAUNCH_U8;
  }
}

// Compiled code calls every array bytes; how the kernel reaches into it says what it holds. A floating access decides:
// constants are stored as plain bits into arrays of any type.
static uint8_t type_of_access(const PtxModule *module, uint8_t space) {
  PtxSpace want = space == TRACE_SHARED ? PTX_SHARED : PTX_GLOBAL;
  uint8_t found = LAUNCH_U8;
  for (int pc = 0; pc < module->code_count; pc++) {
    const PtxInstr *instr = &module->code[pc];
    uint8_t type = launch_type_of_ptx(instr->type);
    if (!ptx_accesses(instr) || instr->space != want || type == LAUNCH_U8) continue;
    if (ptx_type_is_float((PtxType)instr->type)) return type;
    if (found == LAUNCH_U8) found = type;
  }
  return found;
}

static uint8_t launch_type_of_dw(const PtxDwType *type) {
  static const uint8_t ints[9] = {[1] = LAUNCH_I8, [2] = LAUNCH_I16, [4] = LAUNCH_I32, [8] = LAUNCH_I64};
  static const uint8_t uints[9] = {[1] = LAUNCH_U8, [2] = LAUNCH_U16, [4] = LAUNCH_U32, [8] = LAUNCH_U64};
  while (type->kind == PTX_DW_ARRAY && type->elem) type = type->elem;
  if (type->size < 1 || type->size > 8) return LAUNCH_U8;
  if (type->kind == PTX_DW_FLOAT) return type->size == 8 ? LAUNCH_F64 : type->size == 4 ? LAUNCH_F32 : LAUNCH_F16;
  return type->kind == PTX_DW_INT ? ints[type->size] : uints[type->size];
}

// "_ZZ9transposePfE4tile" is the array tile of a function: the last counted name.
static const char *plain_name(SceneArrays *all, const char *name) {
  size_t length = strlen(name);
  if (!ls_starts_with(name, "_Z")) return name;
  for (size_t at = length; at-- > 2;) {
    if (!isdigit((unsigned char)name[at]) || isdigit((unsigned char)name[at - 1])) continue;
    char *end;
    unsigned long count = strtoul(name + at, &end, 10);
    if (count > 0 && (size_t)(end - name) + count <= length) return ls_arena_strndup(all->arena, end, count);
  }
  return name;
}

// The debug information's variable that lives in a variable of the PTX. Instances of a template have arrays of the same
// name: only the entry's own count.
static const PtxDwVar *dw_of(const PtxModule *module, int entry, const char *object) {
  for (int i = 0; module->debuginfo && i < module->debuginfo->var_count; i++) {
    const PtxDwVar *dw = &module->debuginfo->vars[i];
    for (int p = 0; p < dw->place_count; p++) {
      const PtxPlace *place = &dw->places[p];
      bool memory = place->kind == PTX_PLACE_SHARED || place->kind == PTX_PLACE_GLOBAL || place->kind ==
          PTX_PLACE_CONST;
      if (!memory || place->var < 0 || place->var >= module->var_count || place->offset) continue;
      const char *name = module->vars[place->var].name;
      bool visible = dw->func < 0 || dw->func == entry;
      if (strcmp(name, object) == 0 || (visible && strcmp(dw->name, object) == 0)) return dw;
    }
  }
  return NULL;
}

// Code as written reaches shared memory by generic addresses, which only a run tells apart: the first accesses that
// meet
// the object say what it holds.
static uint8_t type_of_first_access(Session *session, const TraceObject *object) {
  enum { TRIES = 4000 };
  const PtxModule *module = session->run->module;
  TraceQuery query;
  TraceEvent event;
  trace_query_init(&query);
  query.kinds = 1u << TRACE_LOAD | 1u << TRACE_STORE;
  uint64_t at = 0;
  for (int i = 0; i < TRIES && ses_search(session, at, 1, &query, &at); i++) {
    if (!trace_event(session->run->trace, at, &event, NULL)) break;
    bool here = event.space == object->space && event.addr && event.mask && event.pc >= 0 &&
        event.pc < module->code_count;
    if (!here || event.addr[__builtin_ctz(event.mask)] - object->base >= object->size) continue;
    return launch_type_of_ptx(module->code[event.pc].type);
  }
  return LAUNCH_U8;
}

// Sentences and the memory pane count in elements: what a run does not say of them is found out once.
static void type_objects(Session *session) {
  const PtxModule *module = session->run->module;
  TraceInfo *info = &session->run->info;
  for (int i = 0; module && i < info->object_count; i++) {
    TraceObject *object = &info->objects[i];
    if (object->arg >= 0 || object->type != LAUNCH_U8 || !object->name) continue;
    const PtxDwVar *dw = dw_of(module, session->run->entry, object->name);
    object->type = dw && dw->type ? launch_type_of_dw(dw->type) : type_of_access(module, object->space);
    if (object->type == LAUNCH_U8 && !(dw && dw->type)) object->type = type_of_first_access(session, object);
    if (object->size % (uint64_t)launch_type_size((LaunchType)object->type)) object->type = LAUNCH_U8;
  }
}

static SceneArray *new_array(SceneArrays *all) {
  SceneArray none = {0};
  LS_PUSH(all->items, all->count, all->capacity, none);
  return &all->items[all->count - 1];
}

static void apply_type(SceneArray *array, const PtxDwType *type) {
  const PtxDwType *elem = type;
  while (elem->kind == PTX_DW_ARRAY && elem->elem) elem = elem->elem;
  if (elem->size < 1 || elem->size > 8 || elem->kind == PTX_DW_STRUCT) return;
  array->kind = elem->kind;
  array->elem_size = (uint8_t)elem->size;
  array->type = elem->name ? elem->name : "";
  if (type->kind == PTX_DW_ARRAY && type->dim_count >= 2 && type->dim_count <= 4) array->columns =
      type->dims[type->dim_count - 1];
}

// Local arrays are made anew at every step: their words are kept once.
static const char *intern(SceneArrays *all, const char *text) {
  for (int i = 0; i < all->word_count; i++)
    if (strcmp(all->words[i], text) == 0) return all->words[i];
  const char *word = ls_arena_strdup(all->arena, text);
  LS_PUSH(all->words, all->word_count, all->word_capacity, word);
  return word;
}

// "float[256]", "float[32][33]"
static void write_type(SceneArrays *all, SceneArray *array) {
  char text[160];
  uint64_t rows = array->columns > 0 ? array->count / (uint64_t)array->columns : 0;
  if (rows) snprintf(text, sizeof text, "%.100s[%llu][%lld]", array->type, (unsigned long long)rows,
                     (long long)array->columns);
  else snprintf(text, sizeof text, "%.100s[%llu]", array->type, (unsigned long long)array->count);
  array->type = intern(all, text);
}

// An array of structures stands one structure to a row, as far as its fields are all elements of the launch.
static void apply_struct(SceneArrays *all, SceneArray *array, const PtxDwType *type) {
  char text[160];
  int fields = type->size > 0 && type->size % array->elem_size == 0 ? type->size / array->elem_size : 0;
  if (fields < 2 || fields > 16) {
    write_type(all, array);
    return;
  }
  array->columns = fields;
  snprintf(text, sizeof text, "%.100s[%llu]", type->name ? type->name : "struct",
           (unsigned long long)(array->count / (uint64_t)fields));
  array->type = intern(all, text);
}

static bool shown_object(const TraceObject *object) {
  return object->size > 0 && object->name && object->name[0] && object->space != TRACE_PARAM && object->space !=
      TRACE_LOCAL &&
         object->name[0] != '$' && !ls_starts_with(object->name, "__");
}

// The rows of a texture; a row of texels that stand alone has its channels side by side.
static int64_t image_columns(const TraceInfo *info, const TraceObject *object) {
  bool known = object->space == TRACE_TEXTURE && object->arg >= 0 && object->arg < info->launch.arg_count;
  const LaunchImage *image = known ? &info->launch.args[object->arg].image : NULL;
  if (!image || image->kind == LAUNCH_NO_IMAGE) return 0;
  if (image->dims > 1 || image->layered) return (int64_t)image->width * image->channels;
  return image->channels > 1 ? image->channels : 0;
}

// The parameter by which a kernel gets at the memory of an argument: itself, or in a launch of a program the first one
// that points there.
static int parameter_of(const Launch *launch, int arg) {
  if (arg >= launch->arg_count || launch->args[arg].role != LAUNCH_MEMORY) return arg;
  for (int i = 0; i < launch->arg_count; i++)
    if (launch->args[i].points && launch->args[i].owner == arg) return i;
  return arg;
}

// As the source calls it; NULL: it does not say.
static const PtxDwType *source_type(Session *session, const TraceObject *object) {
  const Run *run = session->run;
  if (!run->module || object->arg < 0) return NULL;
  return ptx_param_source_type(run->module, run->entry, parameter_of(&ses_info(session)->launch, object->arg));
}

static void add_object(Session *session, const TraceObject *object) {
  SceneArrays *all = session->scene->arrays;
  const PtxModule *module = session->run->module;
  if (!shown_object(object)) return;
  const PtxDwVar *dw = module && object->arg < 0 ? dw_of(module, session->run->entry, object->name) : NULL;
  const PtxDwType *pointer = source_type(session, object);
  Element element = element_of_launch(object->type);
  SceneArray *array = new_array(all);
  array->name = dw ? dw->name : plain_name(all, object->name);
  array->space = object->space;
  array->kind = element.kind;
  array->elem_size = element.size;
  array->type = element.name;
  if (dw && dw->type) apply_type(array, dw->type);
  // A buffer's elements are what the launch says; the source knows better only what to call them.
  if (pointer && pointer->elem && pointer->elem->size == element.size) apply_type(array, pointer->elem);
  array->base = object->base;
  array->count = object->size / array->elem_size;
  if (object->space == TRACE_TEXTURE) array->columns = image_columns(ses_info(session), object);
  if (pointer && pointer->elem && pointer->elem->kind == PTX_DW_STRUCT) apply_struct(all, array, pointer->elem);
  else write_type(all, array);
}

static void add_local(Session *session, SimReplay *replay, const PtxDwVar *dw, int pc) {
  SceneArrays *all = session->scene->arrays;
  const PtxPlace *place = ptx_var_place(dw, pc);
  uint64_t addr;
  if (!place || place->kind != PTX_PLACE_LOCAL || dw->type->size <= 0 ||
      !sim_replay_var(replay, place->var, &addr)) return;
  SceneArray *array = new_array(all);
  array->name = dw->name;
  array->space = TRACE_LOCAL;
  array->elem_size = 1;
  array->kind = PTX_DW_UINT;
  array->type = "char";
  apply_type(array, dw->type);
  array->base = addr + (uint64_t)place->offset;
  array->count = (uint64_t)dw->type->size / array->elem_size;
  write_type(all, array);
}

static void add_locals(Session *session, SimReplay *replay) {
  const PtxDebugInfo *info = session->run->module->debuginfo;
  int pc = scene_of(session)->warps[session->warp].pc;
  for (int i = 0; info && pc >= 0 && i < info->var_count; i++) {
    const PtxDwVar *dw = &info->vars[i];
    if (dw->func == scene_vars_func(session) && dw->type && dw->type->kind == PTX_DW_ARRAY) add_local(session, replay,
        dw, pc);
  }
}

static void mark_touched(const TraceEvent *event, SceneArray *array) {
  array->touched = false;
  bool access = event->kind == TRACE_LOAD || event->kind == TRACE_STORE || event->kind == TRACE_ATOM;
  if (!access || !event->addr || event->space != array->space) return;
  uint64_t end = array->base + array->count * array->elem_size;
  for (int lane = 0; lane < 32; lane++) {
    uint64_t addr = event->addr[lane];
    if (!(event->mask >> lane & 1) || addr < array->base || addr >= end) continue;
    uint64_t first = (addr - array->base) / array->elem_size;
    uint64_t last = (LS_MIN(addr + LS_MAX(event->width, 1), end) - 1 - array->base) / array->elem_size;
    array->touched_first = array->touched ? LS_MIN(array->touched_first, first) : first;
    array->touched_last = array->touched ? LS_MAX(array->touched_last, last) : last;
    array->touched = true;
  }
}

void scene_gather_arrays(Session *session) {
  SceneArrays *all = session->scene->arrays;
  Scene *scene = scene_of(session);
  const TraceInfo *info = ses_info(session);
  SimReplay *replay;
  if (!all->fixed) {
    all->count = 0;
    for (int i = 0; i < info->object_count; i++) add_object(session, &info->objects[i]);
    all->fixed = all->count + 1;
  }
  all->count = all->fixed - 1;
  if (session->run->module && session->run->module->debuginfo && scene_seek(session, session->step, &replay))
    add_locals(session, replay);
  for (int i = 0; i < all->count; i++) mark_touched(&scene->event, &all->items[i]);
  scene->arrays = all->items;
  scene->array_count = all->count;
}

SceneArrays *scene_arrays_new(Session *session) {
  SceneArrays *all = ls_alloc(sizeof *all);
  all->arena = ls_arena_new();
  type_objects(session);
  return all;
}

void scene_arrays_free(SceneArrays *all) {
  ls_arena_free(all->arena);
  free(all->items);
  free(all->words);
  free(all);
}
