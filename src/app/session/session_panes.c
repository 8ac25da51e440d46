// session_panes.c: what panes ask for again and again: source lines, PTX, registers, elements, time bar.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/session_impl.h"
#include "base/file.h"

void ses_panes_clear(Session *session) {
  SesImpl *impl = ses_impl(session);
  for (int i = 0; i < impl->source_count; i++) {
    free(impl->sources[i].text);
    free(impl->sources[i].lines);
  }
  free(impl->sources);
  for (int i = 0; i < impl->ptx_count; i++) free(impl->ptx_rows[i]);
  free(impl->ptx_rows);
  free(impl->margin);
  free(impl->margin_known);
  free(impl->bar);
  impl->sources = NULL;
  impl->ptx_rows = NULL;
  impl->margin = NULL;
  impl->margin_known = NULL;
  impl->bar = NULL;
  impl->source_count = impl->ptx_count = impl->margin_lines = impl->bar_columns = 0;
  impl->ptx_func = -1;
}

// ---- source ----------------------------------------------------------------------------------------------------------

static void split(const char *text, SourceLines *out) {
  int count = 0, capacity = 0;
  out->text = ls_strdup(text ? text : "");
  for (char *at = out->text; *at;) {
    char *end = strchr(at, '\n');
    if (end) *end = 0;
    size_t length = strlen(at);
    if (length && at[length - 1] == '\r') at[length - 1] = 0;
    const char *line = at;
    LS_PUSH(out->lines, count, capacity, line);
    if (!end) break;
    at = end + 1;
  }
  out->count = count;
}

void ses_split_sources(Session *session) {
  SesImpl *impl = ses_impl(session);
  const TraceInfo *info = ses_info(session);
  if (impl->sources || info->source_count <= 0) return;
  impl->sources = ls_alloc(sizeof *impl->sources * (size_t)info->source_count);
  impl->source_count = info->source_count;
  for (int i = 0; i < info->source_count; i++) split(info->sources[i].text, &impl->sources[i]);
}

int ses_source_lines(Session *session, const char *const **lines, const char **path) {
  SesImpl *impl = ses_impl(session);
  const Scene *scene = ses_scene(session);
  ses_split_sources(session);
  int file = scene ? scene->file : 0;
  *lines = NULL;
  *path = "";
  if (file < 0 || file >= impl->source_count) return 0;
  *lines = impl->sources[file].lines;
  *path = ses_info(session)->sources[file].path ? ls_path_base(ses_info(session)->sources[file].path) : "";
  return impl->sources[file].count;
}

// The cursor's line stays in the middle third; short files do not move at all.
int ses_source_top(Session *session, int rows) {
  const char *const *lines;
  const char *path;
  const Scene *scene = ses_scene(session);
  int count = ses_source_lines(session, &lines, &path);
  if (!scene || count <= rows) return 0;
  int line = scene->line ? scene->line : scene->warp_line[LS_CLAMP(session->warp, 0, 31)];
  int top = LS_CLAMP(LS_MAX(line, 1) - 1 - rows / 2, 0, count - rows);
  return LS_CLAMP(top + session->scroll[PANE_SOURCE], 0, count - rows);
}

int ses_lanes_top(Session *session, int rows) {
  int count = ses_warps(session);
  if (rows <= 0 || count <= rows) return 0;
  int top = LS_CLAMP(session->warp - rows / 2, 0, count - rows);
  return LS_CLAMP(top + session->scroll[PANE_LANES], 0, count - rows);
}

// ---- PTX -------------------------------------------------------------------------------------------------------------

int ses_ptx_rows(Session *session) {
  SesImpl *impl = ses_impl(session);
  const PtxModule *module = session->run->module;
  const Scene *scene = ses_scene(session);
  if (!module) return 0;
  int pc = scene ? scene->event.pc : -1;
  int func = pc >= 0 && pc < module->code_count ? module->code[pc].func : session->run->entry;
  if (func == impl->ptx_func) return impl->ptx_count;
  for (int i = 0; i < impl->ptx_count; i++) free(impl->ptx_rows[i]);
  free(impl->ptx_rows);
  impl->ptx_func = func;
  impl->ptx_count = module->funcs[func].count;
  impl->ptx_rows = ls_alloc(sizeof *impl->ptx_rows * (size_t)(impl->ptx_count + 1));
  return impl->ptx_count;
}

const char *ses_ptx_row(Session *session, int row, int *pc, bool *current) {
  SesImpl *impl = ses_impl(session);
  if (row < 0 || row >= ses_ptx_rows(session)) return "";
  const Scene *scene = ses_scene(session);
  *pc = session->run->module->funcs[impl->ptx_func].first + row;
  *current = scene && scene->event.pc == *pc;
  if (!impl->ptx_rows[row]) {
    LsText text = {0};
    ptx_print_instr(session->run->module, *pc, &text);
    impl->ptx_rows[row] = ls_strdup(ls_text_str(&text));
    ls_text_free(&text);
  }
  return impl->ptx_rows[row];
}

