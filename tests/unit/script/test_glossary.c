// test_glossary.c: words of the course are found however they are written, and every word that a lesson brings in is
// there.
#include <unistd.h>

#include "app/course/course.h"
#include "app/course/lesson.h"
#include "app/run/glossary.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/glossary.h"
#include "script/lesson.h"

static Glossary *glossary;

static void finds(const char *words, const char *name) {
  LsErr err = {0};
  const GlossaryTerm *term = glossary_find(glossary, words, &err);
  CHECK_STR(term ? term->name : err.message, name);
}

static void words_are_found_as_they_are_asked(void) {
  static const char *const ways[] = {"wavefront", "Wavefronts", "is a wavefront", "is  the wavefront?", " wavefront ",
                                     "`wavefront`"};
  for (int i = 0; i < LS_COUNT(ways); i++) finds(ways[i], "wavefront");
  finds("AoS", "array of structs");
  finds("array-of-structs", "array of structs");
  finds("is", "\"is\" is not in the glossary");
  finds("half warps", "half-warp");
  finds("L1", "L1 cache");
}

static void near_words_are_offered(void) {
  finds("wavefrnt", "\"wavefrnt\" is not in the glossary\nDid you mean wavefront, wave?");
  finds("is a bnk conflict", "\"bnk conflict\" is not in the glossary\nDid you mean bank conflict?");
  finds("xyzzy", "\"xyzzy\" is not in the glossary");
  finds("", "\"\" is not in the glossary");
}

static void terms_read_well(void) {
  enum { FEW = 80, LONGEST = 200 };
  CHECK(glossary->count >= FEW);
  Course *course = course_open(NULL, NULL);
  for (int i = 0; i < glossary->count; i++) {
    const GlossaryTerm *term = &glossary->terms[i];
    LsText text = {0};
    glossary_print(term, &text);
    bool well = strlen(term->says) <= LONGEST && ls_ends_with(term->says, ".") && !strchr(text.data, '`');
    if (!well) printf("\n%s: %d bytes\n", text.data, (int)strlen(term->says));
    CHECK(well && course_find(course, term->lesson, NULL));
    CHECK(i == 0 || strcasecmp(glossary->terms[i - 1].name, term->name) < 0);
    ls_text_free(&text);
  }
  course->free(course);
}

// ---- words of the lessons ------------------------------------------------------------------------------------------

// A sentence, or one of the words that are listed.
static bool is_stress(const char *start, int length) {
  if (strchr(".?!,", start[length - 1])) return true;
  for (int i = 0; i < glossary->stressed_count; i++) {
    const char *word = glossary->stressed[i];
    if ((int)strlen(word) == length && strncmp(word, start, (size_t)length) == 0) return true;
  }
  return false;
}

// Emphasis in the strings of a lesson's file: "*" with a letter behind it, to the next one in the line.
static void check_words(const char *file, const char *text) {
  for (const char *p = text; (p = strchr(p, '*')); p++) {
    const char *end = strpbrk(p + 1, "*\n`");
    bool emphasis = end && *end == '*' && end > p + 1 && p[1] != ' ' && end[-1] != ' ' && p > text &&
        strchr(" \n(\"[", p[-1]);
    if (!emphasis) continue;
    int length = (int)(end - p - 1);
    bool known = is_stress(p + 1, length) || glossary_has(glossary, p + 1, (size_t)length);
    if (!known) printf("\n%s: *%.*s* is neither in lessons/glossary.lua as a term, nor as a stressed word\n", file,
                       length, p + 1);
    CHECK(known);
    p = end;
  }
}

static void words_of_lessons_are_there(void) {
  Course *course = course_open(NULL, NULL);
  int read = 0;
  for (int i = 0; i < course->count; i++) {
    if (!course->lessons[i].file) continue;
    char *path = ls_format("%s/lessons/%s", LS_SOURCE_DIR, course->lessons[i].file);
    char *text = ls_file_read(path, 1 << 20, NULL, NULL);
    CHECK(text != NULL);
    check_words(course->lessons[i].file, text);
    read++;
    free(text);
    free(path);
  }
  CHECK(read >= 4);
  course->free(course);
}

// ---- glossaries with a bug -----------------------------------------------------------------------------------------

typedef struct Bug { const char *text; int line; const char *message; } Bug;

static void bugs_are_named(void) {
  static const Bug bugs[] = {
      {"return {}", 0, "the glossary has no terms"},
      {"return { term { 'a' } }", 0, "term 'a': a term has a name and what it means"},
      {"return { term { 'a', 'A.', lessn = 'L01' } }", 0,
       "term 'a' has an unknown field 'lessn'; did you mean 'lesson'?"},
      {"return { term { 'a b', 'A.' }, term { 'A-B', 'B.' } }", 0, "term 'A-B' is there twice"},
      {"return { term { 'a', 'A.' }, term { 'b', 'B.', also = { 'A' } } }", 0, "term 'b': 'A' is another term's, too"},
      {"return {\n term 'a' }", 2, "table expected"},
  };
  for (int i = 0; i < LS_COUNT(bugs); i++) {
    char folder[256];
    LsErr err = {0};
    CHECK(check_folder(folder, sizeof folder));
    char *path = ls_path_join(folder, "glossary.lua");
    CHECK(ls_file_write(path, bugs[i].text, strlen(bugs[i].text), NULL));
    Glossary *made = glossary_open(folder, &err);
    CHECK(!made && err.line == bugs[i].line && strstr(err.message, bugs[i].message));
    if (!strstr(err.message, bugs[i].message)) printf("\n%d: %s\n", err.line, err.message);
    glossary_free(made);
    unlink(path);
    rmdir(folder);
    free(path);
  }
}

static const Check checks[] = {
    {"words are found as they are asked", words_are_found_as_they_are_asked},
    {"near words are offered", near_words_are_offered},
    {"terms read well", terms_read_well},
    {"words of lessons are there", words_of_lessons_are_there},
    {"bugs are named", bugs_are_named},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  LsErr err = {0};
  glossary = glossary_open(NULL, &err);
  if (!glossary) return fprintf(stderr, "%s:%d: %s\n", err.file, err.line, err.message), 1;
  int status = check_main("glossary", checks, LS_COUNT(checks), argc, argv);
  glossary_free(glossary);
  return status;
}
