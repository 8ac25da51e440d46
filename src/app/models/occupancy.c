// occupancy.c: the model of how many blocks of a kernel an SM holds, by four limits.
#include "app/models/occupancy.h"

#include <limits.h>
#include <math.h>

#include "app/models/model.h"
#include "base/mem.h"

enum { PROFILE, THREADS, REGISTERS, SHARED, CURVE };

static const char *const curves[] = {"threads", "registers", "shared"};

static RecipeParam params[] = {
    [PROFILE] = MODEL_PROFILE,
    [THREADS] = {.name = "threads", .help = "threads of a block", .fallback = 256, .min = 1, .max = 1024, .step = 32},
    [REGISTERS] = {.name = "registers", .help = "registers of a thread", .fallback = 34, .min = 0, .max = 255,
                   .step = 1},
    [SHARED] = {.name = "shared", .help = "bytes of shared memory of a block", .min = 0, .max = 227 * 1024,
                .step = 1024},
    [CURVE] = {.name = "curve", .help = "along which of them the curve runs", .is_text = true, .max = 2, .step = 1,
               .choices = (const char **)curves, .choice_count = LS_COUNT(curves)},
};

void occupancy_model(const ModelValues *values, OccupancyModel *out) {
  *out = (OccupancyModel){.arch = model_profile(model_int(values, PROFILE)), .threads = model_int(values, THREADS),
                          .registers = model_int(values, REGISTERS), .shared = model_int(values, SHARED),
                          .curve = (OccupancyCurve)model_int(values, CURVE)};
  occ_compute(out->arch, out->threads, out->registers, out->shared, &out->occ);
  occ_file(out->arch, out->threads, out->registers, &out->file);
}

// ---- the curve -----------------------------------------------------------------------------------------------------

int occupancy_curve_value(const OccupancyModel *model, int column) {
  switch (model->curve) {
    case OCC_CURVE_REGISTERS: return LS_MIN((column + 1) * 8, model->arch->regs_per_thread);
    case OCC_CURVE_SHARED: return (int)((int64_t)model->arch->shared_per_block * (column + 1) / OCC_CURVE_COLUMNS);
    default: return (column + 1) * 32;
  }
}

int occupancy_curve_here(const OccupancyModel *model) {
  const int now[] = {model->threads, model->registers, model->shared};
  for (int i = 0; i < OCC_CURVE_COLUMNS; i++)
    if (occupancy_curve_value(model, i) >= now[model->curve]) return i;
  return OCC_CURVE_COLUMNS - 1;
}

void occupancy_curve_at(const OccupancyModel *model, int column, Occupancy *out) {
  int value = occupancy_curve_value(model, column);
  occ_compute(model->arch, model->curve == OCC_CURVE_THREADS ? value : model->threads,
              model->curve == OCC_CURVE_REGISTERS ? value : model->registers,
              model->curve == OCC_CURVE_SHARED ? value : model->shared, out);
}

// ---- numbers and words ---------------------------------------------------------------------------------------------

static double or_any(int blocks) { return blocks == INT_MAX ? NAN : (double)blocks; }

static void facts(const ModelValues *values, ModelFacts *out) {
  OccupancyModel m;
  occupancy_model(values, &m);
  int warps = (m.threads + 31) / 32;
  fact_number(out, "blocks", "blocks", m.occ.blocks);
  fact_number(out, "warps", "warps", m.occ.warps);
  fact_number(out, "max_warps", "warps", m.occ.max_warps);
  fact_number(out, "occupancy", "", m.occ.fraction);
  fact_text(out, "limit", occ_limit_name(m.occ.limit));
  fact_number(out, "by_warps", "blocks", or_any(m.occ.by_warps));
  fact_number(out, "by_blocks", "blocks", or_any(m.occ.by_blocks));
  fact_number(out, "by_registers", "blocks", or_any(m.occ.by_regs));
  fact_number(out, "by_shared", "blocks", or_any(m.occ.by_shared));
  fact_number(out, "registers_per_block", "registers", m.occ.regs_per_block);
  fact_number(out, "shared_per_block", "bytes", m.occ.shared_per_block);
  fact_number(out, "warps_per_block", "warps", warps);
  fact_number(out, "lanes_used", "", (double)m.threads / (warps * 32));
}

// The most of one resource with which more blocks would fit; -1: less of it does not help.
static int cure(const OccupancyModel *m, OccLimit limit) {
  Occupancy other;
  int now = limit == OCC_REGS ? m->registers : m->shared;
  for (int value = now - 1; value >= 0; value--) {
    occ_compute(m->arch, m->threads, limit == OCC_REGS ? value : m->registers, limit == OCC_SHARED ? value : m->shared,
                &other);
    if (other.blocks > m->occ.blocks) return value;
  }
  return -1;
}

