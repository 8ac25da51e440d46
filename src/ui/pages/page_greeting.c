// page_greeting.c: what somebody sees who is here for the first time: a warp at work, and one question about it.
//
// The kernel runs while the page is shown, as all of them do. It is walked to its branch, where the page asks what
// comes next; the answer is seen, then told.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/course/walk.h"
#include "app/run/job.h"
#include "base/mem.h"
#include "ui/pages/menu_page.h"
#include "ui/views/frame.h"
#include "ui/views/syntax.h"
#include "ui/views/view.h"

static const char kernel[] = "diverge_if_else";
static const char *const values[] = {"threads=32", "a_steps=1", "b_steps=1"};
enum { FROM_LINE = 10, ASKED_LINE = 11, ANSWERS = 3, RIGHT = 1 };

static const double STEP_SECONDS = 0.7, FIRST_SECONDS = 1.0;

typedef struct GreetingPage {
  Page base;
  PageMenu menu;
  Job *job;
  Walk walk;
  int asked_at;              // the step at which it asks
  int step;                  // of the walk; -1: before the first
  double waited;
  int chosen, answer;        // answer -1: not given
} GreetingPage;

static bool is_asking(const GreetingPage *self) { return self->answer < 0 && self->step >= self->asked_at; }
static bool is_over(const GreetingPage *self) { return self->answer >= 0 && self->step + 1 >= self->walk.count; }

// ---- the picture ---------------------------------------------------------------------------------------------------

enum {
  LEFT = 2, NUMBER_W = 3, LANES = 32, MOST_SOURCE_W = 40, ROOMY = 24, MOST_W = 76,
  WORDS_H = 8,                 // below the picture
};

// Where it stands: in the middle of a large window, with lanes two columns wide where there is room for that.
typedef struct Place { int left, source_x, lanes_x, lane_w, top; } Place;

static Place place_of(const GreetingPage *self, const Canvas *canvas) {
  int source_x = LEFT + NUMBER_W + 2, whole = source_x + MOST_SOURCE_W + 2 * LANES + LEFT;
  int lane_w = canvas->cols >= whole ? 2 : 1;
  int lanes_x = LS_MIN(canvas->cols - LANES * lane_w - LEFT, source_x + MOST_SOURCE_W);
  int aside = (canvas->cols - lanes_x - LANES * lane_w - LEFT) / 2;
  int rows = ROOMY - 2 - WORDS_H + self->walk.line_count;
  int top = 1 + (canvas->rows >= ROOMY) + LS_MAX(canvas->rows - rows, 0) / 4;
  return (Place){LEFT + aside, source_x + aside, lanes_x + aside, lane_w, top};
}

static void draw_code(Canvas *canvas, int x, int y, int width, const char *line, bool reached) {
  Syntax syntax = {0};
  uint8_t *roles = ls_alloc(strlen(line) + 1);
  syntax_line(&syntax, line, roles);
  int end = x + width;
  for (const char *at = line; *at && x < end;) {
    Role role = reached ? (Role)roles[at - line] : ROLE_DIM;
    x += canvas_put(canvas, x, y, ls_utf8_next(&at), role, 0);
  }
  if (x == end && ls_utf8_width(line) > width) canvas_put(canvas, end - 1, y, 0x2026, ROLE_DIM, 0);
  free(roles);
}

// Lanes that came by a line so far; now: those that work on it at this step.
static uint32_t lanes_at(const GreetingPage *self, int line) {
  uint32_t lanes = 0;
  for (int i = 0; i <= self->step && i < self->walk.count; i++)
    if (self->walk.steps[i].at == line) lanes |= self->walk.steps[i].active;
  return lanes;
}

static void draw_lanes(Canvas *canvas, const Place *place, int y, uint32_t lanes) {
  for (int x = 0; lanes && x < LANES * place->lane_w; x++) {
    bool works = lanes >> (x / place->lane_w) & 1;
    canvas_put(canvas, place->lanes_x + x, y, works ? 0x2588 : 0x2591, works ? ROLE_ACTIVE : ROLE_MASKED, 0);
  }
}

static void draw_line(const GreetingPage *self, Canvas *canvas, const Place *place, int y, int index) {
  const WalkLine *line = &self->walk.lines[index];
  bool here = self->step >= 0 && self->walk.steps[self->step].at == index && !is_over(self);
  uint32_t lanes = lanes_at(self, index);
  canvas_textf(canvas, place->left, y, ROLE_DIM, 0, "%*d", NUMBER_W, line->line);
  if (here) canvas_put(canvas, place->source_x - 1, y, 0x25b8, ROLE_CURSOR, 0);
  draw_code(canvas, place->source_x, y, place->lanes_x - place->source_x - 1, line->text, lanes || here);
  draw_lanes(canvas, place, y, lanes);
}

