// lesson.c: the host of a lesson: drives its script, keeps the steps, judges answers, saves progress.
#include "app/course/lesson.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/course/doubts.h"
#include "app/course/judged.h"
#include "app/course/lesson_parts.h"
#include "app/run/glossary.h"
#include "base/clock.h"
#include "base/mem.h"

enum { RUN_LIMIT = 1024, STEP_LIMIT = 1000, DRAW_LIMIT = 50 };   // against a script that never ends

struct Lesson {
  Course *course;
  const CourseLesson *info;
  RecipeBook *book;
  Progress *progress;
  Progress *scratch;               // remembers what was drawn where there is no progress; NULL until then
  Progress *marks;                 // of a quiz: gets its marks, and no other trace of it; borrowed, may be NULL
  LessonScript *script;
  LsArena *arena;                  // texts of the steps
  LessonStep **steps; int count, capacity;
  int index;
  bool ended;                      // the script came to its end: the last step is the last one
  LessonPlace place;               // where the script last sent the explorer
  Run **runs; int run_count, run_capacity;
  LessonReply reply;               // what the script gets next
  bool in_script;                  // the script was resumed since the last step, and wants or wanted a run
  bool wants_run;
  RunRequest wanted;               // if wants_run
  LessonWant want;                 // the same in the script's words
  LessonStep cover;
  bool opening;                    // on the cover, while the saved answers are played: nothing is saved
  int left_at;                     // the step where the student left
  const char *device;              // where its runs are made, whatever it says; NULL: where it says
  CourseDrill apart;               // of lesson_claim, lesson_room, lesson_quiz and lesson_exam
  CourseQuiz quiz;                 // apart.quiz
  int64_t sitting;                 // of a quiz, a number by chance; else 0
  double touched;                  // when the student was last there, on the monotonic clock; 0: not yet
  bool afresh;                     // it was done and is begun once more, until an answer replaces the saved ones
};

const char *lesson_kind_name(LessonKind kind) {
  static const char *const names[] = {"say", "predict", "explain", "try", "check", "work", "write", "end", "run",
                                      "show", "draw",
                                      "skills", "checked", "scored"};
  return names[kind];
}

const CourseLesson *lesson_info(const Lesson *lesson) { return lesson->info; }
void lesson_step_text(const Lesson *lesson, char *out, size_t size) {
  bool known = lesson->ended || lesson->info->steps;
  int length = snprintf(out, size, "step %d", lesson_index(lesson) + 1);
  if (known) snprintf(out + length, size - (size_t)length, " of %d", lesson_steps(lesson));
}

const Progress *lesson_progress(const Lesson *lesson) { return lesson->progress; }
bool lesson_on_cover(const Lesson *lesson) { return lesson->opening; }

static LessonStep *current(Lesson *lesson) { return lesson->opening ? &lesson->cover : lesson->steps[lesson->index]; }
const LessonStep *lesson_current(const Lesson *lesson) { return current((Lesson *)lesson); }

const LessonStep *lesson_at(const Lesson *lesson, int index) {
  return index >= 0 && index < lesson->count ? lesson->steps[index] : NULL;
}

int lesson_index(const Lesson *lesson) { return lesson->opening ? lesson->left_at : lesson->index; }

int lesson_steps(const Lesson *lesson) {
  return lesson->ended ? lesson->count : LS_MAX(lesson->info->steps, lesson->count);
}

Run *lesson_run(const Lesson *lesson, int index) {
  return index >= 0 && index < lesson->run_count ? lesson->runs[index] : NULL;
}

void lesson_score(const Lesson *lesson, int *right, int *asked) {
  *right = *asked = 0;
  for (int i = 0; i < lesson->count; i++) {
    const LessonStep *step = lesson->steps[i];
    if (!lesson_asks(step) || step->again || step->looked) continue;
    *right += step->right && step->answered;
    *asked += !lesson_waits(step);
  }
}

