// page_lesson.c: a lesson on the screen: the explorer with a rail of text, or the text alone where no kernel is shown.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "ui/models/pane.h"
#include "ui/models/pictures.h"
#include "ui/views/frame.h"
#include "ui/pages/lesson_footer.h"
#include "ui/pages/lesson_job.h"
#include "ui/pages/page.h"
#include "ui/pages/rail.h"
#include "ui/pages/rerun.h"
#include "ui/pages/word_prompt.h"
#include "ui/pages/work_pane.h"
#include "ui/pages/writing_pane.h"
#include "ui/panels/panel.h"
#include "ui/views/view.h"

typedef struct LessonPage {
  Page base;
  Lesson *lesson;
  Session *session;          // NULL until a step shows a kernel
  Rerun rerun;               // what the student runs
  LessonJob job;             // what the lesson runs
  bool going;                // the student waits for it, to go on
  const Run *observed;       // the run that the goal of the step was held against last
  RecipeBook *book;
  bool shows;                // the current step shows a kernel
  ModelPane pane;            // or a model: pane.model; NULL: it shows none
  WorkPane work;             // or code to be written: work.work; NULL: it has none
  WritingPane writing;       // words of the student's own
  AnswerInput answer;        // the one that is being made
  WordPrompt word;           // what a word means
  char message[512];
  StoreState told;           // of progress: what the student was told last
  int skip, rows, room;      // rows of the rail scrolled away; its rows in all, and how many are seen
} LessonPage;

// Below the explorer the rail has its title in the rule, and so two rows more for the text.
static bool rail_is_low(int cols, int window) { return cols == window; }

// Rows of the text with its rule, in so many columns.
static int rail_rows(const void *context, int cols) {
  const LessonPage *self = context;
  const LessonStep *step = lesson_current(self->lesson);
  AnswerInput answer = self->answer;
  bool low = rail_is_low(cols, self->session->cols) && step->title && *step->title;
  return 1 + rail_draw(self->lesson, NULL, (Rect){0, 0, cols - 2, 0}, low, 0, &answer);
}

// ---- moving --------------------------------------------------------------------------------------------------------

static void fail(LessonPage *self, const LsErr *err) {
  self->base.open = page_error_new(err);
  self->base.closed = true;
}

// The first parameter that the step is about is chosen.
static void show_model(LessonPage *self, const LessonPlace *place) {
  const Recipe *recipe = &place->model->recipe;
  model_pane_init(&self->pane, place->model, &place->values);
  int first = 0;
  while (first < recipe->param_count && !lesson_unlocks(self->lesson, recipe, first)) first++;
  self->pane.chosen = first < recipe->param_count ? first : 0;
}

// The line of the source that stands out: the one that is being chosen, else the wrong one that was, and when that is
// over the right one; of two sources the first one that differs; 0: none.
static int line_to_mark(const LessonPage *self, const LessonStep *step, bool asks) {
  if (!asks) return step->place.code && self->session->other ? ses_first_own_line(self->session) : 0;
  bool choosing = self->answer.open && self->answer.text[0];
  if (lesson_waits(step)) return choosing ? (int)answer_value(&self->answer, step) : step->tries ? (int)step->last : 0;
  bool found = step->tries && question_is_right(&step->question, step->last);
  return (int)(found ? step->last : step->question.answer);
}

// Where a line is asked for the source is what one looks at, the answer included. A question about a source may be for
// what goes wrong in it, so that is not told before.
static void mark_line(LessonPage *self) {
  const LessonStep *step = lesson_current(self->lesson);
  bool asks = lesson_asks(step) && step->question.kind == QUESTION_LINE;
  bool code = asks && (lesson_waits(step) || !step->sees);
  if (!self->session) return;
  self->session->line_marked = line_to_mark(self, step, code);
  self->session->hides = step->hides && lesson_waits(step) ? SES_HIDES_PICTURE : SES_HIDES_NOTHING;
  self->session->untold = lesson_asks(step) && lesson_waits(step) && (asks || step->place.code);
  self->session->layout_flags = LAYOUT_RAIL | (code || step->place.code ? LAYOUT_CODE : 0);
}