// Returns the row below it.
static int draw_warp(const GreetingPage *self, Canvas *canvas, const Place *place, int y) {
  static const int marked[] = {0, 8, 16, 24, 31};
  static const char over[] = "what all of them run";
  if (place->lanes_x - place->source_x - 6 > ls_utf8_width(over))
    canvas_text(canvas, place->source_x, y, ROLE_DIM, 0, over);
  canvas_text(canvas, place->lanes_x - 5, y, ROLE_DIM, 0, "lane");
  for (int i = 0; i < LS_COUNT(marked); i++)
    canvas_textf(canvas, place->lanes_x + marked[i] * place->lane_w - (marked[i] == LANES - 1), y, ROLE_DIM, 0, "%d",
                 marked[i]);
  y++;
  for (int i = 0; i < self->walk.line_count; i++) draw_line(self, canvas, place, y++, i);
  return y;
}

static const char intro[] =
    "Here are 32 threads of a GPU side by side: a warp, of 32 lanes. All run the same code, each with its own numbers. "
    "lanescope runs it now, and shows which of them work.";
static const char question[] =
    "For lanes 0 to 15 `foo` is true, for lanes 16 to 31 it is not. What will the warp do?";
static const char *const answers[ANSWERS] = {
    "Both at once: each lane goes its own way",
    "One side first, then the other",
    "Only the side that comes first: the others are done",
};
static const char *const told[ANSWERS] = {
    "Not at once, as you see:", "Right:", "No lane is left out, as you see:",
};

static void draw_question(const GreetingPage *self, Canvas *canvas, Rect rect) {
  LsText words = {0};
  for (const char *at = question; *at; at++)
    if (*at != '`') ls_text_addf(&words, "%c", *at);
  rect.y += canvas_text_wrap(canvas, rect, 0, ROLE_CURSOR, 0, ls_text_str(&words));
  rect.y += rect.y + ANSWERS < canvas->rows - 1;
  ls_text_free(&words);
  for (int i = 0; i < ANSWERS; i++) {
    bool here = i == self->chosen;
    if (here) canvas_put(canvas, rect.x, rect.y + i, 0x25b8, ROLE_CURSOR, 0);
    canvas_textf(canvas, rect.x + 2, rect.y + i, ROLE_CURSOR, 0, "%d", i + 1);
    canvas_text_cut(canvas, rect.x + 5, rect.y + i, rect.w - 5, ROLE_TEXT, here ? STYLE_BOLD : 0, answers[i]);
    if (here) canvas->cursor_x = rect.x, canvas->cursor_y = rect.y + i;
  }
}

static void draw_why(const GreetingPage *self, Canvas *canvas, Rect rect) {
  LsText words = {0};
  ls_text_addf(&words,
               "%s a warp has one instruction at a time for all its lanes. Those that it is not for wait: they are "
               "dotted here. Of the %llu instructions above, %llu kept half of the lanes waiting.",
               told[self->answer], (unsigned long long)self->walk.instructions, (unsigned long long)self->walk.partly);
  Role role = self->answer == RIGHT ? ROLE_GOOD : ROLE_TEXT;
  rect.y += canvas_text_wrap(canvas, rect, 0, role, 0, ls_text_str(&words)) + 1;
  ls_text_free(&words);
  if (rect.y >= canvas->rows - 1) return;
  rect.h = canvas->rows - 1 - rect.y;
  view_words(canvas, rect, ROLE_TEXT,
             "So it goes from here on: guess, look, and know why. Enter opens the first lesson.");
}

static void draw_words(const GreetingPage *self, Canvas *canvas, int x, int y) {
  Rect rect = {x, y, LS_MIN(canvas->cols - x - LEFT, MOST_W), canvas->rows - 1 - y};
  if (is_asking(self)) draw_question(self, canvas, rect);
  else if (is_over(self)) draw_why(self, canvas, rect);
  else if (self->answer >= 0) canvas_textf(canvas, x, y, ROLE_DIM, 0, "You say: %s.", answers[self->answer]);
}

static void draw_keys(const GreetingPage *self, Canvas *canvas) {
  static const FooterKey asking[] = {{"123", NULL, "answer"}, {"q", NULL, "skip this, to the course"}};
  static const FooterKey over[] = {{"⏎", "enter", "first lesson"}, {"space", NULL, "once more"},
                                  {"q", NULL, "to the course"}};
  static const FooterKey running[] = {{"q", NULL, "skip this, to the course"}};
  if (is_asking(self)) frame_keys(canvas, asking, LS_COUNT(asking));
  else if (is_over(self)) frame_keys(canvas, over, LS_COUNT(over));
  else frame_keys(canvas, running, LS_COUNT(running));
}

