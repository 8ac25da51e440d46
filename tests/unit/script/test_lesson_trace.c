// test_lesson_trace.c: being the warp: events of a run are told before they are seen.
#include "course_of.h"
#include "script/recipe.h"

static RecipeBook *book;

static const char masks[] =
    "local r = measure { kernel = 'diverge_if_else' }\n"
    "local n = r:count { kind = 'branch' }\n"
    "local right, count = trace { id = 'be', title = 'Be it', [[Set the mask, {word}.]], word = 'please', run = r,\n"
    "  at = { { kind = 'branch' }, { kind = 'store', space = 'global', nth = 1 }, { kind = 'store', space = 'global', nth = 2 } },\n"
    "  ask = 'mask', tips = { 'Who is left?' }, because = 'That is the mask.' }\n"
    "say { right .. ' of ' .. count }\n";

static void masks_are_told(void) {
  CourseOf of = course_of(masks);
  Lesson *lesson = course_of_lesson(&of, book);
  LsErr err = {0};
  for (int i = 0; lesson && i < 3; i++) {
    const LessonStep *step = lesson_current(lesson);
    const Run *run = lesson_run(lesson, step->place.run);
    uint64_t before = step->place.step;
    TraceEvent event;
    CHECK(step->kind == LESSON_PREDICT && step->question.kind == QUESTION_MASK && run != NULL);
    CHECK_STR(step->text, "Set the mask, please.");
    CHECK(strstr(step->question.prompt, "Next, warp ") == step->question.prompt);
    char id[16];
    snprintf(id, sizeof id, "be_%d", i + 1);
    CHECK_STR(step->id, id);
    if (i == 1) lesson_skip(lesson);
    else CHECK(lesson_answer(lesson, step->question.answer) && step->right);
    CHECK(step->place.step > before);      // the see of it
    CHECK(run && trace_event(run->trace, step->place.step, &event, &err));
    CHECK((double)event.mask == step->question.answer);
    CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  }
  if (lesson) {
    CHECK_STR(lesson_current(lesson)->title, "Be it: 2 of 3");
    CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
    CHECK_STR(lesson_current(lesson)->text, "2 of 3");
  }
  lesson_free(lesson);
  course_of_drop(&of);
}

static const char own_words[] =
    "local r = measure { kernel = 'shared_stride', params = { s = 4 } }\n"
    "local load = { kind = 'load', space = 'shared' }\n"
    "trace { run = r, ask = 'wavefronts', question = 'How many?',\n"
    "  at = { load, { load, question = 'Once more: how many?' }, { load, ask = 'mask', question = 'And who?' } } }\n";

// Words of one event come before those of all.
static void words_are_ones_own(void) {
  static const char *const prompts[] = {"How many?", "Once more: how many?", "And who?"};
  CourseOf of = course_of(own_words);
  Lesson *lesson = course_of_lesson(&of, book);
  LsErr err = {0};
  CHECK(lesson != NULL);
  for (int i = 0; lesson && i < LS_COUNT(prompts); i++) {
    const LessonStep *step = lesson_current(lesson);
    CHECK_STR(step->question.prompt, prompts[i]);
    CHECK_INT(step->question.kind, i == 2 ? QUESTION_MASK : QUESTION_NUMBER);
    lesson_skip(lesson);
    lesson_next(lesson, &err);
  }
  lesson_free(lesson);
  course_of_drop(&of);
}

static void says(const char *text, const char *expected) {
  CourseOf of = course_of(text);
  Lesson *lesson = course_of_lesson(&of, book);
  LsErr err = {0};
  bool ok = lesson && lesson_auto(lesson, NULL, NULL, &err);
  if (!ok) printf("\n%s\n%s:%d: %s\n", text, err.file, err.line, err.message);
  CHECK(ok && lesson_back(lesson));
  if (ok) CHECK_STR(lesson_current(lesson)->text, expected);
  lesson_free(lesson);
  course_of_drop(&of);
}

static void other_things_are_asked(void) {
  says("local r = measure { kernel = 'shared_stride', params = { s = 4 } }\n"
       "local right, count = trace { run = r, ask = 'wavefronts', at = { { kind = 'load', space = 'shared' },\n"
       "  { { kind = 'store', space = 'global' }, ask = 'sectors' }, { { kind = 'load', space = 'shared' }, ask = 'mask' } } }\n"
       "say { right .. ' of ' .. count }", "3 of 3");
  says("local r = measure { kernel = 'reduce2', params = { N = 256, threads = 64 } }\n"
       "local right, count = trace { run = r, ask = 'next warp', at = { 40, 41, 42, 43 } }\n"
       "say { right .. ' of ' .. count }", "4 of 4");
  says("local r = measure { kernel = 'warp_map_40x2' }\n"
       "local store = { line = 'lane[rank] =', kind = 'store', warp = 1 }\n"
       "local right, count = trace { run = r, ask = 'value of rank in lane 3', at = { store, store, store } }\n"
       "say { right .. ' ' .. r:value(store, 'rank', 3) .. ' ' .. r:text('lane[rank] =') .. ' '\n"
       " .. tostring(r:before(0)) .. ' ' .. r:before(1) }", "3 35 lane[rank] = rank % 32; nil 0");
}

static void traces_with_a_bug(void) {
  static const char start[] = "local r = measure { kernel = 'warp_map_40x2' }\nlocal e = { kind = 'store' }\n";
  static const struct { const char *rest, *message; } bugs[] = {
      {"trace { run = r, at = { e, e }, ask = 'mask' }", "trace asks of 3 to 8 events, not of 2"},
      {"trace { run = r, at = { e, e, e }, ask = 'colour' }",
       "trace cannot ask 'colour'; it asks arrived, longest queue, mask"},
      {"trace { at = { e, e, e }, ask = 'mask' }", "trace needs 'run'"},
      {"trace { run = r, at = { e, e, { kind = 'vote' } }, ask = 'mask' }", "the run has no such event"},
      {"trace { run = r, at = { e, e, e }, ask = 'wavefronts' }", "there is no 'wavefronts' here"},
      {"trace { run = r, at = { e, e, e }, aks = 'mask' }", "trace has an unknown field 'aks'; did you mean 'ask'?"},
      {"trace { run = r, at = { e, e, e }, ask = 'value of foo in lane 3' }", "there is no variable 'foo' here"},
      {"trace { run = r, at = { 1, 2, 100000 }, ask = 'mask' }", "the run has no such step"},
  };
  for (int i = 0; i < LS_COUNT(bugs); i++) {
    LsText text = {0};
    ls_text_addf(&text, "%s%s", start, bugs[i].rest);
    course_of_fails(ls_text_str(&text), 3, bugs[i].message, book);
    ls_text_free(&text);
  }
}

static const Check checks[] = {
    {"masks are told", masks_are_told},
    {"other things are asked", other_things_are_asked},
    {"words are one's own", words_are_ones_own},
    {"traces with a bug", traces_with_a_bug},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  book = recipe_book_open(NULL, NULL);
  int status = check_main("lesson_trace", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  return status;
}
