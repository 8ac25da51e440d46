// view_texture.c: the texels of a texture or surface that the lanes of a warp access.
#include <stdio.h>
#include <stdlib.h>
#include "base/mem.h"
#include "ui/views/focus/focus.h"

//          0           4           8
//   y 0    0  1  2  3  ·  ·  ·  ·  ·           the lane that fetches there; 7+ where several do
//   y 1    8  9 10 11  ·  ·  ·  ·  ·
// Of a linear filter it is the first texel, which is blended with those to its right and below. A texture of one dimension
// is folded into rows, whose labels name the first texel.
enum { LANES = 32, CELL = 3, LABEL = 8, FOLD = 8 };

typedef struct Texels {
  Focus focus;
  const LaunchArg *arg;
  const TraceObject *object;
  int64_t at[LANES][3];      // x, y, z or layer
  uint32_t here, elsewhere;  // lanes in the plane that is shown, and in others
  int64_t plane, first[2];   // z or layer; the texel at the upper left
  int columns, rows;         // of texels
} Texels;

static bool find_image(Texels *t) {
  const TraceInfo *info = t->focus.info;
  uint64_t addr = t->focus.event->addr[__builtin_ctz(t->focus.event->mask)];
  for (int i = 0; i < info->object_count; i++) {
    const TraceObject *object = &info->objects[i];
    bool known = object->space == TRACE_TEXTURE && object->arg >= 0 && object->arg < info->launch.arg_count;
    if (!known || addr - object->base >= object->size) continue;
    t->object = object;
    t->arg = &info->launch.args[object->arg];
    return t->arg->image.kind != LAUNCH_NO_IMAGE;
  }
  return false;
}

// Lanes may use several textures: those of others than the first lane's are left out.
static uint32_t place_lanes(Texels *t) {
  const TraceEvent *event = t->focus.event;
  const LaunchImage *image = &t->arg->image;
  uint64_t bytes = (uint64_t)launch_type_size(t->arg->type) * image->channels;
  uint32_t lanes = 0;
  for (uint32_t left = event->mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    uint64_t offset = event->addr[lane] - t->object->base;
    if (offset >= t->object->size) continue;
    uint64_t texel = offset / bytes, row = texel / image->width;
    t->at[lane][0] = (int64_t)(texel % image->width);
    t->at[lane][1] = (int64_t)(row % image->height);
    t->at[lane][2] = (int64_t)(row / image->height);
    lanes |= 1u << lane;
  }
  return lanes;
}

static bool is_folded(const Texels *t) { return t->arg->image.height == 1; }

static int64_t least(const Texels *t, int axis) {
  int64_t low = INT64_MAX;
  for (uint32_t left = t->here; left; left &= left - 1) low = LS_MIN(low, t->at[__builtin_ctz(left)][axis]);
  return low;
}

// The plane of the lane that is looked at, else of the first one, and the part of it that lanes touch.
static void choose_part(Texels *t, uint32_t lanes) {
  const LaunchImage *image = &t->arg->image;
  int inspected = t->focus.session->lane, lead = __builtin_ctz(lanes);
  if (inspected >= 0 && lanes >> inspected & 1) lead = inspected;
  t->plane = t->at[lead][2];
  for (int lane = 0; lane < LANES; lane++)
    if (lanes >> lane & 1) *(t->at[lane][2] == t->plane ? &t->here : &t->elsewhere) |= 1u << lane;
  int room = (t->focus.body.w - 2 * FOCUS_INDENT - LABEL) / CELL;
  t->columns = LS_MAX(room, 1);
  t->rows = LS_MAX(t->focus.body.h - 1 - (t->elsewhere != 0), 1);
  if (is_folded(t)) {
    t->columns = LS_MAX(room / FOLD * FOLD, 1);
    t->first[0] = least(t, 0) / t->columns * t->columns;
    return;
  }
  t->columns = (int)LS_MIN(t->columns, (int64_t)image->width);
  t->rows = (int)LS_MIN(t->rows, (int64_t)image->height);
  const int64_t size[2] = {image->width, image->height}, shown[2] = {t->columns, t->rows};
  for (int k = 0; k < 2; k++) {
    t->first[k] = LS_MIN(least(t, k), size[k] - shown[k]);
    if (t->at[lead][k] >= t->first[k] + shown[k]) t->first[k] = LS_MIN(t->at[lead][k], size[k] - shown[k]);
  }
}

// ---- drawing -------------------------------------------------------------------------------------------------------

