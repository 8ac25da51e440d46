// lesson.c: the host of a lesson: drives its script, keeps the steps, judges answers, saves progress.
#include "app/course/lesson.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { RUN_LIMIT = 256, STEP_LIMIT = 1000 };   // against a script that never ends

struct Lesson {
  Course *course;
  const CourseLesson *info;
  RecipeBook *book;
  Progress *progress;
  LessonScript *script;
  LsArena *arena;                  // texts of the steps
  LessonStep **steps; int count, capacity;
  int index;
  bool ended;                      // the script came to its end: the last step is the last one
  LessonPlace place;               // where the script last sent the explorer
  Run **runs; int run_count, run_capacity;
  bool quiet;                      // while the saved answers are played: nothing is saved
};

const char *lesson_kind_name(LessonKind kind) {
  static const char *const names[] = {"say", "predict", "explain", "try", "check", "end", "run", "show"};
  return names[kind];
}

const CourseLesson *lesson_info(const Lesson *lesson) { return lesson->info; }
const Progress *lesson_progress(const Lesson *lesson) { return lesson->progress; }
const LessonStep *lesson_current(const Lesson *lesson) { return lesson->steps[lesson->index]; }
int lesson_index(const Lesson *lesson) { return lesson->index; }

int lesson_steps(const Lesson *lesson) {
  return lesson->ended ? lesson->count : LS_MAX(lesson->info->steps, lesson->count);
}

Run *lesson_run(const Lesson *lesson, int index) {
  return index >= 0 && index < lesson->run_count ? lesson->runs[index] : NULL;
}

static bool asks(const LessonStep *step) { return step->kind == LESSON_PREDICT || step->kind == LESSON_CHECK; }
static bool holds(const LessonStep *step) { return asks(step) || step->kind == LESSON_TRY; }
static bool waits(const LessonStep *step) { return holds(step) && !step->answered && !step->skipped; }

void lesson_score(const Lesson *lesson, int *right, int *asked) {
  *right = *asked = 0;
  for (int i = 0; i < lesson->count; i++) {
    *right += asks(lesson->steps[i]) && lesson->steps[i]->right;
    *asked += asks(lesson->steps[i]) && !waits(lesson->steps[i]);
  }
}

// ---- progress -----------------------------------------------------------------------------------------------------

static void save_place(const Lesson *lesson) {
  if (!lesson->progress || lesson->quiet) return;
  ProgressLesson place = {.step = lesson->index, .steps = lesson_steps(lesson),
                          .done = lesson->ended && lesson->index == lesson->count - 1};
  lesson_score(lesson, &place.right, &place.asked);
  progress_save_lesson(lesson->progress, lesson->info->id, &place);
}

static void save_answer(const Lesson *lesson, const LessonStep *step) {
  if (!lesson->progress || lesson->quiet) return;
  ProgressAnswer answer = {step->given, step->right, step->skipped};
  progress_save_answer(lesson->progress, lesson->info->id, lesson->index, &answer);
  save_place(lesson);
}

// ---- driving the script -------------------------------------------------------------------------------------------

static bool make_request(Lesson *lesson, const LessonWant *want, RunRequest *request, LsErr *err) {
  const Recipe *recipe = lesson->book->get(lesson->book, want->kernel, err);
  if (!recipe) return false;
  request->what = ls_strdup(recipe->name);
  request->recipe = recipe;
  recipe_defaults(recipe, &request->values);
  for (int i = 0; i < want->value_count; i++)
    if (!recipe_set(recipe, &request->values, want->values[i], err)) return false;
  free(request->device);
  request->device = ls_strdup("emu");              // the same answers on every machine
  request->cut = want->cut && strcmp(want->cut, "compiled") == 0 ? DEV_COMPILED : DEV_WRITTEN;
  request->cut_given = true;
  request->sched = want->sched && strcmp(want->sched, "stack") == 0 ? SIM_STACK : SIM_ITS;
  return true;
}

// What fails without a place of its own failed at the line that asked for the run.
static bool blame_lesson(const LessonWant *want, LsErr *err) {
  if (!err || err->file[0] || !want->file) return false;
  snprintf(err->file, sizeof err->file, "%s", want->file);
  err->line = want->line;
  return false;
}

static bool do_run(Lesson *lesson, const LessonWant *want, LessonReply *reply, LsErr *err) {
  if (lesson->run_count >= RUN_LIMIT) return ls_fail(err, LS_EREQUEST, "the lesson makes more than %d runs", RUN_LIMIT);
  RunRequest request;
  run_request_init(&request);
  Run *run = make_request(lesson, want, &request, err) ? run_new(&request, NULL, err) : NULL;
  run_request_fini(&request);
  if (!run) return blame_lesson(want, err);
  LS_PUSH(lesson->runs, lesson->run_count, lesson->run_capacity, run);
  *reply = (LessonReply){.run = run, .run_index = lesson->run_count - 1};
  return true;
}