int ses_ptx_top(Session *session, int rows) {
  int count = ses_ptx_rows(session);
  const Scene *scene = ses_scene(session);
  if (!scene || count <= rows) return 0;
  int at = scene->event.pc - session->run->module->funcs[ses_impl(session)->ptx_func].first;
  return LS_CLAMP(at - rows / 2, 0, count - rows);
}

// ---- elements and registers ------------------------------------------------------------------------------------------

uint64_t ses_array_read(Session *session, const SceneArray *array, uint64_t first, uint64_t count, uint64_t *bits, uint8_t *init) {
  enum { PIECE = 512 };
  uint8_t bytes[PIECE * 8], written[PIECE * 8];
  SimReplay *replay;
  int size = LS_CLAMP(array->elem_size, 1, 8);
  if (first >= array->count || !scene_seek(session, session->step, &replay)) return 0;
  count = LS_MIN(count, array->count - first);
  uint32_t thread = (uint32_t)(session->warp * 32 + LS_MAX(session->lane, 0));
  uint64_t done = 0, base = run_replay_address(session->run, (TraceSpace)array->space, array->base);
  while (done < count) {
    uint64_t piece = LS_MIN(count - done, (uint64_t)PIECE);
    uint64_t got = sim_replay_read(replay, (TraceSpace)array->space, thread, base + (first + done) * (uint64_t)size,
                                   piece * (uint64_t)size, bytes, written) / (uint64_t)size;
    for (uint64_t i = 0; i < got; i++) {
      bits[done + i] = 0;
      memcpy(&bits[done + i], bytes + i * (uint64_t)size, (size_t)size);
      init[done + i] = 1;
      for (int b = 0; b < size; b++) init[done + i] &= written[i * (uint64_t)size + (uint64_t)b] != 0;
    }
    done += got;
    if (got < piece) break;
  }
  return done;
}

static void register_text(const PtxReg *reg, uint64_t bits, bool hex, LsText *out) {
  uint8_t kind = PTX_DW_INT;
  int size = ptx_type_size((PtxType)reg->type);
  if (reg->type == PTX_PRED) kind = PTX_DW_BOOL, size = 1;
  else if (reg->type == PTX_F16 || reg->type == PTX_F32 || reg->type == PTX_F64) kind = PTX_DW_FLOAT;
  else if (size == 8 && bits >= 1ull << 32 && bits >> 48 == 0) kind = PTX_DW_POINTER;   // addresses read best in hexadecimal
  ses_format_value(kind, LS_CLAMP(size, 1, 8), bits, hex, out);
}

int ses_groups(Session *session, SimGroup *groups, int room) {
  SimReplay *replay;
  if (!ses_scene(session) || !scene_seek(session, session->step, &replay)) return 0;
  return sim_replay_groups(replay, session->warp, groups, room);
}

int ses_registers(Session *session, LsText *out) {
  const PtxModule *module = session->run->module;
  const Scene *scene = ses_scene(session);
  SimReplay *replay;
  if (!module || !scene || !scene_seek(session, session->step, &replay)) return 0;
  int pc = scene->warps[session->warp].pc, lane = LS_MAX(session->lane, 0), rows = 0;
  int func = pc >= 0 && pc < module->code_count ? module->code[pc].func : session->run->entry;
  for (int r = 0; r < module->funcs[func].reg_count; r++) {
    const PtxReg *reg = &module->funcs[func].regs[r];
    uint64_t values[32];
    uint32_t written = 0;
    if (!sim_replay_reg(replay, session->warp, func, r, values, &written) || !(written >> lane & 1)) continue;
    ls_text_addf(out, "%s %s ", reg->name, ptx_type_name((PtxType)reg->type));
    register_text(reg, values[lane], session->hex, out);
    ls_text_addc(out, '\n');
    rows++;
  }
  return rows;
}

// ---- faults ----------------------------------------------------------------------------------------------------------

bool ses_line_faults(Session *session, int line) {
  SesImpl *impl = ses_impl(session);
  const Scene *scene = ses_scene(session);
  for (int i = 0; scene && i < session->run->fault_count; i++) {
    int pc = session->run->faults[i].pc;
    if (pc >= 0 && pc < impl->code_count && impl->pc_line[pc] == line && impl->pc_file[pc] == scene->file) return true;
  }
  return false;
}

// ---- time bar --------------------------------------------------------------------------------------------------------

