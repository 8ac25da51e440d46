// info.c: TraceInfo, its launch, faults and tallies as bytes and back.
#include "trace/section.h"

enum { MAX_ITEMS = 1 << 20 };   // arguments, sources, objects: far more than any program has

void trace_info_init(TraceInfo *info) {
  memset(info, 0, sizeof *info);
  launch_init(&info->launch);
}

void trace_info_fini(TraceInfo *info) {
  char *texts[] = {info->device, info->device_name, info->profile, info->profile_text, info->sched, info->order,
                   info->code,
                   info->title, info->kernel, info->parameters, info->ptx, info->ptx_path};
  for (int i = 0; i < LS_COUNT(texts); i++) free(texts[i]);
  for (int i = 0; i < info->source_count; i++) {
    free(info->sources[i].path);
    free(info->sources[i].text);
  }
  for (int i = 0; i < info->object_count; i++) free(info->objects[i].name);
  free(info->sources);
  free(info->objects);
  launch_fini(&info->launch);
  trace_info_init(info);
}

// ---- what must be there --------------------------------------------------------------------------------------------

static const struct { size_t offset; const char *what; } required[] = {
    {offsetof(TraceInfo, device), "the device"},          {offsetof(TraceInfo, device_name), "the device's name"},
    {offsetof(TraceInfo, profile), "the profile"},        {offsetof(TraceInfo, sched), "the scheduler"},
    {offsetof(TraceInfo, code), "the kind of code"},      {offsetof(TraceInfo, title), "the title"},
    {offsetof(TraceInfo, kernel), "the kernel's name"},   {offsetof(TraceInfo, parameters), "the parameters"},
    {offsetof(TraceInfo, ptx), "the PTX"},                {offsetof(TraceInfo, ptx_path), "the name of the PTX"},
};

// What is missing or impossible, or NULL.
static const char *defect_of(const TraceInfo *info) {
  for (int i = 0; i < LS_COUNT(required); i++) {
    char *text;
    memcpy(&text, (const char *)info + required[i].offset, sizeof text);
    if (!text) return required[i].what;
  }
  for (int i = 0; i < info->source_count; i++)
    if (!info->sources[i].path) return "the path of a source file";
  for (int i = 0; i < info->object_count; i++)
    if (!info->objects[i].name) return "the name of a memory object";
  return launch_is_possible(&info->launch) ? NULL : "a possible size of the grid and its blocks";
}

bool trace_info_check(const TraceInfo *info, const char *path, LsErr *err) {
  const char *defect = defect_of(info);
  return !defect || ls_fail(err, LS_EFORMAT, "%s is damaged: its information section lacks %s; record it again",
                            LS_QUOTE_PATH(path),
                            defect);
}

// ---- launch --------------------------------------------------------------------------------------------------------

static void put_arg(TraceBytes *bytes, const LaunchArg *arg) {
  trace_put_text(bytes, arg->name);
  trace_put_u8(bytes, (uint8_t)arg->type);
  trace_put_u8(bytes, arg->is_buffer);
  trace_put_varint(bytes, arg->count);
  trace_put_u8(bytes, (uint8_t)arg->init);
  uint64_t bits;
  memcpy(&bits, &arg->init_value, sizeof bits);
  trace_put_u64(bytes, bits);
  trace_put_u64(bytes, arg->scalar);
  trace_put_blob(bytes, arg->data, arg->data ? (size_t)arg->count * (size_t)launch_type_size(arg->type) : 0);
  trace_put_text(bytes, arg->output);
  trace_put_u8(bytes, arg->by_name);
  trace_put_text(bytes, arg->text);
}

static void get_arg(TraceCursor *cursor, LaunchArg *arg) {
  *arg = (LaunchArg){.name = trace_get_text(cursor)};
  uint8_t type = trace_get_u8(cursor);
  if (type >= LAUNCH_TYPE_COUNT) trace_cursor_fail(cursor);
  else arg->type = (LaunchType)type;
  arg->is_buffer = trace_get_u8(cursor) != 0;
  arg->count = trace_get_bounded(cursor, LAUNCH_MAX_BYTES / (uint64_t)launch_type_size(arg->type));
  uint8_t init = trace_get_u8(cursor);
  if (init > LAUNCH_DATA) trace_cursor_fail(cursor);
  else arg->init = (LaunchInit)init;
  uint64_t bits = trace_get_u64(cursor);
  memcpy(&arg->init_value, &bits, sizeof bits);
  arg->scalar = trace_get_u64(cursor);
  size_t size;
  arg->data = trace_get_blob(cursor, &size);
  if (arg->data ? size != arg->count * (uint64_t)launch_type_size(arg->type) : arg->init == LAUNCH_DATA)
    trace_cursor_fail(cursor);
  arg->output = trace_get_text(cursor);
  arg->by_name = trace_get_u8(cursor) != 0;
  arg->text = trace_get_text(cursor);
}

