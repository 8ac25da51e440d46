// exam_tick.c: lanescope exam tick: the points of open answers, one after the other, without saying whose they are.
#include <stdlib.h>
#include <string.h>

#include "app/exam/marks.h"
#include "cli/exam_desk.h"

typedef enum Said { SAID_POINTS, SAID_SKIP, SAID_QUIT } Said;

static Said read_points(const LessonWriting *writing, uint32_t *points) {
  char *line = NULL;
  size_t room = 0;
  for (;;) {
    fputs("points (1 3, none, skip, quit): ", stdout);
    fflush(stdout);
    if (getline(&line, &room, stdin) < 0) return free(line), SAID_QUIT;
    line[strcspn(line, "\r\n")] = 0;
    Said said = strcmp(line, "quit") == 0 ? SAID_QUIT : strcmp(line, "skip") == 0 ? SAID_SKIP : SAID_POINTS;
    bool ok = said != SAID_POINTS || strcmp(line, "none") == 0;
    *points = 0;
    for (char *rest = line, *part; said == SAID_POINTS && !ok && (part = strsep(&rest, " ,")) != NULL;) {
      int64_t point;
      if (!*part) continue;
      if (!ls_parse_i64(part, &point) || point < 1 || point > writing->point_count) { *points = 0; break; }
      *points |= 1u << (point - 1);
    }
    if (ok || *points || said != SAID_POINTS) return free(line), said;
    printf("Numbers from 1 to %d, or none.\n", writing->point_count);
  }
}

// Whose text it is is not said.
static Said tick_one(const PaperQuestion *asked, const char *text, uint32_t *points) {
  const LessonWriting *writing = asked->step.writing;
  plain_print(stdout, "\n? %s\n\n%s\n\n", asked->step.question.prompt, text);
  for (int i = 0; i < writing->point_count; i++) plain_print(stdout, "  %d) %s\n", i + 1, writing->points[i].says);
  return read_points(writing, points);
}

static bool save_ticks(const ExamDesk *desk, const ExamResult *result, const ExamTicks *ticks, const char *path,
                       LsErr *err) {
  LsText text = {0};
  ticks_text(desk->exam, &desk->master, result, ticks, &text);
  bool ok = desk_write(path, ls_text_str(&text), text.length, err);
  ls_text_free(&text);
  return ok;
}

static bool tick_questions(const ExamDesk *desk, const ExamPaper *paper, const ExamResult *result, const char *path,
                           bool *quit, LsErr *err) {
  ExamTicks ticks;
  if (!ticks_read(desk->exam, &desk->master, result, path, &ticks, err)) return false;
  for (int place = 0; place < paper->count && !*quit; place++) {
    const PaperQuestion *asked = &paper->questions[place];
    const char *text = result->answers[asked->item].text;
    uint32_t points = 0;
    if (!asked->step.writing || !text || ticks.given[asked->item]) continue;
    Said said = tick_one(asked, text, &points);
    *quit = said == SAID_QUIT;
    if (said != SAID_POINTS) continue;
    ticks.given[asked->item] = true;
    ticks.points[asked->item] = points;
    if (!save_ticks(desk, result, &ticks, path, err)) return false;
  }
  return true;
}

static bool tick_result(const ExamDesk *desk, const char *result_path, bool *quit, LsErr *err) {
  ExamResult result;
  char *path = ticks_path(result_path);
  bool ok = result_read(desk->exam, result_path, &result, err) == RESULT_OK;
  ExamPaper *paper = ok ? desk_paper(desk, result.who, err) : NULL;
  ok = paper && tick_questions(desk, paper, &result, path, quit, err);
  exam_paper_free(paper);
  result_fini(&result);
  free(path);
  return ok;
}

int desk_tick(ExamDesk *desk, LsErr *err) {
  const Cli *cli = desk->cli;
  bool ok = desk_results(desk, err) && desk_read(desk, cli->words[1], err) && desk_unseal(desk, err), quit = false;
  for (int i = 2; ok && !quit && i < cli->word_count; i++) ok = tick_result(desk, cli->words[i], &quit, err);
  if (ok && !quit) fputs("All open answers are ticked, or were skipped.\n", stdout);
  return ok ? 0 : -1;
}
