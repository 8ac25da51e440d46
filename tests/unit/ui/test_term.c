// test_term.c: the terminal for real: a child on a pseudo-terminal, its output read by libvterm, its screen compared.
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <limits.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>
#include "app/keys.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"

int term_child(const char *program, const char *argument);   // term_child.c

enum { COLS = 80, ROWS = 24, PATIENCE_MS = 30000 };

typedef struct Screen {
  pid_t child;
  int fd;
  VTerm *vterm;
  VTermScreen *screen;
  bool altered;          // the alternate screen is shown
  bool gone;             // the child closed the terminal
} Screen;

static const char *child_path;

static int on_prop(VTermProp prop, VTermValue *value, void *user) {
  if (prop == VTERM_PROP_ALTSCREEN) ((Screen *)user)->altered = value->boolean;
  return 1;
}
static const VTermScreenCallbacks callbacks = {.settermprop = on_prop};

static void to_child(const char *bytes, size_t length, void *user) {
  Screen *s = user;
  if (write(s->fd, bytes, length) < 0) s->gone = true;
}

typedef struct Setting { const char *term, *locale, *argument, *no_color; } Setting;
static const Setting usual = {"xterm-256color", "C.UTF-8", "", NULL};

static Screen open_screen(const Setting *setting, int cols, int rows) {
  Screen s = {0};
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
  s.child = forkpty(&s.fd, NULL, NULL, &size);
  if (s.child == 0) {
    setenv("TERM", setting->term, 1);
    setenv("LC_ALL", setting->locale, 1);
    unsetenv("COLORFGBG");
    unsetenv("NO_COLOR");
    if (setting->no_color) setenv("NO_COLOR", setting->no_color, 1);
    execl(child_path, child_path, "--child", setting->argument, (char *)NULL);
    _exit(127);
  }
  s.vterm = vterm_new(rows, cols);
  vterm_set_utf8(s.vterm, 1);
  s.screen = vterm_obtain_screen(s.vterm);
  vterm_screen_enable_altscreen(s.screen, 1);
  return s;
}

// The callbacks keep a pointer to the screen, so they are set where it will stay.
static void settle_screen(Screen *s) {
  vterm_screen_set_callbacks(s->screen, &callbacks, s);
  vterm_output_set_callback(s->vterm, to_child, s);
  vterm_screen_reset(s->screen, 1);
}

static void close_screen(Screen *s) {
  close(s->fd);
  if (s->child > 0) {
    kill(s->child, SIGKILL);
    waitpid(s->child, NULL, 0);
  }
  vterm_free(s->vterm);
}

static void pump(Screen *s, int timeout_ms) {
  struct pollfd fd = {s->fd, POLLIN, 0};
  char bytes[4096];
  if (poll(&fd, 1, timeout_ms) <= 0) return;
  ssize_t n = read(s->fd, bytes, sizeof bytes);
  if (n > 0) vterm_input_write(s->vterm, bytes, (size_t)n);
  else if (n == 0 || errno == EIO) s->gone = true;
}

static void read_row(Screen *s, int row, LsText *out) {
  int cols, rows;
  vterm_get_size(s->vterm, &rows, &cols);
  ls_text_clear(out);
  for (int col = 0; col < cols; col++) {
    VTermScreenCell cell;
    char utf8[5];
    vterm_screen_get_cell(s->screen, (VTermPos){row, col}, &cell);
    ls_utf8_encode(cell.chars[0] && cell.chars[0] < 0x110000 ? cell.chars[0] : ' ', utf8);
    ls_text_add(out, utf8);
  }
}

static long long now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

// Waits until a row begins with text; waiting ends as soon as it does.
static bool row_becomes(Screen *s, int row, const char *text) {
  LsText line = {0};
  bool found = false;
  for (long long end = now_ms() + PATIENCE_MS; !found && now_ms() < end;) {
    read_row(s, row, &line);
    found = ls_starts_with(ls_text_str(&line), text);
    if (found || s->gone) break;
    pump(s, 50);
  }
  if (!found) printf("\nrow %d is '%s', not '%s'\n", row, ls_text_str(&line), text);
  ls_text_free(&line);
  return found;
}

// Waits until the cursor is there: curses moves it when all cells are drawn.
static bool cursor_becomes(Screen *s, int row, int col) {
  VTermPos cursor = {-1, -1};
  for (long long end = now_ms() + PATIENCE_MS; !s->gone && now_ms() < end; pump(s, 50)) {
    vterm_state_get_cursorpos(vterm_obtain_state(s->vterm), &cursor);
    if (cursor.row == row && cursor.col == col) return true;
  }
  printf("\nthe cursor is at %d, %d, not at %d, %d\n", cursor.row, cursor.col, row, col);
  return false;
}

