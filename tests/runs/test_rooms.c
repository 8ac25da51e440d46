// test_rooms.c: pictures of real runs keep their word: in the rows that they call whole nothing is missing, in the
// least
// of them it is counted, and a picture that is played unfolds into the one that stands still.
#include "app/session/session.h"
#include "base/mem.h"
#include "check.h"
#include "recipe_run.h"
#include "ui/views/focus/focus.h"

static Session *session_of(const char *name, const char *assignment, SimSched sched) {
  Run *run = run_recipe(name, assignment, sched, DEV_COMPILED);
  CHECK(run != NULL);
  return run ? ses_new(run) : NULL;
}

static void (*const rooms[FOCUS_COUNT])(Session *session, int cols, FocusRoom *room) = {
#define FOCUS(ID, name, ...) [FOCUS_##ID] = view_room_##name,
#include "app/focus.def"
};

// Besides all lecture kernels as they come.
static const struct { const char *name, *assignment; SimSched sched; } runs[] = {
    {"diverge_nested", NULL, SIM_STACK},
    {"reduce2", "threads=1024", SIM_ITS},
    {"load_patterns", "pattern=scattered", SIM_ITS},
    {"bank_patterns", "pattern=column", SIM_ITS},
};
enum { PLACES = 7, LEAST_COLS = 44, MOST_COLS = 200 };

static Canvas *draw(Session *session, FocusKind kind, int cols, int rows) {
  Canvas *canvas = canvas_new(cols, rows);
  view_of_focus(kind)->draw(session, canvas, (Rect){0, 0, cols, rows});
  return canvas;
}

// At places from the first step to the last.
static void at_places(Session *session, void (*check)(Session *session, FocusKind kind)) {
  for (int place = 0; session && place < PLACES; place++) {
    ses_command(session, &(Command){CMD_GOTO, (int64_t)((session->steps - 1) * (uint64_t)place / (PLACES - 1)), NULL});
    for (int kind = 0; kind < FOCUS_COUNT; kind++) {
      if (kind == FOCUS_WAVES) continue;   // as many rows as a device has SMs
      ses_command(session, &(Command){CMD_SET_FOCUS, kind, NULL});
      check(session, (FocusKind)kind);
    }
  }
  if (session) ses_free(session);
}

static void everywhere(void (*check)(Session *session, FocusKind kind)) {
  for (int i = 0; i < LS_COUNT(runs); i++)
    at_places(session_of(runs[i].name, runs[i].assignment, runs[i].sched), check);
  CHECK(book != NULL);
  for (int i = 0; book && i < book->kernels(book); i++) at_places(session_of(book->name(book, i), NULL, SIM_ITS),
                                                                  check);
}

// "▾ 12 more" and "▴ 3 rows before", added up.
static int missing_in(const char *text) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, "▾ ")); at++) count += atoi(at + strlen("▾ "));
  for (const char *at = text; (at = strstr(at, "▴ ")); at++) count += atoi(at + strlen("▴ "));
  return count;
}

// Rows of the pane in which lanes or time run.
static int rows_filled(const Canvas *canvas) {
  int count = 0;
  for (int y = 1; y < canvas->rows; y++) {
    bool filled = false;
    for (int x = 0; x < canvas->cols; x++) {
      uint32_t code = canvas_at(canvas, x, y)->code;
      filled |= code == 0x2588 || code == 0x2591 || code == 0x2592;
    }
    count += filled;
  }
  return count;
}

// Warps that have a row, or are among those of one: "w3", "w4-w31".
static int warps_told(const char *text) {
  int count = 0, first, last;
  for (const char *line = strchr(text, '\n'); line; line = strchr(line + 1, '\n')) {
    int read = sscanf(line + 1, " w%d-w%d", &first, &last);
    count += read == 2 ? last - first + 1 : read == 1;
  }
  return count;
}

static void check_room(Session *session, FocusKind kind) {
  for (int cols = LEAST_COLS; cols <= MOST_COLS; cols += 39) {
    FocusRoom room;
    int all = 0;
    rooms[kind](session, cols, &room);
    CHECK(room.least >= 2 && room.least <= room.good && room.good <= room.whole && room.parts >= 1);
    for (int rows = room.least; rows <= room.whole; rows++) {
      Canvas *canvas = draw(session, kind, cols, rows);
      LsText text = {0};
      canvas_to_text(canvas, false, &text);
      int missing = missing_in(ls_text_str(&text)), told = rows_filled(canvas) + missing;
      if (rows == room.whole) CHECK_INT(missing, 0);
      if (kind == FOCUS_DIVERGENCE && missing && all) CHECK_INT(told, all);   // of however many rows it has
      if (missing) all = told;
      bool block = kind == FOCUS_BARRIER && ses_scene(session)->has_focus &&
          ses_scene(session)->focus.kind == TRACE_BARRIER;
      if (block) CHECK_INT(warps_told(ls_text_str(&text)), ses_scene(session)->warp_count);
      ls_text_free(&text);
      canvas_free(canvas);
    }
  }
}

static void rooms_are_true(void) { everywhere(check_room); }

// Cells that lanes or bytes fill.
static int cells_filled(const Canvas *canvas) {
  int count = 0;
  for (int i = 0; i < canvas->cols * canvas->rows; i++) {
    const Cell *cell = &canvas->cells[i];
    count += cell->code == 0x2588 || cell->code == 0x2592 || cell->background != 0;
  }
  return count;
}

static bool same_cells(const Canvas *a, const Canvas *b) {
  return memcmp(a->cells, b->cells, sizeof *a->cells * (size_t)(a->cols * a->rows)) == 0;
}

// Values travel, and wavefronts light up one after another: what is seen on the way goes again.
static bool travels(FocusKind kind) { return kind == FOCUS_BANKS || kind == FOCUS_SHUFFLE || kind == FOCUS_ATOMICS; }

static void check_phases(Session *session, FocusKind kind) {
  enum { FRAMES = 20, ROWS = 16 };
  for (int cols = 80; cols <= 120; cols += 40) {
    Canvas *still = draw(session, kind, cols, ROWS);
    int before = 0;
    for (int frame = 1; frame <= FRAMES; frame++) {
      session->phase = (double)frame / FRAMES;
      Canvas *canvas = draw(session, kind, cols, ROWS);
      int filled = cells_filled(canvas);
      CHECK(filled >= before || travels(kind));
      if (frame == FRAMES) CHECK(same_cells(canvas, still));
      before = filled;
      canvas_free(canvas);
    }
    session->phase = 0;
    canvas_free(still);
  }
}

static void phases_lead_to_the_end(void) { everywhere(check_phases); }

// Whatever the rows, the one in the middle is shown, all others are shown or counted, and each count has a row.
static void windows_count_everything(void) {
  for (int count = 1; count < 40; count++)
    for (int rows = 2; rows < 44; rows++)
      for (int around = 0; around < count; around++) {
        FocusWindow w = focus_window(count, rows, around);
        CHECK_INT(w.before + w.shown + w.after, count);
        CHECK(w.shown > 0 && w.shown + (w.before > 0) + (w.after > 0) <= rows);
        CHECK(around >= w.top && around < w.top + w.shown);
        CHECK(rows == 2 || w.before == w.top);
      }
}

static const Check checks[] = {
    {"windows count everything", windows_count_everything},
    {"rooms are true", rooms_are_true},
    {"phases lead to the end", phases_lead_to_the_end},
};

int main(int argc, char **argv) {
  int result = check_main("rooms", checks, LS_COUNT(checks), argc, argv);
  if (book) book->free(book);
  return result;
}
