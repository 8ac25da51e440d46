// screen.c: a pseudo-terminal, a terminal emulator without a window, and what is read from it.
#include "screen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include "base/mem.h"
#include "program.h"

enum { PATIENCE_MS = 30000 };   // of a machine that does much else; only what never comes takes so long
enum { MOVING_MS = 1000 };      // a picture that moves is never quiet

static void to_child(const char *bytes, size_t length, void *user) {
  Screen *screen = user;
  if (screen->fd >= 0 && write(screen->fd, bytes, length) < 0) screen->gone = true;
}

static int on_property(VTermProp property, VTermValue *value, void *user) {
  Screen *screen = user;
  if (property == VTERM_PROP_ALTSCREEN) screen->altered = value->boolean;
  return 1;
}
static const VTermScreenCallbacks callbacks = {.settermprop = on_property};

static void give_up(const char *what) {
  perror(what);
  exit(99);
}

Screen *screen_open(const char *line, int cols, int rows) {
  Screen *screen = ls_alloc(sizeof *screen);
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
  int program_end = -1;
  if (openpty(&screen->fd, &program_end, NULL, NULL, &size) != 0) give_up("openpty");
  fcntl(screen->fd, F_SETFD, FD_CLOEXEC);
  tcgetattr(program_end, &screen->before);   // before there is anybody who could change them
  screen->child = fork();
  if (screen->child == 0) {
    login_tty(program_end);
    signal(SIGINT, SIG_DFL);   // ignored where the tests run in the background of a script
    signal(SIGQUIT, SIG_DFL);
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
  }
  close(program_end);
  screen->vterm = vterm_new(rows, cols);
  vterm_set_utf8(screen->vterm, 1);
  screen->cells = vterm_obtain_screen(screen->vterm);
  vterm_screen_enable_altscreen(screen->cells, 1);
  vterm_output_set_callback(screen->vterm, to_child, screen);
  vterm_screen_set_callbacks(screen->cells, &callbacks, screen);
  vterm_screen_reset(screen->cells, 1);
  return screen;
}

void screen_close(Screen *screen) {
  if (screen->fd >= 0) close(screen->fd);
  if (screen->child > 0) {
    kill(screen->child, SIGKILL);
    waitpid(screen->child, NULL, 0);
  }
  vterm_free(screen->vterm);
  ls_text_free(&screen->bytes);
  free(screen);
}

void screen_type(Screen *screen, const char *keys) { to_child(keys, strlen(keys), screen); }

void screen_resize(Screen *screen, int cols, int rows) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
  vterm_set_size(screen->vterm, rows, cols);
  ioctl(screen->fd, TIOCSWINSZ, &size);
}

void screen_hang_up(Screen *screen) {
  close(screen->fd);
  screen->fd = -1;
  screen->gone = true;
}

// Takes what comes within the time; false if nothing did.
static bool pump(Screen *screen, int timeout_ms) {
  struct pollfd fd = {screen->fd, POLLIN, 0};
  char bytes[16384];
  if (screen->gone || poll(&fd, 1, timeout_ms) <= 0) return false;
  ssize_t n = read(screen->fd, bytes, sizeof bytes);
  if (n > 0) {
    vterm_input_write(screen->vterm, bytes, (size_t)n);
    ls_text_addn(&screen->bytes, bytes, (size_t)n);
  } else if (n == 0 || errno == EIO) {
    screen->gone = true;
  }
  return n > 0;
}

// ---- reading ---------------------------------------------------------------------------------------------------------

void screen_text(Screen *screen, LsText *out) {
  int cols, rows;
  vterm_get_size(screen->vterm, &rows, &cols);
  ls_text_clear(out);
  for (int row = 0; row < rows; row++) {
    for (int col = 0; col < cols; col++) {
      VTermScreenCell cell;
      char utf8[5];
      vterm_screen_get_cell(screen->cells, (VTermPos){row, col}, &cell);
      ls_utf8_encode(cell.chars[0] && cell.chars[0] < 0x110000 ? cell.chars[0] : ' ', utf8);
      ls_text_add(out, utf8);
    }
    while (out->length && out->data[out->length - 1] == ' ') out->data[--out->length] = 0;
    ls_text_addc(out, '\n');
  }
}

static bool wait_for(Screen *screen, const char *text, bool wanted) {
  LsText now = {0};
  bool found = false;
  for (long long end = program_now_ms() + PATIENCE_MS; program_now_ms() < end;) {
    screen_text(screen, &now);
    found = (strstr(ls_text_str(&now), text) != NULL) == wanted;
    if (found) break;
    if (!pump(screen, 50) && screen->gone) break;
  }
  if (!found) printf("\n'%s' is %s the screen:\n%s", text, wanted ? "not on" : "still on", ls_text_str(&now));
  ls_text_free(&now);
  return found;
}

bool screen_has(Screen *screen, const char *text) { return wait_for(screen, text, true); }
bool screen_lacks(Screen *screen, const char *text) { return wait_for(screen, text, false); }

