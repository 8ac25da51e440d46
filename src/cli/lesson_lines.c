// lesson_lines.c: says a step and what its picture shows, reads a line, and does what it asks for.
#include "cli/lesson_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/busy.h"
#include "cli/lesson_work_lines.h"
#include "cli/lesson_writing_lines.h"
#include "cli/plain.h"
#include "cli/plain_place.h"

typedef struct Place { const Run *run, *other; uint64_t step; int64_t warp, focus; } Place;

typedef struct Talk {
  Lesson *lesson;
  Session *session;          // NULL until a step shows a kernel
  FILE *in, *out;
  Place told;                // of the explorer, said last
  ModelValues values;        // of the model that the step shows
  bool pauses, ended;        // ended: the lesson is over, or nobody says anything any more
  char *line; size_t room;   // the last one read
} Talk;

static const LessonStep *current(const Talk *t) { return lesson_current(t->lesson); }

static bool shows(const Talk *t) { return t->session && lesson_run(t->lesson, current(t)->place.run); }

static const Model *model_of(const Talk *t) { return current(t)->place.model; }

// ---- out -----------------------------------------------------------------------------------------------------------

static void say_parameters(Talk *t) {
  const Recipe *recipe = model_of(t) ? &model_of(t)->recipe : t->session->run->request.recipe;
  const RecipeValues *values = model_of(t) ? &t->values.numbers : &t->session->run->request.values;
  for (int i = 0; recipe && i < recipe->param_count; i++) {
    const RecipeParam *param = &recipe->params[i];
    if (!lesson_unlocks(t->lesson, recipe, i)) continue;
    LsText value = {0}, choices = {0};
    recipe_value_text(param, values->value[i], &value);
    for (int64_t c = 0; c < param->choice_count; c++) {
      if (c) ls_text_add(&choices, ", ");
      recipe_value_text(param, c, &choices);
    }
    if (!param->choice_count) ls_text_addf(&choices, "%lld to %lld", (long long)param->min, (long long)param->max);
    plain_print(t->out, "%s=%s now, %s: %s\n", param->name, ls_text_str(&value), ls_text_str(&choices), param->help);
    ls_text_free(&value);
    ls_text_free(&choices);
  }
}

static void say(Talk *t, void (*print)(const LessonStep *step, LsText *out)) {
  LsText text = {0};
  print(current(t), &text);
  plain_print(t->out, "%s", ls_text_str(&text));
  ls_text_free(&text);
}

// The lines of a form that the one beside it has not got: "- 7  if (i > 0) {".
static void say_own_lines(Session *session, char sign, FILE *out) {
  const char *const *lines, *path;
  int count = ses_source_lines(session, &lines, &path);
  bool *own = ses_own_lines(session);
  for (int i = 0; own && i < count; i++)
    if (own[i]) plain_print(out, "%c %d  %s\n", sign, i + 1, lines[i]);
  free(own);
}

// Where the explorer stands, unless that was said last; of two sources what differs.
static void say_place(Talk *t) {
  const Session *s = t->session;
  Place here = {.run = s->run, .other = s->other, .step = s->step, .warp = s->warp, .focus = s->focus};
  bool same = memcmp(&here, &t->told, sizeof here) == 0, code = s->other && current(t)->place.code;
  t->told = here;
  if (code && ses_first_own_line(t->session)) {
    plain_print(t->out, "beside it, %s:\n", s->other_label);
    say_own_lines(t->session, '-', t->out);
    return say_own_lines(ses_peer(t->session), '+', t->out);
  }
  if (same) fputs("[the same place as before]\n", t->out);
  else plain_place(t->session, t->out);
  if (!same && s->other) {
    plain_print(t->out, "beside it, %s:\n", s->other_label);
    plain_place(ses_peer(t->session), t->out);
  }
}

static void say_model(Talk *t) {
  LsText values = {0}, words = {0};
  model_print_values(model_of(t), &t->values, &values);
  model_of(t)->words(&t->values, &words);
  plain_print(t->out, "[%s: %s] %s\n", model_of(t)->recipe.name, ls_text_str(&values), ls_text_str(&words));
  ls_text_free(&values);
  ls_text_free(&words);
}

