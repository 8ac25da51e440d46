// view_memory.c: the elements of an array, those that the event touches standing out.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "ui/views/view.h"

enum { MAX_PER_ROW = 64, LABEL_GAP = 2, CELL_GAP = 2, SHORTEST_CELL = 3, MAX_ROUNDS = 4 };
enum { ROUNDED_WIDTH = 5, ENOUGH_PER_ROW = 8 };

typedef struct Grid {
  const SceneArray *array;
  int label_w, cell_w, per_row, rows;
  bool rounded;               // floats with few digits, where whole ones would leave too few to a row
  uint64_t first;             // element at the upper left corner
} Grid;

// The array that is shown: the chosen one, else the one that the event touches, else shared before global.
static const SceneArray *shown_array(const Session *session, const Scene *scene) {
  const SceneArray *best = NULL;
  if (session->array_shown >= 0 && session->array_shown < scene->array_count)
    return &scene->arrays[session->array_shown];
  for (int i = 0; i < scene->array_count; i++) {
    const SceneArray *array = &scene->arrays[i];
    if (array->touched) return array;
    if (!best || (array->space == TRACE_SHARED && best->space != TRACE_SHARED)) best = array;
  }
  return best;
}

// Which lanes of the event touch an element.
static uint32_t lanes_touching(const Scene *scene, const SceneArray *array, uint64_t element) {
  const TraceEvent *event = &scene->event;
  bool memory = event->kind == TRACE_LOAD || event->kind == TRACE_STORE || event->kind == TRACE_ATOM;
  if (!memory || !array->touched || event->space != array->space || !event->addr) return 0;
  uint64_t begin = array->base + element * array->elem_size, end = begin + array->elem_size;
  uint32_t lanes = 0;
  for (int lane = 0; lane < 32; lane++)
    if ((event->mask >> lane & 1) && event->addr[lane] < end && event->addr[lane] + event->width > begin)
      lanes |= 1u << lane;
  return lanes;
}

// As many decimals as ROUNDED_WIDTH columns hold; an exponent for what would become 0 or too long.
static void add_rounded(double value, LsText *out) {
  double size = fabs(value);
  if (value != 0 && (size < 0.01 || size >= 1e5)) {
    ls_text_addf(out, "%.0e", value);
    return;
  }
  char text[48];
  int decimals = 3;
  do snprintf(text, sizeof text, "%.*f", decimals, value);
  while (strlen(text) > ROUNDED_WIDTH && decimals-- > 0);
  ls_text_add(out, text);
}

static void element_text(const Session *session, const Grid *grid, uint64_t bits, LsText *out) {
  ls_text_clear(out);
  ses_format_value(grid->array->kind, grid->array->elem_size, bits, session->hex, out);
  if (!grid->rounded || session->hex || out->length <= ROUNDED_WIDTH) return;
  double value = strtod(out->data, NULL);
  ls_text_clear(out);
  add_rounded(value, out);
}

static int read_row(Session *session, const Grid *grid, int row, uint64_t *bits, uint8_t *init) {
  uint64_t at = grid->first + (uint64_t)row * (uint64_t)grid->per_row;
  if (at >= grid->array->count) return 0;
  uint64_t wanted = LS_MIN((uint64_t)grid->per_row, grid->array->count - at);
  return (int)ses_array_read(session, grid->array, at, wanted, bits, init);
}

static int widest_value(Session *session, const Grid *grid) {
  uint64_t bits[MAX_PER_ROW];
  uint8_t init[MAX_PER_ROW];
  int widest = SHORTEST_CELL;
  LsText text = {0};
  for (int row = 0; row < grid->rows; row++) {
    int count = read_row(session, grid, row, bits, init);
    for (int i = 0; i < count; i++) {
      if (!init[i]) continue;
      element_text(session, grid, bits[i], &text);
      widest = LS_MAX(widest, ls_utf8_width(ls_text_str(&text)));
    }
  }
  ls_text_free(&text);
  return widest;
}

static int fitting(int room, int cell_w, const SceneArray *array) {
  int most = LS_CLAMP(room / (cell_w + CELL_GAP), 1, MAX_PER_ROW);
  if (array->columns > 0 && array->columns <= most) return (int)array->columns;
  int power = 1;
  while (power * 2 <= most) power *= 2;
  return power;
}

static void place(Session *session, Grid *grid) {
  const SceneArray *array = grid->array;
  uint64_t per_row = (uint64_t)grid->per_row, all_rows = (array->count + per_row - 1) / per_row;
  int64_t top = array->touched ? (int64_t)(array->touched_first / per_row) : 0;
  if (array->touched && array->touched_last / per_row - array->touched_first / per_row < (uint64_t)grid->rows)
    top -= (grid->rows - 1 - (int64_t)(array->touched_last / per_row - array->touched_first / per_row)) / 2;
  top += session->scroll[PANE_MEMORY];
  int64_t last_top = (int64_t)all_rows - grid->rows;
  grid->first = (uint64_t)LS_CLAMP(top, 0, LS_MAX(last_top, 0)) * per_row;
}