static void put_launch(TraceBytes *bytes, const Launch *launch) {
  trace_put_text(bytes, launch->kernel);
  for (int i = 0; i < 3; i++) trace_put_varint(bytes, launch->grid[i]);
  for (int i = 0; i < 3; i++) trace_put_varint(bytes, launch->block[i]);
  trace_put_varint(bytes, launch->shared_bytes);
  trace_put_varint(bytes, (uint64_t)launch->arg_count);
  for (int i = 0; i < launch->arg_count; i++) put_arg(bytes, &launch->args[i]);
}

static void get_launch(TraceCursor *cursor, Launch *launch) {
  launch->kernel = trace_get_text(cursor);
  for (int i = 0; i < 3; i++) launch->grid[i] = (uint32_t)trace_get_bounded(cursor, UINT32_MAX);
  for (int i = 0; i < 3; i++) launch->block[i] = (uint32_t)trace_get_bounded(cursor, 1024);
  if (launch_threads(launch) > 1024) trace_cursor_fail(cursor);
  launch->shared_bytes = trace_get_varint(cursor);
  uint64_t count = trace_get_bounded(cursor, MAX_ITEMS);
  for (uint64_t i = 0; i < count && !cursor->bad; i++) {
    LaunchArg arg;
    get_arg(cursor, &arg);
    LS_PUSH(launch->args, launch->arg_count, launch->arg_capacity, arg);
  }
}

// ---- images: since 1.2, at the end of INFO -------------------------------------------------------------------------

enum { IMAGE_LAYERED = 1, IMAGE_LINEAR = 2, IMAGE_NORMALIZED = 4, IMAGE_AS_FLOAT = 8,
       IMAGE_CUBE = 16 };   // the last since 1.8

static void put_image(TraceBytes *bytes, const LaunchImage *image) {
  trace_put_u8(bytes, image->kind);
  trace_put_u8(bytes, image->channels);
  trace_put_u8(bytes, (uint8_t)((image->layered ? IMAGE_LAYERED : 0) | (image->linear ? IMAGE_LINEAR : 0) |
                                (image->normalized ? IMAGE_NORMALIZED : 0) | (image->as_float ? IMAGE_AS_FLOAT : 0) |
                                (image->cube ? IMAGE_CUBE : 0)));
  trace_put_bytes(bytes, image->address, sizeof image->address);
  uint32_t size[3] = {image->width, image->dims > 1 ? image->height : image->depth, image->depth};
  int sizes = image->dims + launch_has_planes(image);
  trace_put_u8(bytes, (uint8_t)sizes);
  for (int i = 0; i < sizes; i++) trace_put_varint(bytes, size[i]);
}

static void put_images(TraceBytes *bytes, const Launch *launch) {
  uint64_t count = 0;
  for (int i = 0; i < launch->arg_count; i++) count += launch->args[i].image.kind != LAUNCH_NO_IMAGE;
  trace_put_varint(bytes, count);
  for (int i = 0; i < launch->arg_count; i++) {
    if (launch->args[i].image.kind == LAUNCH_NO_IMAGE) continue;
    trace_put_varint(bytes, (uint64_t)i);
    put_image(bytes, &launch->args[i].image);
  }
}