// Brings the explorer to the place of the current step.
static void show_place(LessonPage *self) {
  self->skip = 0;
  self->answer.open = self->going = self->word.open = false;
  self->message[0] = 0;
  const LessonPlace *place = &lesson_current(self->lesson)->place;
  work_pane_show(&self->work, self->lesson);
  self->shows = !self->work.work && lesson_run(self->lesson, place->run) != NULL;
  self->pane = (ModelPane){0};
  writing_pane_reset(&self->writing);
  if (place->model && !self->work.work) show_model(self, place);
  lesson_show(self->lesson, &self->session);
  if (!self->session) return;
  mark_line(self);
  self->session->book = self->book;
  self->session->patience = PAGE_PATIENCE;
  self->session->panels = panels;
  self->session->room = view_room;
  self->session->rail_rows = rail_rows;
  self->session->rail_context = self;
  self->observed = self->session->run;
}

static void say_what_it_waits_for(LessonPage *self) {
  const LessonStep *step = lesson_current(self->lesson);
  const char *write = step->writing && step->writing->text ? "Tick what your text says, then Enter" :
      "Write first (Enter), or s to see it";
  bool goal = step->kind == LESSON_TRY;
  const char *answer = self->work.work ? "Write it first, t for a tip, or s to see a solution"
                                       : "Answer first, t for a tip, or s to see the answer";
  const char *reach = "Reach the goal first (p changes parameters), t for a tip, or s to go on without it";
  snprintf(self->message, sizeof self->message, "%s", step->writing ? write : goal ? reach : answer);
}

// Behind the last screen comes the lesson that it points to.
static void go_to_next_lesson(LessonPage *self) {
  LsErr err = {0};
  Lesson *next = lesson_following(self->lesson, &err);
  if (err.kind != LS_OK) return fail(self, &err);
  if (next) self->base.open = page_lesson_new(next, self->book);
  self->base.closed = true;
}

static void move_on(LessonPage *self) {
  LsErr err = {0};
  switch (lesson_job_go(&self->job, self->lesson, &err)) {
    case LESSON_MOVED: show_place(self); break;
    case LESSON_WAITS: say_what_it_waits_for(self); break;
    case LESSON_AT_END: go_to_next_lesson(self); break;
    case LESSON_BROKEN: fail(self, &err); break;
    case LESSON_RUNS: self->going = true; break;
  }
}

static void go_on(LessonPage *self) {
  bool more_below = self->rows - self->skip > self->room && self->room > 0;
  if (more_below) self->skip += LS_MAX(self->room - 1, 1);   // to be read first
  else move_on(self);
}

// What has become of the lesson's run. True if the picture changed.
static bool follow_job(LessonPage *self, double seconds) {
  static const char stopped[] = "The run was stopped; nothing is lost. Enter runs it again, q leaves";
  LsErr err = {0};
  switch (lesson_job_tick(&self->job, self->lesson, seconds, &err)) {
    case LESSON_JOB_NONE: return false;
    case LESSON_JOB_GOES_ON: return lesson_job_noticed(&self->job);
    case LESSON_JOB_FAILED: fail(self, &err); break;
    case LESSON_JOB_GIVEN:
      if (self->going) move_on(self);
      break;
    case LESSON_JOB_STOPPED:
      self->going = false;
      snprintf(self->message, sizeof self->message, "%s", stopped);
      break;
  }
  return true;
}

static void go_back(LessonPage *self) {
  if (self->going) self->going = false;   // the run goes on, for when the student does
  if (lesson_back(self->lesson)) show_place(self);
  else snprintf(self->message, sizeof self->message, "This is the first step.");
}

static StoreState state_of_progress(const LessonPage *self) {
  const Progress *progress = lesson_progress(self->lesson);
  return progress ? progress_state(progress) : STORE_UNWANTED;
}

