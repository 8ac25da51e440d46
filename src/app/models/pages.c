// pages.c: the model of unified memory: pages that move when they are touched, or before.
#include "app/models/pages.h"

#include <stdio.h>

#include "base/mem.h"

enum { HOW, SIZE, GROUP, FAULT, RATE, BACK, STEP };
enum { PAGE_MB = 2 };
typedef enum How { FAULTS, PREFETCH, COPIES } How;

static const char *const hows[] = {"faults", "prefetch", "copies"};

static RecipeParam params[] = {
    [HOW] = {.name = "how", .help = "managed memory with faults or prefetch, or cudaMemcpy of it all",
             .is_text = true,
             .max = 2, .step = 1, .choices = (const char **)hows, .choice_count = 3},
    [SIZE] = {.name = "size", .help = "MB of an array that the host has written and a kernel reads once",
              .fallback = 64,
              .min = PAGE_MB, .max = PAGES_MOST * PAGE_MB, .step = PAGE_MB},
    [GROUP] = {.name = "group", .help = "pages of 2 MB that a group of faults brings", .fallback = 1, .min = 1,
               .max = 32, .step = 1},
    [FAULT] = {.name = "fault", .help = "microseconds that a group of faults costs besides the bytes", .fallback = 30,
               .min = 1,
               .max = 200, .step = 5},
    [RATE] = {.name = "rate", .help = "GB/s of the link", .fallback = 25, .min = 1, .max = 900, .step = 1},
    [BACK] = {.name = "back", .help = "percent of the pages that the host reads afterwards", .fallback = 25, .max = 100,
              .step = 5},
    [STEP] = {.name = "step", .help = "moves that are done", .max = PAGES_EVENTS, .step = 1},
};

const char *pages_kind(PagesKind kind) {
  static const char *const names[] = {"the GPU faults", "the host faults", "prefetch", "copy in", "copy out"};
  return names[LS_CLAMP((int)kind, 0, LS_COUNT(names) - 1)];
}

static void add(PagesModel *m, const ModelValues *values, PagesKind kind, int first, int count) {
  bool fault = kind == PAGES_GPU_FAULT || kind == PAGES_HOST_FAULT;
  double move = (double)count * PAGE_MB * 1000 / model_int(values, RATE), stall = fault ? model_int(values, FAULT) : 0;
  if (count <= 0 || m->event_count == PAGES_EVENTS) return;
  m->events[m->event_count++] = (PagesEvent){kind, first, count, move + stall};
  m->move_us += move;
  m->stall_us += stall;
  m->us += move + stall;
  m->faults += fault;
}

static void add_faults(PagesModel *m, const ModelValues *values, PagesKind kind, int pages) {
  int group = model_int(values, GROUP);
  for (int first = 0; first < pages; first += group) add(m, values, kind, first, LS_MIN(group, pages - first));
}

// A prefetch, or a copy of the whole, brings all pages at once; what the host reads afterwards faults unless it was
// copied.
void pages_model(const ModelValues *values, PagesModel *out) {
  How how = (How)model_int(values, HOW);
  *out = (PagesModel){.pages = (model_int(values, SIZE) + PAGE_MB - 1) / PAGE_MB};
  int back = (out->pages * model_int(values, BACK) + 99) / 100;
  if (how == FAULTS) add_faults(out, values, PAGES_GPU_FAULT, out->pages);
  else add(out, values, how == PREFETCH ? PAGES_PREFETCH : PAGES_COPY_IN, 0, out->pages);
  if (how == COPIES) add(out, values, PAGES_COPY_OUT, 0, back);
  else add_faults(out, values, PAGES_HOST_FAULT, back);
  out->shown = LS_MIN(model_int(values, STEP), out->event_count);
  for (int i = 0; i < out->shown; i++) {
    const PagesEvent *event = &out->events[i];
    bool to_gpu = event->kind != PAGES_HOST_FAULT && event->kind != PAGES_COPY_OUT;
    for (int page = 0; page < event->count; page++) out->on_gpu[event->first + page] = to_gpu;
  }
}

static int64_t end(const ModelValues *values) {
  PagesModel m;
  pages_model(values, &m);
  return m.event_count;
}

// ---- numbers and words ---------------------------------------------------------------------------------------------

static void facts(const ModelValues *values, ModelFacts *out) {
  PagesModel m;
  pages_model(values, &m);
  int on_gpu = 0;
  for (int i = 0; i < m.pages; i++) on_gpu += m.on_gpu[i];
  fact_number(out, "pages", "pages", m.pages);
  fact_number(out, "faults", "groups", m.faults);
  fact_number(out, "ms", "ms", m.us / 1000);
  fact_number(out, "move_ms", "ms", m.move_us / 1000);
  fact_number(out, "stall_ms", "ms", m.stall_us / 1000);
  fact_number(out, "on_gpu", "pages", on_gpu);
}

static void words(const ModelValues *values, LsText *out) {
  static const char *const told[] = {"A page moves when somebody touches it, and whoever touched it waits.",
                                     "cudaMemPrefetchAsync brings all pages before the kernel wants them.",
                                     "cudaMemcpy moves what it is told, wanted or not."};
  PagesModel m;
  pages_model(values, &m);
  ls_text_addf(out, "%s %d pages of %d MB: %.4g ms, of them %.4g for %d groups of faults.", told[model_int(values,
      HOW)], m.pages,
               PAGE_MB, m.us / 1000, m.stall_us / 1000, m.faults);
  ls_text_add(out, " Whatever moves them, the host must wait for the kernel before it reads.");
}

const Model model_pages = {
    .recipe = {.name = "pages", .title = "Who has the page", .topic = "memory",
               .about = "Unified memory is one pointer for host and GPU. Pages of 2 MB move over the link when they "
                        "are touched: a "
                        "fault each time, in groups. A prefetch moves them before, a plain copy moves all of them.",
               .params = params, .param_count = LS_COUNT(params)},
    .rules = "Bytes divided by the rate of the link, and a stated time for each group of faults; nothing overlaps. "
             "Real drivers "
             "guess which pages come next and make groups grow, and machines with coherent links read without moving.",
    .time = STEP, .facts = facts, .words = words, .end = end,
};
