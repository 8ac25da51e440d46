// ids.c: the model of block and thread numbers: from threadIdx and blockIdx to ranks, warps and lanes, and back.
#include "app/models/ids.h"

#include "base/mem.h"

enum { GRID_X, GRID_Y, SIZE_X, SIZE_Y, SIZE_Z, BLOCK, THREAD };
enum { GRID_MOST = 16, X_MOST = 64, Y_MOST = 32, Z_MOST = 8, THREADS_MOST = 1024 };

static RecipeParam params[] = {
    [GRID_X] = {.name = "grid_x", .help = "blocks of the grid in x", .fallback = 3, .min = 1, .max = GRID_MOST,
                .step = 1},
    [GRID_Y] = {.name = "grid_y", .help = "blocks of the grid in y", .fallback = 2, .min = 1, .max = GRID_MOST,
                .step = 1},
    [SIZE_X] = {.name = "block_x", .help = "threads of a block in x", .fallback = 8, .min = 1, .max = X_MOST,
                .step = 1},
    [SIZE_Y] = {.name = "block_y", .help = "threads of a block in y", .fallback = 4, .min = 1, .max = Y_MOST,
                .step = 1},
    [SIZE_Z] = {.name = "block_z", .help = "threads of a block in z; one layer of them is shown", .fallback = 1,
                .min = 1, .max = Z_MOST, .step = 1},
    [BLOCK] = {.name = "block", .help = "the chosen block, by its rank", .fallback = 4,
               .max = GRID_MOST * GRID_MOST - 1, .step = 1},
    [THREAD] = {.name = "thread", .help = "the chosen thread, by its rank in the block", .fallback = 11,
                .max = X_MOST * Y_MOST * Z_MOST - 1, .step = 1},
};

void ids_model(const ModelValues *values, IdsModel *out) {
  IdsModel m = {.grid_x = model_int(values, GRID_X), .grid_y = model_int(values, GRID_Y),
                .size_x = model_int(values, SIZE_X), .size_y = model_int(values, SIZE_Y),
                .size_z = model_int(values, SIZE_Z)};
  m.threads = m.size_x * m.size_y * m.size_z;
  m.warps = (m.threads + IDS_WARP - 1) / IDS_WARP;
  m.block = LS_MIN(model_int(values, BLOCK), m.grid_x * m.grid_y - 1);
  m.block_x = m.block % m.grid_x, m.block_y = m.block / m.grid_x;
  m.rank = LS_MIN(model_int(values, THREAD), m.threads - 1);
  m.x = m.rank % m.size_x, m.y = m.rank / m.size_x % m.size_y, m.z = m.rank / (m.size_x * m.size_y);
  *out = m;
}

static void facts(const ModelValues *values, ModelFacts *out) {
  IdsModel m;
  ids_model(values, &m);
  fact_number(out, "threads", "threads", m.threads);
  fact_number(out, "warps", "warps", m.warps);
  fact_number(out, "last_lanes", "lanes", m.threads - (m.warps - 1) * IDS_WARP);
  fact_number(out, "x", "", m.x);
  fact_number(out, "y", "", m.y);
  fact_number(out, "z", "", m.z);
  fact_number(out, "rank", "", m.rank);
  fact_number(out, "warp", "", m.rank / IDS_WARP);
  fact_number(out, "lane", "", m.rank % IDS_WARP);
  fact_number(out, "block_rank", "", m.block);
  fact_number(out, "column", "", m.block_x * m.size_x + m.x);
  fact_number(out, "row", "", m.block_y * m.size_y + m.y);
  fact_number(out, "linear", "", (double)m.block * m.threads + m.rank);
}

static void words(const ModelValues *values, LsText *out) {
  IdsModel m;
  ids_model(values, &m);
  ls_text_addf(out, "Thread (%d, %d, %d) of block (%d, %d): rank (%d x %d + %d) x %d + %d = %d, ", m.x, m.y, m.z,
               m.block_x, m.block_y, m.z, m.size_y, m.y, m.size_x, m.x, m.rank);
  ls_text_addf(out, "so lane %d of warp %d. ", m.rank % IDS_WARP, m.rank / IDS_WARP);
  ls_text_addf(out, "In the whole grid it is column %d, row %d, and thread %d of %d.", m.block_x * m.size_x + m.x,
               m.block_y * m.size_y + m.y, m.block * m.threads + m.rank, m.grid_x * m.grid_y * m.threads);
  if (m.threads > THREADS_MOST)
    ls_text_addf(out, " A block of %d threads is refused: %d is the most.", m.threads, THREADS_MOST);
  else if (m.threads % IDS_WARP)
    ls_text_addf(out, " Its last warp has %d lanes without a thread.", m.warps * IDS_WARP - m.threads);
}

static int64_t most(const ModelValues *values, int param) {
  IdsModel m;
  ids_model(values, &m);
  if (param == BLOCK) return LS_MAX(m.grid_x * m.grid_y - 1, 1);
  return param == THREAD ? LS_MAX(m.threads - 1, 1) : params[param].max;
}

const Model model_ids = {
    .recipe = {.name = "ids", .title = "Which thread is this", .topic = "indexing",
               .about = "A grid of blocks of threads. Threads are numbered with x first, then y, then z; 32 numbers in "
                        "a row are a warp. Choose a block and a thread and see all its numbers.",
               .params = params, .param_count = LS_COUNT(params)},
    .rules = "CUDA C++ Programming Guide, thread hierarchy: rank = (z x size of y + y) x size of x + x; a warp is 32 "
             "threads with ranks in a row. A grid may have three dimensions, too; here it has two.",
    .time = -1, .facts = facts, .words = words, .most = most,
};
