// demo.c: walks a demo's script once, and keeps its beats with their runs.
#include "app/stage/demo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"

enum { VOTED = 6 };              // answers that are voted for at most, where they are foreseen ones

struct Demo {
  Course *course;
  Lesson *lesson;              // the steps behind the beats, and their runs
  char *name;
  LsArena *arena;
  CourseDemo info;
  bool is_lesson, whole;
  DemoBeat *beats; int count, capacity;
  int questions, scenes, steps;        // so far; steps of the lesson that were looked at
};

// ---- beats ----------------------------------------------------------------------------------------------------------

// A question without options has those answers that its lesson foresaw, the right one among them, by size.
static int foreseen(const LessonQuestion *question, double answers[VOTED]) {
  int count = 0;
  bool countable = question->kind == QUESTION_NUMBER || question->kind == QUESTION_MASK;
  for (int i = -1; countable && i < question->wrong_count && count < VOTED; i++) {
    double answer = i < 0 ? question->answer : question->wrong[i].key;
    int at = count;
    while (at > 0 && answers[at - 1] > answer) at--;
    if (at > 0 && answers[at - 1] == answer) continue;
    memmove(&answers[at + 1], &answers[at], sizeof *answers * (size_t)(count - at));
    answers[at] = answer;
    count++;
  }
  return count;
}

static void give_options(Demo *demo, DemoBeat *beat) {
  const LessonQuestion *question = &beat->step->question;
  double answers[VOTED + 1];
  if (question->kind == QUESTION_CHOICE) {
    beat->options = question->options;
    beat->option_count = question->option_count;
    beat->right = (int)question->answer;
    return;
  }
  int count = foreseen(question, answers);
  const char **options = LS_NEW_ARRAY(demo->arena, const char *, count + 1);
  for (int i = 0; i < count; i++) {
    LsText words = {0};
    lesson_answer_text(question, answers[i], &words);
    options[i] = ls_arena_strdup(demo->arena, ls_text_str(&words));
    if (answers[i] == question->answer) beat->right = i;
    ls_text_free(&words);
  }
  beat->options = options;
  beat->option_count = count > 1 ? count : 0;
}

static void push(Demo *demo, StageKind kind, const LessonStep *step, const LessonPlace *place) {
  DemoBeat beat = {.kind = kind, .step = step, .staging = step->stage, .place = *place, .question = -1};
  bool begins = kind == STAGE_SCENE || kind == STAGE_KEEP;
  if (step->stage) demo->scenes = step->stage->scene;
  else if (begins || !demo->scenes) demo->scenes++;
  beat.scene = demo->scenes;
  if (kind == STAGE_ASK) {
    beat.question = demo->questions++;
    give_options(demo, &beat);
  }
  if (kind == STAGE_REVEAL) {
    const DemoBeat *asked = &demo->beats[demo->count - 1];
    beat.question = asked->question;
    beat.options = asked->options;
    beat.option_count = asked->option_count;
    beat.right = asked->right;
  }
  LS_PUSH(demo->beats, demo->count, demo->capacity, beat);
}

// A screen of a lesson that is presented: a question is asked, then its answer is shown where the lesson shows it.
static void push_lesson_step(Demo *demo, const LessonStep *step) {
  if (!lesson_asks(step)) {
    push(demo, step->kind == LESSON_END ? STAGE_KEEP : STAGE_SCENE, step, &step->place);
    return;
  }
  push(demo, STAGE_ASK, step, &step->place);
  push(demo, STAGE_REVEAL, step, step->sees ? &step->after : &step->place);
}

// What is behind the steps that were looked at. True if there is a beat more.
static bool take_steps(Demo *demo) {
  int before = demo->count;
  for (const LessonStep *step; (step = lesson_at(demo->lesson, demo->steps)); demo->steps++) {
    if (step->stage) push(demo, step->stage->kind, step, &step->place);
    else if (demo->is_lesson) push_lesson_step(demo, step);
  }
  return demo->count > before;
}

// ---- preparing ------------------------------------------------------------------------------------------------------

// Nobody answers for the hall: the script goes on as after the right answer, and goals are left.
static void answer(Lesson *lesson) {
  const LessonStep *step = lesson_current(lesson);
  if (!lesson_waits(step)) return;
  if (step->writing) {
    lesson_write_alone(lesson);
  } else if (lesson_asks(step)) {
    lesson_answer(lesson, step->question.answer);
    lesson_sure(lesson, LESSON_SURE);
  } else {
    lesson_skip(lesson);
  }
}

DemoWork demo_prepare(Demo *demo, LsErr *err) {
  while (!demo->whole) {
    if (!lesson_on_cover(demo->lesson)) answer(demo->lesson);
    switch (lesson_go(demo->lesson, err)) {
    case LESSON_MOVED:
      if (take_steps(demo)) return DEMO_BEAT;
      break;
    case LESSON_RUNS: return DEMO_RUNS;
    case LESSON_BROKEN: return DEMO_BROKEN;
    case LESSON_WAITS:
    case LESSON_AT_END: demo->whole = true; break;
    }
  }
  return DEMO_WHOLE;
}

const RunRequest *demo_wants(const Demo *demo) { return lesson_wants(demo->lesson); }
void demo_give(Demo *demo, Run *run) { lesson_give(demo->lesson, run); }
void demo_blame(const Demo *demo, LsErr *err) { lesson_blame(demo->lesson, err); }

bool demo_prepare_all(Demo *demo, LsErr *err) {
  for (;;) {
    DemoWork work = demo_prepare(demo, err);
    if (work == DEMO_WHOLE) return true;
    if (work == DEMO_BROKEN) return false;
    if (work != DEMO_RUNS) continue;
    Run *run = run_new(demo_wants(demo), NULL, err);
    if (!run) return demo_blame(demo, err), false;
    demo_give(demo, run);
  }
}