// What an answer counts now.
static void say_worth(Talk *t) {
  LsText words = {0};
  step_worth_words(current(t), &words);
  if (words.length) plain_print(t->out, "%s\n", ls_text_str(&words));
  ls_text_free(&words);
}

static void say_step(Talk *t) {
  t->values = current(t)->place.values;
  char place[LESSON_STEP_TEXT];
  lesson_step_text(t->lesson, place, sizeof place);
  fprintf(t->out, "\n[%s, %s]\n", lesson_info(t->lesson)->id, place);
  say(t, lesson_print_text);
  if (current(t)->hides && lesson_waits(current(t)) && shows(t)) plain_source(t->session, t->out);
  else if (shows(t) && !current(t)->work) say_place(t);
  if (model_of(t)) say_model(t);
  say(t, lesson_print_question);
  say(t, lesson_print_verdict);
  if (lesson_waits(current(t))) say_worth(t);
  if (lesson_waits(current(t)) && current(t)->kind == LESSON_TRY) say_parameters(t);
  if (current(t)->work && lesson_waits(current(t))) lesson_work_say(t->lesson, t->out);
  if (current(t)->writing && lesson_waits(current(t))) lesson_writing_say(t->lesson, t->out);
  if (current(t)->missed) fputs("redo asks these again.\n", t->out);
}

static void say_end(Talk *t) {
  int right, asked;
  lesson_score(t->lesson, &right, &asked);
  const char *id = lesson_info(t->lesson)->id;
  fprintf(t->out, "%s: %d steps, %d of %d answers right\n", id, lesson_steps(t->lesson), right, asked);
}

static void say_left(Talk *t) {
  const char *id = lesson_info(t->lesson)->id;
  const Progress *progress = lesson_progress(t->lesson);
  bool saved = progress && progress_state(progress) == STORE_SAVED;
  char place[LESSON_STEP_TEXT];
  lesson_step_text(t->lesson, place, sizeof place);
  fprintf(t->out, "%s is left at %s.%s%s%s\n", id, place,
          saved ? " lanescope lesson " : "", saved ? id : "", saved ? " goes on there." : "");
}

// ---- what a line asks for ------------------------------------------------------------------------------------------

static LessonMove next(Lesson *lesson, LsErr *err) {
  busy_begin("running the kernel");
  LessonMove move = lesson_next(lesson, err);
  busy_end();
  return move;
}

bool lesson_first(Lesson *lesson, LsErr *err) { return next(lesson, err) != LESSON_BROKEN; }

static bool go(Talk *t, LsErr *err) {
  LessonMove move = next(t->lesson, err);
  if (move == LESSON_BROKEN) return false;
  if (move == LESSON_MOVED) {
    lesson_show(t->lesson, &t->session);
    say_step(t);
  } else if (move == LESSON_AT_END) {
    say_end(t);
    t->ended = true;
  } else {
    fputs(current(t)->work         ? "Write it first, or say tip or skip.\n"
          : current(t)->writing     ? "Write first, or say skip.\n"
          : lesson_asks(current(t)) ? "Answer first, or say tip or skip.\n"
          : "Reach the goal first, or say tip or skip.\n", t->out);
  }
  return true;
}

static bool go_back(Talk *t, LsErr *err) {
  (void)err;
  if (!lesson_back(t->lesson)) {
    fputs("This is the first step.\n", t->out);
    return true;
  }
  lesson_show(t->lesson, &t->session);
  say_step(t);
  return true;
}

static bool again(Talk *t, LsErr *err) {
  (void)err;
  t->told = (Place){0};
  lesson_show(t->lesson, &t->session);
  say_step(t);
  return true;
}