// The sizes say again how many elements there are; an image that does not fit its buffer is damage.
static void get_image(TraceCursor *cursor, LaunchArg *arg) {
  uint64_t size[3] = {0}, count = arg->count;
  LaunchImage *image = &arg->image;
  image->kind = trace_get_u8(cursor);
  image->channels = trace_get_u8(cursor);
  uint8_t flags = trace_get_u8(cursor);
  image->layered = flags & IMAGE_LAYERED;
  image->linear = flags & IMAGE_LINEAR;
  image->normalized = flags & IMAGE_NORMALIZED;
  image->as_float = flags & IMAGE_AS_FLOAT;
  image->cube = flags & IMAGE_CUBE;
  bool ok = arg->is_buffer && (image->kind == LAUNCH_TEXTURE || image->kind == LAUNCH_SURFACE);
  for (int i = 0; i < 3; i++) ok &= (image->address[i] = trace_get_u8(cursor)) < LAUNCH_ADDRESS_COUNT;
  int sizes = trace_get_u8(cursor);
  for (int i = 0; i < sizes && i < 3; i++) size[i] = trace_get_varint(cursor);
  if (!ok || !launch_image_shape(arg, size, sizes, NULL) || arg->count != count) {
    trace_cursor_fail(cursor);
    *image = (LaunchImage){0};
    arg->count = count;
  }
}

static void get_images(TraceCursor *cursor, Launch *launch) {
  if (!trace_cursor_left(cursor)) return;   // written before 1.2
  uint64_t count = trace_get_bounded(cursor, (uint64_t)launch->arg_count);
  for (uint64_t i = 0; i < count && !cursor->bad; i++) {
    uint64_t arg = trace_get_varint(cursor);
    if (arg < (uint64_t)launch->arg_count) get_image(cursor, &launch->args[arg]);
    else trace_cursor_fail(cursor);
  }
}

// ---- arguments that are more than a number or a buffer: since 1.5, at the end of INFO ---------------------------------

enum { IS_STRUCT = 1, POINTS = 2, PARTLY_WRITTEN = 4 };   // the last two since 1.7

static bool is_plain(const LaunchArg *arg) {
  return arg->role == LAUNCH_PARAMETER && !arg->is_struct && !arg->points && !arg->written;
}

static uint64_t bytes_of(const LaunchArg *arg) { return arg->count * (uint64_t)launch_type_size(arg->type); }

static void put_roles(TraceBytes *bytes, const Launch *launch) {
  uint64_t count = 0;
  for (int i = 0; i < launch->arg_count; i++) count += !is_plain(&launch->args[i]);
  trace_put_varint(bytes, count + (launch->together != LAUNCH_AS_NEEDED));
  for (int i = 0; i < launch->arg_count; i++) {
    const LaunchArg *arg = &launch->args[i];
    if (is_plain(arg)) continue;
    trace_put_varint(bytes, (uint64_t)i);
    trace_put_u8(bytes, arg->role);
    trace_put_u8(bytes, (uint8_t)((arg->is_struct ? IS_STRUCT : 0) | (arg->points ? POINTS : 0) |
                                  (arg->written ? PARTLY_WRITTEN : 0)));
    trace_put_varint(bytes, (uint64_t)arg->owner);
    trace_put_varint(bytes, arg->offset);
    if (arg->written) trace_put_blob(bytes, arg->written, bytes_of(arg));
  }
  if (launch->together == LAUNCH_AS_NEEDED) return;
  trace_put_varint(bytes, (uint64_t)launch->arg_count);
  trace_put_u8(bytes, launch->together);
}

// A pointer lies in the bytes of an argument that has such.
static bool role_fits(const Launch *launch, const LaunchArg *arg) {
  if (arg->points)
    return !arg->is_buffer && arg->role == LAUNCH_PARAMETER && arg->owner < launch->arg_count &&
           launch->args[arg->owner].role == LAUNCH_MEMORY && arg->offset <= bytes_of(&launch->args[arg->owner]);
  if (arg->is_struct) return !arg->is_buffer && arg->role == LAUNCH_PARAMETER;
  if (arg->role == LAUNCH_MEMORY) return arg->is_buffer;
  if (arg->role == LAUNCH_VARIABLE) return arg->is_buffer && arg->name;
  if (arg->role != LAUNCH_POINTEE || !arg->is_buffer || arg->owner >= launch->arg_count) return false;
  const LaunchArg *owner = &launch->args[arg->owner];
  uint64_t size = bytes_of(owner);
  return (owner->is_struct || owner->role == LAUNCH_VARIABLE) && owner->data && size >= 8 && arg->offset <= size - 8;
}

static void get_written(TraceCursor *cursor, LaunchArg *arg) {
  size_t size = 0;
  arg->written = trace_get_blob(cursor, &size);
  if (!arg->written || !arg->data || size != bytes_of(arg)) trace_cursor_fail(cursor);
}

