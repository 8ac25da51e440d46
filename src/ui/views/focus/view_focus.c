// view_focus.c: a picture of the focus pane with the sentence that it is about.
#include "base/mem.h"
#include "ui/views/view.h"

static void (*const pictures[FOCUS_COUNT])(Session *session, Canvas *canvas, Rect rect) = {
#define FOCUS(ID, name, ...) [FOCUS_##ID] = view_draw_##name,
#include "app/focus.def"
};

static void (*const rooms[FOCUS_COUNT])(Session *session, int cols, FocusRoom *room) = {
#define FOCUS(ID, name, ...) [FOCUS_##ID] = view_room_##name,
#include "app/focus.def"
};

enum { SENTENCE_INDENT = 2, SENTENCE_MAX_WIDTH = 116, SENTENCE_MAX_ROWS = 5 };
// What the words above a picture are headed by, and their color.
static const struct { const char *heading; Role role; } told[] = {
    [GRADE_FAULT] = {"▲ something goes wrong here", ROLE_ALARM},
    [GRADE_WARNING] = {"▲ this may be wrong", ROLE_WAITING},
    [GRADE_NOTE] = {"allowed, but worth a look", ROLE_TEXT},
};

static int last_used_row(const Canvas *canvas, Rect rect) {
  for (int y = rect.y + rect.h - 1; y >= rect.y; y--)
    for (int x = rect.x; x < rect.x + rect.w; x++) {
      const Cell *cell = canvas_at(canvas, x, y);
      if (cell && (cell->code != ' ' || cell->background)) return y;
    }
  return rect.y;
}

static int words_width(int cols) { return LS_MIN(cols - 2 * SENTENCE_INDENT, SENTENCE_MAX_WIDTH); }
static int words_rows(int cols, const char *text) {
  return *text ? canvas_text_wrap(NULL, (Rect){0, 0, words_width(cols), 0}, 0, ROLE_TEXT, 0, text) : 0;
}

// What goes wrong here stands above the picture, under a rule of its own: in full, but for the least that the picture
// needs. Returns what is left for the picture.
static Rect draw_fault(Canvas *canvas, Rect rect, int least, FaultGrade grade, const char *text) {
  int needed = words_rows(rect.w, text), most = LS_MAX(rect.h - 1 - least, 1);
  Rect words = {rect.x + SENTENCE_INDENT, rect.y + 1, words_width(rect.w),
                LS_MIN(needed, LS_MIN(most, LS_MAX(rect.h - 1, 0)))};
  view_rule(canvas, rect, told[grade].heading, NULL);
  canvas_text(canvas, rect.x + 3, rect.y, told[grade].role, STYLE_BOLD, told[grade].heading);
  view_words(canvas, words, told[grade].role, text);
  int taken = LS_MIN(rect.h, 1 + words.h);
  return (Rect){rect.x, rect.y + taken, rect.w, rect.h - taken};
}

static FaultGrade grade_at(const Session *session, const TraceEvent *event) {
  const Run *run = session->run;
  bool known = event->fault >= 0 && event->fault < run->fault_count;
  return known ? trace_fault_grade(&run->faults[event->fault]) : GRADE_FAULT;
}

// What a picture is about: its sentence; at a fault that stands above it.
static const char *picture_words(const Scene *scene) {
  if (scene->picture[0]) return scene->picture;
  return trace_kind_is_fault(scene->event.kind) ? "" : scene->sentence;
}

static void ask_room(FocusKind kind, Session *session, int cols, FocusRoom *room) {
  rooms[LS_CLAMP((int)kind, 0, FOCUS_COUNT - 1)](session, cols, room);
}

// The picture is of an earlier event: dim words on the one at the cursor, where there is room for all of them.
static void draw_own_words(Canvas *canvas, Rect words, int bottom, const char *text) {
  words.y += words.h + 1;
  words.h = canvas_text_wrap(canvas, (Rect){words.x, words.y, words.w, 0}, 0, ROLE_DIM, 0, text);
  if (words.y + words.h <= bottom) canvas_text_wrap(canvas, words, 0, ROLE_DIM, 0, text);
}

