// test_segments.c: the pane of lines and sectors, for generated accesses: it fits the room that it asks for, counts what it
// does not show, and unfolds sector by sector into what it shows standing still.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "fake_session.h"
#include "ui/views/view.h"

enum { LANES = 32, MOST_LINES = 32 * 9, CASES = 60, LEAST_COLS = 44, MOST_COLS = 200, SEED = 7 };

static LsMt rng;

static uint64_t below(uint64_t limit) { return ls_mt_u32(&rng) % limit; }

// Every n-th case has a shape of its own: strides of either sign, rows and columns, one address, anything.
static void fill_event(Scene *scene, int n) {
  static const uint8_t widths[] = {1, 2, 4, 4, 4, 8, 16, 32};
  static const uint64_t bases[] = {0, 0x80, 0x10000, 0x7f0000a00, 0x7ffd12345680};
  static const uint32_t masks[] = {UINT32_MAX, UINT32_MAX, 0xffff, 0x55555555, 0x80000001, 0x10};
  TraceEvent *event = &scene->event;
  uint64_t base = bases[below(LS_COUNT(bases))] + below(3) * below(64);
  int64_t stride = n % 6 == 0 ? 128 : n % 6 == 1 ? 132 : n % 6 == 2 ? -64 : (int64_t)below(300);
  *event = (TraceEvent){.step = scene->step, .kind = below(2) ? TRACE_LOAD : TRACE_STORE, .addr = scene->addr};
  event->space = n % 7 == 6 ? TRACE_LOCAL : TRACE_GLOBAL;
  event->width = widths[below(LS_COUNT(widths))];
  event->mask = n % 4 ? masks[below(LS_COUNT(masks))] : ls_mt_u32(&rng) | 1;
  event->active = event->mask;
  for (int lane = 0; lane < LANES; lane++) {
    uint64_t at = n % 6 == 5 ? below(1 << 14) : n % 6 == 4 ? below(4) * 4
        : (uint64_t)(lane * stride + (stride < 0) * 4096);
    scene->addr[lane] = event->space == TRACE_LOCAL ? at % 256 : base + at;
  }
}

// Lines of 128 bytes that are touched, found byte by byte.
static int count_lines(const TraceEvent *event) {
  uint64_t lines[MOST_LINES * 4];
  int count = 0;
  for (int i = 0; i < LANES * event->width; i++) {
    int lane = i / event->width;
    uint64_t at = event->addr[lane] + (uint64_t)(i % event->width);
    if (!(event->mask >> lane & 1)) continue;
    uint64_t line = event->space == TRACE_LOCAL ? at / 4 : at / 128;   // a word of all lanes is a line
    int seen = 0;
    while (seen < count && lines[seen] != line) seen++;
    if (seen == count) lines[count++] = line;
  }
  return count;
}

static Canvas *draw(Session *session, int cols, int rows) {
  Canvas *canvas = canvas_new(cols, rows);
  view_draw_segments(session, canvas, (Rect){0, 0, cols, rows});
  return canvas;
}

static char *text_of(const Canvas *canvas) {
  LsText text = {0};
  canvas_to_text(canvas, false, &text);
  ls_text_add(&text, "");
  return text.data;
}

// In a narrow pane the second half of a line has a label, too.
static bool begins_line(const char *digits) { return strtoull(digits, NULL, 16) % 128 == 0; }

// Lines whose label is to be seen, and those that are said to be missing.
static int lines_told(const Canvas *canvas, const TraceEvent *event, int *missing) {
  char *text = text_of(canvas), *more = strstr(text, "▾ ");
  *missing = more ? atoi(more + strlen("▾ ")) : 0;
  if (more) *more = 0;
  int shown = 0;
  const char *label = event->space == TRACE_LOCAL ? "word " : "0x";
  for (const char *at = text; (at = strstr(at, label)); at++) {
    bool mask = at - text > 6 && strncmp(at - 6, "(mask ", 6) == 0;   // lanes that no few words tell
    const char *digits = at + strlen(label);
    shown += !mask && isxdigit((unsigned char)*digits) && (event->space == TRACE_LOCAL || begins_line(digits));
  }
  // cut at its front
  for (const char *at = text; (at = strstr(at, " …")); at++) shown += begins_line(at + strlen(" …"));
  free(text);
  return shown;
}

static void check_room(Session *session, const TraceEvent *event, int cols) {
  FocusRoom room;
  int lines = count_lines(event), missing;
  view_room_segments(session, cols, &room);
  CHECK(room.least >= 2 && room.least <= room.good && room.good <= room.whole && room.parts >= 1);
  const int rows[] = {room.least, room.least + 1, room.good, (room.good + room.whole) / 2, room.whole, room.whole + 20};
  for (int i = 0; i < LS_COUNT(rows); i++) {
    Canvas *canvas = draw(session, cols, rows[i]);
    CHECK_INT(lines_told(canvas, event, &missing) + missing, lines);
    if (rows[i] >= room.whole) CHECK_INT(missing, 0);
    if (i == 0 && lines > 3) CHECK(missing < lines);
    canvas_free(canvas);
  }
}

