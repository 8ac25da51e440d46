// term_child.c: what test_term.c runs in a terminal of its own (test_term --child). It draws a known page, shows every
// key it gets, and does on command what a program can do wrong.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/mem.h"
#include "ui/pages/page.h"

int term_child(const char *program, const char *argument);

typedef struct KeysPage { Page base; AppKey last; int count; double seconds; } KeysPage;

static void keys_draw(Page *page, Canvas *canvas) {
  KeysPage *self = (KeysPage *)page;
  canvas_text(canvas, 0, 0, ROLE_TITLE, STYLE_BOLD, "hello ▸ lanes");
  canvas_lanes(canvas, 0, 1, UINT32_MAX, 0xffff, 0);
  canvas_text(canvas, 0, 2, ROLE_ALARM, 0, "alarm");
  canvas_textf(canvas, 0, 3, ROLE_TEXT, 0, "key %06x %d,%d button %d count %d", self->last.code, self->last.x,
               self->last.y, self->last.button, self->count);
  canvas_textf(canvas, 0, 4, ROLE_TEXT, 0, "size %dx%d %s", canvas->cols, canvas->rows,
               self->seconds > 0.1 ? "ticked" : "");
  canvas_text(canvas, 0, 5, ROLE_TEXT, 0, self->last.code == 'w' ? "x漢字|" : "漢字x|");
  canvas_text_right(canvas, canvas->cols + 1, 6, ROLE_TEXT, 0, "e\xcc\x81漢字");
  canvas->cursor_x = 7;
  canvas->cursor_y = 2;
  canvas->typing = true;
}

static bool keys_key(Page *page, AppKey key) {
  KeysPage *self = (KeysPage *)page;
  self->last = key;
  self->count++;
  if (key.code == 'q') page->closed = true;
  if (key.code == 'C') abort();
  if (key.code == 'T') page->ticking = true;
  if (key.code == 'M') page->open = page_message_new("note", "a message on top");
  return true;
}

static bool keys_tick(Page *page, double seconds) {
  KeysPage *self = (KeysPage *)page;
  self->seconds += seconds;
  return true;
}

static void keys_free(Page *page) { free(page); }

static const PageClass keys_class = {keys_draw, keys_key, keys_tick, keys_free};

// A shell with one job: says when it stops, and continues it when a line is typed.
static int shell(const char *program) {
  signal(SIGTTOU, SIG_IGN);
  pid_t job = fork();
  if (job == 0) {
    setpgid(0, 0);
    tcsetpgrp(STDIN_FILENO, getpid());
    signal(SIGTTOU, SIG_DFL);
    execl(program, program, "--child", (char *)NULL);
    _exit(127);
  }
  for (int status; waitpid(job, &status, WUNTRACED) == job;) {
    tcsetpgrp(STDIN_FILENO, getpid());
    if (!WIFSTOPPED(status)) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    printf("\033[Hstopped\n");
    fflush(stdout);
    if (getchar() == EOF) return 1;
    tcsetpgrp(STDIN_FILENO, job);
    kill(-job, SIGCONT);
  }
  return 1;
}

// ---- a screen that cannot be made: the linker leads newterm here ---------------------------------------------------

static bool newterm_fails;

struct screen *__real_newterm(const char *type, FILE *out, FILE *in);
struct screen *__wrap_newterm(const char *type, FILE *out, FILE *in);

struct screen *__wrap_newterm(const char *type, FILE *out, FILE *in) {
  return newterm_fails ? NULL : __real_newterm(type, out, in);
}

// Opens it far more often than there may be open files.
static int fail_often(void) {
  enum { FILES = 32, TIMES = 4 * FILES };
  struct rlimit limit = {FILES, FILES};
  TermOptions options = {0};
  LsErr err = {0};
  int failures = 0, spare = -1;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
  newterm_fails = true;
  for (int i = 0; i < TIMES; i++) failures += !term_open(&options, &err) && err.kind == LS_EENV;
  newterm_fails = false;
  spare = open("/dev/null", O_RDONLY);
  printf("%d of %d failed, %s\n", failures, TIMES, spare >= 0 ? "files can be opened" : "no more files can be opened");
  return spare < 0;
}

int term_child(const char *program, const char *argument) {
  if (strcmp(argument, "shell") == 0) return shell(program);
  if (strcmp(argument, "fail") == 0) return fail_often();
  KeysPage *self = ls_alloc(sizeof *self);
  self->base.class = &keys_class;
  TermOptions options = {.ascii = strcmp(argument, "ascii") == 0};
  LsErr err = {0};
  int status = ui_run(&self->base, &options, &err);
  if (status < 0) fprintf(stderr, "term_child: %s\n", err.message);
  return status < 0 ? ls_err_exit_status(&err) : status;
}
