// view_texture.c: the texels of a texture or surface that the lanes of a warp access.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "ui/views/focus/focus.h"

//          0           4           8
//   y 0    0  1  2  3  ·  ·  ·  ·  ·           the lane that fetches there; 7+ where several do
//   y 1    8  9 10 11  ·  ·  ·  ·  ·
// Of a linear filter it is the first texel, which is blended with those to its right and below. A texture of one dimension
// is folded into rows, whose labels name the first texel.
// Rows that lanes touch stand close together; "⋮" says where rows between them are left out.
enum { LANES = 32, CELL = 3, MAX_CELL = 4, LABEL = 8, FOLD = 8, LEAST_ROWS = 2, GOOD_ROWS = 8, CONTEXT = 8 };

typedef struct Texels {
  Focus focus;
  const LaunchArg *arg;
  const TraceObject *object;
  int64_t at[LANES][3];      // x, y, z or layer; of a texture that is folded: column, row, z
  uint32_t here, elsewhere;  // lanes in the plane that is shown, and in others
  int64_t plane, left;       // z or layer; the first column
  int columns, cell;         // texels across, columns of one
  int64_t row[LANES]; int touched;   // rows that lanes touch, ascending
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

// ---- the part that is shown ------------------------------------------------------------------------------------------

static int64_t least(const Texels *t, int axis) {
  int64_t low = INT64_MAX;
  for (uint32_t left = t->here; left; left &= left - 1) low = LS_MIN(low, t->at[__builtin_ctz(left)][axis]);
  return low;
}

static int64_t most(const Texels *t, int axis) {
  int64_t high = 0;
  for (uint32_t left = t->here; left; left &= left - 1) high = LS_MAX(high, t->at[__builtin_ctz(left)][axis]);
  return high;
}

// The plane of the lane that is looked at, else of the first one.
static int choose_plane(Texels *t, uint32_t lanes) {
  int inspected = t->focus.session->lane, lead = __builtin_ctz(lanes);
  if (inspected >= 0 && lanes >> inspected & 1) lead = inspected;
  t->plane = t->at[lead][2];
  for (int lane = 0; lane < LANES; lane++)
    if (lanes >> lane & 1) *(t->at[lane][2] == t->plane ? &t->here : &t->elsewhere) |= 1u << lane;
  return lead;
}

static void fold(Texels *t, int room) {
  int64_t width = t->arg->image.width;
  t->cell = width * MAX_CELL <= room ? MAX_CELL : CELL;
  t->columns = (int)LS_MIN((int64_t)LS_MAX(room / t->cell / FOLD * FOLD, 1), width);
  for (uint32_t left = t->here; left; left &= left - 1) {
    int64_t *at = t->at[__builtin_ctz(left)];
    at[1] = at[0] / t->columns;
    at[0] %= t->columns;
  }
}

// Columns from the first that a lane touches, or around the lane that is looked at; cells as wide as that leaves room
// for.
static void choose_columns(Texels *t, int room, int lead) {
  int64_t width = t->arg->image.width, from = least(t, 0), wanted = LS_MIN(most(t, 0) - from + 1 + CONTEXT, width);
  if (width * CELL <= room) wanted = width;
  t->cell = (int)LS_CLAMP(room / wanted, CELL, MAX_CELL);
  t->columns = (int)LS_MIN(LS_MAX(room / t->cell, 1), width);
  t->left = LS_MIN(from, width - t->columns);
  if (t->at[lead][0] >= t->left + t->columns) t->left = LS_MIN(t->at[lead][0], width - t->columns);
}

static void find_rows(Texels *t) {
  for (uint32_t left = t->here; left; left &= left - 1) {
    int64_t y = t->at[__builtin_ctz(left)][1];
    int at = t->touched;
    while (at > 0 && t->row[at - 1] > y) at--;
    if (at > 0 && t->row[at - 1] == y) continue;
    memmove(&t->row[at + 1], &t->row[at], (size_t)(t->touched++ - at) * sizeof *t->row);
    t->row[at] = y;
  }
}

// Finds the image and its texels; false if the event tells of none.
static bool measure(Texels *t) {
  bool known = t->focus.event->addr && t->focus.event->mask && find_image(t);
  uint32_t lanes = known ? place_lanes(t) : 0;
  if (!lanes) return false;
  int lead = choose_plane(t, lanes), room = t->focus.body.w - 2 * FOCUS_INDENT - LABEL;
  t->cell = CELL;
  if (is_folded(t)) fold(t, room);
  else choose_columns(t, room, lead);
  find_rows(t);
  return true;
}

// Lanes of this plane to the left and right of the columns.
static uint32_t beside(const Texels *t) {
  uint32_t lanes = 0;
  for (uint32_t left = t->here; left; left &= left - 1) {
    int64_t x = t->at[__builtin_ctz(left)][0];
    if (x < t->left || x >= t->left + t->columns) lanes |= left & -left;
  }
  return lanes;
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

// While the event is played, rows with lanes come one after another.
static bool has_come(const Texels *t, int64_t y, int column) {
  for (int i = 0; i < t->touched; i++)
    if (t->row[i] == y) return focus_part(&t->focus, i, t->touched) * t->columns > column;
  return true;
}

static void draw_texel(const Texels *t, int64_t x, int64_t y, int column, int row) {
  Canvas *canvas = t->focus.canvas;
  uint32_t lanes = lanes_at(t, x, y);
  int inspected = t->focus.session->lane;
  if (!lanes || !has_come(t, y, (int)(x - t->left))) {
    canvas_put(canvas, column + t->cell - 2, row, 0xb7, ROLE_GONE, 0);
    return;
  }
  bool looked_at = inspected >= 0 && lanes >> inspected & 1, many = lanes & (lanes - 1);
  int lane = looked_at ? inspected : __builtin_ctz(lanes);
  bool touches = many && t->cell == CELL && (x - t->left) % 2;   // told apart by weight
  int width = many ? LS_MAX(t->cell - 1, CELL) : t->cell - 1;
  char text[16];
  snprintf(text, sizeof text, many ? "%d+" : "%d", lane);
  canvas_background(canvas, (Rect){column, row, width, 1}, looked_at ? ROLE_CURSOR : ROLE_USED);
  canvas_text_right(canvas, column + width, row, ROLE_TEXT, touches ? STYLE_BOLD : 0, text);
}

static void draw_row(const Texels *t, int64_t y, bool gap, int row) {
  Canvas *canvas = t->focus.canvas;
  int left = t->focus.body.x + FOCUS_INDENT;
  int64_t width = t->arg->image.width, first = is_folded(t) ? y * t->columns : t->left;
  canvas_textf(canvas, left, row, ROLE_DIM, 0, is_folded(t) ? "%lld" : "y %lld", (long long)(is_folded(t) ? first : y));
  if (gap) canvas_put(canvas, left + LABEL - 2, row, 0x22ee, ROLE_DIM, 0);
  for (int i = 0; i < t->columns && first + i < width; i++)
    draw_texel(t, t->left + i, y, left + LABEL + i * t->cell, row);
}

static void draw_numbers(const Texels *t) {
  for (int i = 0; i < t->columns; i += 4) {
    long long number = is_folded(t) ? i : t->left + i;
    canvas_textf(t->focus.canvas, t->focus.body.x + FOCUS_INDENT + LABEL + i * t->cell, t->focus.body.y, ROLE_DIM, 0,
                 is_folded(t) ? "+%lld" : t->cell > CELL ? "%3lld" : "%2lld", number);
  }
}

// Rows of the image.
static int64_t height(const Texels *t) {
  const LaunchImage *image = &t->arg->image;
  return is_folded(t) ? (image->width + (unsigned)t->columns - 1) / (unsigned)t->columns : image->height;
}

// All rows from the first that is touched, with those around if there is room; else those that are touched, around the
// lane that is looked at.
static int draw_rows(const Texels *t, int y, int rows) {
  int64_t first = t->row[0], span = t->row[t->touched - 1] - first + 1;
  if (span <= rows) {
    int64_t shown = LS_MIN(height(t), rows), top = LS_MIN(first, height(t) - shown);
    for (int i = 0; i < shown; i++) draw_row(t, top + i, false, y + i);
    return (int)shown;
  }
  int lane = t->focus.session->lane, around = 0;
  while (lane >= 0 && t->here >> lane & 1 && t->row[around] != t->at[lane][1]) around++;
  FocusWindow window = focus_window(t->touched, rows, around);
  if (window.before) focus_before(&t->focus, y++, window.before, "row");
  for (int i = window.top; i < window.top + window.shown; i++)
    draw_row(t, t->row[i], i > 0 && t->row[i] > t->row[i - 1] + 1, y++);
  if (window.after) focus_more(&t->focus, y, window.after, "row");
  return window.shown + (window.before > 0) + (window.after > 0);
}

// "face -z, layer 1"
static void say_face(const LaunchImage *image, uint64_t plane, char *out, size_t size) {
  int used = snprintf(out, size, "face %s", launch_face_name(plane));
  if (image->layered) snprintf(out + used, size - (size_t)used, ", layer %llu", (unsigned long long)plane / LAUNCH_FACES);
}

static void draw_rule(Texels *t, Rect rect) {
  char title[80], right[48] = "";
  char *text = launch_image_text(t->arg);
  const LaunchImage *image = &t->arg->image;
  snprintf(title, sizeof title, "%s · %.20s · %.40s", image->kind == LAUNCH_SURFACE ? "surface" : "texture", t->object->name, text);
  if (image->cube) say_face(image, (uint64_t)t->plane, right, sizeof right);
  else if (image->layered) snprintf(right, sizeof right, "layer %lld", (long long)t->plane);
  else if (image->dims > 2) snprintf(right, sizeof right, "z = %lld", (long long)t->plane);
  focus_rule(&t->focus, rect, title, right);
  free(text);
}

static const FocusPane pane = {FOCUS_TEXTURE,
                               "Texels that the lanes fetch, or access in a surface, show here; this warp has touched none yet. "
                               "Press n for the next event of interest."};

// Lanes that are in no row: in other planes, and beside the columns.
static void draw_others(const Texels *t, int y) {
  int others = __builtin_popcount(t->elsewhere), side = __builtin_popcount(beside(t));
  char text[96] = "";
  int used = 0;
  if (others)
    used = snprintf(text, sizeof text, "%d lane%s in other %s", others, others == 1 ? "" : "s",
                    t->arg->image.cube ? "faces" : t->arg->image.layered ? "layers" : "planes");
  if (side)
    snprintf(text + used, sizeof text - (size_t)used, "%s%d lane%s beside these columns", used ? ", " : "", side,
             side == 1 ? "" : "s");
  LsText line = {0};
  ls_text_addf(&line, "▾ %s", text);
  canvas_text_cut(t->focus.canvas, t->focus.body.x + FOCUS_INDENT, y, t->focus.body.w - 2 * FOCUS_INDENT, ROLE_DIM, 0,
                  ls_text_str(&line));
  ls_text_free(&line);
}

void view_draw_texture(Session *session, Canvas *canvas, Rect rect) {
  Texels t = {0};
  if (!focus_begin(&pane, session, canvas, rect, &t.focus)) return;
  if (!measure(&t)) {
    focus_rule(&t.focus, rect, focus_title(FOCUS_TEXTURE), NULL);
    return;
  }
  draw_rule(&t, rect);
  int y = t.focus.body.y, rows = t.focus.body.h;
  bool others = (t.elsewhere || beside(&t)) && rows > 1;
  rows -= others;
  if (rows > LEAST_ROWS + 1 || rows > t.touched) draw_numbers(&t), y++, rows--;
  if (rows > 0) y += draw_rows(&t, y, rows);
  if (others) draw_others(&t, y);
}

void view_room_texture(Session *session, int cols, FocusRoom *room) {
  Texels t = {0};
  if (!focus_room(&pane, session, cols, &t.focus, room) || !measure(&t)) return;
  int others = t.elsewhere || beside(&t);
  room->least = 1 + LS_MIN(t.touched, LEAST_ROWS) + others;
  room->good = 2 + LS_MIN(t.touched, GOOD_ROWS) + others;
  room->whole = 2 + t.touched + others;
  room->parts = t.touched;
}