static void type(Screen *s, const char *keys) { to_child(keys, strlen(keys), s); }

// Status as a shell would see it: 128 + n for a signal.
static int wait_end(Screen *s) {
  int status = 0;
  for (long long end = now_ms() + PATIENCE_MS; now_ms() < end;) {
    pump(s, 20);
    if (waitpid(s->child, &status, WNOHANG) != s->child) continue;
    while (!s->gone) pump(s, 20);
    s->child = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return -1;
}

static bool is_color(Screen *s, int row, int col) {
  VTermScreenCell cell;
  vterm_screen_get_cell(s->screen, (VTermPos){row, col}, &cell);
  return !VTERM_COLOR_IS_DEFAULT_FG(&cell.fg);
}

static bool is_bold(Screen *s, int row, int col) {
  VTermScreenCell cell;
  vterm_screen_get_cell(s->screen, (VTermPos){row, col}, &cell);
  return cell.attrs.bold;
}

// ---- tests -----------------------------------------------------------------------------------------------------------

static void cells_arrive(void) {
  Screen s = open_screen(&usual, COLS, ROWS);
  settle_screen(&s);
  CHECK(row_becomes(&s, 4, "size 80x24"));
  CHECK(row_becomes(&s, 0, "hello ▸ lanes   "));
  CHECK(row_becomes(&s, 1, "████████████████░░░░░░░░░░░░░░░░   "));
  CHECK(s.altered);
  CHECK(is_color(&s, 2, 0) && is_bold(&s, 0, 0) && !is_color(&s, 3, 0));
  CHECK(cursor_becomes(&s, 2, 7));
  type(&s, "q");
  CHECK_INT(wait_end(&s), 0);
  CHECK(!s.altered);
  close_screen(&s);
}

typedef struct KeyCase { const char *bytes; uint32_t code; int x, y, button; } KeyCase;
static const KeyCase key_cases[] = {
    {"a", 'a', 0, 0, 0},
    {"\033[1;2D", KEYX_SHIFT_LEFT, 0, 0, 0},
    {"\033[1;2C", KEYX_SHIFT_RIGHT, 0, 0, 0},
    {"\033[1;5D", KEYX_CTRL_LEFT, 0, 0, 0},
    {"\033[1;5C", KEYX_CTRL_RIGHT, 0, 0, 0},
    {"\033OA", KEYX_UP, 0, 0, 0},
    {"\033[B", KEYX_DOWN, 0, 0, 0},
    {"\033[Z", KEYX_SHIFT_TAB, 0, 0, 0},
    {"\033[5~", KEYX_PGUP, 0, 0, 0},
    {"\033[6~", KEYX_PGDN, 0, 0, 0},
    {"\033OP", KEYX_F1, 0, 0, 0},
    {"\033[H", KEYX_HOME, 0, 0, 0},
    {"\r", KEY_RETURN_, 0, 0, 0},
    {"\177", KEY_BACKSPACE_, 0, 0, 0},
    {"\t", KEY_TAB_, 0, 0, 0},
    {"\xc3\xa9", 0xe9, 0, 0, 0},
    {"\033[<0;5;3M", KEYX_MOUSE, 4, 2, 1},
    {"\033[<65;1;1M", KEYX_MOUSE, 0, 0, 5},
    {"\033[<64;1;1M", KEYX_MOUSE, 0, 0, 4},
    {"\033", KEY_ESC_, 0, 0, 0},
};

static void keys_are_told_apart(void) {
  Screen s = open_screen(&usual, COLS, ROWS);
  settle_screen(&s);
  CHECK(row_becomes(&s, 4, "size"));
  for (int i = 0; i < LS_COUNT(key_cases); i++) {
    const KeyCase *c = &key_cases[i];
    char shown[64];
    snprintf(shown, sizeof shown, "key %06x %d,%d button %d count %d ", c->code, c->x, c->y, c->button, i + 1);
    type(&s, c->bytes);
    CHECK(row_becomes(&s, 3, shown));
  }
  close_screen(&s);
}

static void escape_is_quick(void) {
  Screen s = open_screen(&usual, COLS, ROWS);
  settle_screen(&s);
  CHECK(row_becomes(&s, 4, "size"));
  long long quickest = LLONG_MAX;   // a busy machine may be late, but not each time
  for (int i = 0; i < 20 && quickest > 500; i++) {
    type(&s, "x");
    CHECK(row_becomes(&s, 3, "key 000078"));
    long long start = now_ms();
    type(&s, "\033");
    CHECK(row_becomes(&s, 3, "key 00001b"));
    quickest = LS_MIN(quickest, now_ms() - start);
  }
  CHECK(quickest < 500);   // curses waits a whole second by itself
  close_screen(&s);
}

static void resize_is_followed(void) {
  Screen s = open_screen(&usual, COLS, ROWS);
  settle_screen(&s);
  CHECK(row_becomes(&s, 4, "size 80x24"));
  struct winsize size = {.ws_row = 40, .ws_col = 132};
  vterm_set_size(s.vterm, 40, 132);
  ioctl(s.fd, TIOCSWINSZ, &size);
  CHECK(row_becomes(&s, 4, "size 132x40"));
  size = (struct winsize){.ws_row = 10, .ws_col = 50};
  vterm_set_size(s.vterm, 10, 50);
  ioctl(s.fd, TIOCSWINSZ, &size);
  CHECK(row_becomes(&s, 4, "         50 x 10; lanescope needs 60 x 20"));
  size = (struct winsize){.ws_row = 24, .ws_col = 80};
  vterm_set_size(s.vterm, 24, 80);
  ioctl(s.fd, TIOCSWINSZ, &size);
  CHECK(row_becomes(&s, 4, "size 80x24"));
  close_screen(&s);
}

static void signal_ends_with(int number) {
  Screen s = open_screen(&usual, COLS, ROWS);
  settle_screen(&s);
  CHECK(row_becomes(&s, 4, "size"));
  kill(s.child, number);
  CHECK_INT(wait_end(&s), 128 + number);
  CHECK(!s.altered);
  close_screen(&s);
}

static void signals_restore(void) {
  signal_ends_with(SIGTERM);
  signal_ends_with(SIGHUP);
  signal_ends_with(SIGINT);
}

static void crash_restores(void) {
  Screen s = open_screen(&usual, COLS, ROWS);
  settle_screen(&s);
  CHECK(row_becomes(&s, 4, "size"));
  type(&s, "C");
  CHECK_INT(wait_end(&s), 128 + SIGABRT);
  CHECK(!s.altered);
  close_screen(&s);
}

// Under a little shell of term_child's, because a job without one cannot be stopped.
static void suspends_and_resumes(void) {
  Setting setting = usual;
  setting.argument = "shell";
  Screen s = open_screen(&setting, COLS, ROWS);
  settle_screen(&s);
  CHECK(row_becomes(&s, 4, "size"));
  CHECK(s.altered);
  type(&s, "\032");
  CHECK(row_becomes(&s, 0, "stopped"));
  CHECK(!s.altered);
  type(&s, "\n");
  CHECK(row_becomes(&s, 4, "size 80x24"));
  CHECK(s.altered);
  type(&s, "b");
  CHECK(row_becomes(&s, 3, "key 000062"));
  type(&s, "q");
  CHECK_INT(wait_end(&s), 0);
  close_screen(&s);
}

static void hangup_ends(void) {
  Screen s = open_screen(&usual, COLS, ROWS);
  settle_screen(&s);
  CHECK(row_becomes(&s, 4, "size"));
  close(s.fd);
  int status = 0;
  pid_t ended = 0;
  for (long long end = now_ms() + PATIENCE_MS; now_ms() < end && ended == 0; usleep(1000))
    ended = waitpid(s.child, &status, WNOHANG);
  CHECK_INT(ended, s.child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGHUP);
  if (ended) s.child = 0;
  s.fd = -1;
  close_screen(&s);
}

static void unknown_terminal_is_said(void) {
  Setting setting = usual;
  setting.term = "no-such-terminal";
  Screen s = open_screen(&setting, COLS, ROWS);
  settle_screen(&s);
  CHECK(row_becomes(&s, 0, "term_child: the terminal database does not know TERM=no-such-terminal"));
  CHECK_INT(wait_end(&s), 3);
  close_screen(&s);
}

static void failing_leaves_no_files_open(void) {
  Setting setting = usual;
  setting.argument = "fail";
  Screen s = open_screen(&setting, COLS, ROWS);
  settle_screen(&s);
  CHECK(row_becomes(&s, 0, "128 of 128 failed, files can be opened"));
  CHECK_INT(wait_end(&s), 0);
  close_screen(&s);
}

static void plain_locale_gets_ascii(void) {
  Setting settings[] = {{"xterm", "C", "", NULL}, {"xterm", "C.UTF-8", "ascii", NULL}};
  for (int i = 0; i < LS_COUNT(settings); i++) {
    Screen s = open_screen(&settings[i], COLS, ROWS);
    settle_screen(&s);
    CHECK(row_becomes(&s, 0, "hello > lanes   "));
    CHECK(row_becomes(&s, 1, "################................   "));
    close_screen(&s);
  }
}

// Wide characters come whole, also over others that stood half a step aside, and never in part at the right border.
static void wide_characters_arrive(void) {
  Screen s = open_screen(&usual, COLS, ROWS);
  settle_screen(&s);
  CHECK(row_becomes(&s, 5, "漢 字 x|  "));
  CHECK(cursor_becomes(&s, 2, 7));
  VTermScreenCell cell;
  vterm_screen_get_cell(s.screen, (VTermPos){6, COLS - 4}, &cell);
  CHECK(cell.chars[0] == 'e' && cell.chars[1] == 0x301);
  vterm_screen_get_cell(s.screen, (VTermPos){6, COLS - 3}, &cell);
  CHECK(cell.chars[0] == 0x6f22 && cell.width == 2);
  vterm_screen_get_cell(s.screen, (VTermPos){6, COLS - 1}, &cell);
  CHECK(cell.chars[0] == 0 || cell.chars[0] == ' ');
  CHECK(row_becomes(&s, 7, "        "));
  type(&s, "w");
  CHECK(row_becomes(&s, 5, "x漢 字 |  "));
  type(&s, "v");
  CHECK(row_becomes(&s, 5, "漢 字 x|  "));
  close_screen(&s);
  Setting setting = usual;
  setting.locale = "C";
  s = open_screen(&setting, COLS, ROWS);
  settle_screen(&s);
  CHECK(row_becomes(&s, 5, "????x|  "));
  close_screen(&s);
}

static void no_color_means_none(void) {
  Setting settings[] = {{"xterm-256color", "C.UTF-8", "", "1"}, {"vt100", "C.UTF-8", "", NULL}};
  for (int i = 0; i < LS_COUNT(settings); i++) {
    Screen s = open_screen(&settings[i], COLS, ROWS);
    settle_screen(&s);
    CHECK(row_becomes(&s, 2, "alarm"));
    CHECK(!is_color(&s, 2, 0) && is_bold(&s, 2, 0));
    close_screen(&s);
  }
}

// Terminals answer the question about their background among the keys: it must not be taken for keys.
static void background_answer_is_no_key(void) {
  static const char *const answers[] = {"\033]11;rgb:ffff/ffff/ffff\033\\", "\033]11;rgb:10/14/18\007", "\033]11;rgb:\007"};
  Screen s = open_screen(&usual, COLS, ROWS);
  settle_screen(&s);
  CHECK(row_becomes(&s, 4, "size"));
  for (int i = 0; i < LS_COUNT(answers); i++) {
    char shown[64];
    snprintf(shown, sizeof shown, "key 000061 0,0 button 0 count %d ", i + 1);
    type(&s, answers[i]);
    type(&s, "a");
    CHECK(row_becomes(&s, 3, shown));
  }
  close_screen(&s);
}

static void pages_stack_and_tick(void) {
  Screen s = open_screen(&usual, COLS, ROWS);
  settle_screen(&s);
  CHECK(row_becomes(&s, 4, "size"));
  type(&s, "M");
  CHECK(row_becomes(&s, 2, "    a message on top"));
  type(&s, "\r");
  CHECK(row_becomes(&s, 3, "key 00004d"));
  type(&s, "T");
  CHECK(row_becomes(&s, 4, "size 80x24 ticked"));
  close_screen(&s);
}

static const Check checks[] = {
    {"cells arrive", cells_arrive},
    {"keys are told apart", keys_are_told_apart},
    {"escape is quick", escape_is_quick},
    {"resize is followed", resize_is_followed},
    {"signals restore the terminal", signals_restore},
    {"a crash restores the terminal", crash_restores},
    {"suspends and resumes", suspends_and_resumes},
    {"a closed connection ends", hangup_ends},
    {"an unknown terminal is said", unknown_terminal_is_said},
    {"failing leaves no files open", failing_leaves_no_files_open},
    {"a plain locale gets ASCII", plain_locale_gets_ascii},
    {"wide characters arrive", wide_characters_arrive},
    {"no color means none", no_color_means_none},
    {"an answer about the background is no key", background_answer_is_no_key},
    {"pages stack and tick", pages_stack_and_tick},
};

int main(int argc, char **argv) {
  static char path[4096];
  if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) return 99;
  if (argc > 1 && strcmp(argv[1], "--child") == 0) return term_child(path, argc > 2 ? argv[2] : "");
  child_path = path;
  return check_main("term", checks, LS_COUNT(checks), argc, argv);
}