// So many events of a column are looked at: all of them in a short trace.
enum { BAR_SAMPLE = 128 };

// The share of a column's events that go to memory or to meeting others; negative if nothing happens in it. What the
// compiler does with the local frame and with parameters does not count.
static double busy_share(Session *session, uint64_t first, uint64_t end) {
  SesImpl *impl = ses_impl(session);
  TraceEvent event;
  int all = 0, busy = 0;
  uint64_t skip = end - first > BAR_SAMPLE ? (end - first - BAR_SAMPLE) / 2 : 0;   // the middle stands for the rest
  for (uint64_t step = first + skip; step < end && all < BAR_SAMPLE; step++) {
    if (!trace_event(session->run->trace, step, &event, NULL)) break;
    bool news = trace_kind_interesting((TraceKind)event.kind) && event.kind != TRACE_BRANCH && event.kind != TRACE_FAULT;
    busy += news && event.pc >= 0 && event.pc < impl->code_count && impl->notable[event.pc];
    all++;
  }
  return all ? (double)busy / all : -1;
}

// From the quietest column to the busiest: what differs is what is worth seeing. Half of the height keeps the bar calm.
static void bar_heights(SesBar *bar, const double *share, int columns) {
  double low = 1, high = 0;
  for (int i = 0; i < columns; i++) {
    if (share[i] < 0) continue;
    low = LS_MIN(low, share[i]);
    high = LS_MAX(high, share[i]);
  }
  double span = LS_MAX(high - low, 0.1);
  for (int i = 0; i < columns; i++)
    bar[i].height = (uint8_t)(share[i] < 0 ? 0 : 1 + lround(3 * LS_MIN((share[i] - low) / span, 1.0)));
}

// arrivals: of warps at barriers, up to this column and before it. A barrier is done when all warps of a block came.
static char bar_mark(const uint32_t *counts, uint64_t before, uint64_t arrivals, int warps) {
  if (counts[TRACE_FAULT]) return '!';
  if (counts[TRACE_KIND_COUNT]) return 'd';
  return arrivals / (unsigned)warps > before / (unsigned)warps ? 'b' : 0;
}

// Marks that stand everywhere tell nothing.
static void calm_barriers(SesBar *bar, int columns) {
  int marks = 0;
  for (int i = 0; i < columns; i++) marks += bar[i].mark == 'b';
  for (int i = 0; i < columns && marks > columns / 10; i++)
    if (bar[i].mark == 'b') bar[i].mark = 0;
}

static void fill_bar(Session *session, int columns) {
  SesImpl *impl = ses_impl(session);
  // A bucket has at least one step; short traces spread over the columns.
  int buckets = (int)LS_MIN((uint64_t)columns, session->steps), last = -1, warps = ses_warps(session);
  size_t stride = TRACE_KIND_COUNT + 1;
  uint32_t *counts = ls_alloc(sizeof *counts * stride * (size_t)buckets);
  double *share = ls_alloc(sizeof *share * (size_t)columns);
  impl->bar = ls_realloc(impl->bar, sizeof *impl->bar * (size_t)columns);
  memset(impl->bar, 0, sizeof *impl->bar * (size_t)columns);
  impl->bar_columns = columns;
  trace_overview(session->run->trace, 0, session->steps, buckets, counts, NULL);
  uint64_t arrivals = 0;
  for (int column = 0; column < columns; column++) {
    int bucket = (int)((int64_t)column * buckets / columns);
    const uint32_t *of = counts + stride * (size_t)bucket;
    uint64_t first = session->steps * (uint64_t)bucket / (unsigned)buckets,
        end = session->steps * ((uint64_t)bucket + 1) / (unsigned)buckets;
    uint64_t before = arrivals;
    if (bucket != last) arrivals += of[TRACE_BARRIER];
    share[column] = bucket == last ? share[column - 1] : busy_share(session, first, end);
    impl->bar[column].mark = bar_mark(of, before, arrivals, warps);
    last = bucket;
  }
  bar_heights(impl->bar, share, columns);
  calm_barriers(impl->bar, columns);
  free(share);
  free(counts);
}

void ses_time_bar(Session *session, int columns, SesBar *bar, int *cursor_column) {
  SesImpl *impl = ses_impl(session);
  *cursor_column = 0;
  if (columns <= 0) return;
  memset(bar, 0, sizeof *bar * (size_t)columns);
  if (session->steps == 0) return;
  if (impl->bar_columns != columns) fill_bar(session, columns);
  memcpy(bar, impl->bar, sizeof *bar * (size_t)columns);
  *cursor_column = (int)LS_MIN(session->step * (uint64_t)columns / session->steps, (uint64_t)columns - 1);
}
