// reuse.c: the model of a matrix product P = M N that reads its elements again and again, or once for a tile.
#include "app/models/reuse.h"

#include <stdio.h>

#include "base/mem.h"

enum { WIDTH, TILE, ROW, COL, STEP };
enum { WARP = 32, SECTOR_WORDS = 8, NAIVE_BLOCK = 16, WORD = 4 };

static const char *const tiles[] = {"naive", "2", "4", "8", "16", "32"};
static const int tile_sizes[] = {0, 2, 4, 8, 16, 32};

static RecipeParam params[] = {
    [WIDTH] = {.name = "width", .help = "rows and columns of the matrices", .fallback = 8, .min = 1, .max = REUSE_MOST,
               .step = 8},
    [TILE] = {.name = "tile", .help = "naive: each thread reads for itself; else the width of a tile",
              .is_text = true, .fallback = 2, .max = LS_COUNT(tiles) - 1, .step = 1, .choices = (const char **)tiles,
              .choice_count = LS_COUNT(tiles)},
    [ROW] = {.name = "row", .help = "of the element of P that a thread makes", .fallback = 2, .max = REUSE_MOST - 1,
             .step = 1},
    [COL] = {.name = "col", .help = "of the element of P that a thread makes", .fallback = 5, .max = REUSE_MOST - 1,
             .step = 1},
    [STEP] = {.name = "step", .help = "steps of k that are done", .max = REUSE_MOST, .step = 1},
};

static int up(int value, int by) { return (value + by - 1) / by; }

// ---- requests ------------------------------------------------------------------------------------------------------

// Sectors that the lanes of a warp touch: lane i wants row[i], col[i] of a matrix of so many columns; row -1: nothing.
static int sectors_of(const int row[WARP], const int col[WARP], int width) {
  int seen[WARP], count = 0;
  for (int i = 0; i < WARP; i++) {
    if (row[i] < 0) continue;
    int sector = (row[i] * width + col[i]) / SECTOR_WORDS, j = 0;
    while (j < count && seen[j] != sector) j++;
    if (j == count) seen[count++] = sector;
  }
  return count;
}

static void add_request(ReuseModel *m, const int row[WARP], const int col[WARP]) {
  int sectors = sectors_of(row, col, m->width);
  m->requests += sectors > 0;
  m->sectors += sectors;
}

// The lanes of a warp read an element of M and one of N each: in a product of their own at k, or to fill a tile whose
// first k this is.
static void warp_reads(ReuseModel *m, int block_row, int block_col, int warp, int k) {
  int m_row[WARP], m_col[WARP], n_row[WARP], n_col[WARP];
  for (int lane = 0; lane < WARP; lane++) {
    int thread = warp * WARP + lane, y = thread / m->block, x = thread % m->block;
    int row = block_row * m->block + y, col = block_col * m->block + x;
    bool there = thread < m->block * m->block;
    int of_m = m->tile ? k + x : k, of_n = m->tile ? k + y : k;
    bool whole = m->tile || (row < m->width && col < m->width);
    m_row[lane] = there && whole && row < m->width && of_m < m->width ? row : -1;
    m_col[lane] = of_m;
    n_row[lane] = there && whole && col < m->width && of_n < m->width ? of_n : -1;
    n_col[lane] = col;
    m->words += (m_row[lane] >= 0) + (n_row[lane] >= 0);
  }
  add_request(m, m_row, m_col);
  add_request(m, n_row, n_col);
}

static void count_requests(ReuseModel *m) {
  int blocks = up(m->width, m->block), warps = up(m->block * m->block, WARP);
  for (int block = 0; block < blocks * blocks; block++)
    for (int warp = 0; warp < warps; warp++)
      for (int k = 0; k < m->width; k += m->tile ? m->tile : 1) warp_reads(m, block / blocks, block % blocks, warp, k);
}

