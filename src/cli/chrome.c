// chrome.c: slices of blocks and of warps, written as they are found.
#include "cli/chrome.h"

#include <inttypes.h>
#include <string.h>

#include "app/run/timing.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "cli/chrome_events.h"

// Processes: SMs first, then the recorded blocks.
enum { FIRST_BLOCK_PID = 1000000, WARPS = 32, MOST_NAME = 60 };

typedef struct Writer { Run *run; ChromeEvents events; } Writer;

// ---- blocks on SMs -------------------------------------------------------------------------------------------------

static void write_block(Writer *w, const WaveChart *chart, int row, const WaveBlock *block) {
  LsJson json;
  char name[32];
  snprintf(name, sizeof name, "block %u", block->block);
  chrome_begin(&w->events, &json, "X", (uint64_t)(row / chart->slots) + 1, (uint64_t)(row % chart->slots), name);
  ls_json_member_f64(&json, "ts", (double)block->start / 1000);
  ls_json_member_f64(&json, "dur", (double)(block->end - block->start) / 1000);
  chrome_end(&w->events, &json);
}

static void write_sms(Writer *w) {
  WaveChart chart;
  char name[32];
  run_wave_chart(w->run, 0, &chart);
  for (int row = 0; !chart.computed && chart.span && row < chart.sms * chart.slots; row++) {
    uint64_t count = wavechart_count(&chart, row);
    snprintf(name, sizeof name, "SM %d", row / chart.slots);
    if (count && row % chart.slots == 0) chrome_name(&w->events, "process_name", (uint64_t)(row / chart.slots) + 1, 0, name);
    snprintf(name, sizeof name, "slot %d", row % chart.slots);
    if (count) chrome_name(&w->events, "thread_name", (uint64_t)(row / chart.slots) + 1, (uint64_t)(row % chart.slots), name);
    for (uint64_t n = 0; n < count; n++) {
      WaveBlock block = wavechart_block(&chart, row, n);
      write_block(w, &chart, row, &block);
    }
  }
  wavechart_free(&chart);
}

// ---- warps of recorded blocks --------------------------------------------------------------------------------------

// The visit of a line that a warp is on.
typedef struct Visit { int file, line; uint64_t first, last, steps; uint32_t lanes; bool open; } Visit;

static void line_name(const Run *run, int file, int line, char *out, size_t size) {
  const char *p = file >= 0 && file < run->info.source_count ? ls_line_at(run->info.sources[file].text, line) : NULL;
  const char *path = file >= 0 && file < run->module->file_count ? ls_path_base(run->module->files[file]) : "";
  if (p) p += strspn(p, " \t");
  if (p && line > 0) snprintf(out, size, "%d: %.*s", line, LS_MIN((int)strcspn(p, "\r\n"), MOST_NAME), p);
  else if (line > 0) snprintf(out, size, "%.80s:%d", path, line);
  else snprintf(out, size, "code without a line");
}

static void write_visit(Writer *w, uint64_t pid, int warp, Visit *visit) {
  LsJson json;
  char name[160];
  if (!visit->open) return;
  visit->open = false;
  line_name(w->run, visit->file, visit->line, name, sizeof name);
  chrome_begin(&w->events, &json, "X", pid, (uint64_t)warp, name);
  ls_json_member_u64(&json, "ts", visit->first);
  ls_json_member_u64(&json, "dur", visit->last + 1 - visit->first);
  ls_json_open_member(&json, "args", '{');
  ls_json_member_u64(&json, "steps", visit->steps);
  ls_json_member_u64(&json, "lanes", (uint64_t)__builtin_popcount(visit->lanes));
  ls_json_close(&json, '}');
  chrome_end(&w->events, &json);
}

static void take_event(Writer *w, uint64_t pid, const TraceEvent *event, Visit *visit) {
  int file = -1, line = 0;
  ptx_line_of(w->run->module, event->pc, &file, &line);
  if (visit->open && (visit->file != file || visit->line != line)) write_visit(w, pid, event->warp, visit);
  if (!visit->open) *visit = (Visit){.file = file, .line = line, .first = event->step, .open = true};
  visit->last = event->step;
  visit->steps++;
  visit->lanes |= event->mask;
}

static bool write_steps(Writer *w, const TraceBlock *block, uint64_t pid, LsErr *err) {
  Visit visits[WARPS] = {0};
  for (uint64_t step = block->first; step < block->first + block->count; step++) {
    TraceEvent event;
    if (!trace_event(w->run->trace, step, &event, err)) return false;
    if (event.warp < WARPS) take_event(w, pid, &event, &visits[event.warp]);
  }
  for (int warp = 0; warp < WARPS; warp++) write_visit(w, pid, warp, &visits[warp]);
  return true;
}

static bool write_warps(Writer *w, LsErr *err) {
  int count, warps = LS_MIN((int)launch_warps(&w->run->info.launch), WARPS);
  const TraceBlock *blocks = trace_blocks(w->run->trace, &count);
  char name[48];
  for (int i = 0; i < count; i++) {
    uint64_t pid = FIRST_BLOCK_PID + (uint64_t)i;
    snprintf(name, sizeof name, "block %u (steps)", blocks[i].block);
    chrome_name(&w->events, "process_name", pid, 0, name);
    for (int warp = 0; warp < warps; warp++) {
      snprintf(name, sizeof name, "warp %d", warp);
      chrome_name(&w->events, "thread_name", pid, (uint64_t)warp, name);
    }
    if (!write_steps(w, &blocks[i], pid, err)) return false;
  }
  return true;
}

bool chrome_write(Run *run, FILE *out, LsErr *err) {
  Writer w = {.run = run, .events = {.out = out}};
  LsText where = {0}, other = {0};
  LsJson json;
  run_where(run, RUN_IN_FULL, &where);
  ls_json_init(&json, &other);
  ls_json_open(&json, '{');
  ls_json_member(&json, "kernel", run->module->funcs[run->entry].demangled);
  ls_json_member(&json, "from", ls_text_str(&where));
  ls_json_member(&json, "blocks", "in real time, if there are any on SMs");
  ls_json_member(&json, "steps", "of recorded blocks: one step to a microsecond, which is no time");
  ls_json_close(&json, '}');
  fprintf(out, "{\"displayTimeUnit\": \"ns\", \"otherData\": %s, \"traceEvents\": [", ls_text_str(&other));
  write_sms(&w);
  bool ok = write_warps(&w, err);
  fputs("\n]}\n", out);
  ls_text_free(&where);
  ls_text_free(&other);
  ls_text_free(&w.events.line);
  return ok;
}
