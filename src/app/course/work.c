// work.c: code that a student writes: where it goes, what is tried, and what came of it.
#include "app/course/work.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/run_parts.h"
#include "base/file.h"
#include "base/random.h"
#include "device/device.h"

enum {
  SOURCE_LIMIT = 1 << 20,
  BUDGET = 20000000,         // warp instructions of a try: far more than a lesson's kernel needs, and a second or so
  EVENTS = 200000,           // recorded of a try
};

const char *work_kind_name(WorkKind kind) {
  static const char *const names[] = {"modify", "make", "parsons"};
  return names[kind];
}

// ---- where it goes -------------------------------------------------------------------------------------------------

static const char *line_begin(const char *text, const char *at) {
  while (at > text && at[-1] != '\n') at--;
  return at;
}

static const char *line_end(const char *at) { return at + strcspn(at, "\n"); }

static int line_number(const char *text, const char *at) {
  int line = 1;
  for (const char *p = text; p < at; p++) line += *p == '\n';
  return line;
}

static bool find_region(const LessonWork *work, const char *source, const char **begin, const char **end, LsErr *err) {
  const char *first = strstr(source, work->from);
  if (!first) return ls_fail(err, LS_EREQUEST, "no line of %s has '%s' in it", work->file, LS_QUOTE(work->from));
  const char *last = work->to ? strstr(first, work->to) : first;
  if (!last)
    return ls_fail(err, LS_EREQUEST, "no line of %s after '%s' has '%s' in it", work->file, LS_QUOTE(work->from),
                   LS_QUOTE(work->to));
  *begin = line_begin(source, first);
  *end = line_end(last);
  return true;
}

// A shuffle that everybody sees alike: by the hashes of the pieces. It does not leave them in order.
static uint64_t piece_key(const LessonWork *work, int piece) {
  return ls_hash64(work->pieces[piece], strlen(work->pieces[piece])) + (uint64_t)piece * 0x9e3779b97f4a7c15u;
}

static void swap(int *a, int *b) {
  int kept = *a;
  *a = *b;
  *b = kept;
}

static void shuffle_pieces(LessonWork *work) {
  int *at = work->shuffle, in_order = 0;
  for (int i = 0; i < work->piece_count; i++) at[i] = i;
  for (int i = 1; i < work->piece_count; i++)
    for (int k = i; k > 0 && piece_key(work, at[k]) < piece_key(work, at[k - 1]); k--) swap(&at[k], &at[k - 1]);
  while (in_order < work->piece_count && at[in_order] == in_order) in_order++;
  if (in_order == work->piece_count && work->piece_count > 1) swap(&at[0], &at[1]);
}

// The lines of the region, where the lesson does not list them.
static void take_pieces(LessonWork *work, LsArena *arena) {
  const char **all = LS_NEW_ARRAY(arena, const char *, WORK_PIECES + work->spare_count);
  int count = 0;
  for (const char *p = work->original; *p && count < WORK_PIECES; p = line_end(p) + (*line_end(p) == '\n')) {
    const char *text = p + strspn(p, " \t");
    if (text < line_end(p)) all[count++] = ls_arena_strndup(arena, p, (size_t)(line_end(p) - p));
  }
  for (int i = 0; i < work->spare_count; i++) all[count++] = work->pieces[i];
  work->pieces = all;
  work->piece_count = count;
}

static bool settle_order(LessonWork *work, LsArena *arena, LsErr *err) {
  if (work->kind != WORK_ORDER) return true;
  if (work->piece_count == work->spare_count) take_pieces(work, arena);
  if (work->piece_count > WORK_PIECES)
    return ls_fail(err, LS_EREQUEST, "parsons: more than %d lines", WORK_PIECES);
  shuffle_pieces(work);
  int order[WORK_PIECES];
  int right = work->piece_count - work->spare_count;
  for (int i = 0; i < right; i++) order[i] = i;
  char *text = work_ordered(work, order, right);
  WorkAnswer *solution = LS_NEW_ARRAY(arena, WorkAnswer, work->answer_count + 1);
  for (int i = 0; i < work->answer_count; i++) solution[i + 1] = work->answers[i];
  const char *copy = ls_arena_strdup(arena, text);
  solution[0] = (WorkAnswer){.name = "the right order", .text = copy, .says = "", .right = true};
  work->answers = solution;
  work->answer_count++;
  free(text);
  return true;
}

