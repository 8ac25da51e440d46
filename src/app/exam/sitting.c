// sitting.c: answers of a sitting and its time, each line on disk before it counts.
#include "app/exam/sitting.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"

enum { MINUTE = 60 * 1000, LONGEST_ANSWER = 8000 };

// ---- the file ------------------------------------------------------------------------------------------------------

static bool write_all(int fd, const char *data, size_t size) {
  while (size) {
    ssize_t n = write(fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= (size_t)n;
  }
  return true;
}

// A line that is not wholly on disk is taken away again, so that the next one does not stand behind its beginning.
static bool save(Sitting *sitting, size_t before, LsText *lines, LsErr *err) {
  bool ok = write_all(sitting->fd, ls_text_str(lines), lines->length) && fdatasync(sitting->fd) == 0;
  int error = errno;
  if (!ok && ftruncate(sitting->fd, (off_t)before) != 0) error = errno;
  ls_text_free(lines);
  return ok || ls_fail(err, LS_EIO, "cannot write %s: %s. What you did last is not saved: do it again",
                       LS_QUOTE_PATH(sitting->path), strerror(error));
}

static bool open_file(Sitting *sitting, LsErr *err) {
  sitting->fd = open(sitting->path, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0600);
  if (sitting->fd < 0)
    return ls_fail(err, LS_EIO, "cannot write %s: %s; -o names another place for the result",
                   LS_QUOTE_PATH(sitting->path), strerror(errno));
  return flock(sitting->fd, LOCK_EX | LOCK_NB) == 0 ||
         ls_fail(err, LS_EREQUEST, "%s is open in another window: go on there, or close it",
                 LS_QUOTE_PATH(sitting->path));
}

static int64_t gone_now(const Sitting *sitting) {
  ExamTime now;
  sitting->clock(&now);
  return LS_MAX(exam_clock_gone(&sitting->result.clock, &now), sitting->result.gone);
}

static bool read_note(const char *note, ExamTime *first) {
  FILE *file = note ? fopen(note, "r") : NULL;
  bool ok = file && fscanf(file, "%" SCNd64 " %" SCNd64 " %39s", &first->wall, &first->since_boot, first->boot) == 3;
  if (file) fclose(file);
  return ok;
}

// That there is none is no reason not to begin.
static void write_note(const char *note, const ExamTime *now) {
  if (!note) return;
  char *folder = ls_strndup(note, (size_t)(ls_path_base(note) - note));
  char *text = ls_format("%" PRId64 " %" PRId64 " %s\n", now->wall, now->since_boot, now->boot);
  if (ls_make_dirs(folder, NULL)) ls_file_write(note, text, strlen(text), NULL);
  free(text);
  free(folder);
}

static bool begin(Sitting *sitting, const char *who, const char *note, LsErr *err) {
  LsText lines = {0};
  ExamTime now, first = {0};
  sitting->clock(&now);
  bool again = read_note(note, &first);
  result_begin(sitting->exam, who, &sitting->paper->digest, again ? &first : &now, &sitting->result, &lines);
  if (again) result_resume(&sitting->result, &now, true, &lines);
  else write_note(note, &now);
  sitting->resumed = sitting->anew = again;
  return save(sitting, 0, &lines, err) && (!again || sitting_tick(sitting, err) || err->kind == LS_OK);
}

static bool is_mine(const Sitting *sitting, const char *who, LsErr *err) {
  const ExamResult *result = &sitting->result;
  if (strcmp(result->who, who) != 0)
    return ls_fail(err, LS_EREQUEST, "%s is the result of %s, not of %s", LS_QUOTE_PATH(sitting->path), result->who,
                   who);
  return ls_digest_same(&result->paper, &sitting->paper->digest) ||
         ls_fail(err, LS_EREQUEST, "%s was begun with lanescope %s, which asks other questions than this one, %s: "
                 "go on with that one", LS_QUOTE_PATH(sitting->path), result->version, LS_VERSION);
}

static bool go_on(Sitting *sitting, const char *who, LsErr *err) {
  if (result_read(sitting->exam, sitting->path, &sitting->result, err) != RESULT_OK) {
    ls_err_append(err, "Call your teacher: the exam cannot go on with this file.");
    return false;
  }
  if (!is_mine(sitting, who, err)) return false;
  sitting->resumed = true;
  if (ftruncate(sitting->fd, (off_t)sitting->result.whole) != 0)
    return ls_fail(err, LS_EIO, "cannot write %s: %s", LS_QUOTE_PATH(sitting->path), strerror(errno));
  if (sitting->result.end) return true;
  LsText lines = {0};
  ExamTime now;
  size_t before = sitting->result.whole;
  sitting->clock(&now);
  result_resume(&sitting->result, &now, false, &lines);
  return save(sitting, before, &lines, err) && (sitting_tick(sitting, err) || err->kind == LS_OK);
}

// Whether the file has no more than a part of its first lines: the program was ended while it wrote them.
static bool is_stub(const Sitting *sitting) {
  enum { HEAD = 512 };
  static const char heading[] = "lanescope exam result";
  char head[HEAD + 1];
  ssize_t size = pread(sitting->fd, head, HEAD, 0);
  if (size < 0 || size == HEAD) return false;
  head[size] = 0;
  const char *first = strchr(head, '\n');
  return strncmp(head, heading, LS_MIN((size_t)size, strlen(heading))) == 0 && (!first || !strchr(first + 1, '\n')) &&
         ftruncate(sitting->fd, 0) == 0;
}

// To the first question that has no answer.
static void find_place(Sitting *sitting) {
  for (sitting->at = 0; sitting->at < sitting->paper->count; sitting->at++)
    if (!sitting_answer_of(sitting, sitting->at)) return;
  sitting->at = 0;
}

bool sitting_open(Sitting *sitting, const Exam *exam, const ExamPaper *paper, const char *who,
                  const SittingPlace *place, LsErr *err) {
  LsErr unused = {0};
  *sitting = (Sitting){.exam = exam, .paper = paper, .path = ls_strdup(place->result), .fd = -1,
                       .clock = place->clock ? place->clock : exam_time_now};
  if (!err) err = &unused;
  bool ok = open_file(sitting, err);
  bool fresh = ok && is_stub(sitting);
  ok = ok && (fresh ? begin(sitting, who, place->note, err) : go_on(sitting, who, err));
  if (ok) find_place(sitting);
  else sitting_close(sitting);
  return ok;
}

void sitting_close(Sitting *sitting) {
  if (sitting->fd >= 0) close(sitting->fd);
  sitting->fd = -1;
  free(sitting->path);
  sitting->path = NULL;
  result_fini(&sitting->result);
}

const char *sitting_how_resumed(const Sitting *sitting) {
  if (sitting->anew) return "its result was gone, so it begins anew, but the time goes on";
  return sitting->resumed ? "it goes on where it was left" : "";
}

// ---- time ----------------------------------------------------------------------------------------------------------

static int64_t limit_of(const Sitting *sitting) { return (int64_t)sitting->exam->minutes * MINUTE; }

int64_t sitting_gone(const Sitting *sitting) { return sitting->result.end ? sitting->result.gone : gone_now(sitting); }

int64_t sitting_left(const Sitting *sitting) { return LS_MAX(limit_of(sitting) - sitting_gone(sitting), 0); }

bool sitting_over(const Sitting *sitting) { return sitting->result.end != RESULT_OPEN; }

static bool end(Sitting *sitting, ResultEnd how, int64_t gone, LsErr *err) {
  LsText line = {0};
  ExamResult before = sitting->result;
  result_end(&sitting->result, how, gone, &line);
  if (save(sitting, before.whole, &line, err)) return true;
  if (how == RESULT_HANDED) sitting->result = before;   // when the time is up it is over, written or not
  return false;
}

bool sitting_tick(Sitting *sitting, LsErr *err) {
  if (sitting_over(sitting) || sitting_left(sitting) > 0) return false;
  end(sitting, RESULT_TIME, LS_MAX(limit_of(sitting), sitting->result.gone), err);
  return true;
}

bool sitting_hand_in(Sitting *sitting, LsErr *err) {
  if (sitting_tick(sitting, err) || sitting_over(sitting)) return true;
  return end(sitting, RESULT_HANDED, gone_now(sitting), err);
}

void sitting_time_text(int64_t milliseconds, bool words, LsText *out) {
  int64_t seconds = milliseconds / 1000, minutes = seconds / 60, hours = minutes / 60;
  if (!words && hours) ls_text_addf(out, "%" PRId64 ":%02d:%02d", hours, (int)(minutes % 60), (int)(seconds % 60));
  else if (!words) ls_text_addf(out, "%d:%02d", (int)minutes, (int)(seconds % 60));
  if (!words) return;
  if (minutes) ls_text_addf(out, "%" PRId64 " minute%s", minutes, minutes == 1 ? "" : "s");
  if (minutes >= 10 || (minutes && seconds % 60 == 0)) return;
  ls_text_addf(out, "%s%d second%s", minutes ? " " : "", (int)(seconds % 60), seconds % 60 == 1 ? "" : "s");
}

// ---- answers -------------------------------------------------------------------------------------------------------

const PaperQuestion *sitting_question(const Sitting *sitting, int place) { return &sitting->paper->questions[place]; }

const char *sitting_answer_of(const Sitting *sitting, int place) {
  return sitting->result.answers[sitting->paper->questions[place].item].text;
}

int sitting_answered(const Sitting *sitting) {
  int count = 0;
  for (int place = 0; place < sitting->paper->count; place++) count += sitting_answer_of(sitting, place) != NULL;
  return count;
}

static bool is_answer(const PaperQuestion *asked, const char *typed, LsErr *err) {
  double value;
  if (strlen(typed) > LONGEST_ANSWER)
    return ls_fail(err, LS_EREQUEST, "an answer has %d characters at most", LONGEST_ANSWER);
  if (asked->step.writing) return typed[strspn(typed, " \n\t")] || ls_fail(err, LS_EREQUEST, "nothing is written yet");
  return lesson_parse_answer(&asked->step.question, typed, &value, err);
}

static bool change(Sitting *sitting, int place, const char *text, LsErr *err) {
  LsText line = {0};
  if (sitting_tick(sitting, err) || sitting_over(sitting))
    return ls_fail(err, LS_EREQUEST, "the exam is over: this answer came too late");
  int item = sitting->paper->questions[place].item;
  ExamResult *result = &sitting->result, before = *result;
  ExamAnswer old = {before.answers[item].text ? ls_strdup(before.answers[item].text) : NULL, before.answers[item].at};
  result_answer(result, item, text, gone_now(sitting), &line);
  bool ok = save(sitting, before.whole, &line, err);
  if (!ok) {
    free(result->answers[item].text);
    before.answers[item] = old;
    *result = before;
    return false;
  }
  free(old.text);
  return true;
}

bool sitting_answer(Sitting *sitting, int place, const char *typed, LsErr *err) {
  const char *now = sitting_answer_of(sitting, place);
  if (!is_answer(sitting_question(sitting, place), typed, err)) return false;
  if (now && strcmp(now, typed) == 0 && !sitting_over(sitting)) return true;
  return change(sitting, place, typed, err);
}

bool sitting_clear(Sitting *sitting, int place, LsErr *err) {
  return !sitting_answer_of(sitting, place) || change(sitting, place, NULL, err);
}

void sitting_step(const Sitting *sitting, int place, LessonStep *step) {
  *step = sitting_question(sitting, place)->step;
  const char *typed = sitting_answer_of(sitting, place);
  double value = 0;
  step->sees = false;
  step->question.tip_count = 0;
  step->question.sure = false;
  if (!typed || step->writing || !lesson_parse_answer(&step->question, typed, &value, NULL)) return;
  step->given = step->last = value;
}
