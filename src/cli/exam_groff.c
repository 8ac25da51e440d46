// exam_groff.c: pages of text through groff, letter by letter as they stand, as PostScript or PDF.
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/exam_text.h"

enum { OUTPUT_LIMIT = 64 << 20, NOT_THERE = 127 };
extern char **environ;

// Courier in 10 points: 80 columns are 480 points wide, 56 rows 672 high: that fits A4 and letter.
static const char opening[] = ".po 57p\n.ll 490p\n.fam C\n.ps 10\n.vs 12p\n.nf\n.hy 0\n.sp |48p\n";

// A character that groff would take for something else, or print as a nicer one.
static const char *escaped(char c) {
  switch (c) {
    case '\\': return "\\[rs]";
    case '-': return "\\-";
    case '^': return "\\[ha]";
    case '~': return "\\[ti]";
    case '`': return "\\[ga]";
    case '\'': return "\\[aq]";
    case '"': return "\\[dq]";
  }
  return NULL;
}

static void to_groff(const char *text, LsText *out) {
  ls_text_add(out, opening);
  bool fresh = true;
  for (; *text; text++) {
    const char *instead = escaped(*text);
    if (*text == '\f') {
      ls_text_add(out, ".bp\n.sp |48p\n");
      continue;
    }
    if (fresh && *text != '\n') ls_text_add(out, "\\&");   // a period at the beginning is no request
    fresh = *text == '\n';
    if (instead) ls_text_add(out, instead);
    else ls_text_addc(out, *text);
  }
}

// Runs a program between two files. Its exit status, or NOT_THERE.
static int run(char *const argv[], int in, int out) {
  posix_spawn_file_actions_t actions;
  pid_t pid;
  int status = 0;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 0, 0);
  int error = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) return NOT_THERE;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) ? WEXITSTATUS(status) : NOT_THERE;
}

static char *read_back(FILE *file, size_t *size) {
  if (fseek(file, 0, SEEK_END) != 0) return NULL;
  long length = ftell(file);
  if (length <= 0 || length > OUTPUT_LIMIT) return NULL;
  rewind(file);
  char *bytes = ls_alloc((size_t)length + 1);
  *size = fread(bytes, 1, (size_t)length, file);
  return bytes;
}

static char *typeset(FILE *in, FILE *out, bool pdf, size_t *size, LsErr *err) {
  char *const to_ps[] = {"groff", "-k", "-Tps", NULL}, *const to_pdf[] = {"groff", "-k", "-Tpdf", NULL};
  int status = run(pdf ? to_pdf : to_ps, fileno(in), fileno(out));
  char *bytes = status == 0 ? read_back(out, size) : NULL;
  if (bytes && ls_starts_with(bytes, pdf ? "%PDF" : "%!PS")) return bytes;
  free(bytes);
  if (status == NOT_THERE)
    ls_fail(err, LS_EENV, "groff is not here, which makes %s of text: install groff, or print the text",
            pdf ? "PDF" : "PostScript");
  else ls_fail(err, LS_EENV, "the groff here makes no %s: install the whole of it (on Debian the package groff)%s",
               pdf ? "PDF" : "PostScript", pdf ? ", or name the file .ps" : "");
  return NULL;
}

char *exam_typeset(const char *text, bool pdf, size_t *size, LsErr *err) {
  LsText source = {0};
  char *bytes = NULL;
  FILE *in = tmpfile(), *out = tmpfile();
  to_groff(text, &source);
  bool ok = in && out && fwrite(source.data, 1, source.length, in) == source.length && fflush(in) == 0;
  if (ok) rewind(in);
  if (ok) bytes = typeset(in, out, pdf, size, err);
  else ls_fail(err, LS_EIO, "cannot write a temporary file: %s", strerror(errno));
  if (in) fclose(in);
  if (out) fclose(out);
  ls_text_free(&source);
  return bytes;
}