bool work_settle(LessonWork *work, RecipeBook *book, LsArena *arena, LsErr *err) {
  RunRequest request;
  work->chosen = -1;
  bool ok = lesson_want_request(&work->runs[0], book, &request, err);
  const RecipeForm *form = ok ? recipe_form(request.recipe, &request.values) : NULL;
  if (ok && (!form->source || request.recipe->sequence))
    ok = ls_fail(err, LS_EREQUEST, "%s has no kernel to write: it is a model or a program", request.recipe->name);
  char *path = ok ? run_recipe_file(request.recipe, "kernels", form->source, err) : NULL;
  char *source = path ? ls_file_read(path, SOURCE_LIMIT, NULL, err) : NULL;
  if (source) work->file = ls_arena_strdup(arena, form->source);
  free(path);
  run_request_fini(&request);
  const char *begin = NULL, *end = NULL;
  ok = source && find_region(work, source, &begin, &end, err);
  if (ok) {
    work->before = ls_arena_strndup(arena, source, (size_t)(begin - source));
    work->after = ls_arena_strdup(arena, end);
    work->original = ls_arena_strndup(arena, begin, (size_t)(end - begin));
    work->indent = ls_arena_strndup(arena, begin, strspn(begin, " \t"));
    work->first_line = line_number(source, begin);
    ok = settle_order(work, arena, err);
  }
  free(source);
  return ok;
}

char *work_source(const LessonWork *work, const char *text) {
  LsText out = {0};
  ls_text_add(&out, work->before);
  if (work->kind == WORK_FILL) ls_text_addf(&out, "%s%s%s%s", work->indent, work->left, text, work->right);
  else ls_text_add(&out, text);
  ls_text_add(&out, work->after);
  return ls_text_take(&out);
}

char *work_ordered(const LessonWork *work, const int *order, int count) {
  LsText out = {0};
  for (int i = 0; i < count; i++) ls_text_addf(&out, "%s%s", i ? "\n" : "", work->pieces[order[i]]);
  return ls_text_take(&out);
}

bool work_parse_order(const LessonWork *work, const char *text, int *order, int *count, LsErr *err) {
  bool used[WORK_PIECES] = {false};
  *count = 0;
  for (const char *p = text; *(p += strspn(p, " ,\t"));) {
    char *end;
    long number = strtol(p, &end, 10);
    if (end == p || number < 1 || number > work->piece_count || used[number - 1])
      return ls_fail(err, LS_EREQUEST,
                     "give the numbers of lines in their order, such as 3 1 2, each once; there are %d",
                     work->piece_count);
    used[number - 1] = true;
    order[(*count)++] = work->shuffle[number - 1];
    p = end;
  }
  return *count > 0 || ls_fail(err, LS_EREQUEST, "give the numbers of lines in their order, such as 3 1 2");
}

// ---- known answers -------------------------------------------------------------------------------------------------

// The next byte that counts: blanks do only between two words.
static const char *next_byte(const char *p) { return p + strspn(p, " \t\r\n"); }

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool same_code(const char *a, const char *b) {
  a = next_byte(a);
  b = next_byte(b);
  while (*a && *a == *b) {
    const char *after_a = next_byte(a + 1), *after_b = next_byte(b + 1);
    bool parts_a = after_a > a + 1 && is_word(*a) && is_word(*after_a);
    bool parts_b = after_b > b + 1 && is_word(*b) && is_word(*after_b);
    if (parts_a != parts_b) return false;
    a = after_a;
    b = after_b;
  }
  return *a == *b;
}

int work_take_order(const LessonWork *work, const char *text, int *order) {
  bool used[WORK_PIECES] = {false};
  int count = 0;
  while (*text) {
    int piece = 0;
    for (; piece < work->piece_count; piece++) {
      size_t length = strlen(work->pieces[piece]);
      bool fits = strncmp(text, work->pieces[piece], length) == 0 && (text[length] == '\n' || !text[length]);
      if (fits && !used[piece]) break;
    }
    if (piece == work->piece_count) return 0;
    used[piece] = true;
    order[count++] = piece;
    text += strlen(work->pieces[piece]);
    text += *text == '\n';
  }
  return count;
}