// Says at the beginning, and when it happens, that progress is not saved, and when it is again.
static void tell_progress(LessonPage *self) {
  const Progress *progress = lesson_progress(self->lesson);
  StoreState state = state_of_progress(self);
  if (state == self->told) return;
  LsText words = {0};
  if (progress) progress_words(progress, &words);
  bool again = self->told > STORE_UNWANTED && state == STORE_SAVED;
  if (again) ls_text_add(&words, "Progress is saved again, with all answers of this session.");
  snprintf(self->message, sizeof self->message, "%s", ls_text_str(&words));
  ls_text_free(&words);
  self->told = state;
}

// After a run the student made: is the goal reached?
static void observe(LessonPage *self) {
  if (!self->session || self->observed == self->session->run) return;
  self->observed = self->session->run;
  LsErr err = {0};
  if (lesson_current(self->lesson)->kind != LESSON_TRY) return;
  if (!lesson_observe(self->lesson, self->session->run, &err) && err.kind != LS_OK) fail(self, &err);
}

// The same after a change of the model.
static void observe_model(LessonPage *self) {
  LsErr err = {0};
  if (!lesson_observe_model(self->lesson, &self->pane.values, &err) && err.kind != LS_OK) fail(self, &err);
}

// ---- answering -----------------------------------------------------------------------------------------------------

static bool wants_goal(const LessonPage *self) {
  const LessonStep *step = lesson_current(self->lesson);
  return step->kind == LESSON_TRY && !step->answered && !step->skipped;
}

static bool wants_answer(const LessonPage *self) {
  const LessonStep *step = lesson_current(self->lesson);
  return (step->kind == LESSON_PREDICT || step->kind == LESSON_CHECK) && !step->answered && !step->skipped;
}

static bool wants_work(const LessonPage *self) {
  return self->work.work && lesson_waits(lesson_current(self->lesson));
}

static bool wants_words(const LessonPage *self) {
  const LessonStep *step = lesson_current(self->lesson);
  return step->writing && !step->writing->text && lesson_waits(step);
}

static void after_answer(LessonPage *self) {
  const LessonStep *step = lesson_current(self->lesson);
  if (step->answered && step->sees) show_place(self);
  self->answer.open = false;
  mark_line(self);
  self->skip = 1 << 20;   // the verdict stands at the end; drawing clamps
}

static void submit(LessonPage *self) {
  LsErr err = {0};
  if (lesson_answer_typed(self->lesson, self->answer.text, &err)) after_answer(self);
  else snprintf(self->message, sizeof self->message, "%.255s", err.message);
}

static bool typing_key(LessonPage *self, AppKey key) {
  AnswerEvent event = answer_key(&self->answer, lesson_current(self->lesson), key);
  self->message[0] = 0;
  if (event == ANSWER_GIVEN) submit(self);
  mark_line(self);
  return event != ANSWER_UNUSED;
}

static bool says_sure(LessonPage *self, AppKey key) {
  if (key.code < '1' || key.code > '3') return false;
  lesson_sure(self->lesson, (int)(key.code - '0'));
  after_answer(self);
  return true;
}

// A key that begins an answer, or opens the prompt for one.
static bool begins_answer(LessonPage *self, AppKey key) {
  if (!wants_answer(self)) return false;
  if (lesson_current(self->lesson)->asks_sure) return says_sure(self, key);
  const LessonStep *step = lesson_current(self->lesson);
  const Scene *scene = self->shows && self->session->steps ? ses_scene(self->session) : NULL;
  bool alone = !self->shows && !self->pane.model;
  if (!answer_begin(&self->answer, step, key, alone, scene ? scene->line : 0)) return false;
  self->message[0] = 0;
  mark_line(self);
  return true;
}

// A student may look before answering; it is noted.
typedef struct Looked { const Run *run; uint64_t step; uint32_t block; int warp, lane; ModelValues values; } Looked;

static Looked looked_at(const LessonPage *self) {
  Looked at = {.values = self->pane.values};
  const Session *session = self->shows ? self->session : NULL;
  if (!session) return at;
  at.run = session->run;
  at.step = session->step;
  at.block = session->block;
  at.warp = session->warp;
  at.lane = session->lane;
  return at;
}

