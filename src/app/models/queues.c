// queues.c: the model of kernels in streams that share a GPU: order, the one queue of old devices, priorities.
#include "app/models/queues.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

enum { SMS, RULE, PRIORITIES, NOW };
enum { NOW_MOST = 4096, LENGTH_MOST = 100, ARRIVAL_MOST = 200 };

static const char *const rules[] = {"next only", "any stream"}, *const on_off[] = {"off", "on"};

static RecipeParam params[] = {
    [SMS] = {.name = "sms", .help = "SMs, each with room for one block", .fallback = 8, .min = 1, .max = QUEUES_PLACES,
             .step = 1},
    [RULE] = {.name = "rule", .help = "next only: in code order, before 3.5; any stream: since",
              .is_text = true,
              .fallback = 1, .max = 1, .step = 1, .choices = (const char **)rules, .choice_count = 2},
    [PRIORITIES] = {.name = "priorities", .help = "whether blocks of ! kernels pass those that wait", .is_text = true,
                    .fallback = 1, .max = 1, .step = 1, .choices = (const char **)on_off, .choice_count = 2},
    [NOW] = {.name = "now", .help = "the time up to which the picture is shown", .max = NOW_MOST, .step = 1},
};

// ---- launches ------------------------------------------------------------------------------------------------------

static bool read_number(const char **p, char before, int least, int most, int *value) {
  char *end;
  if (before && **p != before) return false;
  *p += before != 0;
  if (!isdigit((unsigned char)**p)) return false;
  long number = strtol(*p, &end, 10);
  if (number < least || number > most) return false;
  *value = (int)number;
  *p = end;
  return true;
}

// launch = ["!"] STREAM ":" BLOCKS "x" MS ["@" TIME]
static bool read_kernel(const char **p, QueuesKernel *kernel) {
  *kernel = (QueuesKernel){.start = -1, .end = -1};
  kernel->high = **p == '!';
  *p += kernel->high;
  if (!read_number(p, 0, 0, 99, &kernel->stream) || !read_number(p, ':', 1, QUEUES_BLOCKS, &kernel->blocks) ||
      !read_number(p, 'x', 1, LENGTH_MOST, &kernel->length))
    return false;
  if (**p == '@' && !read_number(p, '@', 0, ARRIVAL_MOST, &kernel->arrival)) return false;
  kernel->waiting = kernel->blocks;
  if (**p && **p != ' ') return false;
  while (**p == ' ') ++*p;
  return true;
}

static const char *read_kernels(const char *script, QueuesModel *m) {
  int blocks = 0;
  for (const char *p = script; *p;) {
    const char *at = p;
    if (m->kernel_count == QUEUES_KERNELS || !read_kernel(&p, &m->kernels[m->kernel_count])) return at;
    blocks += m->kernels[m->kernel_count].blocks;
    if (blocks > QUEUES_BLOCKS) return at;
    m->kernel_count++;
  }
  return NULL;
}

static bool check(const char *script, LsErr *err) {
  QueuesModel *m = ls_alloc(sizeof *m);
  const char *bad = read_kernels(script, m);
  free(m);
  if (!bad) return true;
  return ls_fail(err, LS_EREQUEST, "'%.20s' is no launch: STREAM:BLOCKSxMS[@TIME], ! in front for high priority; at "
                                   "most %d "
                 "launches of %d blocks in all", bad, QUEUES_KERNELS, QUEUES_BLOCKS);
}

// ---- time ----------------------------------------------------------------------------------------------------------

// In a stream a kernel waits until the one before it is over; with one queue it also waits until all before it in code
// order have begun with all their blocks.
static bool may_start(const QueuesModel *m, int index, int time) {
  const QueuesKernel *kernel = &m->kernels[index];
  if (!kernel->waiting || kernel->arrival > time) return false;
  for (int i = 0; i < index; i++) {
    const QueuesKernel *before = &m->kernels[i];
    if (before->stream == kernel->stream && (before->waiting || before->running)) return false;
    if (m->next_only && before->waiting) return false;
  }
  return true;
}

// The kernel whose block a free SM takes: by priority, then in code order. Blocks that run are never thrown out.
static int next_kernel(const QueuesModel *m, int time) {
  int chosen = -1;
  for (int i = 0; i < m->kernel_count; i++) {
    if (!may_start(m, i, time)) continue;
    if (chosen < 0 || (m->priorities && m->kernels[i].high && !m->kernels[chosen].high)) chosen = i;
  }
  return chosen;
}

