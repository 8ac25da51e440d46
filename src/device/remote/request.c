// request.c: a request of the protocol as bytes and back.
#include <stdlib.h>
#include <string.h>

#include "device/remote/protocol.h"
#include "ptx/debuginfo.h"
#include "trace/section.h"

enum { REQUEST_TIMED = 1, REQUEST_STOPS = 2, REQUEST_MORE_FOLLOW = 4 };
enum { PARAMS_MOST = 4096, THREADS_MOST = 1024 };
#define RECORD_MOST (1ull << 28)    // blocks of a grid that can be chosen one by one, as --blocks has it
#define TIME_MOST (365.0 * 86400)

// ---- writing -------------------------------------------------------------------------------------------------------

// The emulator is told byte by byte what somebody has written.
static bool looks_who_wrote(const char *device) { return strcmp(device, "emu") == 0; }

static bool is_kept(const ProtoKept *kept, const LaunchArg *arg, int index) {
  return kept && proto_kept_is(kept, arg, index);
}

// The part of an info that the far end needs. Names of files on this machine stay here, and who wrote what where nobody
// looks. free(args) ends it.
static void put_plain_info(TraceBytes *out, const char *device, const DevRequest *request, const TraceInfo *info,
                           const ProtoKept *kept) {
  TraceInfo plain = *info;
  const PtxModule *module = request->module;
  plain.kernel = (char *)module->funcs[request->entry].name;
  plain.ptx = (char *)module->text;
  plain.ptx_length = module->text_length;
  plain.ptx_path = (char *)module->path;
  plain.sources = NULL;
  plain.objects = NULL;
  plain.source_count = plain.object_count = 0;
  plain.launch = *request->launch;
  size_t count = (size_t)plain.launch.arg_count;
  plain.launch.args = ls_alloc(count * sizeof *plain.launch.args);
  for (size_t i = 0; i < count; i++) {
    plain.launch.args[i] = request->launch->args[i];
    plain.launch.args[i].output = NULL;
    if (!looks_who_wrote(device)) plain.launch.args[i].written = NULL;
    if (!is_kept(kept, &plain.launch.args[i], (int)i)) continue;
    plain.launch.args[i].data = NULL;
    plain.launch.args[i].init = LAUNCH_ZERO;
  }
  trace_put_info(out, &plain);
  free(plain.launch.args);
}

// Runs of blocks left out and blocks in.
static void put_record(TraceBytes *out, const uint8_t *record, uint64_t blocks) {
  TraceBytes runs = {0};
  uint64_t count = 0;
  for (uint64_t i = 0; record && i < blocks; count++) {
    uint64_t out_from = i;
    while (i < blocks && !record[i]) i++;
    uint64_t in_from = i;
    while (i < blocks && record[i]) i++;
    if (in_from == i) break;
    trace_put_varint(&runs, in_from - out_from);
    trace_put_varint(&runs, i - in_from);
  }
  trace_put_u8(out, record != NULL);
  trace_put_varint(out, count);
  trace_put_bytes(out, runs.data, runs.size);
  free(runs.data);
}

static void put_params(TraceBytes *out, const PtxModule *module, int entry) {
  int count = module->funcs[entry].param_count;
  if (count > PARAMS_MOST || (count && !ptx_param_source_name(module, entry, 0))) count = 0;
  trace_put_varint(out, (uint64_t)count);
  for (int i = 0; i < count; i++) {
    const PtxDwType *type = ptx_param_source_type(module, entry, i);
    const char *name = ptx_param_source_name(module, entry, i);
    trace_put_text(out, name ? name : module->funcs[entry].params[i].name);
    trace_put_text(out, type ? type->name ? type->name : "" : NULL);
    trace_put_u8(out, type ? type->kind : 0);
    trace_put_varint(out, type ? (uint64_t)LS_MAX(type->size, 0) : 0);
  }
}

static void put_kept(TraceBytes *out, const Launch *launch, const ProtoKept *kept) {
  TraceBytes numbers = {0};
  uint64_t count = 0;
  for (int i = 0; i < launch->arg_count; i++) {
    if (!is_kept(kept, &launch->args[i], i)) continue;
    trace_put_varint(&numbers, (uint64_t)i);
    count++;
  }
  trace_put_varint(out, count);
  trace_put_bytes(out, numbers.data, numbers.size);
  free(numbers.data);
}

void proto_put_request(TraceBytes *out, const char *device, const DevRequest *request, const TraceInfo *info,
                       const ProtoKept *kept) {
  const SimOptions *options = request->options;
  uint64_t limit_bits;
  double limit = request->time_limit > 0 ? request->time_limit : DEV_TIME_LIMIT;
  memcpy(&limit_bits, &limit, sizeof limit_bits);
  if (looks_who_wrote(device)) kept = NULL;
  trace_put_text(out, device);
  put_plain_info(out, device, request, info, kept);
  trace_put_u8(out, (uint8_t)options->sched);
  trace_put_varint(out, options->seed);
  trace_put_varint(out, options->budget);
  trace_put_u32(out, options->checks);
  trace_put_varint(out, (uint64_t)LS_MAX(options->sm_count, 0));
  trace_put_varint(out, (uint64_t)LS_MAX(options->threads, 0));
  trace_put_varint(out, options->max_shared);
  trace_put_varint(out, options->max_global);
  trace_put_u8(out, options->record_all);
  trace_put_varint(out, options->record_limit);
  put_record(out, options->record_block, launch_blocks(request->launch));
  trace_put_u8(out, (uint8_t)((request->timed ? REQUEST_TIMED : 0) | (request->stops ? REQUEST_STOPS : 0) |
                              (request->connection ? REQUEST_MORE_FOLLOW : 0)));
  trace_put_u64(out, limit_bits);
  put_params(out, request->module, request->entry);
  put_kept(out, request->launch, kept);
}