int lesson_practice(const Lesson *lesson) {
  int count = 0;
  for (int i = 0; i < lesson->count; i++)
    count += lesson_asks(lesson->steps[i]) && lesson->steps[i]->looked && !lesson_waits(lesson->steps[i]);
  return count;
}

// ---- progress -----------------------------------------------------------------------------------------------------

static void save_place(const Lesson *lesson) {
  if (!lesson->progress || lesson->opening) return;
  ProgressLesson place = {.step = lesson->index, .steps = lesson_steps(lesson),
                          .done = lesson->ended && lesson->index == lesson->count - 1};
  lesson_score(lesson, &place.right, &place.asked);
  progress_save_lesson(lesson->progress, lesson->info->id, &place);
}

// Where it is remembered what was drawn.
static Progress *memory(Lesson *lesson) {
  if (lesson->marks) return lesson->marks;
  if (lesson->progress || lesson->scratch) return lesson->progress ? lesson->progress : lesson->scratch;
  lesson->scratch = progress_open(":memory:");
  skills_set_seed(lesson->scratch, 1);
  return lesson->scratch;
}

// Steps without a name are known by their number.
static void name_of_step(const Lesson *lesson, const LessonStep *step, char name[PROGRESS_NAME]) {
  if (step->id && *step->id) snprintf(name, PROGRESS_NAME, "%s", step->id);
  else snprintf(name, PROGRESS_NAME, "step %d", lesson->index);
}

// The memory learns nothing of an answer that was looked up beforehand.
static void log_answer(Lesson *lesson, const LessonStep *step) {
  LsText given = {0};
  Progress *log = memory(lesson);
  step_given_text(step, &given);
  FsrsMark mark = step->looked ? 0 : step_mark(step, skill_usual_seconds(log, step->skill));
  skill_log_add(log, &(SkillAnswer){
      .skill = step->skill, .times = step->times, .mark = mark, .at = time(NULL), .right = step_at_once(step),
      .score = step->score, .tips = step->tips_before, .sure = step->sure, .looked = step->looked,
      .seconds = step->seconds, .given = ls_text_str(&given), .said = step->met});
  ls_text_free(&given);
}

static void save_answer(Lesson *lesson, const LessonStep *step) {
  if (step->skill && !lesson_waits(step)) log_answer(lesson, step);
  if (!lesson->progress || lesson->opening) return;
  if (lesson->afresh) progress_restart_lesson(lesson->progress, lesson->info->id);
  lesson->afresh = false;
  char name[PROGRESS_NAME];
  name_of_step(lesson, step, name);
  ProgressAnswer answer = step_saved(step);
  progress_save_answer(lesson->progress, lesson->info->id, name, &answer);
  save_place(lesson);
}

// ---- driving the script -------------------------------------------------------------------------------------------

static bool want_run(Lesson *lesson, const LessonWant *want, LsErr *err) {
  if (lesson->run_count >= RUN_LIMIT) return ls_fail(err, LS_EREQUEST, "the lesson makes more than %d runs", RUN_LIMIT);
  lesson->want = *want;
  lesson->wants_run = lesson->in_script = lesson_want_request(want, lesson->book, &lesson->wanted, err);
  if (lesson->wants_run && lesson->device) run_request_set_device(&lesson->wanted, lesson->device);
  if (lesson->wants_run) return true;
  run_request_fini(&lesson->wanted);
  lesson_blame(lesson, err);
  return false;
}

const RunRequest *lesson_wants(const Lesson *lesson) { return lesson->wants_run ? &lesson->wanted : NULL; }

void lesson_blame(const Lesson *lesson, LsErr *err) {
  if (!err || err->file[0] || !lesson->want.file) return;
  snprintf(err->file, sizeof err->file, "%s", lesson->want.file);
  err->line = lesson->want.line;
}

static void forget_want(Lesson *lesson) {
  if (lesson->wants_run) run_request_fini(&lesson->wanted);
  lesson->wants_run = false;
}

