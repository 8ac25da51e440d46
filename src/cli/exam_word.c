// exam_word.c: asks for the teacher's word on the terminal without showing it.
#include "cli/exam_word.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { SHORTEST = 4, LONGEST = 200 };

// A line without its end; NULL: there is none. Caller frees.
static char *read_line(FILE *in) {
  char *line = NULL;
  size_t room = 0;
  ssize_t length = getline(&line, &room, in);
  while (length > 0 && strchr("\r\n", line[length - 1])) line[--length] = 0;
  if (length >= 0) return line;
  free(line);
  return NULL;
}

// The terminal shows again what is typed, also when Ctrl-C ends the program at the prompt: signals wait until then.
static char *ask(FILE *terminal, const char *prompt) {
  struct termios shown, hidden;
  sigset_t keys, before;
  int fd = fileno(terminal);
  bool hides = tcgetattr(fd, &shown) == 0;
  sigemptyset(&keys);
  sigaddset(&keys, SIGINT);
  sigaddset(&keys, SIGTSTP);
  sigprocmask(SIG_BLOCK, &keys, &before);
  if (hides) {
    hidden = shown;
    hidden.c_lflag &= ~(tcflag_t)ECHO;
    tcsetattr(fd, TCSAFLUSH, &hidden);
  }
  fputs(prompt, terminal);
  fflush(terminal);
  char *line = read_line(terminal);
  if (hides) tcsetattr(fd, TCSAFLUSH, &shown);
  fputs("\n", terminal);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return line;
}

static char *ask_twice(FILE *terminal, LsErr *err) {
  char *word = ask(terminal, "A word for this exam: "), *again = word ? ask(terminal, "Once more: ") : NULL;
  bool same = word && again && strcmp(word, again) == 0;
  free(again);
  if (same) return word;
  if (word) ls_fail(err, LS_EREQUEST, "the two words differ");
  free(word);
  return NULL;
}

static char *asked(bool is_new, LsErr *err) {
  FILE *terminal = isatty(STDIN_FILENO) ? fopen("/dev/tty", "r+") : NULL;
  if (!terminal) return read_line(stdin);
  char *word = is_new ? ask_twice(terminal, err) : ask(terminal, "The word of this exam: ");
  fclose(terminal);
  return word;
}

char *exam_word(const Cli *cli, bool is_new, LsErr *err) {
  LsErr why = {0};
  char *word = cli->given[OPT_ID_WORD] ? ls_strdup(cli->value[OPT_ID_WORD]) : asked(is_new, &why);
  size_t length = word ? strlen(word) : 0;
  if (length >= (is_new ? SHORTEST : 1) && length <= LONGEST) return word;
  free(word);
  if (why.kind != LS_OK) return ls_fail(err, why.kind, "%s", why.message), NULL;
  if (!length) ls_fail(err, LS_EREQUEST, "no word was given; --word WORD says it on the command line");
  else ls_fail(err, LS_EREQUEST, "the word has %zu letters; %d to %d are possible", length, SHORTEST, LONGEST);
  return NULL;
}