static void pictures_fit_their_room(void) {
  Session *session = fake_session_new(8);
  Scene *scene = (Scene *)(uintptr_t)ses_scene(session);
  ls_mt_seed(&rng, SEED);
  session->focus = FOCUS_SEGMENTS;
  for (int n = 0; n < CASES; n++) {
    fill_event(scene, n);
    for (int variant = 0; variant < 2; variant++) {
      session->variant[FOCUS_SEGMENTS] = variant;
      for (int cols = LEAST_COLS; cols <= MOST_COLS; cols += 1 + n % 13) check_room(session, &scene->event, cols);
    }
  }
  fake_session_free(session);
}

// Cells of memory that are not blank.
static int cells_there(const Canvas *canvas) {
  int count = 0;
  for (int i = 0; i < canvas->cols * canvas->rows; i++) {
    const Cell *cell = &canvas->cells[i];
    bool memory = cell->code >= 0x2580 && (cell->role == ROLE_USED || cell->role == ROLE_WASTED);   // and not the words
    count += memory || cell->background == ROLE_USED || cell->background == ROLE_WASTED;
  }
  return count;
}

static bool same_cells(const Canvas *a, const Canvas *b) {
  return memcmp(a->cells, b->cells, sizeof *a->cells * (size_t)(a->cols * a->rows)) == 0;
}

static void sectors_come_one_by_one(void) {
  enum { FRAMES = 24 };
  static const Rect sizes[] = {{0, 0, 120, 9}, {0, 0, 80, 5}, {0, 0, 60, 12}, {0, 0, 200, 50}};
  Session *session = fake_session_new(8);
  Scene *scene = (Scene *)(uintptr_t)ses_scene(session);
  ls_mt_seed(&rng, SEED);
  for (int n = 0; n < CASES; n++) {
    Rect size = sizes[n % LS_COUNT(sizes)];
    fill_event(scene, n);
    session->variant[FOCUS_SEGMENTS] = n / 4 % 2;
    session->phase = 0;
    Canvas *still = draw(session, size.w, size.h);
    int before = 0;
    for (int frame = 1; frame <= FRAMES; frame++) {
      session->phase = (double)frame / FRAMES;
      Canvas *canvas = draw(session, size.w, size.h);
      int there = cells_there(canvas);
      CHECK(there >= before && there <= cells_there(still));
      if (frame == FRAMES) CHECK(same_cells(canvas, still));
      before = there;
      canvas_free(canvas);
    }
    canvas_free(still);
  }
  fake_session_free(session);
}

// Distinct bytes that lanes of a mask want.
static int count_bytes(const TraceEvent *event, uint32_t mask) {
  uint64_t bytes[LANES * 32];
  int count = 0;
  for (int i = 0; i < LANES * event->width; i++) {
    int lane = i / event->width;
    uint64_t at = event->addr[lane] + (uint64_t)(i % event->width);
    if (event->space == TRACE_LOCAL) at = at * LANES + (uint64_t)lane;   // every lane has its own
    if (!(event->mask & mask & 1u << lane)) continue;
    int seen = 0;
    while (seen < count && bytes[seen] != at) seen++;
    if (seen == count) bytes[count++] = at;
  }
  return count;
}

// A wide pane has a column for every byte.
static void bytes_are_counted(void) {
  enum { WIDE = 200 };
  Session *session = fake_session_new(8);
  Scene *scene = (Scene *)(uintptr_t)ses_scene(session);
  ls_mt_seed(&rng, SEED);
  for (int n = 0; n < CASES; n++) {
    fill_event(scene, n);
    scene->bounds.outside = n % 3 ? 0 : ls_mt_u32(&rng) & scene->event.mask;
    FocusRoom room;
    view_room_segments(session, WIDE, &room);
    Canvas *canvas = draw(session, WIDE, room.whole);
    int used = 0, alarms = 0;
    for (int i = WIDE; i < canvas->cols * canvas->rows; i++) {   // below the rule
      const Cell *cell = &canvas->cells[i];
      used += cell->background == ROLE_USED || (cell->role == ROLE_USED && !cell->background);
      alarms += cell->code == 0x25b2 && cell->role == ROLE_ALARM;
    }
    CHECK_INT(used, count_bytes(&scene->event, ~scene->bounds.outside));
    bool alone = count_bytes(&scene->event, UINT32_MAX) > used;   // bytes that only lanes outside want
    CHECK(alone ? alarms > 0 : true);
    CHECK(scene->bounds.outside || alarms == 0);
    canvas_free(canvas);
  }
  fake_session_free(session);
}

static const Check checks[] = {
    {"pictures fit their room", pictures_fit_their_room},
    {"sectors come one by one", sectors_come_one_by_one},
    {"bytes are counted", bytes_are_counted},
};

int main(int argc, char **argv) { return check_main("segments", checks, LS_COUNT(checks), argc, argv); }