// The picture has its least first, then the sentence three rows, then the picture what is good, then the sentence all.
// Where there is nothing else on the screen the sentence comes before what is good.
static int sentence_rows(const FocusRoom *room, int needed, int rows, bool alone) {
  enum { FIRST_ROWS = 3 };
  int most = LS_MIN(needed, SENTENCE_MAX_ROWS), first = alone ? most : LS_MIN(most, FIRST_ROWS);
  int wanted = LS_CLAMP(rows - room->good, first, most);
  return LS_CLAMP(wanted, 0, LS_MAX(rows - room->least, LS_MIN(rows / 2, 1)));
}

void view_picture(FocusKind kind, Session *session, Canvas *canvas, Rect rect) {
  const Scene *scene = ses_scene(session);
  bool fault = trace_kind_is_fault(scene->event.kind);
  FocusRoom room;
  ask_room(kind, session, rect.w, &room);
  if (fault) rect = draw_fault(canvas, rect, room.least, grade_at(session, &scene->event), scene->sentence);
  if (rect.h < 1) return;
  const char *text = session->hides ? "" : picture_words(scene);
  int needed = words_rows(rect.w, text), rows = sentence_rows(&room, needed, rect.h, session->stage || session->zoom);
  int gap = rect.h - rows > room.good;   // picture and words part where there is room
  Rect picture = {rect.x, rect.y, rect.w, rect.h - rows - gap},
      words = {rect.x + SENTENCE_INDENT, 0, words_width(rect.w), 0};
  Rect old = canvas_clip(canvas, picture);
  pictures[LS_CLAMP((int)kind, 0, FOCUS_COUNT - 1)](session, canvas, picture);
  canvas_clip(canvas, old);
  // No row stays blank beside words that are cut.
  int after = last_used_row(canvas, picture) + 1, bottom = rect.y + rect.h;
  words.y = LS_MAX(LS_MIN(after + 1, bottom - LS_MIN(needed, SENTENCE_MAX_ROWS)), after);
  words.h = LS_MIN(needed, bottom - words.y);
  view_words(canvas, words, ROLE_TEXT, text);
  if (scene->picture_earlier && !fault) draw_own_words(canvas, words, rect.y + rect.h, scene->sentence);
}

void view_picture_alone(FocusKind kind, Session *session, Canvas *canvas, Rect rect) {
  Rect old = canvas_clip(canvas, rect);
  pictures[LS_CLAMP((int)kind, 0, FOCUS_COUNT - 1)](session, canvas, rect);
  canvas_clip(canvas, old);
}

const char *view_picture_words(const Scene *scene) {
  const char *words = picture_words(scene);
  return *words ? words : scene->sentence;
}

// A pane that does not follow says so on its rule, where that has the room.
static void draw_held(Canvas *canvas, Rect rect) {
  static const char words[] = " held · a follows ";
  int needed = ls_utf8_width(words) + 2, run = 0;
  for (int x = rect.x + rect.w - 1; x >= rect.x; x--) {
    const Cell *cell = canvas_at(canvas, x, rect.y);
    run = cell && cell->code == 0x2500 ? run + 1 : 0;
    if (run < needed) continue;
    canvas_text(canvas, x + 1, rect.y, ROLE_TEXT, 0, words);
    return;
  }
}

void view_focus(Session *session, Canvas *canvas, Rect rect) {
  view_picture(session->focus, session, canvas, rect);
  if (!session->focus_auto) draw_held(canvas, rect);
}

void view_room(Session *session, FocusKind kind, int cols, FocusRoom *room) {
  const Scene *scene = ses_scene(session);
  int needed = LS_MIN(words_rows(cols, picture_words(scene)), SENTENCE_MAX_ROWS), above = 0;
  if (trace_kind_is_fault(scene->event.kind)) above = 1 + words_rows(cols, scene->sentence);
  ask_room(kind, session, cols, room);
  room->least += LS_MIN(needed, 1) + LS_MIN(above, 2);
  room->good += needed + above;
  room->whole += needed + above + (needed > 0);
}