static void get_roles(TraceCursor *cursor, Launch *launch) {
  if (!trace_cursor_left(cursor)) return;   // written before 1.5
  uint64_t count = trace_get_bounded(cursor, (uint64_t)launch->arg_count + 1);
  for (uint64_t i = 0; i < count && !cursor->bad; i++) {
    uint64_t index = trace_get_bounded(cursor, (uint64_t)launch->arg_count);
    if (cursor->bad) return;
    if (index == (uint64_t)launch->arg_count) {
      launch->together = trace_get_u8(cursor);
      if (launch->together >= LAUNCH_TOGETHER_COUNT) trace_cursor_fail(cursor);
      continue;
    }
    LaunchArg *arg = &launch->args[index];
    arg->role = trace_get_u8(cursor);
    uint8_t flags = trace_get_u8(cursor);
    arg->is_struct = flags & IS_STRUCT;
    arg->points = flags & POINTS;
    arg->owner = (int)trace_get_bounded(cursor, MAX_ITEMS);
    arg->offset = trace_get_varint(cursor);
    if (flags & PARTLY_WRITTEN) get_written(cursor, arg);
  }
  for (int i = 0; i < launch->arg_count && !cursor->bad; i++)
    if (!is_plain(&launch->args[i]) && !role_fits(launch, &launch->args[i])) trace_cursor_fail(cursor);
}

// ---- sources and objects -------------------------------------------------------------------------------------------

static void get_sources(TraceCursor *cursor, TraceInfo *info) {
  uint64_t count = trace_get_bounded(cursor, MAX_ITEMS);
  int capacity = 0;
  for (uint64_t i = 0; i < count && !cursor->bad; i++) {
    TraceSource source = {.path = trace_get_text(cursor)};
    source.text = trace_get_text(cursor);
    LS_PUSH(info->sources, info->source_count, capacity, source);
  }
}

static void put_object(TraceBytes *bytes, const TraceObject *object) {
  trace_put_text(bytes, object->name);
  trace_put_u8(bytes, object->space);
  trace_put_u8(bytes, object->type);
  trace_put_varint(bytes, object->base);
  trace_put_varint(bytes, object->size);
  trace_put_svarint(bytes, (uint64_t)(int64_t)LS_MAX(object->arg, -1));
}

// What another machine tells of a run comes without a launch: who asked for it has that, and looks at `arg`.
static bool is_object(const TraceObject *object, const Launch *launch) {
  bool is_argument = object->arg < launch->arg_count || !launch->arg_count;
  return object->space < TRACE_SPACE_COUNT && object->type < LAUNCH_TYPE_COUNT && is_argument;
}

static void get_objects(TraceCursor *cursor, TraceInfo *info) {
  uint64_t count = trace_get_bounded(cursor, MAX_ITEMS);
  int capacity = 0;
  for (uint64_t i = 0; i < count && !cursor->bad; i++) {
    TraceObject object = {.name = trace_get_text(cursor)};
    object.space = trace_get_u8(cursor);
    object.type = trace_get_u8(cursor);
    object.base = trace_get_varint(cursor);
    object.size = trace_get_varint(cursor);
    object.arg = trace_get_pc(cursor, 0);
    if (!is_object(&object, &info->launch)) trace_cursor_fail(cursor);
    LS_PUSH(info->objects, info->object_count, capacity, object);
  }
}

// ---- info ----------------------------------------------------------------------------------------------------------

void trace_put_info(TraceBytes *bytes, const TraceInfo *info) {
  trace_put_text(bytes, info->device);
  trace_put_text(bytes, info->device_name);
  trace_put_text(bytes, info->profile);
  trace_put_text(bytes, info->sched);
  trace_put_text(bytes, info->code);
  trace_put_text(bytes, info->title);
  trace_put_text(bytes, info->kernel);
  trace_put_text(bytes, info->parameters);
  trace_put_varint(bytes, info->seed);
  trace_put_varint(bytes, info->budget);
  trace_put_u32(bytes, info->checks);
  put_launch(bytes, &info->launch);
  trace_put_blob(bytes, info->ptx, info->ptx_length);
  trace_put_text(bytes, info->ptx_path);
  trace_put_varint(bytes, (uint64_t)info->source_count);
  for (int i = 0; i < info->source_count; i++) {
    trace_put_text(bytes, info->sources[i].path);
    trace_put_text(bytes, info->sources[i].text);
  }
  trace_put_varint(bytes, (uint64_t)info->object_count);
  for (int i = 0; i < info->object_count; i++) put_object(bytes, &info->objects[i]);
  put_images(bytes, &info->launch);
  trace_put_text(bytes, info->profile_text);
  put_roles(bytes, &info->launch);
}