static void add_cure(const OccupancyModel *m, LsText *out) {
  Occupancy better;
  if (m->occ.limit != OCC_REGS && m->occ.limit != OCC_SHARED) return;
  bool regs = m->occ.limit == OCC_REGS;
  int value = cure(m, m->occ.limit);
  if (value < 0) return;
  occ_compute(m->arch, m->threads, regs ? value : m->registers, regs ? m->shared : value, &better);
  ls_text_addf(out, regs ? " With %d registers it would be %d." : " With %d bytes it would be %d.", value,
               better.blocks);
}

static void add_impossible(const OccupancyModel *m, LsText *out) {
  char most[32], asked[32];
  if (m->threads > m->arch->threads_per_block)
    ls_text_addf(out, "No block of %d threads runs here: %d is the most.", m->threads, m->arch->threads_per_block);
  else if (m->registers > m->arch->regs_per_thread)
    ls_text_addf(out, "A thread has at most %d registers here, not %d.", m->arch->regs_per_thread, m->registers);
  else if (m->occ.by_regs == 0)
    ls_text_addf(out, "%d threads with %d registers each are more than the register file of an SM: the launch fails.",
                 m->threads, m->registers);
  else ls_text_addf(out, "A block has at most %s bytes of shared memory here, not %s: the launch fails.",
                    ls_group_digits((uint64_t)m->arch->shared_per_block, most),
                    ls_group_digits((uint64_t)m->shared, asked));
}

static const char *counted(int count, const char *one, const char *many) { return count == 1 ? one : many; }

static void add_limit(const OccupancyModel *m, LsText *out) {
  char file[32], taken[32];
  switch (m->occ.limit) {
    case OCC_WARPS: ls_text_addf(out, "The warp slots are the limit: a block takes %d of %d.", (m->threads + 31) / 32,
                                 m->occ.max_warps); break;
    case OCC_BLOCKS: ls_text_addf(out, "The block slots are the limit: an SM has %d, however small the blocks are.",
                                  m->occ.by_blocks); break;
    case OCC_REGS:
      ls_group_digits((uint64_t)m->occ.regs_per_block, taken);
      ls_group_digits((uint64_t)m->arch->regs_per_sm, file);
      ls_text_addf(out, "The registers are the limit: a block takes %s of %s.", taken, file);
      break;
    default:
      ls_group_digits((uint64_t)m->occ.shared_per_block, taken);
      ls_group_digits((uint64_t)m->arch->shared_per_sm, file);
      ls_text_addf(out, "Shared memory is the limit: a block takes %s of %s bytes.", taken, file);
  }
}

static void words(const ModelValues *values, LsText *out) {
  OccupancyModel m;
  occupancy_model(values, &m);
  if (m.occ.limit == OCC_IMPOSSIBLE) {
    add_impossible(&m, out);
    return;
  }
  int warps = (m.threads + 31) / 32, lanes = warps * 32;
  ls_text_addf(out, "%d %s of %d %s: %d of %d warps, %.4g %%. ", m.occ.blocks, counted(m.occ.blocks, "block", "blocks"),
               warps,
               counted(warps, "warp", "warps"), m.occ.warps, m.occ.max_warps, m.occ.fraction * 100);
  add_limit(&m, out);
  if (m.file.per_warp && m.file.rounded != m.registers)
    ls_text_addf(out, " Warps get registers in portions: %d of a thread count as %d.", m.registers, m.file.rounded);
  add_cure(&m, out);
  if (lanes > m.threads)
    ls_text_addf(out, " %d of the %d lanes of a block stay dark: occupancy counts warps, not threads.",
                 lanes - m.threads, lanes);
}

// What a block or a thread can have on the device.
static int64_t most(const ModelValues *values, int param) {
  const ArchProfile *arch = model_profile(model_int(values, PROFILE));
  switch (param) {
    case THREADS: return arch->threads_per_block;
    case REGISTERS: return arch->regs_per_thread;
    case SHARED: return arch->shared_per_block;
    default: return params[param].max;
  }
}

const Model model_occupancy = {
    .recipe = {.name = "occupancy", .title = "How many warps live on an SM at once", .topic = "occupancy",
               .about = "Four gauges fill block by block: warp slots, block slots, registers, shared memory. The first "
                        "that is full is the limit. Registers and shared memory are handed out in portions, so the "
                        "curve is a staircase.",
               .params = params, .param_count = LS_COUNT(params)},
    .rules = "Limits by compute capability (CUDA C++ Programming Guide, technical specifications); portions as in "
             "NVIDIA's cuda_occupancy.h, devices before 3.0 as in its occupancy calculator. It says how many warps "
             "there is room for, not how many a run has, nor how fast it is.",
    .profile = "v100", .time = -1, .facts = facts, .words = words, .most = most,
};
