// cmd_claims.c: lanescope claims: the numbers of the lectures, each held against what comes out here.
#include <string.h>
#include <strings.h>

#include "cli/busy.h"
#include "cli/cli.h"
#include "cli/plain.h"
#include "script/lesson.h"
#include "ui/pages/page.h"

typedef struct Ledger {
  Course *course;
  RecipeBook *book;
  LsArena *arena;
  CourseClaim *list; int count;
  const char *device;        // NULL: where each claim says
  int differ;                // verdicts that are not the expected ones
} Ledger;

static void print_json(LsJson *json, const CourseClaim *claim, const LessonClaim *result) {
  ls_json_open(json, '{');
  ls_json_member(json, "id", claim->id);
  ls_json_member(json, "topic", claim->topic);
  ls_json_member(json, "says", claim->says);
  ls_json_member(json, "value", result->value);
  ls_json_member(json, "now", result->now);
  ls_json_member(json, "today", result->today);
  ls_json_member(json, "on", claim->on);
  ls_json_member(json, "verdict", result->verdict);
  ls_json_member(json, "expected", claim->verdict);
  ls_json_member(json, "erratum", claim->erratum);
  ls_json_member(json, "lesson", claim->lesson);
  ls_json_member(json, "why", claim->why);
  ls_json_close(json, '}');
}

// Two lines: what is said, and what comes out. What changed against the shipped verdict is said.
static void print_row(const CourseClaim *claim, const LessonClaim *result) {
  plain_print(stdout, "%s  %s\n      ", claim->id, claim->says);
  if (result->value) plain_print(stdout, "lecture %s; ", result->value);
  if (result->now) plain_print(stdout, "here %s; ", result->now);
  if (result->today) plain_print(stdout, "today's device %s; ", result->today);
  plain_print(stdout, "%s%s%s", result->verdict, claim->erratum ? ", " : "", claim->erratum ? claim->erratum : "");
  if (!result->agrees) plain_print(stdout, "  (elsewhere: %s)", claim->verdict);
  plain_print(stdout, "\n");
}

// Holds one against what comes out; its step stays with the lesson. NULL with *err: the claim has a bug, or there is no
// such device.
static Lesson *hold(const Ledger *ledger, const CourseClaim *claim, LsErr *err) {
  Lesson *lesson = lesson_claim(ledger->course, claim->id, ledger->device, ledger->book, err);
  if (!lesson || lesson_next(lesson, err) == LESSON_MOVED) return lesson;
  lesson_free(lesson);
  return NULL;
}

static const char *topic_of(const Ledger *ledger, int index) { return index < 0 ? "" : ledger->list[index].topic; }

static bool print_one(Ledger *ledger, int index, bool whole, LsJson *json, LsErr *err) {
  const CourseClaim *claim = &ledger->list[index];
  Lesson *lesson = hold(ledger, claim, err);
  if (!lesson) return false;
  const LessonStep *step = lesson_current(lesson);
  ledger->differ += !step->claim->agrees;
  if (json) {
    print_json(json, claim, step->claim);
  } else if (whole) {
    LsText text = {0};
    ls_text_addf(&text, "%s  %s\n\n", claim->id, claim->topic);
    lesson_print_body(step, &text);
    plain_print(stdout, "%s", ls_text_str(&text));
    ls_text_free(&text);
  } else {
    if (strcmp(topic_of(ledger, index), topic_of(ledger, index - 1)) != 0)
      plain_print(stdout, "%s%s\n", index ? "\n" : "", claim->topic);
    print_row(claim, step->claim);
  }
  fflush(stdout);
  lesson_free(lesson);
  return true;
}

static int find(const Ledger *ledger, const char *id, LsErr *err) {
  for (int i = 0; i < ledger->count; i++)
    if (strcasecmp(ledger->list[i].id, id) == 0) return i;
  return ls_fail(err, LS_EREQUEST, "there is no claim '%s'; lanescope claims lists all %d", id, ledger->count), -1;
}

static int print_ledger(Ledger *ledger, int first, int last, bool as_json, LsErr *err) {
  LsText text = {0};
  LsJson json;
  bool ok = true, one = first == last && ledger->count > 1;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_open_member(&json, "claims", '[');
  busy_begin("holding the claims against what comes out");
  for (int i = first; ok && i <= last; i++) {
    busy_share((uint64_t)(i - first), (uint64_t)(last - first + 1));
    ok = print_one(ledger, i, one, as_json ? &json : NULL, err);
  }
  busy_end();
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  if (ok && as_json) cli_print_json(&text);
  else ls_text_free(&text);
  return !ok ? -1 : ledger->differ ? 1 : 0;
}

static int claims(Cli *cli, Ledger *ledger, LsErr *err) {
  if (!ledger->course->claims(ledger->course, ledger->arena, &ledger->list, &ledger->count, err)) return -1;
  int chosen = cli->word_count ? find(ledger, cli->words[0], err) : -1;
  if (cli->word_count && chosen < 0) return -1;
  bool as_json = cli->given[OPT_ID_JSON];
  if (!as_json && cli_wants_screen(cli))
    return cli_show_page(cli, page_claims_new(ledger->course, ledger->book, ledger->device, LS_MAX(chosen, 0)), err);
  return print_ledger(ledger, LS_MAX(chosen, 0), chosen < 0 ? ledger->count - 1 : chosen, as_json, err);
}

int cmd_claims(Cli *cli, LsErr *err) {
  Ledger ledger = {.device = cli->value[OPT_ID_CLAIMS_DEVICE]};
  if (ledger.device && strcmp(ledger.device, "cuda") != 0 && strcmp(ledger.device, "emu") != 0)
    return ls_fail(err, LS_EREQUEST, "--device of claims is emu or cuda"), -1;
  if (ledger.device && strcmp(ledger.device, "emu") == 0) ledger.device = NULL;
  ledger.book = cli_book(cli, err);
  ledger.course = ledger.book ? course_open(NULL, err) : NULL;
  if (!ledger.course) return -1;
  ledger.arena = ls_arena_new();
  int status = claims(cli, &ledger, err);
  ls_arena_free(ledger.arena);
  ledger.course->free(ledger.course);
  return status;
}