void reuse_model(const ModelValues *values, ReuseModel *out) {
  int width = model_int(values, WIDTH);
  *out = (ReuseModel){.width = width, .tile = tile_sizes[model_int(values, TILE)],
                      .row = LS_MIN(model_int(values, ROW), width - 1), .col = LS_MIN(model_int(values, COL),
                                                                                      width - 1),
                      .step = LS_MIN(model_int(values, STEP), width)};
  out->block = out->tile ? out->tile : NAIVE_BLOCK;
  out->shared_reads = out->tile ? 2 * (int64_t)width * width * width : 0;
  count_requests(out);
}

int reuse_reads_m(const ReuseModel *model, int row, int k) {
  (void)row;
  if (!model->tile) return k < model->step ? model->width : 0;
  return k / model->tile * model->tile < model->step ? up(model->width, model->tile) : 0;
}

int reuse_reads_n(const ReuseModel *model, int k, int col) { return reuse_reads_m(model, col, k); }

void reuse_tile_now(const ReuseModel *model, int *from, int *to) {
  *from = *to = 0;
  if (!model->tile || model->step == 0) return;
  *from = (model->step - 1) / model->tile * model->tile;
  *to = LS_MIN(*from + model->tile, model->width);
}

static int64_t end(const ModelValues *values) { return values->numbers.value[WIDTH]; }

// ---- numbers and words ---------------------------------------------------------------------------------------------

static void facts(const ModelValues *values, ModelFacts *out) {
  ReuseModel m;
  reuse_model(values, &m);
  double flops = 2.0 * m.width * m.width * m.width;
  fact_number(out, "reads_of_an_element", "times", m.tile ? up(m.width, m.tile) : m.width);
  fact_number(out, "words", "words", (double)m.words);
  fact_number(out, "requests", "requests", (double)m.requests);
  fact_number(out, "sectors", "sectors", (double)m.sectors);
  fact_number(out, "shared_reads", "words", (double)m.shared_reads);
  fact_number(out, "shared_bytes", "bytes of a block", 2.0 * m.tile * m.tile * WORD);
  fact_number(out, "flop_per_byte", "", flops / (WORD * (double)m.words));
}

static void words(const ModelValues *values, LsText *out) {
  ReuseModel m;
  reuse_model(values, &m);
  int reads = m.tile ? up(m.width, m.tile) : m.width;
  if (!m.tile)
    ls_text_addf(out, "Naive: each thread walks along its row of M and down its column of N: %d threads read each "
                      "element.",
                 reads);
  else
    ls_text_addf(out, "A block of %d x %d threads brings a tile of M and one of N, and all its threads use them %d "
                      "times: each "
                 "element is read %d %s.", m.tile, m.tile, m.tile, reads, reads == 1 ? "time" : "times");
  char all[32], requests[32];
  ls_text_addf(out, " In all %s words in %s requests, %.3g flop per byte.",
               ls_group_digits((uint64_t)m.words, all), ls_group_digits((uint64_t)m.requests, requests),
               2.0 * m.width * m.width * m.width / (WORD * (double)m.words));
  if (m.tile && m.width % m.tile) ls_text_add(out, " The last tiles stick out: there zeros stand for elements.");
}

static int64_t most(const ModelValues *values, int param) {
  return param == ROW || param == COL ? values->numbers.value[WIDTH] - 1 : params[param].max;
}

const Model model_reuse = {
    .recipe = {.name = "reuse", .title = "How often is each element read", .topic = "matrix multiply",
               .about = "A matrix product by threads of which each makes one element of P. The number in a cell says "
                        "how often "
                        "that element of M or N has been read from global memory: once for every thread that needs "
                        "it, or "
                        "once for every tile.",
               .params = params, .param_count = LS_COUNT(params)},
    .rules = "Reads of global memory by the two loads of a thread, warp by warp, sectors of 32 bytes, no cache. A "
             "naive "
             "kernel runs in blocks of 16 x 16.",
    .time = STEP, .facts = facts, .words = words, .end = end, .most = most,
};