static void greeting_draw(Page *page, Canvas *canvas) {
  GreetingPage *self = (GreetingPage *)page;
  Place place = place_of(self, canvas);
  int y = place.top;
  frame_title(canvas, &(FrameTitle){.crumbs = {"lanescope", "welcome"}, .crumb_count = 2, .middle = {self->menu.note}});
  Rect words = {place.left, y, LS_MIN(canvas->cols - place.left - LEFT, MOST_W), 4};
  if (canvas->rows >= ROOMY) y += canvas_text_wrap(canvas, words, 0, ROLE_TEXT, 0, intro) + 1;
  if (self->walk.count) draw_words(self, canvas, place.left, draw_warp(self, canvas, &place, y) + 1);
  draw_keys(self, canvas);
}

// ---- the run, and the walk through it ------------------------------------------------------------------------------

static Job *start(RecipeBook *book) {
  RunRequest request;
  const Recipe *recipe = book->get(book, kernel, NULL);
  if (!recipe) return NULL;
  run_request_init(&request);
  request.what = ls_strdup(kernel);
  request.recipe = recipe;
  recipe_defaults(recipe, &request.values);
  for (int i = 0; i < LS_COUNT(values); i++) recipe_set(recipe, &request.values, values[i], NULL);
  Job *job = job_start(&request);
  run_request_fini(&request);
  return job;
}

// Without a picture there is nothing to greet with: the course opens.
static void leave(GreetingPage *self, bool to_lesson) {
  job_free(self->job);       // what is opened may want its recipe
  self->job = NULL;
  Page *menu = page_menu_new(&self->menu);
  if (to_lesson) menu->open = page_menu_open(&self->menu, 0);
  self->base.open = menu;
  self->base.closed = true;
}

static void take_run(GreetingPage *self) {
  Run *run = job_take(self->job, NULL);
  self->job = NULL;
  Session *session = run ? ses_new(run) : NULL;
  bool walked = session && walk_new(session, FROM_LINE, &self->walk);
  ses_free(session);
  for (int i = 0; walked && i < self->walk.count; i++)
    if (self->walk.lines[self->walk.steps[i].at].line == ASKED_LINE) self->asked_at = i;
  if (!walked) leave(self, false);
}

static bool stands(const GreetingPage *self) { return is_asking(self) || is_over(self); }

static bool greeting_tick(Page *page, double seconds) {
  GreetingPage *self = (GreetingPage *)page;
  if (self->job && job_done(self->job)) take_run(self);
  if (!self->walk.count || stands(self)) return false;
  self->waited += seconds;
  double step = self->step < 0 ? FIRST_SECONDS : STEP_SECONDS;
  if (ses_taste.motion && self->waited < step) return false;
  self->waited = 0;
  do self->step++; while (!ses_taste.motion && !stands(self));
  page->ticking = !stands(self);
  return true;
}

// ---- keys ----------------------------------------------------------------------------------------------------------

static void answer(GreetingPage *self, int choice) {
  self->answer = self->chosen = choice;
  self->base.ticking = true;
}

static void once_more(GreetingPage *self) {
  self->step = self->answer = -1;
  self->base.ticking = true;
}

static bool greeting_key(Page *page, AppKey key) {
  GreetingPage *self = (GreetingPage *)page;
  bool asking = is_asking(self), over = is_over(self);
  CommandId id = command_for_key(key.code, CTX_M);
  if (key.code == 'q' || key.code == KEY_ESC_) leave(self, false);
  else if (asking && key.code >= '1' && key.code < '1' + ANSWERS) answer(self, (int)key.code - '1');
  else if (asking && id == CMD_UP) self->chosen = LS_MAX(self->chosen - 1, 0);
  else if (asking && id == CMD_DOWN) self->chosen = LS_MIN(self->chosen + 1, ANSWERS - 1);
  else if (asking && id == CMD_ENTER) answer(self, self->chosen);
  else if (over && id == CMD_ENTER) leave(self, true);
  else if (over && key.code == ' ') once_more(self);
  else return false;
  return true;
}

static void greeting_free(Page *page) {
  GreetingPage *self = (GreetingPage *)page;
  job_free(self->job);
  walk_free(&self->walk);
  free(self);
}

static const PageClass greeting_class = {greeting_draw, greeting_key, greeting_tick, greeting_free};

Page *page_greeting_new(const PageMenu *menu) {
  GreetingPage *self = ls_alloc(sizeof *self);
  self->base.class = &greeting_class;
  self->base.ticking = true;
  self->menu = *menu;
  self->step = self->answer = -1;
  self->job = start(menu->book);
  if (!self->job) leave(self, false);
  return &self->base;
}
