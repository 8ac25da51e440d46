// cmd_exam.c: lanescope exam: makes an exam, sits for it, and gives its key; exam_marks.c has the rest.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/exam/sitting.h"
#include "base/file.h"
#include "base/output.h"
#include "cli/busy.h"
#include "cli/exam_desk.h"
#include "cli/exam_lines.h"
#include "cli/exam_text.h"
#include "cli/exam_word.h"
#include "script/lesson.h"
#include "ui/pages/page.h"

// ---- what all share ------------------------------------------------------------------------------------------------

bool desk_write(const char *path, const char *text, size_t size, LsErr *err) {
  LsOutput output;
  if (strcmp(path, "-") == 0) return fwrite(text, 1, size, stdout) == size;
  if (!ls_output_open(&output, path, err)) return false;
  for (size_t done = 0; done < size;) {
    ssize_t n = write(output.fd, text + done, size - done);
    if (n <= 0) return ls_output_drop(&output), ls_fail(err, LS_EIO, "cannot write %s", LS_QUOTE_PATH(path));
    done += (size_t)n;
  }
  int error = ls_output_commit(&output);
  return !error || ls_fail(err, LS_EIO, "cannot write %s: %s", LS_QUOTE_PATH(path), strerror(error));
}

bool desk_read(ExamDesk *desk, const char *path, LsErr *err) {
  if (!path) return ls_fail(err, LS_EREQUEST, "the exam's file is missing: lanescope exam --help shows examples");
  desk->exam = exam_read(path, err);
  return desk->exam != NULL;
}

bool desk_unseal(ExamDesk *desk, LsErr *err) {
  char *word = exam_word(desk->cli, false, err);
  bool ok = word && exam_unseal(desk->exam, word, &desk->master, err);
  free(word);
  return ok;
}

ExamPaper *desk_paper(const ExamDesk *desk, const char *who, LsErr *err) {
  busy_begin("drawing the questions");
  ExamPaper *paper = exam_paper(desk->exam, who, desk->course, desk->book, err);
  busy_end();
  return paper;
}

// ---- making --------------------------------------------------------------------------------------------------------

static bool read_title(const Cli *cli, Exam *exam, LsErr *err) {
  if (!cli->given[OPT_ID_TITLE]) return true;
  const char *title = cli->value[OPT_ID_TITLE];
  for (const char *p = title; *p; p++)
    if ((unsigned char)*p < ' ' || *p == 127) return ls_fail(err, LS_EREQUEST, "the title has to be one line of text");
  if (!*title || ls_utf8_width(title) > EXAM_TITLE)
    return ls_fail(err, LS_EREQUEST, "--title takes 1 to %d characters", EXAM_TITLE);
  exam->title = ls_arena_strdup(exam->arena, title);
  return true;
}

static bool read_seed(const Cli *cli, Exam *exam, LsErr *err) {
  uint64_t seed = 0;
  if (!cli->given[OPT_ID_SEED]) return exam_draw_seed(exam, err);
  if (!cli_unsigned(cli, OPT_ID_SEED, 1, INT64_MAX, &seed, err)) return false;
  exam_set_seed(exam, seed);
  return true;
}

static bool read_families(const ExamDesk *desk, LsErr *err) {
  CourseFamily *families = NULL;
  int count = 0;
  if (!desk->course->families(desk->course, desk->exam->arena, &families, &count, err)) return false;
  for (int i = 1; i < desk->cli->word_count; i++)
    if (!exam_add(desk->exam, families, count, desk->cli->words[i], err)) return false;
  return true;
}

static bool read_wishes(const ExamDesk *desk, LsErr *err) {
  const Cli *cli = desk->cli;
  uint64_t minutes = 0;
  if (cli->word_count < 2)
    return ls_fail(err, LS_EREQUEST, "exam make needs families, such as FQ5:2; lanescope quiz --list lists them");
  if (!cli->given[OPT_ID_MINUTES]) return ls_fail(err, LS_EREQUEST, "exam make needs --minutes M: how long it takes");
  if (!cli->given[OPT_ID_OUTPUT]) return ls_fail(err, LS_EREQUEST, "exam make needs -o FILE: where the exam goes");
  if (ls_file_exists(cli->value[OPT_ID_OUTPUT]))
    return ls_fail(err, LS_EREQUEST, "%s is there already, and results may belong to it: choose another name",
                   LS_QUOTE_PATH(cli->value[OPT_ID_OUTPUT]));
  if (!cli_unsigned(cli, OPT_ID_MINUTES, 1, EXAM_MINUTES, &minutes, err)) return false;
  desk->exam->minutes = (int)minutes;
  return read_title(cli, desk->exam, err) && read_seed(cli, desk->exam, err) && read_families(desk, err);
}