static void push_end(Lesson *lesson, LessonStep *step) {
  int right, asked;
  lesson_score(lesson, &right, &asked);
  lesson->ended = true;
  if (step->title) return;
  step->title = "The end";
  const char *score = "You answered %d of %d questions right at the first try.";
  step->text = asked ? ls_arena_format(lesson->arena, score, right, asked) : "That was all.";
}

static void push_step(Lesson *lesson, const LessonStep *request) {
  LessonStep *step = LS_NEW(lesson->arena, LessonStep);
  *step = *request;
  step->place = lesson->place;
  if (step->kind == LESSON_END) push_end(lesson, step);
  LS_PUSH(lesson->steps, lesson->count, lesson->capacity, step);
}

// Resumes the script until it makes a step for the student.
static bool advance(Lesson *lesson, LessonReply reply, LsErr *err) {
  if (lesson->count >= STEP_LIMIT) return ls_fail(err, LS_EREQUEST, "the lesson has more than %d steps", STEP_LIMIT);
  for (int turn = 0; turn < STEP_LIMIT; turn++) {
    LessonStep request = {0};
    if (!lesson->script->resume(lesson->script, &reply, lesson->arena, &request, err)) return false;
    reply = (LessonReply){0};
    if (request.kind == LESSON_RUN) {
      if (!do_run(lesson, &request.want, &reply, err)) return false;
    } else if (request.kind == LESSON_SHOW) {
      lesson->place = request.place;
    } else {
      push_step(lesson, &request);
      return true;
    }
  }
  return ls_fail(err, LS_EREQUEST, "the lesson goes on for ever without a word to the student");
}

static LessonReply reply_of(const LessonStep *step) {
  return (LessonReply){.answer = step->given, .right = step->right};
}

LessonMove lesson_next(Lesson *lesson, LsErr *err) {
  const LessonStep *step = lesson->steps[lesson->index];
  if (waits(step)) return LESSON_WAITS;
  if (lesson->index == lesson->count - 1) {
    if (lesson->ended) return LESSON_AT_END;
    if (!advance(lesson, reply_of(step), err)) return LESSON_BROKEN;
  }
  lesson->index++;
  save_place(lesson);
  return LESSON_MOVED;
}

bool lesson_back(Lesson *lesson) {
  if (lesson->index == 0) return false;
  lesson->index--;
  save_place(lesson);
  return true;
}

// ---- answers ------------------------------------------------------------------------------------------------------

static bool is_right(const LessonQuestion *question, double value) {
  double distance = value > question->answer ? value - question->answer : question->answer - value;
  return distance <= question->tolerance;
}

bool lesson_answer(Lesson *lesson, double value) {
  LessonStep *step = lesson->steps[lesson->index];
  if (!asks(step) || !waits(step)) return false;
  step->given = value;
  step->answered = true;
  step->right = is_right(&step->question, value);
  save_answer(lesson, step);
  return true;
}

void lesson_skip(Lesson *lesson) {
  LessonStep *step = lesson->steps[lesson->index];
  if (!waits(step)) return;
  step->skipped = true;
  step->given = asks(step) ? step->question.answer : 0;
  save_answer(lesson, step);
}

bool lesson_tip(Lesson *lesson) {
  LessonStep *step = lesson->steps[lesson->index];
  int tips = asks(step) ? step->question.tip_count : step->kind == LESSON_TRY ? step->goal.tip_count : 0;
  if (step->tips_shown >= tips) return false;
  step->tips_shown++;
  return true;
}

// A goal is about the parameters it names: with another one changed, *note says which to put back.
static bool keeps_others(const Lesson *lesson, const Run *base, const Run *run, LsText *note) {
  const Recipe *recipe = run->request.recipe;
  for (int i = 0; base && i < recipe->param_count; i++) {
    int64_t was = base->request.values.value[i];
    if (lesson_unlocks(lesson, recipe, i) || run->request.values.value[i] == was) continue;
    ls_text_addf(note, "put %s back to ", recipe->params[i].name);
    recipe_value_text(&recipe->params[i], was, note);
    return false;
  }
  return true;
}

bool lesson_observe(Lesson *lesson, Run *run, LsErr *err) {
  LessonStep *step = lesson->steps[lesson->index];
  if (step->kind != LESSON_TRY) return false;
  const Run *base = lesson_run(lesson, step->place.run);
  if (!run->request.recipe || (base && run->request.recipe != base->request.recipe)) return false;
  LsText note = {0};
  bool met = false, ok = true;
  if (keeps_others(lesson, base, run, &note))
    ok = lesson->script->reached(lesson->script, step->goal.script, run, &met, &note, err);
  snprintf(step->note, sizeof step->note, "%s", ls_text_str(&note));
  ls_text_free(&note);
  if (!ok || !met) return false;
  if (!step->answered) {
    step->answered = step->right = true;
    step->skipped = false;
    save_answer(lesson, step);
  }
  return true;
}