void lesson_give(Lesson *lesson, Run *run) {
  LS_PUSH(lesson->runs, lesson->run_count, lesson->run_capacity, run);
  lesson->reply = (LessonReply){.run = run, .run_index = lesson->run_count - 1};
  forget_want(lesson);
}

static void push_end(Lesson *lesson, LessonStep *step) {
  int right, asked;
  lesson_score(lesson, &right, &asked);
  lesson->ended = true;
  if (step->title) return;
  step->title = "The end";
  int practice = lesson_practice(lesson);
  LsText score = {0};
  if (asked) ls_text_addf(&score, "You answered %d of %d questions right at the first try.", right, asked);
  if (practice) ls_text_addf(&score, "%s%d more after looking: practice.", asked ? "\n" : "", practice);
  if (!score.length) ls_text_add(&score, "That was all.");
  step->text = ls_arena_strdup(lesson->arena, ls_text_str(&score));
  ls_text_free(&score);
}

static bool push_step(Lesson *lesson, const LessonStep *request, LsErr *err) {
  if (request->work && !work_settle(request->work, lesson->book, lesson->arena, err)) {
    lesson->want = request->work->runs[0];
    lesson_blame(lesson, err);
    return false;
  }
  LessonStep *step = LS_NEW(lesson->arena, LessonStep);
  *step = *request;
  step->place = lesson->place;
  if (!step->id) step->id = "";
  if (step->kind == LESSON_END) push_end(lesson, step);
  LS_PUSH(lesson->steps, lesson->count, lesson->capacity, step);
  return true;
}

static int days_until(int64_t due, int64_t now) { return (int)LS_CLAMP(skill_day(due) - skill_day(now), 0, INT32_MAX); }

static void states(Lesson *lesson, const LessonDrawWant *want) {
  LessonDraws *draws = LS_NEW(lesson->arena, LessonDraws);
  int count = want->skill_count;
  *draws = (LessonDraws){.items = LS_NEW_ARRAY(lesson->arena, SkillDraw, count + 1), .count = count,
                         .again = LS_NEW_ARRAY(lesson->arena, LessonAgain, count + 1)};
  for (int i = 0; i < count; i++) {
    SkillState state;
    skill_state(memory(lesson), want->skills[i], time(NULL), &state);
    draws->items[i] = (SkillDraw){want->skills[i], state.drawn};
    draws->again[i] = (LessonAgain){days_until(state.due, time(NULL)), state.rests};
  }
  lesson->reply = (LessonReply){.draws = draws};
}

static bool draw(Lesson *lesson, const LessonDrawWant *want, LsErr *err) {
  if (want->wanted < 1 || want->wanted > DRAW_LIMIT || want->skill_count < 1)
    return ls_fail(err, LS_EREQUEST, "the lesson draws %d questions of %d skills; 1 to %d can be drawn", want->wanted,
                   want->skill_count, DRAW_LIMIT);
  LessonDraws *draws = LS_NEW(lesson->arena, LessonDraws);
  SkillWish wish = {.lesson = lesson->info->id, .slot = lesson->sitting ? NULL : want->slot, .skills = want->skills,
                    .wanted = want->wanted, .count = want->skill_count, .needed = want->needed, .due = want->due,
                    .sitting = lesson->sitting};
  *draws = (LessonDraws){.seed = skills_seed(memory(lesson)),
                         .items = LS_NEW_ARRAY(lesson->arena, SkillDraw, want->wanted)};
  draws->count = skills_draw(memory(lesson), &wish, time(NULL), draws->items);
  lesson->reply = (LessonReply){.draws = draws};
  return true;
}

static void save_check(const Lesson *lesson, const SkillCheck *check) {
  if (lesson->progress && !lesson->opening) skills_save_check(lesson->progress, lesson->info->id, check, time(NULL));
}

