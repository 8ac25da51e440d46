// cmd_museum.c: lanescope museum: the mistakes of the lectures, as rooms to walk through and cards to read.
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/busy.h"
#include "cli/cli.h"
#include "cli/lesson_lines.h"
#include "cli/plain.h"
#include "script/lesson.h"
#include "ui/pages/page.h"

typedef struct Museum {
  Course *course;
  RecipeBook *book;
  LsArena *arena;
  CourseRoom *list; int count;
} Museum;

static void print_list(const Museum *museum) {
  const char *wing = "";
  for (int i = 0; i < museum->count; i++) {
    const CourseRoom *room = &museum->list[i];
    if (strcmp(wing, room->wing) != 0) plain_print(stdout, "%s%s\n", i ? "\n" : "", room->wing);
    wing = room->wing;
    plain_print(stdout, "%-5s %-44s ", room->id, room->title);
    if (!room->kernel) plain_print(stdout, "(%s)\n", room->kind);
    else if (room->form) plain_print(stdout, "%s --form %s\n", room->kernel, room->form);
    else plain_print(stdout, "%s\n", room->kernel);
  }
}

// Walks through a room with the right answers, to its last step. NULL with *err: it has a bug.
static Lesson *walk(const Museum *museum, const CourseRoom *room, LsErr *err) {
  Lesson *lesson = lesson_room(museum->course, room->id, museum->book, err);
  if (lesson && lesson_next(lesson, err) != LESSON_BROKEN && lesson_auto(lesson, NULL, NULL, err)) return lesson;
  lesson_free(lesson);
  return NULL;
}

static bool print_json(const Museum *museum, const CourseRoom *room, LsJson *json, LsErr *err) {
  Lesson *lesson = walk(museum, room, err);
  if (!lesson) return false;
  const LessonClaim *result = lesson_current(lesson)->claim;
  ls_json_open(json, '{');
  ls_json_member(json, "id", room->id);
  ls_json_member(json, "title", room->title);
  ls_json_member(json, "wing", room->wing);
  ls_json_member(json, "kernel", room->kernel);
  ls_json_member(json, "form", room->form);
  ls_json_member(json, "kind", room->kind);
  ls_json_member(json, "found", result->now);
  ls_json_member(json, "expected", room->kernel ? result->value : NULL);
  ls_json_member(json, "source", room->source);
  ls_json_member(json, "lesson", room->lesson);
  ls_json_member(json, "says", room->says);
  ls_json_member(json, "cure", room->cure);
  ls_json_close(json, '}');
  lesson_free(lesson);
  return true;
}

static int list_json(const Museum *museum, int first, int last, LsErr *err) {
  LsText text = {0};
  LsJson json;
  bool ok = true;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_open_member(&json, "rooms", '[');
  busy_begin("walking through the rooms");
  for (int i = first; ok && i <= last; i++) {
    busy_share((uint64_t)(i - first), (uint64_t)(last - first + 1));
    ok = print_json(museum, &museum->list[i], &json, err);
  }
  busy_end();
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  if (ok) cli_print_json(&text);
  else ls_text_free(&text);
  return ok ? 0 : -1;
}

static int find(const Museum *museum, const char *id, LsErr *err) {
  for (int i = 0; i < museum->count; i++)
    if (strcasecmp(museum->list[i].id, id) == 0) return i;
  return ls_fail(err, LS_EREQUEST, "there is no room '%s'; lanescope museum lists all %d", id, museum->count), -1;
}

// One room line by line: text out, answers in.
static int converse(const Museum *museum, const CourseRoom *room, LsErr *err) {
  Lesson *lesson = lesson_room(museum->course, room->id, museum->book, err);
  bool ok = lesson && lesson_first(lesson, err) && lesson_in_lines(lesson, stdin, stdout, isatty(0), err);
  lesson_free(lesson);
  return ok ? 0 : -1;
}

static int visit(const Cli *cli, Museum *museum, LsErr *err) {
  if (!museum->course->museum(museum->course, museum->arena, &museum->list, &museum->count, err)) return -1;
  int chosen = cli->word_count ? find(museum, cli->words[0], err) : -1;
  if (cli->word_count && chosen < 0) return -1;
  if (cli->given[OPT_ID_JSON])
    return list_json(museum, LS_MAX(chosen, 0), chosen < 0 ? museum->count - 1 : chosen, err);
  if (cli_wants_screen(cli)) return cli_show_page(cli, page_museum_new(museum->course, museum->book, LS_MAX(chosen,
      0)), err);
  if (chosen >= 0) return converse(museum, &museum->list[chosen], err);
  return print_list(museum), 0;
}

int cmd_museum(Cli *cli, LsErr *err) {
  Museum museum = {.book = cli_book(cli, err)};
  museum.course = museum.book ? course_open(NULL, err) : NULL;
  if (!museum.course) return -1;
  museum.arena = ls_arena_new();
  int status = visit(cli, &museum, err);
  ls_arena_free(museum.arena);
  museum.course->free(museum.course);
  return status;
}