static void note_look(LessonPage *self, const Looked *before) {
  Looked now = looked_at(self);
  bool same = now.run == before->run && now.step == before->step && now.block == before->block &&
              now.warp == before->warp && now.lane == before->lane &&
              memcmp(&now.values, &before->values, sizeof now.values) == 0;
  if (same) return;
  if (self->session) self->session->line_marked = 0;   // the cursor is what is followed
  lesson_looks(self->lesson);
}

// ---- keys ----------------------------------------------------------------------------------------------------------

static void tip(LessonPage *self) {
  if (lesson_tip(self->lesson)) self->skip = 1 << 20;
  else snprintf(self->message, sizeof self->message, "There is no further tip here.");
}

static void skip_step(LessonPage *self) {
  lesson_skip(self->lesson);
  after_answer(self);
}

static bool scroll(LessonPage *self, int rows) {
  self->skip = LS_MAX(self->skip + rows, 0);
  return true;
}

// A run beside a text is there to be watched to its end; beside a question only the event that the question is about.
static bool more_to_play(const LessonPage *self, Session *session) {
  if (ses_plays(session) || session->phase > 0 || ses_unfolds(session)) return true;
  return !lesson_waits(lesson_current(self->lesson)) && session->motion && session->step + 1 < session->steps;
}

// Space plays what the step shows, and stops it; where nothing is left to play it goes on to the next step.
static bool plays(LessonPage *self, AppKey key) {
  if (key.code == ' ' && self->pane.model && self->pane.model->time >= 0) {
    const ModelValues *values = &self->pane.values;
    bool seen = model_time_after(self->pane.model, values) == values->numbers.value[self->pane.model->time];
    return !seen && model_pane_key(&self->pane, key);
  }
  Session *session = self->shows ? self->session : NULL;
  if (key.code != ' ' || !session || !more_to_play(self, session)) return false;
  return ses_command(session, &(Command){.id = CMD_PLAY});
}

// The run of a try, in an explorer of its own.
static void open_tried(LessonPage *self) {
  const LessonWork *work = self->work.work;
  if (!work->run || !work->run->trace) {
    snprintf(self->message, sizeof self->message, "There is no run yet to look at.");
    return;
  }
  Session *session = ses_new(run_share(work->run));
  const TraceFault *fault = run_fault_row(work->run, 0);
  if (fault && fault->step != UINT64_MAX)
    ses_command(session, &(Command){.id = CMD_GOTO, .arg = (int64_t)fault->step});
  session->book = self->book;
  self->base.open = page_explorer_new(session);
}

// Keys of code that is written.
static bool work_key(LessonPage *self, AppKey key) {
  if (!self->work.work) return false;
  WorkKey came = work_pane_key(&self->work, key, self->message);
  if (came == WORK_KEY_TRIED) self->skip = 1 << 20;
  if (came != WORK_KEY_NONE) return true;
  if (key.code == KEY_ESC_) return work_pane_cancel(&self->work);
  if (key.code == 'o') return open_tried(self), true;
  if (key.code == 'E') return self->base.shell = work_pane_editor(&self->work, self->message), true;
  return false;
}

// Keys of the lesson itself; the explorer gets the others.
static bool lesson_key(LessonPage *self, AppKey key) {
  bool open = wants_goal(self) || wants_answer(self) || wants_work(self) || wants_words(self);
  CommandId id = command_for_key(key.code, CTX_L);
  if (plays(self, key)) return true;
  if (key.code == ' ' || (key.code == KEY_RETURN_ && !open)) go_on(self);
  else if (id == CMD_BACK) go_back(self);
  else if (key.code == 'r' && lesson_redo(self->lesson)) move_on(self);
  else if (id == CMD_RETURN_PLACE) show_place(self);
  else if (id == CMD_TIP) tip(self);
  else if (key.code == 's' && open) skip_step(self);
  else if (key.code == 'q') self->base.closed = true;
  else if (key.code == KEYX_PGDN) scroll(self, LS_MAX(self->room - 1, 1));
  else if (key.code == KEYX_PGUP) scroll(self, -LS_MAX(self->room - 1, 1));
  else return false;
  return true;
}

