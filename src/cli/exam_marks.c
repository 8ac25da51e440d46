// exam_marks.c: lanescope exam marks: results checked and marked, as text, CSV or JSON.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/exam/marks.h"
#include "cli/busy.h"
#include "cli/exam_desk.h"

enum { MINUTE = 60 * 1000 };

// A result with what came of it.
typedef struct Marked {
  const char *path;
  bool counts;                 // else why says why not
  bool twice;                  // another one has the same ID
  char why[256];
  ExamResult result;
  ExamMarks marks;
  char receipt[RESULT_RECEIPT];
} Marked;

typedef struct Class { Marked *list; int count; } Class;

// ---- marking -------------------------------------------------------------------------------------------------------

static void refuse(Marked *marked, const LsErr *err) {
  marked->counts = false;
  if (err->line) snprintf(marked->why, sizeof marked->why, "line %d: %.230s", err->line, err->message);
  else snprintf(marked->why, sizeof marked->why, "%.250s", err->message);
  marked->why[strcspn(marked->why, "\n")] = 0;
}

static bool mark_paper(const ExamDesk *desk, Marked *marked, LsErr *err) {
  ExamTicks ticks;
  char *path = ticks_path(marked->path);
  ExamPaper *paper = exam_paper(desk->exam, marked->result.who, desk->course, desk->book, err);
  bool ok = paper && ticks_read(desk->exam, &desk->master, &marked->result, path, &ticks, err) &&
            marks_of(desk->exam, paper, &marked->result, &ticks, &marked->marks, err);
  exam_paper_free(paper);
  free(path);
  return ok;
}

static void mark(const ExamDesk *desk, const char *path, Marked *marked) {
  LsErr err = {0};
  marked->path = path;
  marked->counts = result_read(desk->exam, path, &marked->result, &err) == RESULT_OK;
  if (marked->counts) result_receipt(&marked->result, marked->receipt);
  if (marked->counts) marked->counts = mark_paper(desk, marked, &err);
  if (!marked->counts) refuse(marked, &err);
}

static int by_who(const void *a, const void *b) {
  return strcmp(((const Marked *)a)->result.who, ((const Marked *)b)->result.who);
}

static void find_twins(const Class *class) {
  for (int i = 1; i < class->count; i++) {
    Marked *a = &class->list[i - 1], *b = &class->list[i];
    if (*a->result.who && strcmp(a->result.who, b->result.who) == 0) a->twice = b->twice = true;
  }
}

static const char *state_of(const Marked *marked) {
  if (!marked->counts) return "refused";
  ResultEnd end = marked->result.end;
  return end == RESULT_HANDED ? "handed in" : end == RESULT_TIME ? "time" : "not handed in";
}

static double minutes_of(const Marked *marked) { return (double)marked->result.gone / MINUTE; }

// ---- text ----------------------------------------------------------------------------------------------------------

static void say_one(const ExamDesk *desk, const Marked *marked) {
  const ExamMarks *marks = &marked->marks;
  const char *who = *marked->result.who ? marked->result.who : "?";
  if (!marked->counts) {
    plain_print(stdout, "%-16s refused: %s\n%-16s %s\n", who, marked->why, "", marked->path);
    return;
  }
  plain_print(stdout, "%-16s %6.2f of %-3g %3d/%-3d %7.1f  %-13s  %s", who, marks->points, marks->of, marks->answered,
              desk->exam->count, minutes_of(marked), state_of(marked), marked->receipt);
  if (marks->open) plain_print(stdout, "  %d to tick", marks->open);
  if (marked->result.resumes) plain_print(stdout, "  taken up %d times", marked->result.resumes);
  if (marked->result.again) plain_print(stdout, "  BEGUN ANEW");
  if (marked->twice) plain_print(stdout, "  TWICE: %s", marked->path);
  fputs("\n", stdout);
}

typedef struct ItemTally { int right, wrong, none, ticked; double points; } ItemTally;

static ItemTally tally_of(const Class *class, int item) {
  ItemTally tally = {0};
  for (int i = 0; i < class->count; i++) {
    const Mark *given = &class->list[i].marks.items[item];
    if (!class->list[i].counts) continue;
    tally.right += given->verdict == MARK_RIGHT;
    tally.wrong += given->verdict == MARK_WRONG;
    tally.none += given->verdict == MARK_NONE;
    tally.ticked += given->verdict == MARK_TICKED;
    tally.points += given->points;
  }
  return tally;
}

static void say_items(const ExamDesk *desk, const Class *class, int counted) {
  fputs("\nquestion                         points  no answer\n", stdout);
  for (int item = 0; item < desk->exam->count; item++) {
    const ExamItem *of = &desk->exam->items[item];
    ItemTally tally = tally_of(class, item);
    plain_print(stdout, "%2d  %-5s %-14s %-6s %4.0f%%  %9d\n", item + 1, of->family, of->skill ? of->skill : "open",
                of->class ? of->class : "", 100 * tally.points / LS_MAX(counted, 1), tally.none);
  }
}

static void print_text(const ExamDesk *desk, const Class *class) {
  int counted = 0;
  double sum = 0;
  plain_print(stdout, "%s: %d questions, %d minutes\n\n", desk->exam->title, desk->exam->count, desk->exam->minutes);
  fputs("who              points       done  minutes  state          receipt\n", stdout);
  for (int i = 0; i < class->count; i++) {
    say_one(desk, &class->list[i]);
    counted += class->list[i].counts;
    if (class->list[i].counts) sum += class->list[i].marks.points;
  }
  say_items(desk, class, counted);
  if (counted) printf("\n%d of %d results counted, %.2f points on average\n", counted, class->count, sum / counted);
  else printf("\nnone of %d results counted\n", class->count);
}