// A trace that was drawn is one answer, though it asks several times.
static void log_trace(Lesson *lesson, const LessonStep *request) {
  const SkillCheck *events = &request->checked;
  if (lesson->opening || events->total < 1) return;
  skill_log_add(memory(lesson), &(SkillAnswer){
      .skill = request->skill, .times = request->times, .mark = step_trace_mark(events->right, events->total),
      .at = time(NULL), .right = events->right == events->total,
      .score = (double)events->right / events->total});
}

// Resumes the script until it makes a step for the student, or wants a run.
static LessonMove advance(Lesson *lesson, LsErr *err) {
  if (lesson->count >= STEP_LIMIT) {
    ls_fail(err, LS_EREQUEST, "the lesson has more than %d steps", STEP_LIMIT);
    return LESSON_BROKEN;
  }
  for (int turn = 0; turn < STEP_LIMIT; turn++) {
    if (lesson->wants_run) return LESSON_RUNS;
    LessonStep request = {0};
    LessonReply reply = lesson->reply;
    lesson->reply = (LessonReply){0};
    if (!lesson->script->resume(lesson->script, &reply, lesson->arena, &request, err)) return LESSON_BROKEN;
    if (request.kind == LESSON_RUN) {
      if (!want_run(lesson, &request.want, err)) return LESSON_BROKEN;
    } else if (request.kind == LESSON_SHOW) {
      lesson->place = request.place;
    } else if (request.kind == LESSON_DRAW) {
      if (!draw(lesson, &request.draw, err)) return LESSON_BROKEN;
    } else if (request.kind == LESSON_SKILLS) {
      states(lesson, &request.draw);
    } else if (request.kind == LESSON_CHECKED) {
      save_check(lesson, &request.checked);
    } else if (request.kind == LESSON_SCORED) {
      log_trace(lesson, &request);
    } else {
      if (!push_step(lesson, &request, err)) return LESSON_BROKEN;
      lesson->in_script = false;
      return LESSON_MOVED;
    }
  }
  ls_fail(err, LS_EREQUEST, "the lesson goes on for ever without a word to the student");
  return LESSON_BROKEN;
}

static LessonReply reply_of(const LessonStep *step) {
  bool text = lesson_asks(step) && step->question.kind == QUESTION_TEXT;
  return (LessonReply){.answer = step->given, .right = step->right, .score = step->score,
                       .words = text ? step->words[0] : NULL};
}

// A text that was handed in, but not judged yet, waits for its ticks.
static void recall_draft(Lesson *lesson, LessonStep *step, const char *name) {
  LessonWriting draft = *step->writing;
  draft.points = LS_NEW_ARRAY(lesson->arena, WritingPoint, draft.point_count);
  for (int i = 0; i < draft.point_count; i++) draft.points[i] = step->writing->points[i];
  bool waits = writing_load(lesson->marks, lesson->info->id, name, lesson->arena, &draft) &&
               !judged_has(lesson->marks, name, &draft);
  if (waits) *step->writing = draft;
}

static void recall_answer(Lesson *lesson) {
  LessonStep *step = lesson->steps[lesson->index];
  ProgressAnswer answer;
  char name[PROGRESS_NAME];
  name_of_step(lesson, step, name);
  if (lesson->marks && step->writing && lesson_waits(step) && !step->writing->text) recall_draft(lesson, step, name);
  if (!lesson->progress || lesson->afresh || !lesson_waits(step)) return;
  if (step->writing) writing_load(lesson->progress, lesson->info->id, name, lesson->arena, step->writing);
  LessonWriting code = {0};
  if (step->work && writing_load(lesson->progress, lesson->info->id, name, lesson->arena, &code))
    work_recall(step->work, code.text);
  if (progress_answer(lesson->progress, lesson->info->id, name, &answer)) step_recall(step, &answer);
}