int work_find_answer(const LessonWork *work, const char *text) {
  for (int i = 0; i < work->answer_count; i++)
    if (same_code(work->answers[i].text, text)) return i;
  return -1;
}

int work_first_misplaced(const LessonWork *work, const char *text) {
  const char *given = text, *right = work->answers[0].text;
  for (int line = 1; *given || *right; line++) {
    size_t a = strcspn(given, "\n"), b = strcspn(right, "\n");
    if (a != b || memcmp(given, right, a) != 0) return line;
    given += a + (given[a] == '\n');
    right += b + (right[b] == '\n');
  }
  return 0;
}

bool work_can_compile(void) {
  static int known = -1;
  LsText found = {0}, meaning = {0};
  if (known < 0) known = dev_compilers(&found, &meaning) > 0;
  ls_text_free(&found);
  ls_text_free(&meaning);
  return known > 0;
}

// One right answer is enough to choose.
static bool is_offered(const LessonWork *work, int answer) { return answer == 0 || !work->answers[answer].right; }

int work_options(const LessonWork *work) {
  int count = 0;
  for (int i = 0; i < work->answer_count; i++) count += is_offered(work, i);
  return count;
}

static uint64_t answer_key(const LessonWork *work, int answer) {
  return ls_hash64(work->answers[answer].text, strlen(work->answers[answer].text));
}

// Placed by a hash of the text: the right one does not stand first, and everybody sees the same list.
const WorkAnswer *work_option(const LessonWork *work, int place) {
  for (int i = 0; i < work->answer_count; i++) {
    int before = 0;
    uint64_t own = answer_key(work, i);
    for (int k = 0; k < work->answer_count; k++) {
      uint64_t other = answer_key(work, k);
      before += is_offered(work, k) && (other < own || (other == own && k < i));
    }
    if (is_offered(work, i) && before == place) return &work->answers[i];
  }
  return NULL;
}

// ---- a try ---------------------------------------------------------------------------------------------------------

void work_fini(LessonWork *work) {
  run_free(work->run);
  free(work->text);
  work->run = NULL;
  work->text = NULL;
}

void work_recall(LessonWork *work, const char *text) {
  char *copy = text ? ls_strdup(text) : NULL;
  free(work->text);
  work->text = copy;
}

void work_begin(LessonWork *work, const char *text) {
  char *copy = ls_strdup(text);
  work_fini(work);
  work->text = copy;
  work->state = WORK_RUNNING;
  work->at = work->message_count = 0;
  work->failure[0] = 0;
  work->tries++;
  memset(work->rows, 0, sizeof work->rows);
  int known = work_find_answer(work, text);
  work->says = known >= 0 && *work->answers[known].says ? work->answers[known].says : NULL;
}

// The text as it was shipped, where only blanks are others: then its PTX is there.
static const char *shipped_text(const LessonWork *work) {
  int known = work_find_answer(work, work->text);
  return known >= 0 ? work->answers[known].text : work->text;
}

bool work_wants(const LessonWork *work, RecipeBook *book, RunRequest *request, LsErr *err) {
  *err = (LsErr){0};
  if (work->state != WORK_RUNNING) return false;
  if (!lesson_want_request(&work->runs[work->at], book, request, err)) {
    run_request_fini(request);
    return false;
  }
  char *source = work_source(work, shipped_text(work));
  run_request_set_text(request, source);
  free(source);
  request->budget = BUDGET;
  request->events = EVENTS;
  return true;
}

// ---- what compilers say --------------------------------------------------------------------------------------------

// "name.cu(12): error: text" of NVIDIA's compilers, "name.cu:12:5: error: text" of clang.
static bool read_message(const char *line, size_t length, const char *file, WorkMessage *message) {
  char copy[400];
  snprintf(copy, sizeof copy, "%.*s", (int)length, line);
  char *at = strstr(copy, file), *error = strstr(copy, "error");
  const char *text = error ? strstr(error, ": ") : NULL;
  if (!at || !text || error < at) return false;
  at += strlen(file);
  if (*at != '(' && *at != ':') return false;
  message->line = atoi(at + 1);
  snprintf(message->text, sizeof message->text, "%.*s", (int)sizeof message->text - 1, text + 2);
  return message->line > 0;
}

