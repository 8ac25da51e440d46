// draw_occupancy.c: four gauges filled block by block, the partitions of the register file, and the curve.
#include <limits.h>
#include <stdio.h>

#include "app/models/occupancy.h"
#include "base/mem.h"
#include "ui/models/pictures.h"

enum { LABEL_W = 14, USED_W = 18, FITS_W = 12, GAUGES = 4, CURVE_LEAST = 4, CURVE_FRAME = 3, AXIS_W = 6,
      CURVE_MOST = 14 };

// One resource of the SM. asked: what blocks asked for; taken: with rounding.
typedef struct Gauge { const char *label; double asked, taken, whole; int fits; OccLimit limit; } Gauge;

static void gauges_of(const OccupancyModel *m, Gauge out[GAUGES]) {
  const Occupancy *o = &m->occ;
  int warps = (m->threads + 31) / 32;
  out[0] = (Gauge){"warp slots", m->threads / 32.0, warps, m->arch->warps_per_sm, o->by_warps, OCC_WARPS};
  out[1] = (Gauge){"block slots", 1, 1, m->arch->blocks_per_sm, o->by_blocks, OCC_BLOCKS};
  out[2] = (Gauge){"registers", (double)m->threads * m->registers, o->regs_per_block, m->arch->regs_per_sm, o->by_regs,
                   OCC_REGS};
  out[3] = (Gauge){"shared memory", m->shared, o->shared_per_block, m->arch->shared_per_sm, o->by_shared, OCC_SHARED};
}

// ---- gauges --------------------------------------------------------------------------------------------------------

static void draw_bar(const Gauge *gauge, int blocks, Canvas *canvas, Rect bar) {
  canvas_fill(canvas, bar, 0x2591, ROLE_GONE, 0);
  for (int b = 0; b < blocks; b++) {
    double from = b * gauge->taken;
    picture_piece(canvas, bar, from, from + gauge->taken, gauge->whole, 0x2592, ROLE_WASTED);
    picture_piece(canvas, bar, from, from + gauge->asked, gauge->whole, picture_shade(b), picture_set(b % 3));
  }
}

static void used_text(const Gauge *gauge, int blocks, char *out, size_t size) {
  bool bytes = gauge->limit == OCC_SHARED;
  double scale = bytes ? 1024 : 1;
  char used[32], whole[32];
  if (bytes) {
    snprintf(out, size, "%.4g of %.4g KB", blocks * gauge->taken / scale, gauge->whole / scale);
    return;
  }
  snprintf(out, size, "%s of %s", ls_group_digits((uint64_t)(blocks * gauge->taken), used),
           ls_group_digits((uint64_t)gauge->whole, whole));
}

static void draw_gauge(const OccupancyModel *m, const Gauge *gauge, Canvas *canvas, Rect row) {
  char used[64], fits[32];
  bool limit = m->occ.limit == gauge->limit || (m->occ.limit == OCC_IMPOSSIBLE && gauge->fits == 0);
  Role role = limit ? ROLE_CURSOR : ROLE_TEXT;
  canvas_text(canvas, row.x, row.y, limit ? ROLE_CURSOR : ROLE_DIM, limit ? STYLE_BOLD : 0, gauge->label);
  Rect bar = {row.x + LABEL_W, row.y, row.w - LABEL_W - USED_W - FITS_W, row.h};
  draw_bar(gauge, m->occ.blocks, canvas, bar);
  used_text(gauge, m->occ.blocks, used, sizeof used);
  canvas_text_right(canvas, bar.x + bar.w + USED_W, row.y, ROLE_DIM, 0, used);
  if (gauge->fits == INT_MAX) snprintf(fits, sizeof fits, "any");
  else snprintf(fits, sizeof fits, "%d", gauge->fits);
  int x = canvas_text(canvas, bar.x + bar.w + USED_W + 2, row.y, role, limit ? STYLE_BOLD : 0, fits);
  if (limit) canvas_text(canvas, x + 1, row.y, role, STYLE_BOLD, "◂ limit");
}