// To the step after this one. A screen that the lesson got since it was left may have answered ones behind it.
static LessonMove step_on(Lesson *lesson, LsErr *err) {
  const LessonStep *step = lesson->steps[lesson->index];
  if (lesson_waits(step)) return LESSON_WAITS;
  if (lesson->index == lesson->count - 1) {
    if (lesson->ended) return LESSON_AT_END;
    if (!lesson->in_script) lesson->reply = reply_of(step);
    LessonMove move = advance(lesson, err);
    if (move != LESSON_MOVED) return move;
  }
  lesson->index++;
  recall_answer(lesson);
  return LESSON_MOVED;
}

// From the cover: plays the saved answers until the step that was left, or as far as they go.
static LessonMove open_on(Lesson *lesson, LsErr *err) {
  LessonMove move = lesson->count ? LESSON_MOVED : advance(lesson, err);
  if (move == LESSON_MOVED && lesson->index == 0) recall_answer(lesson);
  while (move == LESSON_MOVED && lesson->index < lesson->left_at) move = step_on(lesson, err);
  if (move == LESSON_RUNS || move == LESSON_BROKEN) return move;
  lesson->opening = false;
  return LESSON_MOVED;
}

LessonMove lesson_go(Lesson *lesson, LsErr *err) {
  lesson_touch(lesson);
  LessonMove move = lesson->opening ? open_on(lesson, err) : step_on(lesson, err);
  if (move == LESSON_MOVED) save_place(lesson);
  return move;
}

LessonMove lesson_next(Lesson *lesson, LsErr *err) {
  for (;;) {
    LessonMove move = lesson_go(lesson, err);
    if (move != LESSON_RUNS) return move;
    Run *run = run_new(&lesson->wanted, NULL, err);
    if (run) {
      lesson_give(lesson, run);
      continue;
    }
    lesson_blame(lesson, err);
    return LESSON_BROKEN;
  }
}

bool lesson_back(Lesson *lesson) {
  lesson_touch(lesson);
  if (lesson->opening || lesson->index == 0) return false;
  lesson->index--;
  save_place(lesson);
  return true;
}

// ---- answers ------------------------------------------------------------------------------------------------------

// What was done to the current step is saved once it is more than a wish to be asked how sure one is.
static bool take(Lesson *lesson, bool done) {
  LessonStep *step = current(lesson);
  if (done && !step->asks_sure) save_answer(lesson, step);
  return done;
}

void lesson_touch(Lesson *lesson) {
  LessonStep *step = current(lesson);
  double now = ls_clock();
  if (lesson_asks(step) && !step->tries && !step->asks_sure) step->seconds += lesson_thinking(lesson->touched, now);
  lesson->touched = now;
}

bool lesson_answer(Lesson *lesson, double value) {
  lesson_touch(lesson);
  return take(lesson, step_answer(current(lesson), value));
}

bool lesson_sure(Lesson *lesson, int sure) { return take(lesson, step_sure(current(lesson), sure)); }

bool lesson_answer_typed(Lesson *lesson, const char *typed, LsErr *err) {
  lesson_touch(lesson);
  return take(lesson, step_answer_typed(current(lesson), typed, err));
}

void lesson_looks(Lesson *lesson) {
  LessonStep *step = current(lesson);
  if (lesson_asks(step) && lesson_waits(step) && step->tries == 0 && !step->asks_sure) step->looked = true;
}

void lesson_skip(Lesson *lesson) {
  LessonStep *step = current(lesson);
  if (!lesson_waits(step)) return;
  step_skip(step);
  save_answer(lesson, step);
}

bool lesson_doubt(Lesson *lesson, const char *words) {
  const LessonStep *step = current(lesson);
  Progress *log = memory(lesson);
  if (!step->skill || !writing_word_count(words)) return false;
  LsText given = {0};
  step_given_text(step, &given);
  doubts_add(log, &(Doubt){.skill = step->skill, .times = step->times, .seed = skills_seed(log),
                           .given = ls_text_str(&given), .words = words, .at = time(NULL)});
  ls_text_free(&given);
  return true;
}