static void place_block(QueuesModel *m, int index, int place, int time) {
  QueuesKernel *kernel = &m->kernels[index];
  if (kernel->start < 0) kernel->start = time;
  kernel->waiting--;
  kernel->running++;
  kernel->end = LS_MAX(kernel->end, time + kernel->length);
  m->blocks[m->block_count++] = (QueuesBlock){index, place, time, time + kernel->length};
  m->end = LS_MAX(m->end, time + kernel->length);
}

static void run(QueuesModel *m) {
  int free_at[QUEUES_PLACES] = {0}, left = 0;
  for (int i = 0; i < m->kernel_count; i++) left += m->kernels[i].blocks;
  for (int time = 0; left; time++) {
    for (int b = 0; b < m->block_count; b++) m->kernels[m->blocks[b].kernel].running -= m->blocks[b].end == time;
    for (int place = 0, kernel; place < m->places && left; place++) {
      if (free_at[place] > time || (kernel = next_kernel(m, time)) < 0) continue;
      place_block(m, kernel, place, time);
      free_at[place] = time + m->kernels[kernel].length;
      left--;
    }
  }
}

void queues_model(const ModelValues *values, QueuesModel *out) {
  *out = (QueuesModel){.places = model_int(values, SMS), .next_only = model_int(values, RULE) == 0,
                       .priorities = model_int(values, PRIORITIES) == 1};
  read_kernels(values->script, out);
  run(out);
  out->now = LS_MIN(model_int(values, NOW), out->end);
}

static int64_t end(const ModelValues *values) {
  QueuesModel *m = ls_alloc(sizeof *m);
  queues_model(values, m);
  int64_t last = m->end;
  free(m);
  return last;
}

// ---- numbers and words ---------------------------------------------------------------------------------------------

static int high_end(const QueuesModel *m, bool high) {
  int last = -1;
  for (int i = 0; i < m->kernel_count; i++)
    if (m->kernels[i].high == high) last = LS_MAX(last, m->kernels[i].end);
  return last;
}

static int64_t busy_of(const QueuesModel *m) {
  int64_t busy = 0;
  for (int b = 0; b < m->block_count; b++) busy += m->blocks[b].end - m->blocks[b].start;
  return busy;
}

static void facts(const ModelValues *values, ModelFacts *out) {
  QueuesModel *m = ls_alloc(sizeof *m);
  queues_model(values, m);
  fact_number(out, "ms", "ms", m->end);
  fact_number(out, "high_done", "ms", high_end(m, true));
  fact_number(out, "low_done", "ms", high_end(m, false));
  fact_number(out, "busy", "", m->end ? (double)busy_of(m) / (double)((int64_t)m->end * m->places) : 0);
  LsText ends = {0};
  for (int i = 0; i < m->kernel_count; i++) ls_text_addf(&ends, "%s%d-%d", i ? " " : "", m->kernels[i].start,
                                                         m->kernels[i].end);
  fact_text(out, "kernels", ls_text_str(&ends));
  ls_text_free(&ends);
  free(m);
}

static void words(const ModelValues *values, LsText *out) {
  QueuesModel *m = ls_alloc(sizeof *m);
  queues_model(values, m);
  ls_text_addf(out, "%d %s on %d SMs: %d ms, %.3g %% of the SMs' time used.", m->kernel_count,
               m->kernel_count == 1 ? "launch" : "launches",
               m->places, m->end, m->end ? 100.0 * (double)busy_of(m) / ((double)m->end * m->places) : 0);
  if (high_end(m, true) >= 0 && m->priorities)
    ls_text_addf(out, " The one of high priority is done at %d: it passes blocks that wait, never those that run.",
                 high_end(m, true));
  if (m->next_only) ls_text_add(out, " One queue: a launch begins only when all before it in code order have begun.");
  else ls_text_add(out, " Each stream is a queue of its own.");
  free(m);
}

const Model model_queues = {
    .recipe = {.name = "queues", .title = "Which kernel runs next", .topic = "streams",
               .about = "Kernels in streams, block by block onto SMs. Since compute capability 3.5 every stream is a "
                        "queue of its "
                        "own; before, the next launch in code order held up all behind it. Priority lets waiting "
                        "blocks pass.",
               .params = params, .param_count = LS_COUNT(params)},
    .rules = "A block on an SM at a time, blocks of a kernel equally long, launches cost nothing; a kernel follows "
             "the one before "
             "it in its stream; blocks that run are never thrown out (CUDA C++ Programming Guide, streams and "
             "priorities).",
    .time = NOW, .facts = facts, .words = words, .end = end,
    .script_name = "launches", .script_help = "STREAM:BLOCKSxMS[@TIME] ...; ! in front for high priority",
    .script = "1:24x3 !2:8x1@1", .script_check = check,
};
