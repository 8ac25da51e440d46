// draw_latency.c: a row per warp, a column per cycle: who issues, who waits; and how busy more or fewer warps would be.
#include <stdio.h>
#include <stdlib.h>

#include "app/models/latency.h"
#include "base/mem.h"
#include "ui/models/pictures.h"

enum { LABEL_W = 8, ROWS_FRAME = 3, CURVE_ROWS = 6, CURVE_GAP = 1, WARPS_LEAST = 3, CURVE_MOST = 32, AXIS_MARKS = 6 };

// What a cell of the grid shows. A cell is one cycle or more: then the busiest of them counts.
typedef enum Doing { GONE, READY, WAITS, ISSUES } Doing;
typedef struct GridCell { uint8_t doing, kind; } GridCell;

typedef struct Grid {
  const LatencyModel *m;
  int cols, rows, cell_w;        // cells of a row; columns that a cell takes
  int64_t per_cell;              // cycles
  GridCell *cells;
  uint8_t *busy;                 // of the scheduler, per cell: issues, at most per_cell
  int64_t *last;                 // per warp: its last issue
} Grid;

static GridCell *cell_at(Grid *grid, int warp, int64_t cycle) {
  int64_t col = cycle / grid->per_cell;
  return warp < grid->rows && col < grid->cols ? &grid->cells[warp * grid->cols + col] : NULL;
}

static void mark(Grid *grid, int warp, int64_t from, int64_t to, Doing doing) {
  for (int64_t cycle = from; cycle < LS_MIN(to, grid->m->until); cycle += grid->per_cell - cycle % grid->per_cell) {
    GridCell *cell = cell_at(grid, warp, cycle);
    if (!cell) return;
    if (cell->doing < doing) cell->doing = (uint8_t)doing;
  }
}

// issued: the cycle of every instruction of every warp, which says when its result can be used.
typedef struct Told { Grid *grid; int64_t (*issued)[SCOREBOARD_CODE]; } Told;

static void on_issue(void *context, int64_t cycle, int warp, int inst) {
  Told *told = context;
  Grid *grid = told->grid;
  const ScoreInst *code = &grid->m->code.inst[inst];
  if (warp >= SCOREBOARD_WARPS) return;
  told->issued[warp][inst] = cycle;
  int64_t ready = code->needs < 0 ? 0 : told->issued[warp][code->needs] + grid->m->code.inst[code->needs].latency;
  int64_t from = grid->last[warp] + 1;
  mark(grid, warp, from, LS_MIN(ready, cycle), WAITS);
  mark(grid, warp, LS_MAX(from, ready), cycle, READY);
  grid->last[warp] = cycle;
  if (cycle >= grid->m->until) return;
  GridCell *cell = cell_at(grid, warp, cycle);
  if (cell) *cell = (GridCell){ISSUES, (uint8_t)code->kind};
  int64_t col = cycle / grid->per_cell;
  if (col < grid->cols && grid->busy[col] < 255) grid->busy[col]++;
}

static void fill_grid(Grid *grid) {
  ScoreRun run;
  Told told = {grid, ls_alloc(sizeof(int64_t[SCOREBOARD_WARPS][SCOREBOARD_CODE]))};
  grid->cells = ls_alloc(sizeof *grid->cells * (size_t)(LS_MAX(grid->rows, 1) * grid->cols));
  grid->busy = ls_alloc((size_t)grid->cols);
  grid->last = ls_alloc(sizeof *grid->last * SCOREBOARD_WARPS);
  for (int i = 0; i < SCOREBOARD_WARPS; i++) grid->last[i] = -1;
  scoreboard_run(&grid->m->code, grid->m->warps, grid->m->policy, on_issue, &told, &run);
  free(told.issued);
}

static void drop_grid(Grid *grid) {
  free(grid->cells);
  free(grid->busy);
  free(grid->last);
}

// ---- drawing -------------------------------------------------------------------------------------------------------

static uint32_t letter(ScoreKind kind) { return kind == SCORE_LOAD ? 'L' : kind == SCORE_STORE ? 'S' : 'A'; }