// Only the text is shown: the keys of the explorer have nothing to move.
static bool text_key(LessonPage *self, AppKey key) {
  CommandId id = command_for_key(key.code, CTX_M);
  if (id == CMD_UP) return scroll(self, -1);
  if (id == CMD_DOWN) return scroll(self, 1);
  if (id == CMD_HELP) self->base.open = page_help_new(CTX_X | CTX_L);
  return id == CMD_HELP;
}

// The model beside the text has the keys that the lesson does not take.
static bool model_key(LessonPage *self, AppKey key) {
  bool used = model_pane_key(&self->pane, key);
  if (used && !self->pane.typing) observe_model(self);
  return used;
}

// A key that only this model has is the model's, whatever the lesson uses it for.
static bool owns_key(const LessonPage *self, AppKey key) {
  const Model *model = self->pane.model;
  return model && model->key && key.code < 127 && model->key(&(ModelValues){.script = ""}, key.code);
}

// Keys of what stands beside the text.
static bool explorer_key(LessonPage *self, AppKey key) {
  Looked before = looked_at(self);
  bool used = self->pane.model && model_key(self, key);
  if (!used) used = self->shows ? ses_key(self->session, key) : text_key(self, key);
  note_look(self, &before);
  return used;
}

static void settle(LessonPage *self) {
  Session *session = self->shows ? self->session : NULL;
  const Scene *scene = session && session->steps ? ses_scene(session) : NULL;
  bool counting = scene && (!scene->so_far_known || scene->values_pending);
  counting = counting || (session && (ses_difference_waits(session) || ses_schedule_waits(session)));
  bool moving = session && (ses_plays(session) || counting || rerun_active(&self->rerun, session));
  self->base.ticking = moving || self->job.job || self->pane.playing || work_pane_busy(&self->work);
}

// A drawn question whose answer was given.
static bool is_told(const LessonPage *self) {
  const LessonStep *step = lesson_current(self->lesson);
  return step->skill && lesson_asks(step) && !lesson_waits(step);
}

// What the answer is from, on a page of its own: closing that comes back.
static bool opens_behind(LessonPage *self, AppKey key) {
  const LessonPlace *place = &lesson_current(self->lesson)->behind;
  Session *session = NULL;
  if (command_for_key(key.code, CTX_L) != CMD_BEHIND || !is_told(self)) return false;
  if (!lesson_opens(self->lesson)) {
    snprintf(self->message, sizeof self->message, "This answer is from no run: there is nothing to look at.");
    return true;
  }
  if (!place->model) lesson_show_at(self->lesson, place, &session);
  if (session) session->book = self->book;
  self->base.open = place->model ? page_model_new(place->model, &place->values) : page_explorer_new(session);
  return true;
}

// What a word means is asked on the explorer's ':' line; where there is no explorer, on one of the page.
static bool asks_word(LessonPage *self, AppKey key) {
  bool idle = !self->answer.open && !self->pane.typing && !lesson_work(self->lesson) && !self->shows;
  if (self->word.open) word_prompt_key(&self->word, self->lesson, key, self->message, sizeof self->message);
  else if (key.code == ':' && idle) word_prompt_open(&self->word, false);
  else if (command_for_key(key.code, CTX_L) == CMD_DOUBT && is_told(self)) word_prompt_open(&self->word, true);
  else return false;
  return true;
}