static void draw_heading(const OccupancyModel *m, Canvas *canvas, Rect row) {
  char text[96];
  snprintf(text, sizeof text, "%d %s, %d of %d warps, %.4g %%", m->occ.blocks, m->occ.blocks == 1 ? "block" : "blocks",
           m->occ.warps, m->occ.max_warps, m->occ.fraction * 100);
  if (m->occ.limit == OCC_IMPOSSIBLE) snprintf(text, sizeof text, "no block fits");
  int room = row.w - FITS_W - ls_utf8_width(text) - 2;
  int x = row.x + canvas_text_cut(canvas, row.x, row.y, room, ROLE_TEXT, STYLE_BOLD, m->arch->title) + 2;
  if (x + 6 < row.x + room) canvas_text(canvas, x, row.y, ROLE_DIM, 0, "one SM");
  Role role = m->occ.limit == OCC_IMPOSSIBLE ? ROLE_ALARM : ROLE_TEXT;
  canvas_text_right(canvas, row.x + row.w - FITS_W, row.y, role, STYLE_BOLD, text);
  canvas_text(canvas, row.x + row.w - FITS_W + 2, row.y, ROLE_DIM, 0, "fit blocks");
}

// ---- the register file ---------------------------------------------------------------------------------------------

// One partition: its warps side by side, each as wide as the registers that it takes. Warp i is in partition i modulo
// their number.
static void draw_partition(const OccupancyModel *m, int partition, Canvas *canvas, Rect row) {
  int per_block = (m->threads + 31) / 32, held = 0;
  char label[24], left[48];
  snprintf(label, sizeof label, "partition %d", partition);
  canvas_text(canvas, row.x, row.y, ROLE_DIM, 0, label);
  Rect bar = {row.x + LABEL_W, row.y, row.w - LABEL_W - USED_W - FITS_W, 1};
  canvas_fill(canvas, bar, 0x2591, ROLE_GONE, 0);
  for (int warp = partition; warp < m->occ.warps; warp += m->file.partitions, held++) {
    int block = warp / per_block;
    double from = (double)held * m->file.per_warp;
    picture_piece(canvas, bar, from, from + m->file.per_warp, m->file.partition_regs, picture_shade(block),
                  picture_set(block % 3));
  }
  int room = m->file.warps_per_partition - held;
  snprintf(label, sizeof label, "%d warps", held);
  canvas_text_right(canvas, bar.x + bar.w + USED_W, row.y, ROLE_DIM, 0, label);
  snprintf(left, sizeof left, room > 0 ? "%d more" : "full", room);
  canvas_text(canvas, bar.x + bar.w + USED_W + 2, row.y, ROLE_DIM, 0, left);
}

static bool has_partitions(const OccupancyModel *m) { return m->file.per_warp && m->occ.blocks; }

static int draw_file(const OccupancyModel *m, Canvas *canvas, Rect rect) {
  char title[128], per_warp[32];
  snprintf(title, sizeof title, "the register file · a warp takes %s, each from its own partition",
           ls_group_digits((uint64_t)m->file.per_warp, per_warp));
  picture_title(canvas, rect, title, m->file.rounded == m->registers ? NULL : "▒ lost by rounding");
  for (int p = 0; p < m->file.partitions; p++) draw_partition(m, p, canvas, (Rect){rect.x, rect.y + 1 + p, rect.w, 1});
  return 1 + m->file.partitions;
}

// ---- the curve -----------------------------------------------------------------------------------------------------

static const char limit_letters[] = {[OCC_WARPS] = 'w', [OCC_BLOCKS] = 'b', [OCC_REGS] = 'r', [OCC_SHARED] = 's',
                                     [OCC_IMPOSSIBLE] = '-'};

static void curve_label(const OccupancyModel *m, int column, char *out, size_t size) {
  int value = occupancy_curve_value(m, column);
  if (m->curve == OCC_CURVE_SHARED) snprintf(out, size, "%.3g", value / 1024.0);
  else snprintf(out, size, "%d", value);
}