static void say_made(const ExamDesk *desk) {
  const Exam *exam = desk->exam;
  const char *path = desk->cli->value[OPT_ID_OUTPUT];
  for (int i = 0; i < exam->count; i++)
    plain_print(stdout, "%2d  %-5s %-14s %s\n", i + 1, exam->items[i].family,
                exam->items[i].skill ? exam->items[i].skill : "open", exam->items[i].class ? exam->items[i].class : "");
  plain_print(stdout, "%s: %d question%s, %d minutes. lanescope exam %s --who ID takes it.\n", path, exam->count,
              exam->count == 1 ? "" : "s", exam->minutes, path);
}

// Few questions with few numbers: then students who sit side by side may have the same.
static bool warn_of_twins(const ExamDesk *desk, LsErr *err) {
  enum { PROBES = 12 };
  LsDigest digests[PROBES];
  bool twins = false;
  for (int i = 0; i < PROBES; i++) {
    char who[24];
    snprintf(who, sizeof who, "probe-%d", i);
    ExamPaper *paper = desk_paper(desk, who, err);
    if (!paper) return false;
    digests[i] = paper->digest;
    exam_paper_free(paper);
    for (int k = 0; k < i; k++) twins = twins || ls_digest_same(&digests[i], &digests[k]);
  }
  if (twins) fprintf(stderr, "lanescope: some students will get the same paper: name more questions or families\n");
  return true;
}

static int make_exam(ExamDesk *desk, LsErr *err) {
  desk->exam = exam_new();
  if (!read_wishes(desk, err)) return -1;
  char *word = exam_word(desk->cli, true, err);
  busy_begin("drawing the questions");
  bool ok = word && exam_settle(desk->exam, desk->course, desk->book, err);
  busy_end();
  if (ok) {
    LsDigest master;
    exam_master(desk->exam, word, &master);
    char *text = exam_sealed_text(desk->exam, &master);
    ok = desk_write(desk->cli->value[OPT_ID_OUTPUT], text, strlen(text), err);
    free(text);
  }
  free(word);
  if (ok) say_made(desk);
  ok = ok && warn_of_twins(desk, err);
  return ok ? 0 : -1;
}

// ---- what the others need ------------------------------------------------------------------------------------------

bool desk_results(const ExamDesk *desk, LsErr *err) {
  return desk->cli->word_count > 2 ||
         ls_fail(err, LS_EREQUEST, "exam %s needs the exam and the results: FILE RESULT...", desk->cli->words[0]);
}

static bool read_who(ExamDesk *desk, LsErr *err) {
  if (desk->cli->given[OPT_ID_WHO]) return exam_who(desk->cli->value[OPT_ID_WHO], desk->who, err);
  return ls_fail(err, LS_EREQUEST, "--who ID says whose exam it is");
}

static bool draw_paper(ExamDesk *desk, LsErr *err) {
  desk->paper = desk_paper(desk, desk->who, err);
  return desk->paper != NULL;
}

// ---- paper ---------------------------------------------------------------------------------------------------------

// To -o, whose name says what it becomes; text to standard output.
static int print_paper(const ExamDesk *desk, bool key, LsErr *err) {
  const char *path = desk->cli->given[OPT_ID_OUTPUT] ? desk->cli->value[OPT_ID_OUTPUT] : "-";
  bool pdf = ls_ends_with(path, ".pdf"), set = pdf || ls_ends_with(path, ".ps");
  ExamPrint print = {desk->exam, desk->paper, desk->who, key, set || desk->cli->given[OPT_ID_PAGES]};
  LsText text = {0};
  exam_print_text(&print, &text);
  size_t size = text.length;
  busy_begin("setting the pages");
  char *bytes = set ? exam_typeset(ls_text_str(&text), pdf, &size, err) : ls_text_take(&text);
  busy_end();
  bool ok = bytes && desk_write(path, bytes, size, err);
  free(bytes);
  ls_text_free(&text);
  return ok ? 0 : -1;
}

// The questions before the time begins are the teacher's: the word is asked for.
static int print_blank(ExamDesk *desk, LsErr *err) {
  bool ok = desk_unseal(desk, err) && draw_paper(desk, err);
  return ok ? print_paper(desk, false, err) : -1;
}

// ---- sitting for it ------------------------------------------------------------------------------------------------

// Another version of the course may ask something else: it is said, as the teacher's version would not accept it.
static bool same_questions(const ExamDesk *desk, LsErr *err) {
  ExamPaper *paper = desk_paper(desk, "", err);
  bool same = paper && ls_digest_same(&paper->digest, &desk->exam->questions);
  if (paper && !same)
    fprintf(stderr, "lanescope: this is lanescope %s, whose questions differ from those of %s, with which the exam was "
            "made: ask your teacher before you begin\n", LS_VERSION, desk->exam->version);
  exam_paper_free(paper);
  return paper != NULL;
}