void trace_get_info(TraceCursor *cursor, TraceInfo *info) {
  trace_info_init(info);
  info->device = trace_get_text(cursor);
  info->device_name = trace_get_text(cursor);
  info->profile = trace_get_text(cursor);
  info->sched = trace_get_text(cursor);
  info->code = trace_get_text(cursor);
  info->title = trace_get_text(cursor);
  info->kernel = trace_get_text(cursor);
  info->parameters = trace_get_text(cursor);
  info->seed = trace_get_varint(cursor);
  info->budget = trace_get_varint(cursor);
  info->checks = trace_get_u32(cursor);
  get_launch(cursor, &info->launch);
  info->ptx = trace_get_blob(cursor, &info->ptx_length);
  info->ptx_path = trace_get_text(cursor);
  get_sources(cursor, info);
  get_objects(cursor, info);
  get_images(cursor, &info->launch);
  if (trace_cursor_left(cursor)) info->profile_text = trace_get_text(cursor);   // since 1.4
  get_roles(cursor, &info->launch);
}

// ---- faults and tallies --------------------------------------------------------------------------------------------

void trace_put_fault(TraceBytes *bytes, const TraceFault *fault) {
  trace_put_u8(bytes, fault->kind);
  trace_put_u8(bytes, fault->space);
  trace_put_varint(bytes, fault->block);
  trace_put_varint(bytes, fault->thread);
  trace_put_varint(bytes, fault->other_block);
  trace_put_varint(bytes, fault->other_thread);
  trace_put_svarint(bytes, (uint64_t)(int64_t)LS_MAX(fault->pc, -1));
  trace_put_svarint(bytes, (uint64_t)(int64_t)LS_MAX(fault->other_pc, -1));
  trace_put_varint(bytes, fault->step);
  trace_put_varint(bytes, fault->addr);
  trace_put_svarint(bytes, (uint64_t)(int64_t)LS_MAX(fault->object, -1));
  trace_put_svarint(bytes, (uint64_t)fault->distance);
  trace_put_svarint(bytes, (uint64_t)(int64_t)fault->size);
  trace_put_varint(bytes, fault->count);
  trace_put_text(bytes, fault->message);
}

void trace_get_fault(TraceCursor *cursor, TraceFault *fault) {
  *fault = (TraceFault){.kind = trace_get_u8(cursor)};
  fault->space = trace_get_u8(cursor);
  if (fault->kind >= FAULT_KIND_COUNT || fault->space >= TRACE_SPACE_COUNT) trace_cursor_fail(cursor);
  fault->block = (uint32_t)trace_get_bounded(cursor, UINT32_MAX);
  fault->thread = (uint32_t)trace_get_bounded(cursor, UINT32_MAX);
  fault->other_block = (uint32_t)trace_get_bounded(cursor, UINT32_MAX);
  fault->other_thread = (uint32_t)trace_get_bounded(cursor, UINT32_MAX);
  fault->pc = trace_get_pc(cursor, 0);
  fault->other_pc = trace_get_pc(cursor, 0);
  fault->step = trace_get_varint(cursor);
  fault->addr = trace_get_varint(cursor);
  fault->object = trace_get_pc(cursor, 0);
  fault->distance = (int64_t)trace_get_svarint(cursor);
  fault->size = (int32_t)trace_get_svarint(cursor);
  fault->count = trace_get_varint(cursor);
  fault->message = trace_get_text(cursor);
}

void trace_put_tally(TraceBytes *bytes, const TraceTally *tally) {
  trace_put_svarint(bytes, (uint64_t)(int64_t)tally->pc);
  trace_put_varint(bytes, tally->warps);
  trace_put_varint(bytes, tally->lanes);
}

void trace_get_tally(TraceCursor *cursor, TraceTally *tally) {
  *tally = (TraceTally){.pc = trace_get_pc(cursor, 0)};
  tally->warps = trace_get_varint(cursor);
  tally->lanes = trace_get_varint(cursor);
}