static bool page_key(Page *page, AppKey key) {
  LessonPage *self = (LessonPage *)page;
  bool changed, said = self->message[0] != 0;
  lesson_touch(self->lesson);
  self->message[0] = 0;
  bool session_busy = self->shows && self->session && self->session->panel;
  if (lesson_current(self->lesson)->writing && writing_pane_key(&self->writing, self->lesson, key)) changed = true;
  else if (asks_word(self, key)) changed = true;
  else if (!session_busy && !self->pane.typing && opens_behind(self, key)) changed = true;
  else if (self->answer.open) changed = typing_key(self, key);
  else if (key.code == KEY_ESC_ && self->going && !session_busy) changed = lesson_job_cancel(&self->job);
  else if (key.code == KEY_ESC_ && rerun_cancel(&self->rerun)) changed = true;
  else if (!session_busy && !self->pane.typing && work_key(self, key)) changed = true;
  else if (!session_busy && !self->pane.typing && begins_answer(self, key)) changed = true;
  else if (!session_busy && !self->pane.typing && !owns_key(self, key) && lesson_key(self, key)) changed = true;
  else changed = explorer_key(self, key);
  tell_progress(self);
  if (!self->base.closed) settle(self);
  return changed || said;
}

// What has become of a try. True if the picture changed.
static bool follow_work(LessonPage *self, double seconds) {
  LsErr err = {0};
  bool ended, changed = work_pane_tick(&self->work, seconds, &ended, &err);
  if (err.kind != LS_OK) fail(self, &err);
  if (ended) self->skip = 1 << 20;   // what came of it stands at the end
  return changed;
}

static bool page_tick(Page *page, double seconds) {
  LessonPage *self = (LessonPage *)page;
  bool changed = follow_job(self, seconds);
  if (self->base.closed) return true;
  Looked before = looked_at(self);
  if (model_pane_tick(&self->pane, seconds)) changed = true;
  if (follow_work(self, seconds)) changed = true;
  if (self->session) {
    if (rerun_tick(&self->rerun, self->session, seconds)) changed = true;
    if (ses_tick(self->session, seconds)) changed = true;
    observe(self);
  }
  note_look(self, &before);
  tell_progress(self);
  settle(self);
  return changed;
}

// ---- drawing -------------------------------------------------------------------------------------------------------

static void draw_keys(const LessonPage *self, Canvas *canvas) {
  int count, writing_count;
  const FooterKey *writing = lesson_current(self->lesson)->writing ?
      writing_pane_keys(&self->writing, self->lesson, &writing_count) : NULL;
  const FooterKey *work = work_pane_keys(&self->work, &count);
  if (writing) frame_keys(canvas, writing, writing_count);
  else if (work) frame_keys(canvas, work, count);
  else lesson_footer(self->lesson, self->shows, self->pane.model != NULL, canvas);
}

static void draw_bottom(const LessonPage *self, Canvas *canvas) {
  const char *hint = self->message[0] ? self->message : answer_help(lesson_current(self->lesson));
  if (self->word.open) word_prompt_draw(&self->word, canvas);
  else if (self->answer.open) frame_prompt(canvas, "answer ", self->answer.text, hint);
  else if (self->message[0]) frame_message(canvas, self->message, false);
  else if (!canvas->stage) draw_keys(self, canvas);
}

#define NOT_SAVED "not saved"

// The word at the right stays where the title is long; that answers are not saved stands out.
static void draw_rail_rule(Canvas *canvas, Rect rect, const char *title, const char *right) {
  enum { AROUND = 10 };   // of canvas_rule
  char cut[160];
  int room = LS_MAX(rect.w - AROUND - ls_utf8_width(right), 8);
  bool fits = ls_utf8_width(title) <= room;
  snprintf(cut, sizeof cut, "%.*s%s", (int)ls_utf8_within(title, fits ? room : room - 1), title, fits ? "" : "…");
  canvas_rule(canvas, rect.x, rect.y, rect.w, cut, right);
  if (!ls_starts_with(right, NOT_SAVED)) return;
  canvas_text(canvas, rect.x + rect.w - 3 - ls_utf8_width(right), rect.y, ROLE_WAITING, STYLE_BOLD, NOT_SAVED);
}

// The text of the step from its row `skip`; returns the rows in all.
static int draw_step(LessonPage *self, Canvas *canvas, Rect rect, bool low, int skip) {
  if (lesson_current(self->lesson)->writing) return writing_pane_draw(&self->writing, self->lesson, canvas, rect, skip);
  return rail_draw(self->lesson, canvas, rect, low, skip, &self->answer);
}