static uint32_t lanes_at(const Texels *t, int64_t x, int64_t y) {
  uint32_t lanes = 0;
  for (uint32_t left = t->here; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    if (t->at[lane][0] == x && t->at[lane][1] == y) lanes |= 1u << lane;
  }
  return lanes;
}

static void draw_texel(const Texels *t, int64_t x, int64_t y, int column, int row) {
  Canvas *canvas = t->focus.canvas;
  uint32_t lanes = lanes_at(t, x, y);
  int inspected = t->focus.session->lane;
  if (!lanes) {
    canvas_put(canvas, column + 1, row, 0xb7, ROLE_GONE, 0);
    return;
  }
  bool looked_at = inspected >= 0 && lanes >> inspected & 1, many = lanes & (lanes - 1);
  int lane = looked_at ? inspected : __builtin_ctz(lanes);
  canvas_background(canvas, (Rect){column, row, CELL - !many, 1}, looked_at ? ROLE_CURSOR : ROLE_USED);
  canvas_textf(canvas, column, row, ROLE_TEXT, 0, many ? "%2d+" : "%2d", lane);
}

static void draw_row(const Texels *t, int number, int row) {
  const LaunchImage *image = &t->arg->image;
  Canvas *canvas = t->focus.canvas;
  int left = t->focus.body.x + FOCUS_INDENT;
  int64_t x = t->first[0] + (is_folded(t) ? (int64_t)number * t->columns : 0), y = is_folded(t) ? 0 : t->first[1] + number;
  if (x >= image->width || y >= image->height) return;
  canvas_textf(canvas, left, row, ROLE_DIM, 0, is_folded(t) ? "%lld" : "y %lld", (long long)(is_folded(t) ? x : y));
  for (int i = 0; i < t->columns && x + i < image->width; i++) draw_texel(t, x + i, y, left + LABEL + i * CELL, row);
}

static void draw_numbers(const Texels *t) {
  for (int i = 0; i < t->columns; i += 4) {
    long long number = is_folded(t) ? i : t->first[0] + i;
    canvas_textf(t->focus.canvas, t->focus.body.x + FOCUS_INDENT + LABEL + i * CELL, t->focus.body.y, ROLE_DIM, 0,
                 is_folded(t) ? "+%lld" : "%2lld", number);
  }
}

static void draw_rule(Texels *t, Rect rect) {
  char title[80], right[48] = "";
  char *text = launch_image_text(t->arg);
  const LaunchImage *image = &t->arg->image;
  snprintf(title, sizeof title, "%s · %.20s · %.40s", image->kind == LAUNCH_SURFACE ? "surface" : "texture", t->object->name, text);
  if (image->layered) snprintf(right, sizeof right, "layer %lld", (long long)t->plane);
  else if (image->dims > 2) snprintf(right, sizeof right, "z = %lld", (long long)t->plane);
  focus_rule(&t->focus, rect, title, right);
  free(text);
}

static const FocusPane pane = {FOCUS_TEXTURE,
                               "Texels that the lanes fetch, or access in a surface, show here; this warp has touched none yet. "
                               "Press n for the next event of interest."};

void view_draw_texture(Session *session, Canvas *canvas, Rect rect) {
  Texels t = {0};
  if (!focus_begin(&pane, session, canvas, rect, &t.focus)) return;
  bool known = t.focus.event->addr && t.focus.event->mask && find_image(&t);
  uint32_t lanes = known ? place_lanes(&t) : 0;
  if (!lanes) {
    focus_rule(&t.focus, rect, focus_title(FOCUS_TEXTURE), NULL);
    return;
  }
  t.plane = t.at[__builtin_ctz(lanes)][2];
  t.focus.body = (Rect){rect.x, rect.y + 1, rect.w, rect.h - 1};
  choose_part(&t, lanes);
  draw_rule(&t, rect);
  draw_numbers(&t);
  for (int i = 0; i < t.rows; i++) draw_row(&t, i, t.focus.body.y + 1 + i);
  if (!t.elsewhere) return;
  int others = __builtin_popcount(t.elsewhere);
  canvas_textf(canvas, t.focus.body.x + FOCUS_INDENT, t.focus.body.y + 1 + t.rows, ROLE_DIM, 0, "and %d lane%s in other %s", others,
               others == 1 ? "" : "s", t.arg->image.layered ? "layers" : "planes");
}

void view_room_texture(Session *session, int cols, FocusRoom *room) {
  (void)session, (void)cols;
  *room = (FocusRoom){.least = 6, .good = 10, .whole = 14, .parts = 1};
}