static void read_messages(LessonWork *work, const char *said) {
  for (const char *p = said; *p && work->message_count < WORK_MESSAGES; p = line_end(p) + (*line_end(p) == '\n'))
    work->message_count +=
        read_message(p, (size_t)(line_end(p) - p), work->file, &work->messages[work->message_count]);
}

// Nobody is here who could compile it: of an order it can be said all the same what is wrong with it.
static void no_compiler(LessonWork *work) {
  if (work->kind != WORK_ORDER)
    snprintf(work->failure, sizeof work->failure,
             "no compiler is here: only the answers that were compiled beforehand can be tried; choose one of them");
  else
    snprintf(work->failure, sizeof work->failure, "line %d is not the one that belongs there",
             work_first_misplaced(work, work->text));
}

static void no_run(LessonWork *work, const LsErr *why) {
  work->state = WORK_FAILED;
  if (why->kind == LS_EENV) return no_compiler(work);
  if (why->kind == LS_EREQUEST || why->kind == LS_EPARSE || why->kind == LS_EUNSUPPORTED)
    read_messages(work, why->message);
  if (!work->message_count) snprintf(work->failure, sizeof work->failure, "%.*s", WORK_NOTE - 1, why->message);
}

// ---- what comes of a run -------------------------------------------------------------------------------------------

static WorkRow *row_of(LessonWork *work) { return &work->rows[work->at]; }

static void fail_row(LessonWork *work, int line, const char *note) {
  WorkRow *row = row_of(work);
  row->done = true;
  row->line = line;
  snprintf(row->note, sizeof row->note, "%s", note);
  work->state = WORK_FAILED;
}

static const TraceFault *worst_fault(const Run *run) {
  const TraceFault *fault = run_fault_row(run, 0);
  return fault && trace_fault_grade(fault) == GRADE_FAULT ? fault : NULL;
}

// The note without "; NAME.cu:18" at its end: the line is told already.
static void fail_at(LessonWork *work, const Run *run, const TraceFault *fault) {
  char place[320], note[WORK_NOTE];
  int file, line = 0;
  if (!ptx_line_inner(run->module, fault->pc, &file, &line)) line = 0;
  snprintf(note, sizeof note, "%s", fault->message ? fault->message : "the run has a fault");
  snprintf(place, sizeof place, "; %.250s:%d", work->file, line);
  if (line && ls_ends_with(note, place)) note[strlen(note) - strlen(place)] = 0;
  fail_row(work, line, note);
}

static void name_row(LessonWork *work) {
  const LessonWant *want = &work->runs[work->at];
  char *to = row_of(work)->values;
  size_t room = sizeof row_of(work)->values, used = 0;
  for (int i = 0; i < want->value_count && used < room; i++)
    used += (size_t)snprintf(to + used, room - used, "%s%s", i ? " " : "", want->values[i]);
}

bool work_give(LessonWork *work, Run *run, const LsErr *why) {
  if (work->state != WORK_RUNNING) {
    run_free(run);
    return false;
  }
  name_row(work);
  if (!run) {
    no_run(work, why);
    return false;
  }
  run_free(work->run);
  work->run = run;
  const TraceFault *fault = work->any_faults ? NULL : worst_fault(run);
  if (fault) {
    fail_at(work, run, fault);
  } else if (run->verdict == RUN_WRONG && !work->any_result) {
    fail_row(work, 0, run->verdict_text);
  }
  return work->state == WORK_RUNNING;
}

void work_judged(LessonWork *work, bool right, const char *note) {
  if (!right) {
    fail_row(work, 0, note && *note ? note : "this is not what is wanted");
    return;
  }
  WorkRow *row = row_of(work);
  row->done = row->right = true;
  snprintf(row->note, sizeof row->note, "%s", note ? note : "");
  if (++work->at == work->run_count) work->state = WORK_PASSED;
}