static Role role_of(ScoreKind kind) {
  return kind == SCORE_LOAD ? ROLE_SET1 : kind == SCORE_STORE ? ROLE_SET2 : ROLE_ACTIVE;
}

static void draw_cell(const Grid *grid, Canvas *canvas, int x, int y, GridCell cell) {
  static const uint32_t glyphs[] = {[GONE] = ' ', [READY] = 0x2591, [WAITS] = 0xb7};
  static const Role roles[] = {[GONE] = ROLE_GONE, [READY] = ROLE_MASKED, [WAITS] = ROLE_WAITING};
  for (int i = 0; i < grid->cell_w; i++) {
    if (cell.doing != ISSUES) canvas_put(canvas, x + i, y, glyphs[cell.doing], roles[cell.doing], 0);
    else if (grid->per_cell == 1 && i == 0) canvas_put(canvas, x, y, letter(cell.kind), role_of(cell.kind),
                                                       STYLE_BOLD | STYLE_REVERSE);
    else canvas_put(canvas, x + i, y, 0x2588, role_of(cell.kind), 0);
  }
}

static void draw_scheduler(const Grid *grid, Canvas *canvas, int x, int y) {
  canvas_text(canvas, x, y, ROLE_TEXT, 0, "issue");
  for (int col = 0; col < grid->cols && col * grid->per_cell < grid->m->until; col++) {
    int64_t whole = LS_MIN(grid->per_cell, grid->m->until - col * grid->per_cell);
    int eighths = (int)((8 * LS_MIN(grid->busy[col], whole) + whole - 1) / whole);
    for (int i = 0; i < grid->cell_w; i++)
      canvas_put(canvas, x + LABEL_W + col * grid->cell_w + i, y, eighths ? (uint32_t)(0x2580 + eighths) : 0x2591,
                 eighths ? ROLE_USED : ROLE_WASTED, 0);
  }
}

static void draw_cycles(const Grid *grid, Canvas *canvas, int x, int y) {
  canvas_text(canvas, x, y, ROLE_DIM, 0, "cycle");
  int apart = LS_MAX(grid->cols / AXIS_MARKS, 1), end = x + LABEL_W;
  if (grid->per_cell == 1 && apart > 1) apart = LS_MAX(apart / 5 * 5, 5);
  for (int col = 0; col < grid->cols; col += apart) {
    char text[24];
    int at = x + LABEL_W + col * grid->cell_w;
    snprintf(text, sizeof text, "%lld", (long long)(col * grid->per_cell));
    if (at >= end && at + ls_utf8_width(text) <= x + LABEL_W + grid->cols * grid->cell_w) end = canvas_text(canvas, at,
        y, ROLE_DIM, 0, text) + 1;
  }
}

static void draw_heading(const LatencyModel *m, Canvas *canvas, Rect row) {
  char text[96];
  double busy = (double)m->run.issued / (double)m->run.cycles;
  snprintf(text, sizeof text, "%lld cycles, %d issue, %.3g %% busy", (long long)m->run.cycles, m->run.issued,
           busy * 100);
  int room = row.w - ls_utf8_width(text) - 2;
  char title[96];
  snprintf(title, sizeof title, "%s, %d %s", latency_program_name(m->program), m->warps,
           m->warps == 1 ? "warp" : "warps");
  int x = row.x + canvas_text_cut(canvas, row.x, row.y, room, ROLE_TEXT, STYLE_BOLD, title) + 2;
  const char *key = "A issues  · waits  ░ ready";
  if (x + ls_utf8_width(key) < row.x + room) canvas_text(canvas, x, row.y, ROLE_DIM, 0, key);
  canvas_text_right(canvas, row.x + row.w, row.y, ROLE_TEXT, STYLE_BOLD, text);
}