bool lesson_unlocks(const Lesson *lesson, const Recipe *recipe, int index) {
  const LessonStep *step = lesson_current(lesson);
  if (step->kind != LESSON_TRY || !step->goal.param_count) return true;
  for (int i = 0; i < step->goal.param_count; i++)
    if (strcmp(step->goal.params[i], recipe->params[index].name) == 0) return true;
  return false;
}

// ---- opening ------------------------------------------------------------------------------------------------------

// Plays the saved answers until the step that was left, or as far as they go.
static bool take_up(Lesson *lesson, LsErr *err) {
  ProgressLesson place;
  if (!lesson->progress || !progress_lesson(lesson->progress, lesson->info->id, &place)) return true;
  if (place.done && place.step >= place.steps - 1) place.step = 0;      // done: once more, from the beginning
  bool ok = true;
  lesson->quiet = true;
  while (ok && lesson->index < place.step) {
    LessonStep *step = lesson->steps[lesson->index];
    ProgressAnswer answer;
    if (holds(step) && progress_answer(lesson->progress, lesson->info->id, lesson->index, &answer)) {
      step->given = answer.value;
      step->skipped = answer.skipped;
      step->answered = !answer.skipped;
      step->right = !answer.skipped && (asks(step) ? is_right(&step->question, answer.value) : answer.right);
    }
    LessonMove move = lesson_next(lesson, err);
    ok = move != LESSON_BROKEN;
    if (move != LESSON_MOVED) break;
  }
  lesson->quiet = false;
  return ok;
}

static bool start(Lesson *lesson, LsErr *err) {
  lesson->place = (LessonPlace){
      .run = -1, .block = -1, .warp = -1, .lane = -1, .focus = -1, .variant = -1, .margin = -1};
  lesson->arena = ls_arena_new();
  lesson->script = lesson->course->open(lesson->course, lesson->info, err);
  return lesson->script && advance(lesson, (LessonReply){0}, err);
}

static void stop(Lesson *lesson) {
  if (lesson->script) lesson->script->free(lesson->script);
  for (int i = 0; i < lesson->run_count; i++) run_free(lesson->runs[i]);
  ls_arena_free(lesson->arena);
  lesson->script = NULL;
  lesson->arena = NULL;
  lesson->run_count = lesson->count = lesson->index = 0;
  lesson->ended = false;
}

Lesson *lesson_open(Course *course, const char *name, RecipeBook *book, Progress *progress, LsErr *err) {
  const CourseLesson *info = course_find(course, name, err);
  if (!info) return NULL;
  if (!info->file) {
    ls_fail(err, LS_EREQUEST, "lesson %s, %s, is planned but not written yet", info->id, info->title);
    return NULL;
  }
  Lesson *lesson = ls_alloc(sizeof *lesson);
  lesson->course = course;
  lesson->info = info;
  lesson->book = book;
  lesson->progress = progress;
  if (!start(lesson, err) || !take_up(lesson, err)) {
    lesson_free(lesson);
    return NULL;
  }
  save_place(lesson);
  return lesson;
}

void lesson_free(Lesson *lesson) {
  if (!lesson) return;
  stop(lesson);
  free(lesson->steps);
  free(lesson->runs);
  free(lesson);
}

// ---- by itself ----------------------------------------------------------------------------------------------------

static bool solve(Lesson *lesson, LsErr *err) {
  const LessonStep *step = lesson_current(lesson);
  const Run *base = lesson_run(lesson, step->place.run);
  if (!base) return ls_fail(err, LS_EREQUEST, "step %d: a try without a run", lesson->index + 1);
  RunRequest request;
  run_request_copy(&request, &base->request);
  bool ok = true;
  for (int i = 0; ok && i < step->goal.solution_count; i++)
    ok = recipe_set(request.recipe, &request.values, step->goal.solution[i], err);
  Run *run = ok ? run_new(&request, NULL, err) : NULL;
  run_request_fini(&request);
  if (!run) return false;
  LsErr broken = {0};
  ok = lesson_observe(lesson, run, &broken);
  run_free(run);
  if (ok) return true;
  if (broken.kind != LS_OK && err) *err = broken;
  return broken.kind != LS_OK ? false
       : ls_fail(err, LS_EREQUEST, "%s, step %d: the solution does not reach the goal '%s': %s", lesson->info->id,
                 lesson->index + 1, step->goal.wanted, step->note);
}

bool lesson_auto(Lesson *lesson, LessonEach *each, void *context, LsErr *err) {
  for (;;) {
    const LessonStep *step = lesson_current(lesson);
    if (waits(step) && asks(step)) lesson_answer(lesson, step->question.answer);
    else if (waits(step) && !solve(lesson, err)) return false;
    if (each) each(context, lesson, step);
    LessonMove move = lesson_next(lesson, err);
    if (move != LESSON_MOVED) return move == LESSON_AT_END;
  }
}