// What the student writes or chooses is to be seen.
static void follow_writing(LessonPage *self) {
  if (!lesson_current(self->lesson)->writing || !lesson_waits(lesson_current(self->lesson))) return;
  int row = self->writing.row;
  if (row < self->skip) self->skip = row;
  else if (row >= self->skip + self->room) self->skip = row - self->room + 1;
}

static void draw_rail(LessonPage *self, Canvas *canvas, Rect rect) {
  char title[160], more[32] = "";
  const LessonStep *step = lesson_current(self->lesson);
  bool low = (rail_is_low(rect.w, canvas->cols) || step->writing) && step->title && *step->title;
  char place[LESSON_STEP_TEXT];
  lesson_step_text(self->lesson, place, sizeof place);
  snprintf(title, sizeof title, "%s · %s%s%s", lesson_info(self->lesson)->id, place, low ? " · " : "", low ?
           step->title : "");
  Rect text = {rect.x + 1, rect.y + 1, rect.w - 2, rect.h - 1};
  self->rows = draw_step(self, canvas, (Rect){text.x, text.y, text.w, 0}, low, 0);
  self->room = text.h;
  follow_writing(self);
  self->skip = LS_CLAMP(self->skip, 0, LS_MAX(self->rows - text.h, 0));
  if (self->answer.open && self->answer.row >= 0)
    self->skip = LS_CLAMP(self->skip, self->answer.row - text.h + 1, self->answer.row);
  bool below = self->rows - self->skip > text.h;
  const char *kind = lesson_step_kind(step);
  bool lost = state_of_progress(self) > STORE_UNWANTED;
  bool open = lesson_waits(step);   // Enter answers
  snprintf(more, sizeof more, "%s%s%s", lost ? NOT_SAVED " · " : "",
           !below ? kind : open ? "PgDn" : canvas->ascii ? "enter" : "⏎",
           below ? " more below" : "");
  draw_rail_rule(canvas, rect, title, more);
  Rect old = canvas_clip(canvas, rect);
  draw_step(self, canvas, text, low, self->skip);
  canvas_clip(canvas, old);
}

// The cover is for lessons whose first run takes its time: else it would be a flash.
static bool has_words(const LessonPage *self) {
  return !lesson_on_cover(self->lesson) || !self->job.job || lesson_job_noticed(&self->job);
}

static void draw_title(const LessonPage *self, Canvas *canvas) {
  char right[64];
  int right_answers, asked;
  const CourseLesson *info = lesson_info(self->lesson);
  lesson_score(self->lesson, &right_answers, &asked);
  snprintf(right, sizeof right, "%d of %d answers right", right_answers, asked);
  bool named = strcasecmp(info->id, info->title) != 0;   // the quiz is called what it is
  FrameTitle title = {.crumbs = {"lanescope", info->id, info->title}, .crumb_count = named ? 3 : 2,
                      .right = asked ? right : ""};
  frame_title(canvas, &title);
}

static void draw_text_page(LessonPage *self, Canvas *canvas) {
  draw_title(self, canvas);
  enum { TEXT_WIDTH = 76, WRITING_WIDTH = 110 };
  int width = LS_MIN(canvas->cols - 8, lesson_current(self->lesson)->writing ? WRITING_WIDTH : TEXT_WIDTH);
  Rect rail = {LS_MAX((canvas->cols - width) / 2, 1), 2, width, canvas->rows - 4};
  if (has_words(self)) draw_rail(self, canvas, rail);
}