bool lesson_opens(const Lesson *lesson) {
  const LessonStep *step = lesson_current(lesson);
  const Run *run = lesson_run(lesson, step->behind.run);
  return step->opens && !lesson_waits(step) && (step->behind.model || (run && run->trace));
}

bool lesson_what(const Lesson *lesson, const char *words, LsText *out) {
  return glossary_tell(lesson->book, words, out);
}

bool lesson_redo(Lesson *lesson) {
  LessonStep *step = current(lesson);
  bool can = step->kind == LESSON_END && step->missed > 0 && !step->answered && lesson->index == lesson->count - 1;
  if (!can) return false;
  step->answered = true;
  step->given = 1;                 // what the script gets for the last screen: go on with these
  lesson->ended = false;
  return true;
}

bool lesson_tip(Lesson *lesson) {
  LessonStep *step = current(lesson);
  int tips = lesson_asks(step) ? step->question.tip_count : step->kind == LESSON_TRY || step->work ?
      step->goal.tip_count : 0;
  if (step->tips_shown >= tips) return false;
  step->tips_shown++;
  return true;
}

// ---- for lesson_work.c --------------------------------------------------------------------------------------------

LessonStep *lesson_step(Lesson *lesson) { return current(lesson); }
RecipeBook *lesson_book(const Lesson *lesson) { return lesson->book; }
LessonScript *lesson_script(const Lesson *lesson) { return lesson->script; }
LsArena *lesson_arena(const Lesson *lesson) { return lesson->arena; }

Progress *lesson_saves(const Lesson *lesson, const LessonStep *step, char name[PROGRESS_NAME]) {
  name_of_step(lesson, step, name);
  return lesson->opening ? NULL : lesson->marks ? lesson->marks : lesson->progress;
}

Progress *lesson_marks(const Lesson *lesson) { return lesson->marks; }

void lesson_reach(Lesson *lesson) {
  LessonStep *step = current(lesson);
  if (step->answered) return;
  step->answered = step->right = true;
  step->skipped = false;
  save_answer(lesson, step);
}

// ---- goals --------------------------------------------------------------------------------------------------------

// A goal is about the parameters it names: with another one changed, *note says which to put back. How far the time
// of a
// model has run changes nothing, and it goes along with its end.
static bool keeps_others(const Lesson *lesson, const Recipe *recipe, const RecipeValues *was, const RecipeValues *now,
                         LsText *note) {
  const Model *model = lesson_current(lesson)->place.model;
  for (int i = 0; was && i < recipe->param_count; i++) {
    bool is_time = model && recipe == &model->recipe && i == model->time;
    if (is_time || lesson_unlocks(lesson, recipe, i) || now->value[i] == was->value[i]) continue;
    ls_text_addf(note, "put %s back to ", recipe->params[i].name);
    recipe_value_text(&recipe->params[i], was->value[i], note);
    return false;
  }
  return true;
}

// was: what the step shows, NULL if nothing; now: what the student made of it.
static bool judge(Lesson *lesson, const Recipe *recipe, const RecipeValues *was, const RecipeValues *now,
                  const LessonTried *tried, LsErr *err) {
  LessonStep *step = current(lesson);
  LsText note = {0};
  bool met = false, ok = true;
  if (keeps_others(lesson, recipe, was, now, &note))
    ok = lesson->script->reached(lesson->script, step->goal.script, tried, &met, &note, err);
  // what reached it stays
  if (met || !step->answered) snprintf(step->note, sizeof step->note, "%s", ls_text_str(&note));
  ls_text_free(&note);
  if (!ok || !met) return false;
  lesson_reach(lesson);
  return true;
}

bool lesson_observe(Lesson *lesson, Run *run, LsErr *err) {
  const LessonStep *step = current(lesson);
  const Recipe *recipe = run->request.recipe;
  if (step->kind != LESSON_TRY) return false;
  const Run *base = lesson_run(lesson, step->place.run);
  if (!recipe || (base && recipe != base->request.recipe)) return false;
  return judge(lesson, recipe, base ? &base->request.values : NULL, &run->request.values, &(LessonTried){.run = run},
               err);
}