static bool tip(Talk *t, LsErr *err) {
  (void)err;
  const LessonStep *step = current(t);
  const char *const *tips = lesson_asks(step) ? step->question.tips : step->goal.tips;
  if (lesson_tip(t->lesson)) plain_print(t->out, "tip: %s\n", tips[step->tips_shown - 1]);
  else fputs("There is no further tip here.\n", t->out);
  say_worth(t);
  return true;
}

// The place that an answer leads to.
static void say_after(Talk *t) {
  if (!current(t)->sees) return;
  lesson_show(t->lesson, &t->session);
  if (shows(t)) say_place(t);
}

static bool skip(Talk *t, LsErr *err) {
  if (!lesson_waits(current(t))) return go(t, err);
  lesson_skip(t->lesson);
  say(t, lesson_print_verdict);
  say_after(t);
  return t->pauses || go(t, err);
}

static bool redo(Talk *t, LsErr *err) {
  if (lesson_redo(t->lesson)) return go(t, err);
  fputs("There is nothing to ask again here.\n", t->out);
  return true;
}

static void say_what(Talk *t, const char *text) {
  LsText words = {0};
  lesson_what(t->lesson, text, &words);
  plain_print(t->out, "%s\n", ls_text_str(&words));
  ls_text_free(&words);
}

static bool what_alone(Talk *t, LsErr *err) {
  (void)err;
  return fputs("what WORD tells what a word means, such as what is a warp.\n", t->out), true;
}

static bool doubt_alone(Talk *t, LsErr *err) {
  (void)err;
  return fputs("doubt WORDS keeps that you hold this question to be wrong, and why, for your report.\n", t->out), true;
}

static void doubt(Talk *t, const char *words) {
  if (lesson_doubt(t->lesson, words)) fputs("Kept, with what was drawn: your report tells of it.\n", t->out);
  else fputs("Only a drawn question can be held to be wrong, with words that say why.\n", t->out);
}

// What an answer is from: all that the explorer would show of it.
static void look_behind(Talk *t) {
  const LessonPlace *place = &current(t)->behind;
  Session *session = NULL;
  LsText words = {0};
  if (place->model) place->model->words(&place->values, &words);
  else lesson_show_at(t->lesson, place, &session);
  if (session) plain_look(session, t->out);
  else plain_print(t->out, "%s\n", ls_text_str(&words));
  ls_text_free(&words);
  ses_free(session);
}

static bool look(Talk *t, LsErr *err) {
  (void)err;
  if (lesson_opens(t->lesson)) look_behind(t);
  else if (current(t)->hides && shows(t)) plain_source(t->session, t->out);
  else if (shows(t)) plain_look(t->session, t->out);
  else if (model_of(t)) say_model(t);
  else fputs("This step shows no kernel.\n", t->out);
  return true;
}

static bool leave(Talk *t, LsErr *err) {
  (void)err;
  say_left(t);
  t->ended = true;
  return true;
}

static bool help(Talk *t, LsErr *err);

static const struct { const char *word, *means; bool (*act)(Talk *t, LsErr *err); } words[] = {
    {"", "an empty line goes on to the next step", go},
    {"next", "the same", go},
    {"tip", "a tip for this question or goal", tip},
    {"skip", "the answer is given away", skip},
    {"back", "the step before", go_back},
    {"again", "this step once more, at its place", again},
    {"what", "what WORD tells what a word means, such as what is a warp", what_alone},
    {"redo", "at the end: asks again what was not right at once", redo},
    {"look", "all that the screen would show: lanes of every warp, variables, totals; of an answer, what it is from",
     look},
    {"doubt", "doubt WORDS keeps that you hold the question to be wrong, for your report", doubt_alone},
    {"help", "these words", help},
    {"quit", "leaves; what was answered is kept", leave},
};

static bool help(Talk *t, LsErr *err) {
  (void)err;
  fputs("Enter  goes on to the next step\n", t->out);
  for (int i = 0; i < LS_COUNT(words); i++)
    if (*words[i].word) fprintf(t->out, "%-6s %s\n", words[i].word, words[i].means);
  fputs("NAME=VALUE runs the kernel with another parameter\n"
        ":COMMAND moves the explorer: :next, :step 12, :line 16, :warp 1, :lane 3, :block 2\n", t->out);
  return true;
}