// The width of a value decides how many stand in a row, which decides which values are shown: a few rounds settle it.
static void fit(Session *session, Grid *grid, int room) {
  grid->cell_w = SHORTEST_CELL;
  for (int round = 0; round < MAX_ROUNDS; round++) {
    grid->per_row = fitting(room, grid->cell_w, grid->array);
    place(session, grid);
    int widest = LS_MIN(widest_value(session, grid), LS_MAX(room - CELL_GAP, 1));
    if (widest <= grid->cell_w) return;
    grid->cell_w = widest;
  }
  grid->per_row = fitting(room, grid->cell_w, grid->array);
  place(session, grid);
}

static Grid grid_of(Session *session, const SceneArray *array, Rect body) {
  Grid grid = {.array = array, .rows = LS_MIN(body.h, 32)};
  char last[32];
  if (array->columns > 0)
    snprintf(last, sizeof last, "[%lld][%lld]", (long long)((int64_t)array->count / array->columns),
             (long long)array->columns);
  else snprintf(last, sizeof last, "%llu", (unsigned long long)(array->count ? array->count - 1 : 0));
  grid.label_w = LS_MAX((int)strlen(last), 3);
  int room = body.w - 2 - grid.label_w - LABEL_GAP;
  fit(session, &grid, room);
  if (array->kind == PTX_DW_FLOAT && grid.per_row < ENOUGH_PER_ROW) {
    grid.rounded = true;
    fit(session, &grid, room);
  }
  return grid;
}

static Role element_role(const Scene *scene, uint32_t lanes, bool written) {
  if (lanes) return scene->event.kind == TRACE_LOAD ? ROLE_ACTIVE : ROLE_CHANGED;
  return written ? ROLE_TEXT : ROLE_DIM;
}

static void draw_row(Session *session, Canvas *canvas, const Grid *grid, Rect body, int row, LsText *text) {
  const Scene *scene = ses_scene(session);
  uint64_t bits[MAX_PER_ROW], at = grid->first + (uint64_t)row * (uint64_t)grid->per_row;
  uint8_t init[MAX_PER_ROW];
  int count = read_row(session, grid, row, bits, init), y = body.y + row, x = body.x + 2 + grid->label_w;
  if (count <= 0) return;
  char label[48];
  int64_t columns = grid->array->columns;
  if (columns > 0)
    snprintf(label, sizeof label, "[%lld][%lld]", (long long)((int64_t)at / columns),
             (long long)((int64_t)at % columns));
  else snprintf(label, sizeof label, "%llu", (unsigned long long)at);
  canvas_text_right(canvas, x, y, ROLE_DIM, 0, label);
  x += LABEL_GAP;
  for (int i = 0; i < count; i++, x += grid->cell_w + CELL_GAP) {
    uint32_t lanes = lanes_touching(scene, grid->array, at + (uint64_t)i);
    Role role = element_role(scene, lanes, init[i]);
    element_text(session, grid, bits[i], text);
    if (!init[i]) {
      ls_text_clear(text);
      ls_text_add(text, "·");
    }
    int width = LS_MIN(ls_utf8_width(ls_text_str(text)), grid->cell_w);
    canvas_text_cut(canvas, x + grid->cell_w - width, y, width, role, lanes ? STYLE_BOLD : 0, ls_text_str(text));
  }
}

void view_draw_memory(Session *session, Canvas *canvas, Rect rect) {
  const Scene *scene = ses_scene(session);
  const SceneArray *array = shown_array(session, scene);
  if (!array) {
    view_rule(canvas, rect, "memory", NULL);
    canvas_text_cut(canvas, rect.x + 3, rect.y + 1, rect.w - 4, ROLE_DIM, 0, "this run has no arrays to show");
    return;
  }
  char title[160];
  snprintf(title, sizeof title, "%s · %s · %s%s", array->name, array->type, trace_space_name((TraceSpace)array->space),
           view_values_tag(session));
  Rect body = view_pane_rule(session, PANE_MEMORY, canvas, rect, title, NULL);
  if (scene->astray[0]) {
    canvas_text_wrap(canvas, (Rect){body.x + 3, body.y, body.w - 4, body.h}, 0, ROLE_DIM, 0, scene->astray);
    return;
  }
  Grid grid = grid_of(session, array, body);
  LsText text = {0};
  for (int row = 0; row < grid.rows; row++) draw_row(session, canvas, &grid, body, row, &text);
  ls_text_free(&text);
}