bool lesson_observe_model(Lesson *lesson, const ModelValues *values, LsErr *err) {
  const LessonStep *step = current(lesson);
  const Model *model = step->place.model;
  if (step->kind != LESSON_TRY || !model) return false;
  return judge(lesson, &model->recipe, &step->place.values.numbers, &values->numbers,
               &(LessonTried){.model = model, .values = values}, err);
}

bool lesson_unlocks(const Lesson *lesson, const Recipe *recipe, int index) {
  const LessonStep *step = lesson_current(lesson);
  if (step->kind != LESSON_TRY || !step->goal.param_count) return true;
  for (int i = 0; i < step->goal.param_count; i++)
    if (strcmp(step->goal.params[i], recipe->params[index].name) == 0) return true;
  return false;
}

// ---- opening ------------------------------------------------------------------------------------------------------

static void make_cover(Lesson *lesson) {
  lesson->opening = true;
  lesson->cover = (LessonStep){.kind = LESSON_SAY, .title = lesson->info->title, .place = lesson->place,
                               .text = lesson->info->glimpse ? lesson->info->glimpse : ""};
}

// Where the student left; a lesson that is done begins once more.
static int place_left(Lesson *lesson) {
  ProgressLesson place;
  if (!lesson->progress || !progress_lesson(lesson->progress, lesson->info->id, &place)) return 0;
  lesson->afresh = place.done && place.step >= place.steps - 1;
  return lesson->afresh ? 0 : place.step;
}

static bool start(Lesson *lesson, const CourseDrill *drill, LsErr *err) {
  lesson->place = (LessonPlace){
      .run = -1, .beside = -1, .block = -1, .warp = -1, .lane = -1, .focus = -1, .variant = -1, .margin = -1};
  lesson->left_at = place_left(lesson);
  if (lesson->afresh) skills_forget_slots(lesson->progress, lesson->info->id);
  make_cover(lesson);
  lesson->arena = ls_arena_new();
  Course *course = lesson->course;
  lesson->script = drill ? course->drill(course, lesson->info, drill, err) : course->open(course, lesson->info, err);
  return lesson->script != NULL;
}

static void stop(Lesson *lesson) {
  if (lesson->script) lesson->script->free(lesson->script);
  for (int i = 0; i < lesson->run_count; i++) run_free(lesson->runs[i]);
  for (int i = 0; i < lesson->count; i++)
    if (lesson->steps[i]->work) work_fini(lesson->steps[i]->work);
  ls_arena_free(lesson->arena);
  lesson->script = NULL;
  lesson->arena = NULL;
  lesson->run_count = lesson->count = lesson->index = 0;
  lesson->ended = lesson->in_script = false;
  lesson->reply = (LessonReply){0};
  forget_want(lesson);
}

static Lesson *make(Course *course, const CourseLesson *info, RecipeBook *book, Progress *progress) {
  Lesson *lesson = ls_alloc(sizeof *lesson);
  lesson->course = course;
  lesson->info = info;
  lesson->book = book;
  lesson->progress = progress;
  return lesson;
}

static Lesson *begin(Course *course, const CourseLesson *info, const CourseDrill *drill, RecipeBook *book,
                     Progress *progress, LsErr *err) {
  Lesson *lesson = make(course, info, book, progress);
  if (start(lesson, drill, err)) return lesson;
  lesson_free(lesson);
  return NULL;
}

Lesson *lesson_begin(Course *course, const char *name, RecipeBook *book, Progress *progress, LsErr *err) {
  const CourseLesson *info = course_find(course, name, err);
  if (!info) return NULL;
  if (info->file) return begin(course, info, NULL, book, progress, err);
  ls_fail(err, LS_EREQUEST, "lesson %s, %s, is planned but not written yet", info->id, info->title);
  return NULL;
}