// What came of a try. was: the goal had been reached before.
static bool say_goal(Talk *t, bool was, bool reached, LsErr *err) {
  const LessonStep *step = current(t);
  if (!reached && err->kind != LS_OK) return false;
  if (step->note[0]) plain_print(t->out, "%s\n", step->note);
  fputs(reached ? "The goal is reached.\n" : "The goal is not reached yet.\n", t->out);
  return was || !reached || t->pauses || go(t, err);
}

// A run that the student asked for: with another parameter, say.
static bool make_run(Talk *t, LsErr *err) {
  Session *session = t->session;
  LsErr why = {0};
  session->want_rerun = false;
  Run *run = run_new(&session->next, busy_begin("running the kernel"), &why);
  busy_end();
  if (!run) {
    ses_run_failed(session, &why);
    plain_print(t->out, "%s\n", why.message);
    return true;
  }
  ses_replace_run(session, run);
  plain_place(session, t->out);
  bool was = !lesson_waits(current(t));
  return current(t)->kind != LESSON_TRY || say_goal(t, was, lesson_observe(t->lesson, session->run, err), err);
}

// Whoever looks before answering is told what that means, once.
static void note_look(Talk *t) {
  bool before = current(t)->looked;
  lesson_looks(t->lesson);
  if (current(t)->looked && !before) fputs("You looked: this is practice now.\n", t->out);
}

// The model at another value.
static bool set_model(Talk *t, const char *assignment, LsErr *err) {
  LsErr why = {0};
  if (!model_set(model_of(t), &t->values, assignment, &why)) return plain_print(t->out, "%s\n", why.message), true;
  say_model(t);
  note_look(t);
  bool was = !lesson_waits(current(t));
  return current(t)->kind != LESSON_TRY || say_goal(t, was, lesson_observe_model(t->lesson, &t->values, err), err);
}

// A line of the explorer's ':' prompt.
static bool command(Talk *t, const char *text, LsErr *err) {
  Session *session = t->session;
  if (!shows(t)) return fputs("This step shows no kernel.\n", t->out), true;
  session->message[0] = 0;
  uint64_t step = session->step;
  uint32_t block = session->block;
  int warp = session->warp, lane = session->lane;
  ses_command(session, &(Command){.id = CMD_TEXT, .text = text});
  bool same = session->step == step && session->block == block && session->warp == warp && session->lane == lane;
  if (!same || session->want_rerun) note_look(t);
  if (session->want_rerun) return make_run(t, err);
  if (session->message[0]) plain_print(t->out, "%s\n", session->message);
  if (session->want_quit) return leave(t, err);
  if (!session->message_is_error) plain_place(session, t->out);
  return true;
}

static bool assign(Talk *t, const char *text, LsErr *err) {
  char line[256];
  if (model_of(t)) return set_model(t, text, err);
  if (!shows(t)) return fputs("This step shows no kernel.\n", t->out), true;
  snprintf(line, sizeof line, "set %s", text);
  return command(t, line, err);
}

static bool say_once_more(Talk *t, bool tip) {
  const LessonStep *step = current(t);
  if (tip) plain_print(t->out, "tip: %s\n", step->question.tips[step->tips_shown - 1]);
  if (!step->skill) fputs("Once more. The first answer counts.\n", t->out);
  else fputs("Once more.\n", t->out);
  say_worth(t);
  return true;
}

static bool answer(Talk *t, const char *text, LsErr *err) {
  const LessonStep *step = current(t);
  LsErr why = {0};
  if (!lesson_asks(step) || !lesson_waits(step)) {
    plain_print(t->out, "Nothing is asked here that \"%s\" would answer; help lists what can be said.\n", text);
    return true;
  }
  int tips = step->tips_shown;
  if (!lesson_answer_typed(t->lesson, text, &why)) {
    plain_print(t->out, "%s; help lists what else can be said.\n", why.message);
    return true;
  }
  say(t, lesson_print_verdict);
  if (step->asks_sure) return true;
  if (lesson_waits(step)) return say_once_more(t, step->tips_shown > tips);
  say_after(t);
  return t->pauses || go(t, err);
}