static void draw_axis(const OccupancyModel *m, Canvas *canvas, int x, int y, int column_w) {
  int end = x;
  for (int i = 0; i < OCC_CURVE_COLUMNS; i++) {
    char label[16];
    bool wanted = i == 0 || (i + 1) % 8 == 0;
    curve_label(m, i, label, sizeof label);
    int w = ls_utf8_width(label), at = x + i * column_w + column_w - w;
    if (!wanted || (at < end + (i > 0))) continue;
    end = canvas_text(canvas, LS_MAX(at, x), y, ROLE_DIM, 0, label);
  }
}

static void draw_curve(const OccupancyModel *m, Canvas *canvas, Rect rect) {
  static const char *const over[] = {"threads of a block", "registers of a thread", "KB of shared memory of a block"};
  char title[96];
  int here = occupancy_curve_here(m), column_w = (rect.w - AXIS_W) / OCC_CURVE_COLUMNS, x = rect.x + AXIS_W;
  snprintf(title, sizeof title, "occupancy over %s", over[m->curve]);
  picture_title(canvas, rect, title, "w warps b blocks r registers s shared");
  Rect plot = {x, rect.y + 1, column_w, rect.h - CURVE_FRAME};
  canvas_text_right(canvas, x - 1, plot.y, ROLE_DIM, 0, "100 %");
  if (plot.h > 4) canvas_text_right(canvas, x - 1, plot.y + plot.h / 2, ROLE_DIM, 0, "50");
  canvas_fill(canvas, (Rect){x, plot.y, column_w * OCC_CURVE_COLUMNS, 1}, 0x2508, ROLE_RULE, 0);
  for (int i = 0; i < OCC_CURVE_COLUMNS; i++, plot.x += column_w) {
    Occupancy at;
    occupancy_curve_at(m, i, &at);
    picture_column(canvas, plot, at.fraction, i == here ? ROLE_CURSOR : ROLE_ACTIVE);
    int style = i == here ? STYLE_BOLD | STYLE_REVERSE : 0;
    canvas_put(canvas, plot.x + (column_w - 1) / 2, plot.y + plot.h, (uint32_t)limit_letters[at.limit],
               i == here ? ROLE_CURSOR : at.limit == OCC_IMPOSSIBLE ? ROLE_ALARM : ROLE_DIM, style);
  }
  canvas_text_right(canvas, x - 1, rect.y + rect.h - 2, ROLE_DIM, 0, "limit");
  draw_axis(m, canvas, x, rect.y + rect.h - 1, column_w);
}

// ---- the whole -----------------------------------------------------------------------------------------------------

PictureRoom model_room_occupancy(const ModelValues *values, int cols) {
  OccupancyModel m;
  (void)cols;
  occupancy_model(values, &m);
  int file = has_partitions(&m) ? m.file.partitions + 2 : 0, gauges = 2 + GAUGES;
  return (PictureRoom){gauges + CURVE_LEAST + CURVE_FRAME, gauges + file + CURVE_MOST + CURVE_FRAME};
}

void model_draw_occupancy(const ModelValues *values, Canvas *canvas, Rect rect) {
  OccupancyModel m;
  Gauge gauges[GAUGES];
  occupancy_model(values, &m);
  gauges_of(&m, gauges);
  int file = has_partitions(&m) ? m.file.partitions + 2 : 0, least = 2 + GAUGES + CURVE_LEAST + CURVE_FRAME;
  bool shows_file = file && rect.h >= least + file + 1;
  int y = rect.y;
  draw_heading(&m, canvas, (Rect){rect.x, y++, rect.w, 1});
  for (int i = 0; i < GAUGES; i++) draw_gauge(&m, &gauges[i], canvas, (Rect){rect.x, y++, rect.w, 1});
  y++;
  if (shows_file) y += draw_file(&m, canvas, (Rect){rect.x, y, rect.w, file}) + 1;
  int left = rect.y + rect.h - y;
  if (left >= 2 + CURVE_FRAME) draw_curve(&m, canvas, (Rect){rect.x, y, rect.w, LS_MIN(left,
                                                                                       CURVE_MOST + CURVE_FRAME)});
}