Lesson *lesson_following(const Lesson *lesson, LsErr *err) {
  const char *next = lesson_current(lesson)->next;
  Progress *progress = lesson->marks ? lesson->marks : lesson->progress;
  return next ? lesson_begin(lesson->course, next, lesson->book, progress, err) : NULL;
}

static Lesson *to_first_step(Lesson *lesson, LsErr *err) {
  if (!lesson || lesson_next(lesson, err) == LESSON_MOVED) return lesson;
  lesson_free(lesson);
  return NULL;
}

Lesson *lesson_open(Course *course, const char *name, RecipeBook *book, Progress *progress, LsErr *err) {
  return to_first_step(lesson_begin(course, name, book, progress, err), err);
}

Lesson *lesson_drill_begin(Course *course, const CourseDrill *drill, RecipeBook *book, LsErr *err) {
  char *id = ls_strndup(drill->skill, strcspn(drill->skill, "."));
  const CourseLesson *info = course_find(course, id, err);
  free(id);
  return info ? begin(course, info, drill, book, NULL, err) : NULL;
}

Lesson *lesson_drill(Course *course, const CourseDrill *drill, RecipeBook *book, LsErr *err) {
  return to_first_step(lesson_drill_begin(course, drill, book, err), err);
}

static Lesson *start_apart(Lesson *lesson, LsErr *err) {
  if (start(lesson, &lesson->apart, err)) return lesson;
  lesson_free(lesson);
  return NULL;
}

Lesson *lesson_claim(Course *course, const char *id, const char *device, RecipeBook *book, LsErr *err) {
  static const CourseLesson info = {.id = "claims", .name = "claims", .title = "Claims of the lectures", .steps = 1};
  Lesson *lesson = make(course, &info, book, NULL);
  lesson->apart = (CourseDrill){.claim = id};
  lesson->device = device;
  return start_apart(lesson, err);
}

Lesson *lesson_quiz(Course *course, const CourseQuiz *quiz, RecipeBook *book, Progress *progress, LsErr *err) {
  static const CourseLesson info = {.id = "quiz", .name = "quiz", .title = "Quiz"};
  Lesson *lesson = make(course, &info, book, NULL);
  lesson->quiz = *quiz;
  lesson->apart = (CourseDrill){.quiz = &lesson->quiz};
  lesson->marks = progress;
  lesson->sitting = (int64_t)skills_new_seed();
  return start_apart(lesson, err);
}

Lesson *lesson_exam(Course *course, const CourseExam *exam, RecipeBook *book, LsErr *err) {
  static const CourseLesson info = {.id = "exam", .name = "exam", .title = "Exam"};
  Lesson *lesson = make(course, &info, book, NULL);
  lesson->apart = (CourseDrill){.exam = exam};
  return start_apart(lesson, err);
}

Lesson *lesson_room(Course *course, const char *id, RecipeBook *book, LsErr *err) {
  static const CourseLesson info = {.id = "museum", .name = "museum", .title = "The museum of mistakes", .steps = 3};
  Lesson *lesson = make(course, &info, book, NULL);
  lesson->apart = (CourseDrill){.room = id};
  return start_apart(lesson, err);
}

Lesson *lesson_demo(Course *course, const char *name, RecipeBook *book, LsErr *err) {
  static const CourseLesson info = {.id = "demo", .name = "demo", .title = "A demo"};
  Lesson *lesson = make(course, &info, book, NULL);
  lesson->apart = (CourseDrill){.demo = name};
  return start_apart(lesson, err);
}

void lesson_free(Lesson *lesson) {
  if (!lesson) return;
  stop(lesson);
  if (lesson->marks) skills_release(lesson->marks, lesson->sitting);
  progress_close(lesson->scratch);
  free(lesson->steps);
  free(lesson->runs);
  free(lesson);
}
