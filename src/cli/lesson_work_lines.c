// lesson_work_lines.c: takes what was typed as code, tries it, and says what came of it.
#include "cli/lesson_work_lines.h"

#include <stdlib.h>
#include <string.h>

#include "cli/busy.h"
#include "cli/plain.h"

// The answer that a letter stands for where nothing can be compiled; NULL: it is no letter of an answer.
static const WorkAnswer *option_of(const LessonWork *work, const char *text) {
  bool letter = text[0] >= 'a' && text[0] < 'a' + work_options(work) && (!text[1] || strcmp(text + 1, ")") == 0);
  return letter && !work_can_compile() && work_find_answer(work, text) < 0 ? work_option(work, text[0] - 'a') : NULL;
}

// All lines up to the dot.
static char *read_lines(const char *first, FILE *in) {
  LsText all = {0};
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  ls_text_add(&all, first);
  while ((length = getline(&line, &room, in)) >= 0) {
    while (length && strchr("\r\n", line[length - 1])) line[--length] = 0;
    if (strcmp(line, ".") == 0) break;
    ls_text_addf(&all, "\n%s", line);
  }
  free(line);
  return ls_text_take(&all);
}

// What is to be tried; caller frees. NULL: it cannot be read, and err says why.
static char *take(const LessonWork *work, const char *text, FILE *in, LsErr *err) {
  const WorkAnswer *option = work->kind == WORK_ORDER ? NULL : option_of(work, text);
  if (option) return ls_strdup(option->text);
  if (work->kind == WORK_FILL) return ls_strdup(text);
  if (work->kind == WORK_WRITE) return read_lines(text, in);
  int order[WORK_PIECES], count;
  return work_parse_order(work, text, order, &count, err) ? work_ordered(work, order, count) : NULL;
}

void lesson_work_say(const Lesson *lesson, FILE *out) {
  const LessonWork *work = lesson_current(lesson)->work;
  if (work->kind == WORK_ORDER) fputs("Type the numbers of the lines in their order.\n", out);
  else if (!work_can_compile()) fputs("Type the letter of your choice.\n", out);
  else if (work->kind == WORK_FILL) fputs("Type what fills the blank.\n", out);
  else fprintf(out, "Type your lines, which take the place of those from %d on; a line with only a dot ends them.\n",
               work->first_line);
}

bool lesson_work_line(Lesson *lesson, const char *text, FILE *in, FILE *out, LsErr *err) {
  LsErr why = {0};
  char *code = take(lesson_work(lesson), text, in, &why);
  if (!code) {
    plain_print(out, "%s\n", why.message);
    return true;
  }
  busy_begin("trying it");
  lesson_work_try(lesson, code, &why);
  busy_end();
  free(code);
  if (why.kind != LS_OK) return *err = why, false;
  LsText said = {0};
  lesson_print_verdict(lesson_current(lesson), &said);
  plain_print(out, "%s", ls_text_str(&said));
  ls_text_free(&said);
  return true;
}