static char *result_path(const ExamDesk *desk, const char *exam_path) {
  if (desk->cli->given[OPT_ID_OUTPUT]) return ls_strdup(desk->cli->value[OPT_ID_OUTPUT]);
  return ls_format("%s.%s.result", exam_path, desk->who);
}

// Names the exam by its sum.
static char *note_path(const ExamDesk *desk) {
  enum { DIGITS = 16 };
  char hex[LS_DIGEST_HEX];
  ls_digest_hex(&desk->exam->sum, hex);
  char *relative = ls_format("exams/%.*s.%s", DIGITS, hex, desk->who), *path = ls_xdg_path("STATE", relative);
  free(relative);
  return path;
}

static int sit(const ExamDesk *desk, Sitting *sitting, LsErr *err) {
  bool screen = cli_wants_screen(desk->cli), over = sitting_over(sitting);
  if (!over && !screen) return exam_in_lines(sitting, STDIN_FILENO, stdout, err) ? 0 : -1;
  int status = over ? 0 : cli_show_page(desk->cli, page_exam_new(sitting, desk->book), err);
  if (sitting_over(sitting)) exam_say_end(sitting, stdout);
  return status;
}

// Whoever sits there begins the time himself. False: nobody did.
static bool begins(const ExamDesk *desk, const char *result) {
  const Exam *exam = desk->exam;
  if (!isatty(STDIN_FILENO) || ls_file_exists(result)) return true;
  plain_print(stdout, "%s, for %s: %d question%s, %d minute%s.\n\nAnswers can be changed until you hand it in. There "
              "are no tips.\nIf you leave, or the machine stops, the same command leads back.\nThe time goes on "
              "meanwhile.\n\n"
              "Enter begins the time. Ctrl-C leaves. ", exam->title, desk->who, exam->count,
              exam->count == 1 ? "" : "s", exam->minutes, exam->minutes == 1 ? "" : "s");
  fflush(stdout);
  char letter;
  ssize_t n;
  while ((n = read(STDIN_FILENO, &letter, 1)) == 1 && letter != '\n') {}
  return n == 1;
}

static int take_exam(ExamDesk *desk, LsErr *err) {
  Sitting sitting;
  const char *path = desk->cli->word_count == 1 ? desk->cli->words[0] : NULL;
  if (!desk_read(desk, path, err) || !read_who(desk, err)) return -1;
  if (desk->cli->given[OPT_ID_PRINT]) return print_blank(desk, err);
  if (!same_questions(desk, err) || !draw_paper(desk, err)) return -1;
  char *result = result_path(desk, path);
  bool begun = begins(desk, result);
  char *note = note_path(desk);
  SittingPlace place = {result, note, NULL};
  bool ok = begun && sitting_open(&sitting, desk->exam, desk->paper, desk->who, &place, err);
  free(result);
  free(note);
  if (!ok) return begun ? -1 : 0;
  int status = sit(desk, &sitting, err);
  sitting_close(&sitting);
  return status;
}

// ---- the key -------------------------------------------------------------------------------------------------------

static int print_key(ExamDesk *desk, LsErr *err) {
  const Cli *cli = desk->cli;
  if (!desk_read(desk, cli->word_count == 2 ? cli->words[1] : NULL, err) || !read_who(desk, err) ||
      !desk_unseal(desk, err) || !draw_paper(desk, err)) return -1;
  if (cli->given[OPT_ID_PRINT]) return print_paper(desk, true, err);
  LsText text = {0};
  exam_key_text(desk->exam, desk->paper, desk->who, &text);
  plain_print(stdout, "%s", ls_text_str(&text));
  ls_text_free(&text);
  return 0;
}

// ---- which ---------------------------------------------------------------------------------------------------------

static int serve(ExamDesk *desk, LsErr *err) {
  static const struct { const char *word; int (*act)(ExamDesk *desk, LsErr *err); } acts[] = {
      {"make", make_exam}, {"key", print_key}, {"marks", desk_marks}, {"tick", desk_tick}};
  const char *first = desk->cli->word_count ? desk->cli->words[0] : "";
  for (int i = 0; i < LS_COUNT(acts); i++)
    if (strcmp(acts[i].word, first) == 0) return acts[i].act(desk, err);
  return take_exam(desk, err);
}

int cmd_exam(Cli *cli, LsErr *err) {
  ExamDesk desk = {.cli = cli, .book = cli_book(cli, err)};
  desk.course = desk.book ? course_open(NULL, err) : NULL;
  if (!desk.course) return -1;
  int status = serve(&desk, err);
  exam_paper_free(desk.paper);
  exam_free(desk.exam);
  desk.course->free(desk.course);
  return status;
}