// Words of one's own, to the next empty line, or the points that they make.
static bool write_on(Talk *t, const char *text, LsErr *err) {
  bool was = !lesson_waits(current(t));
  lesson_writing_line(t->lesson, text, t->in, t->out);
  return was || lesson_waits(current(t)) || t->pauses || go(t, err);
}

// Code that was typed: it may have a '=' in it, and begin with a word.
static bool work_on(Talk *t, const char *text, LsErr *err) {
  bool was = !lesson_waits(current(t));
  if (!lesson_work_line(t->lesson, text, t->in, t->out, err)) return false;
  return was || lesson_waits(current(t)) || t->pauses || go(t, err);
}

static bool obey(Talk *t, const char *text, LsErr *err) {
  for (int i = 0; i < LS_COUNT(words); i++)
    if (strcmp(words[i].word, text) == 0) return words[i].act(t, err);
  const char *asked = text + (*text == ':');
  if (ls_starts_with(asked, "what ")) return say_what(t, asked + strlen("what ")), true;
  if (ls_starts_with(asked, "doubt ")) return doubt(t, asked + strlen("doubt ")), true;
  if (current(t)->work) return work_on(t, text, err);
  if (current(t)->writing && lesson_waits(current(t))) return write_on(t, text, err);
  if (*text == ':') return command(t, text + 1, err);
  const char *equals = strchr(text, '=');
  return equals && equals > text ? assign(t, text, err) : answer(t, text, err);
}

// ---- the conversation ----------------------------------------------------------------------------------------------

// The next line without its blanks, or NULL at the end of what is said.
static const char *hear(Talk *t) {
  if (t->pauses) fputs("> ", t->out);
  fflush(t->out);
  ssize_t length = getline(&t->line, &t->room, t->in);
  lesson_touch(t->lesson);
  if (length < 0) return NULL;
  while (length && strchr(" \t\r\n", t->line[length - 1])) t->line[--length] = 0;
  return t->line + strspn(t->line, " \t");
}

// What nobody has to answer follows by itself where answers come from a pipe.
static bool one_turn(Talk *t, LsErr *err) {
  bool may_redo = current(t)->missed && !current(t)->answered;
  if (!t->pauses && !lesson_waits(current(t)) && !may_redo) return go(t, err);
  const char *text = hear(t);
  if (!t->pauses && may_redo && (!text || strcmp(text, "redo") != 0)) return go(t, err);
  if (text) return (!*text && !t->pauses) || obey(t, text, err);
  if (t->pauses) fputs("\n", t->out);
  return leave(t, err);
}

bool lesson_in_lines(Lesson *lesson, FILE *in, FILE *out, bool pauses, LsErr *err) {
  Talk t = {.lesson = lesson, .in = in, .out = out, .pauses = pauses};
  bool ok = true;
  lesson_show(lesson, &t.session);
  say_step(&t);
  if (pauses) fputs("Enter goes on; help lists what else can be said.\n", out);
  while (ok && !t.ended && !ferror(out)) ok = one_turn(&t, err);
  ses_free(t.session);
  free(t.line);
  return ok;
}

void lesson_say_step(void *context, const Lesson *lesson, const LessonStep *step) {
  LsText text = {0};
  (void)context, (void)lesson;
  lesson_print_step(step, &text);
  plain_print(stdout, "%s\n", ls_text_str(&text));
  ls_text_free(&text);
}

bool lesson_seed(const Cli *cli, Progress *progress, LsErr *err) {
  uint64_t seed = 0;
  if (!cli_unsigned(cli, OPT_ID_SEED, 1, INT64_MAX, &seed, err)) return false;
  if (seed) skills_set_seed(progress, seed);
  return true;
}