// Rows of warps, what the scheduler does, and the axis.
static void draw_warps(const LatencyModel *m, Canvas *canvas, Rect rect) {
  int room = LS_MAX(rect.w - LABEL_W, 1), rows = LS_MAX(rect.h - ROWS_FRAME + 1, 1);
  bool more = m->warps > rows;
  Grid grid = {.m = m, .rows = more ? rows - 1 : m->warps};
  grid.per_cell = (m->run.cycles + room - 1) / room;
  grid.cols = (int)((m->run.cycles + grid.per_cell - 1) / grid.per_cell);
  grid.cell_w = LS_CLAMP(room / grid.cols, 1, 3);
  fill_grid(&grid);
  for (int w = 0; w < grid.rows; w++) {
    canvas_textf(canvas, rect.x, rect.y + w, ROLE_DIM, 0, "warp %d", w);
    for (int col = 0; col < grid.cols; col++)
      draw_cell(&grid, canvas, rect.x + LABEL_W + col * grid.cell_w, rect.y + w, grid.cells[w * grid.cols + col]);
  }
  if (more) canvas_textf(canvas, rect.x, rect.y + grid.rows, ROLE_DIM, 0, "▾ %d more warps, alike",
                         m->warps - grid.rows);
  int y = rect.y + grid.rows + more;
  draw_scheduler(&grid, canvas, rect.x, y);
  draw_cycles(&grid, canvas, rect.x, y + 1);
  drop_grid(&grid);
}

// How busy the scheduler is over the number of warps.
static void draw_curve(const LatencyModel *m, Canvas *canvas, Rect rect) {
  int column_w = LS_MAX((rect.w - LABEL_W) / CURVE_MOST, 1), x = rect.x + LABEL_W, height = rect.h - 2;
  picture_title(canvas, rect, "busy over the number of warps", NULL);
  canvas_text(canvas, rect.x, rect.y + 1, ROLE_DIM, 0, "100 %");
  canvas_fill(canvas, (Rect){x, rect.y + 1, column_w * CURVE_MOST, 1}, 0x2508, ROLE_RULE, 0);
  for (int warps = 1; warps <= CURVE_MOST; warps++, x += column_w) {
    picture_column(canvas, (Rect){x, rect.y + 1, column_w, height}, latency_busy(m, warps),
                   warps == m->warps ? ROLE_CURSOR : ROLE_ACTIVE);
    bool here = warps == m->warps;
    if (here || warps == 1 || warps % 8 == 0) {
      char text[16];
      snprintf(text, sizeof text, "%d", warps);
      bool beside = !here && abs(warps - m->warps) * column_w <= 2;
      if (!beside) canvas_text_right(canvas, LS_MAX(x + column_w, x + ls_utf8_width(text)), rect.y + rect.h - 1,
                                     here ? ROLE_CURSOR : ROLE_DIM, here ? STYLE_BOLD : 0, text);
    }
  }
}

PictureRoom model_room_latency(const ModelValues *values, int cols) {
  LatencyModel m;
  (void)cols;
  latency_model(values, &m);
  return (PictureRoom){1 + WARPS_LEAST + ROWS_FRAME, 1 + m.warps + ROWS_FRAME + CURVE_GAP + 2 * CURVE_ROWS};
}

void model_draw_latency(const ModelValues *values, Canvas *canvas, Rect rect) {
  LatencyModel m;
  latency_model(values, &m);
  draw_heading(&m, canvas, (Rect){rect.x, rect.y, rect.w, 1});
  int rows = rect.h - 1, wanted = m.warps + ROWS_FRAME - 1, curve = 0;
  if (rows - CURVE_ROWS - CURVE_GAP >= LS_MIN(wanted, WARPS_LEAST + ROWS_FRAME))
    curve = LS_CLAMP(rows - CURVE_GAP - wanted, CURVE_ROWS, 2 * CURVE_ROWS);
  int warps = rows - (curve ? curve + CURVE_GAP : 0);
  draw_warps(&m, canvas, (Rect){rect.x, rect.y + 1, rect.w, LS_MIN(warps, wanted)});
  if (curve) draw_curve(&m, canvas, (Rect){rect.x, rect.y + 1 + LS_MIN(warps, wanted) + CURVE_GAP, rect.w, curve});
}