bool screen_counts_up(Screen *screen, const char *before, const char *after) {
  LsText now = {0};
  double first = -1, last = -1;
  for (long long end = program_now_ms() + PATIENCE_MS; last <= first && program_now_ms() < end;) {
    screen_text(screen, &now);
    const char *at = strstr(ls_text_str(&now), before);
    char *number_end = NULL;
    double number = at ? strtod(at + strlen(before), &number_end) : -1;
    if (number_end && ls_starts_with(number_end, after)) *(first < 0 ? &first : &last) = number;
    if (!pump(screen, 50) && screen->gone) break;
  }
  if (last <= first) printf("\nno number grows between '%s' and '%s':\n%s", before, after, ls_text_str(&now));
  ls_text_free(&now);
  return last > first;
}

void screen_settle(Screen *screen, int quiet_ms) {
  long long end = program_now_ms() + MOVING_MS;
  while (pump(screen, quiet_ms) && program_now_ms() < end) continue;
}

static void print_difference(const char *got, const char *expected) {
  for (int row = 0; *got || *expected; row++) {
    size_t a = strcspn(got, "\n"), b = strcspn(expected, "\n");
    if (a != b || memcmp(got, expected, a) != 0)
      printf("\nrow %d\n  got      %.*s\n  expected %.*s\n", row, (int)a, got, (int)b, expected);
    got += a + (got[a] == '\n');
    expected += b + (expected[b] == '\n');
  }
}

bool screen_is(Screen *screen, const char *expected) {
  LsText now = {0};
  bool same = false;
  for (long long end = program_now_ms() + PATIENCE_MS; program_now_ms() < end;) {
    screen_text(screen, &now);
    same = strcmp(ls_text_str(&now), expected) == 0;
    if (same || (!pump(screen, 50) && screen->gone)) break;
  }
  if (!same) print_difference(ls_text_str(&now), expected);
  ls_text_free(&now);
  return same;
}

static int color_number(const VTermColor *color) {
  if (VTERM_COLOR_IS_DEFAULT_FG(color) || VTERM_COLOR_IS_DEFAULT_BG(color)) return -1;
  return VTERM_COLOR_IS_INDEXED(color) ? color->indexed.idx : 256;
}

int screen_colors(const Screen *screen) {
  int cols, rows, highest = -1;
  vterm_get_size(screen->vterm, &rows, &cols);
  for (int i = 0; i < rows * cols; i++) {
    VTermScreenCell cell;
    vterm_screen_get_cell(screen->cells, (VTermPos){i / cols, i % cols}, &cell);
    highest = LS_MAX(highest, color_number(&cell.fg));
    highest = LS_MAX(highest, color_number(&cell.bg));
  }
  return highest;
}

bool screen_is_ascii(Screen *screen) {
  LsText now = {0};
  screen_text(screen, &now);
  bool ascii = true;
  for (size_t i = 0; i < now.length; i++) ascii = ascii && (unsigned char)now.data[i] < 128;
  ls_text_free(&now);
  return ascii;
}

// ---- the end ---------------------------------------------------------------------------------------------------------

int screen_end(Screen *screen) {
  int status = 0;
  for (long long end = program_now_ms() + PATIENCE_MS; program_now_ms() < end;) {
    if (screen->gone) usleep(1000);
    else pump(screen, 10);
    if (waitpid(screen->child, &status, WNOHANG) != screen->child) continue;
    while (pump(screen, 20)) continue;   // what it wrote last
    screen->child = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return -1;
}

static size_t last_place(const LsText *bytes, const char *sequence) {
  size_t last = 0;
  for (const char *p = ls_text_str(bytes); (p = strstr(p, sequence)); p++) last = (size_t)(p - bytes->data) + 1;
  return last;
}

// By the bytes, whose last word counts: older versions of libvterm miss modes that come several in one sequence.
bool screen_reports_mouse(const Screen *screen) {
  return last_place(&screen->bytes, "1000h") > last_place(&screen->bytes, "1000l");
}

bool screen_hides_cursor(const Screen *screen) {
  return last_place(&screen->bytes, "\033[?25l") > last_place(&screen->bytes, "\033[?25h");
}

static bool is_so(bool good, const char *else_what) {
  if (!good) printf("\n%s\n", else_what);
  return good;
}

static bool same_modes(const struct termios *a, const struct termios *b) {
  return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag && a->c_lflag == b->c_lflag &&
         memcmp(a->c_cc, b->c_cc, sizeof a->c_cc) == 0;
}

bool screen_is_restored(const Screen *screen) {
  struct termios now;
  bool known = screen->fd >= 0 && tcgetattr(screen->fd, &now) == 0;
  bool good = is_so(known && same_modes(&now, &screen->before), "the modes of the terminal are not as before");
  if (!is_so(!screen->altered, "the alternate screen is still shown")) good = false;
  if (!is_so(!screen_hides_cursor(screen), "the cursor is still hidden")) good = false;
  if (!is_so(!screen_reports_mouse(screen), "the mouse is still reported")) good = false;
  bool keys = last_place(&screen->bytes, "\033[?1h") <= last_place(&screen->bytes, "\033[?1l");
  return is_so(keys, "the cursor keys still send other codes") && good;
}