// The model with its sliders, and the text at its right or below it: the picture has the rows that it needs, the
// text as
// many as it fills of the others.
static void draw_model_page(LessonPage *self, Canvas *canvas) {
  enum { BESIDE = 120, NARROW = 38, WIDE = 64 };
  Rect area = {0, 1, canvas->cols, canvas->rows - 2}, rail = area;
  bool beside = canvas->cols >= BESIDE;
  if (!canvas->stage) draw_title(self, canvas);
  if (beside) {
    rail.w = LS_CLAMP(canvas->cols / 3, NARROW, WIDE);
    rail.x = canvas->cols - rail.w;
    area.w -= rail.w + 1;
  } else {
    const LessonStep *step = lesson_current(self->lesson);
    bool low = step->title && *step->title;
    int wanted = 1 + rail_draw(self->lesson, NULL, (Rect){0, 0, canvas->cols - 2, 0}, low, 0, &self->answer);
    int least = model_room(self->pane.model, &self->pane.values, canvas->cols - 2).least;
    int most = LS_MAX(area.h - least, LAYOUT_LEAST_RAIL_H);
    rail.h = LS_CLAMP(wanted, LAYOUT_LEAST_RAIL_H, most);
    rail.y = area.y + area.h - rail.h;
    area.h -= rail.h;
  }
  bool bare = canvas->stage || (!beside && !wants_goal(self));
  model_pane_draw(&self->pane, canvas, area, bare);
  draw_rail(self, canvas, rail);
}

// The source at the left or above, the text at its right or below it.
static void draw_work_page(LessonPage *self, Canvas *canvas) {
  enum { BESIDE = 110, NARROW = 42, WIDE = 64 };
  Rect area = {0, 1, canvas->cols, canvas->rows - 2}, rail = area;
  const LessonStep *step = lesson_current(self->lesson);
  draw_title(self, canvas);
  if (canvas->cols >= BESIDE) {
    rail.w = LS_CLAMP(canvas->cols * 2 / 5, NARROW, WIDE);
    rail.x = canvas->cols - rail.w;
    area.w -= rail.w + 1;
  } else {
    bool low = step->title && *step->title;
    int wanted = 1 + rail_draw(self->lesson, NULL, (Rect){0, 0, canvas->cols - 2, 0}, low, 0, NULL);
    rail.h = LS_CLAMP(wanted, LAYOUT_LEAST_RAIL_H, LS_MAX(area.h - work_pane_least(&self->work), LAYOUT_LEAST_RAIL_H));
    rail.y = area.y + area.h - rail.h;
    area.h -= rail.h;
  }
  draw_rail(self, canvas, rail);
  work_pane_draw(&self->work, canvas, area);
}

// The run that the student waits for stands in the place of the keys.
static void draw_job(const LessonPage *self, Canvas *canvas) {
  bool busy = self->shows && self->session->panel;
  if (self->going && !busy && lesson_job_noticed(&self->job)) lesson_job_draw(&self->job, canvas);
}

static void page_draw_lesson(Page *page, Canvas *canvas) {
  LessonPage *self = (LessonPage *)page;
  if (!self->shows) {
    if (self->work.work) draw_work_page(self, canvas);
    else if (self->pane.model) draw_model_page(self, canvas);
    else draw_text_page(self, canvas);
    draw_bottom(self, canvas);
    draw_job(self, canvas);
    return;
  }
  Layout layout;
  explorer_draw(self->session, canvas);
  ses_layout(self->session, &layout);
  const SesPanel *panel = self->session->panel;
  if (!(panel && panel->place == PANEL_SCREEN) && layout.rail.w) draw_rail(self, canvas, layout.rail);
  if (!panel && !self->session->message[0]) draw_bottom(self, canvas);
  rerun_draw(&self->rerun, canvas);
  draw_job(self, canvas);
  settle(self);
}

static void page_free(Page *page) {
  LessonPage *self = (LessonPage *)page;
  lesson_job_fini(&self->job);
  work_pane_fini(&self->work);
  writing_pane_reset(&self->writing);
  rerun_fini(&self->rerun);
  ses_free(self->session);
  lesson_free(self->lesson);
  free(self);
}

static const PageClass lesson_class = {page_draw_lesson, page_key, page_tick, page_free};

Page *page_lesson_new(Lesson *lesson, RecipeBook *book) {
  LessonPage *self = ls_alloc(sizeof *self);
  self->base.class = &lesson_class;
  self->lesson = lesson;
  self->book = book;
  if (lesson_on_cover(lesson)) move_on(self);
  else show_place(self);
  tell_progress(self);
  settle(self);
  return &self->base;
}