// ---- reading -------------------------------------------------------------------------------------------------------

static void get_record(TraceCursor *cursor, ProtoRequest *request) {
  bool chosen = trace_get_u8(cursor) != 0;
  uint64_t runs = trace_get_varint(cursor), blocks = launch_blocks(&request->info.launch), at = 0;
  if (!chosen && !runs) return;
  if (!chosen || blocks > RECORD_MOST || runs > blocks) {
    trace_cursor_fail(cursor);
    return;
  }
  request->record = ls_alloc(LS_MAX(blocks, 1));
  request->options.record_block = request->record;
  for (uint64_t i = 0; i < runs && !cursor->bad; i++) {
    at += trace_get_bounded(cursor, blocks - at);
    uint64_t in = trace_get_bounded(cursor, blocks - at);
    memset(request->record + at, 1, in);
    at += in;
  }
}

static void get_params(TraceCursor *cursor, ProtoRequest *request) {
  int count = (int)trace_get_bounded(cursor, PARAMS_MOST);
  if (cursor->bad) return;
  request->params = ls_alloc((size_t)LS_MAX(count, 1) * sizeof *request->params);
  for (int i = 0; i < count && !cursor->bad; i++) {
    ProtoParam *param = &request->params[request->param_count++];
    param->name = trace_get_text(cursor);
    param->type = trace_get_text(cursor);
    param->kind = trace_get_u8(cursor);
    param->size = (int)trace_get_bounded(cursor, INT32_MAX);
    if (!param->name || param->kind > PTX_DW_OTHER) trace_cursor_fail(cursor);
  }
}

static void get_kept(TraceCursor *cursor, ProtoRequest *request) {
  int args = request->info.launch.arg_count, count = (int)trace_get_bounded(cursor, (uint64_t)args);
  request->kept = ls_alloc((size_t)(count + 1) * sizeof *request->kept);
  for (int i = 0; i < count && !cursor->bad; i++) {
    uint64_t arg = trace_get_varint(cursor);
    if (arg >= (uint64_t)args) trace_cursor_fail(cursor);
    else request->kept[request->kept_count++] = (int)arg;
  }
}

static void get_options(TraceCursor *cursor, ProtoRequest *request) {
  SimOptions *options = &request->options;
  uint8_t sched = trace_get_u8(cursor);
  if (sched > SIM_STACK) trace_cursor_fail(cursor);
  else options->sched = (SimSched)sched;
  options->seed = trace_get_varint(cursor);
  options->budget = trace_get_varint(cursor);
  options->checks = trace_get_u32(cursor);
  options->sm_count = (int)trace_get_bounded(cursor, 1 << 20);
  options->threads = (int)trace_get_bounded(cursor, THREADS_MOST);
  options->max_shared = trace_get_varint(cursor);
  options->max_global = trace_get_varint(cursor);
  options->record_all = trace_get_u8(cursor) != 0;
  options->record_limit = trace_get_varint(cursor);
  get_record(cursor, request);
  uint8_t how = trace_get_u8(cursor);
  request->timed = how & REQUEST_TIMED;
  request->stops = how & REQUEST_STOPS;
  request->more_follow = how & REQUEST_MORE_FOLLOW;
  uint64_t bits = trace_get_u64(cursor);
  memcpy(&request->time_limit, &bits, sizeof bits);
  if (!(request->time_limit > 0 && request->time_limit <= TIME_MOST)) trace_cursor_fail(cursor);
}

bool proto_get_request(const uint8_t *bytes, size_t size, ProtoRequest *request, LsErr *err) {
  TraceCursor cursor = {bytes, bytes + size, false};
  *request = (ProtoRequest){.device = trace_get_text(&cursor)};
  sim_options_init(&request->options);
  trace_get_info(&cursor, &request->info);
  if (!launch_is_possible(&request->info.launch)) trace_cursor_fail(&cursor);
  get_options(&cursor, request);
  get_params(&cursor, request);
  get_kept(&cursor, request);
  const TraceInfo *info = &request->info;
  if (!cursor.bad && !trace_cursor_left(&cursor) && request->device && info->ptx && info->kernel && info->ptx_path) return true;
  return ls_fail(err, LS_EFORMAT, "the request is damaged");
}

void proto_request_fini(ProtoRequest *request) {
  for (int i = 0; i < request->param_count; i++) {
    free(request->params[i].name);
    free(request->params[i].type);
  }
  free(request->params);
  free(request->kept);
  free(request->record);
  free(request->device);
  trace_info_fini(&request->info);
  *request = (ProtoRequest){0};
}

void proto_name_params(const ProtoRequest *request, PtxModule *module, int entry) {
  int count = request->param_count;
  if (!count || count != module->funcs[entry].param_count) return;
  PtxParamName *names = ls_alloc((size_t)count * sizeof *names);
  PtxDwType *types = ls_alloc((size_t)count * sizeof *types);
  for (int i = 0; i < count; i++) {
    const ProtoParam *param = &request->params[i];
    types[i] = (PtxDwType){.kind = param->kind, .size = param->size, .name = param->type};
    names[i] = (PtxParamName){param->name, param->type ? &types[i] : NULL};
  }
  ptx_name_params(module, entry, names);
  free(names);
  free(types);
}