// ---- CSV, JSON -----------------------------------------------------------------------------------------------------

// A cell in quotes where it has to be; one that a spreadsheet would take for a formula begins with a blank.
static void put_cell(const char *text) {
  if (*text && strchr("=+-@\t\r", *text) && strcmp(text, "-") != 0) fputs("\" ", stdout);
  else fputs("\"", stdout);
  for (; *text; text++) fputs(*text == '"' ? "\"\"" : (char[]){*text, 0}, stdout);
  fputs("\"", stdout);
}

static void csv_counted(const Marked *m) {
  const ExamMarks *marks = &m->marks;
  printf(",%g,%g,%d,%d,%.2f,%s,%d,%d,%d,%s", marks->points, marks->of, marks->answered, marks->open, minutes_of(m),
         state_of(m), m->result.resumes, m->result.again, m->twice, m->receipt);
}

static void print_csv(const ExamDesk *desk, const Class *class) {
  fputs("who,points,of,answered,to_tick,minutes,state,resumed,anew,twice,receipt", stdout);
  for (int item = 0; item < desk->exam->count; item++) printf(",q%d", item + 1);
  fputs(",why\n", stdout);
  for (int i = 0; i < class->count; i++) {
    const Marked *m = &class->list[i];
    put_cell(m->result.who);
    if (m->counts) csv_counted(m);
    else printf(",,%d,,,,refused,,,%d,", desk->exam->count, m->twice);
    for (int item = 0; item < desk->exam->count; item++) {
      const Mark *given = &m->marks.items[item];
      bool none = !m->counts || given->verdict == MARK_NONE || given->verdict == MARK_OPEN;
      printf(none ? "," : ",%g", given->points);
    }
    fputs(",", stdout);
    put_cell(m->why);
    fputs("\n", stdout);
  }
}

static void json_items(const Exam *exam, LsJson *json) {
  ls_json_open_member(json, "questions", '[');
  for (int item = 0; item < exam->count; item++) {
    ls_json_open(json, '{');
    ls_json_member(json, "family", exam->items[item].family);
    ls_json_member(json, "skill", exam->items[item].skill);
    ls_json_member(json, "class", exam->items[item].class);
    ls_json_close(json, '}');
  }
  ls_json_close(json, ']');
}

static void json_answers(const ExamDesk *desk, const Marked *m, LsJson *json) {
  static const char *const verdicts[] = {"none", "right", "wrong", "open", "ticked"};   // MarkVerdict
  ls_json_open_member(json, "answers", '[');
  for (int item = 0; item < desk->exam->count; item++) {
    const Mark *given = &m->marks.items[item];
    ls_json_open(json, '{');
    ls_json_member_i64(json, "question", item + 1);
    ls_json_member(json, "verdict", verdicts[given->verdict]);
    ls_json_member(json, "answer", m->result.answers[item].text);
    ls_json_member_f64(json, "points", given->points);
    ls_json_member_f64(json, "seconds", (double)given->at / 1000);
    ls_json_close(json, '}');
  }
  ls_json_close(json, ']');
}

static void json_one(const ExamDesk *desk, const Marked *m, LsJson *json) {
  ls_json_open(json, '{');
  ls_json_member(json, "who", m->result.who);
  ls_json_member(json, "file", m->path);
  ls_json_member_bool(json, "counts", m->counts);
  ls_json_member_bool(json, "twice", m->twice);
  ls_json_member(json, "state", state_of(m));
  if (!m->counts) ls_json_member(json, "why", m->why);
  if (m->counts) {
    ls_json_member_f64(json, "points", m->marks.points);
    ls_json_member_f64(json, "of", m->marks.of);
    ls_json_member_i64(json, "to_tick", m->marks.open);
    ls_json_member_f64(json, "minutes", minutes_of(m));
    ls_json_member_i64(json, "resumed", m->result.resumes);
    ls_json_member_bool(json, "anew", m->result.again);
    ls_json_member(json, "receipt", m->receipt);
    json_answers(desk, m, json);
  }
  ls_json_close(json, '}');
}

static void print_json(const ExamDesk *desk, const Class *class) {
  LsText text = {0};
  LsJson json;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_member(&json, "exam", desk->exam->title);
  ls_json_member_i64(&json, "minutes", desk->exam->minutes);
  json_items(desk->exam, &json);
  ls_json_open_member(&json, "results", '[');
  for (int i = 0; i < class->count; i++) json_one(desk, &class->list[i], &json);
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  cli_print_json(&text);
}

// ---- marks ---------------------------------------------------------------------------------------------------------

int desk_marks(ExamDesk *desk, LsErr *err) {
  const Cli *cli = desk->cli;
  if (!desk_results(desk, err) || !desk_read(desk, cli->words[1], err) || !desk_unseal(desk, err)) return -1;
  Class class = {ls_alloc(sizeof(Marked) * (size_t)cli->word_count), cli->word_count - 2};
  int refused = 0;
  busy_begin("marking");
  for (int i = 0; i < class.count; i++) {
    busy_share((uint64_t)i, (uint64_t)class.count);
    mark(desk, cli->words[i + 2], &class.list[i]);
    refused += !class.list[i].counts;
  }
  busy_end();
  qsort(class.list, (size_t)class.count, sizeof *class.list, by_who);
  find_twins(&class);
  (cli->given[OPT_ID_CSV] ? print_csv : cli->given[OPT_ID_JSON] ? print_json : print_text)(desk, &class);
  for (int i = 0; i < class.count; i++) result_fini(&class.list[i].result);
  free(class.list);
  return refused ? 1 : 0;
}