// ---- looking at it --------------------------------------------------------------------------------------------------

const CourseDemo *demo_info(const Demo *demo) { return &demo->info; }
bool demo_is_lesson(const Demo *demo) { return demo->is_lesson; }
bool demo_is_whole(const Demo *demo) { return demo->whole; }
int demo_ready(const Demo *demo) { return demo->count; }
int demo_beats(const Demo *demo) { return demo->whole ? demo->count : LS_MAX(demo->info.beats, demo->count); }
int demo_scenes(const Demo *demo) { return demo->whole ? demo->scenes : LS_MAX(demo->info.scenes, demo->scenes); }
int demo_questions(const Demo *demo) { return demo->questions; }

const DemoBeat *demo_beat(const Demo *demo, int index) {
  return index >= 0 && index < demo->count ? &demo->beats[index] : NULL;
}

int demo_of_scene(const Demo *demo, int scene) {
  for (int i = 0; i < demo->count; i++)
    if (demo->beats[i].scene == scene) return i;
  return -1;
}

Run *demo_run(const Demo *demo, const DemoBeat *beat) { return lesson_run(demo->lesson, beat->place.run); }

// A session of another run would look for its old place in the new one, which takes its time and is of no use here.
void demo_show(const Demo *demo, const DemoBeat *beat, Session **session) {
  const Run *run = demo_run(demo, beat);
  if (run && *session && (*session)->run != run) {
    ses_free(*session);
    *session = NULL;
  }
  lesson_show_at(demo->lesson, &beat->place, session);
}

void demo_place_text(const Demo *demo, const DemoBeat *beat, LsText *out) {
  ls_text_addf(out, "scene %d of %d", beat->scene, demo_scenes(demo));
}

static void add_plain(const char *text, LsText *out) {
  const char *start;
  int length, style;
  while (lesson_span(&text, &start, &length, &style)) ls_text_addf(out, "%.*s", length, start);
}

void demo_text(const DemoBeat *beat, LsText *out) {
  const LessonStep *step = beat->step;
  bool answer = beat->kind == STAGE_REVEAL && !beat->staging;
  if (!answer) {
    bool asks = beat->kind == STAGE_ASK;
    bool both = asks && step->text && *step->text;
    if (step->text) ls_text_add(out, step->text);
    if (asks) ls_text_addf(out, "%s%s", both ? "\n\n" : "", step->question.prompt);
    return;
  }
  lesson_answer_text(&step->question, step->question.answer, out);
  if (*step->question.because) ls_text_addf(out, "\n\n%s", step->question.because);
}

void demo_words(const DemoBeat *beat, LsText *out) {
  LsText text = {0};
  demo_text(beat, &text);
  add_plain(ls_text_str(&text), out);
  ls_text_free(&text);
}

// ---- opening --------------------------------------------------------------------------------------------------------

// A demo that has this name; NULL: none has.
static const CourseDemo *find(Demo *demo, const char *name, LsErr *err) {
  CourseDemo *list;
  int count;
  if (!demo->course->demos(demo->course, name, demo->arena, &list, &count, err) || count < 1) return NULL;
  return &list[0];
}

// Kernels, forms and parameters of all its runs, so that a slip is told before the first scene.
static bool wants_fit(const CourseDemo *info, RecipeBook *book, LsErr *err) {
  for (int i = 0; i < info->want_count; i++) {
    RunRequest request;
    const LessonWant *want = &info->wants[i];
    bool ok = lesson_want_request(want, book, &request, err);
    run_request_fini(&request);
    if (ok) continue;
    if (!err->file[0] && want->file) snprintf(err->file, sizeof err->file, "%s", want->file), err->line = want->line;
    return false;
  }
  return true;
}

static bool open_demo(Demo *demo, RecipeBook *book, LsErr *err) {
  const CourseDemo *info = find(demo, demo->name, err);
  if (!info || !wants_fit(info, book, err)) return false;
  demo->info = *info;
  return (demo->lesson = lesson_demo(demo->course, demo->name, book, err)) != NULL;
}

static bool present(Demo *demo, RecipeBook *book, LsErr *err) {
  if (!(demo->lesson = lesson_begin(demo->course, demo->name, book, NULL, err))) return false;
  const CourseLesson *lesson = lesson_info(demo->lesson);
  demo->is_lesson = true;
  demo->info = (CourseDemo){.name = lesson->id, .title = lesson->title, .minutes = lesson->minutes,
                            .scenes = lesson->steps - lesson->questions, .beats = lesson->steps + lesson->questions,
                            .asks = lesson->questions};
  return true;
}

// By its number alone: a demo may have the name of a lesson.
static bool is_lesson(const Course *course, const char *name) {
  for (int i = 0; i < course->count; i++)
    if (strcasecmp(course->lessons[i].id, name) == 0) return true;
  return false;
}

Demo *demo_open(Course *course, const char *name, RecipeBook *book, LsErr *err) {
  Demo *demo = ls_alloc(sizeof *demo);
  demo->course = course;
  demo->name = ls_strdup(name);
  demo->arena = ls_arena_new();
  if (is_lesson(course, name) ? present(demo, book, err) : open_demo(demo, book, err)) return demo;
  demo_free(demo);
  return NULL;
}

void demo_free(Demo *demo) {
  if (!demo) return;
  lesson_free(demo->lesson);
  ls_arena_free(demo->arena);
  free(demo->beats);
  free(demo->name);
  free(demo);
}
