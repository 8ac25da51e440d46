// term_curses.c: the terminal through ncurses. The one file that knows curses.
#include "ui/term/term.h"
#include "base/mem.h"
#include "ui/term/theme.h"
// After our own headers: term.h of curses makes macros of everyday words, and curses has a key_name of its own.
#define key_name curses_key_name
#include <curses.h>
#undef key_name
#include <term.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

static const char FRAME_BEGINS[] = "\033[?2026h", FRAME_ENDS[] = "\033[?2026l";
enum { BEHIND_BYTES = 1024 };   // a frame of a moving picture takes a few hundred
enum { ESCAPE_MS = 25, LAST_CHANCE_S = 2, RESTORE_MAX = 512, CRASH_STACK = 64 * 1024 };

struct Term {
  SCREEN *screen;
  Canvas *shown;         // what the terminal shows, to send only what differs
  bool redraw;           // nothing is known to be on the screen
  bool ascii, dark, hung_up;
  bool mouse, drags;     // it is listened to; the terminal was asked to tell where it is dragged
  bool in_frames;        // what goes out at a time is marked as one frame
  int colors, cursor;    // cursor: last argument of curs_set
  int listen;            // also ends the wait for a key; 0: none
};

// ---- signals: handlers only take notes and wake the poll; crashes restore the terminal with async-safe calls
// ---------

static struct {
  volatile sig_atomic_t ending, resized, suspend;
  int wake[2];                       // self-pipe
  struct termios before;
  char restore[RESTORE_MAX];         // ends the full screen mode
  size_t restore_length;
} signals;

static void restore_now(void) {
  const char *p = signals.restore;
  for (size_t left = signals.restore_length; left > 0;) {
    ssize_t n = write(STDOUT_FILENO, p, left);
    if (n <= 0) break;
    p += n, left -= (size_t)n;
  }
  tcsetattr(STDIN_FILENO, TCSANOW, &signals.before);
}

static void on_crash(int number) {
  restore_now();
  signal(number, SIG_DFL);
  raise(number);
}

static void on_last_chance(int number) {
  restore_now();
  _exit(128 + (signals.ending ? signals.ending : number));
}

static void wake(void) {
  int saved = errno;
  if (write(signals.wake[1], "", 1) < 0) {}   // a full pipe wakes as well
  errno = saved;
}

static void on_ending(int number) {
  if (signals.ending) on_last_chance(number);
  signals.ending = number;
  alarm(LAST_CHANCE_S);
  wake();
}

static void on_notice(int number) {
  if (number == SIGWINCH) signals.resized = 1;
  else signals.suspend = 1;
  wake();
}

typedef struct Handled { int number; void (*handler)(int); struct sigaction before; } Handled;
// Whatever ends a process by default, and can be caught: requests take the way out that all take, the others are
// crashes.
static Handled handled[] = {
    {.number = SIGHUP, .handler = on_ending},    {.number = SIGTERM, .handler = on_ending},
    {.number = SIGINT, .handler = on_ending},    {.number = SIGALRM, .handler = on_last_chance},
    {.number = SIGUSR1, .handler = on_ending},   {.number = SIGUSR2, .handler = on_ending},
    {.number = SIGVTALRM, .handler = on_ending}, {.number = SIGPROF, .handler = on_ending},
    {.number = SIGXCPU, .handler = on_ending},   {.number = SIGXFSZ, .handler = on_ending},
    {.number = SIGWINCH, .handler = on_notice},  {.number = SIGTSTP, .handler = on_notice},
    {.number = SIGSEGV, .handler = on_crash},    {.number = SIGABRT, .handler = on_crash},
    {.number = SIGFPE, .handler = on_crash},     {.number = SIGBUS, .handler = on_crash},
    {.number = SIGILL, .handler = on_crash},     {.number = SIGTRAP, .handler = on_crash},
    {.number = SIGSYS, .handler = on_crash},     {.number = SIGQUIT, .handler = on_crash},
    {.number = SIGPIPE, .handler = on_crash},
#ifdef SIGPWR
    {.number = SIGPWR, .handler = on_ending},
#endif
#ifdef SIGSTKFLT
    {.number = SIGSTKFLT, .handler = on_ending},
#endif
#ifdef SIGPOLL
    {.number = SIGPOLL, .handler = on_ending},
#endif
};

static void catch_signals(void) {
  static char stack[CRASH_STACK];   // a crash may be the end of the stack
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternate, NULL);
  for (int i = 0; i < LS_COUNT(handled); i++) {
    struct sigaction action = {.sa_handler = handled[i].handler};
    if (action.sa_handler == on_crash) action.sa_flags = (int)(SA_ONSTACK | SA_RESETHAND);
    sigaction(handled[i].number, NULL, &handled[i].before);
    bool taken = action.sa_handler == on_crash && handled[i].before.sa_handler != SIG_DFL;   // a sanitizer's
    if (!taken) sigaction(handled[i].number, &action, NULL);
  }
}

static void release_signals(void) {
  alarm(0);
  for (int i = 0; i < LS_COUNT(handled); i++) sigaction(handled[i].number, &handled[i].before, NULL);
}

static void add_restore(const char *text) {
  if (!text || text == (const char *)-1) return;
  size_t length = strlen(text);
  if (signals.restore_length + length > RESTORE_MAX) return;
  memcpy(signals.restore + signals.restore_length, text, length);
  signals.restore_length += length;
}

static void prepare_restore(bool mouse) {
  signals.restore_length = 0;
  if (mouse) add_restore("\033[?1000l\033[?1002l\033[?1003l\033[?1006l");
  static const char *const names[] = {"sgr0", "op", "cnorm", "rmkx", "rmcup"};
  for (int i = 0; i < LS_COUNT(names); i++) add_restore(tigetstr(names[i]));
}

// ---- opening
// ---------------------------------------------------------------------------------------------------------

// Modified arrows, which terminfo names differently or not at all, by what terminals send.
typedef struct KeyRow { const char *bytes; uint32_t code; } KeyRow;
static const KeyRow sequences[] = {
    {"\033[1;2D", KEYX_SHIFT_LEFT}, {"\033[1;2C", KEYX_SHIFT_RIGHT}, {"\033[1;2A", KEYX_SHIFT_UP},
        {"\033[1;2B", KEYX_SHIFT_DOWN},
    {"\033[1;5D", KEYX_CTRL_LEFT},  {"\033[1;5C", KEYX_CTRL_RIGHT},  {"\033[d", KEYX_SHIFT_LEFT},
        {"\033[c", KEYX_SHIFT_RIGHT},
    {"\033[a", KEYX_SHIFT_UP},      {"\033[b", KEYX_SHIFT_DOWN},     {"\033Od", KEYX_CTRL_LEFT},
        {"\033Oc", KEYX_CTRL_RIGHT},
    {"\033[5D", KEYX_CTRL_LEFT},    {"\033[5C", KEYX_CTRL_RIGHT},    {"\033[Z", KEYX_SHIFT_TAB},
        {"\033[H", KEYX_HOME},
    {"\033[F", KEYX_END},           {"\033[1~", KEYX_HOME},          {"\033[4~", KEYX_END},        {"\033[A", KEYX_UP},
    {"\033[B", KEYX_DOWN},          {"\033[C", KEYX_RIGHT},          {"\033[D", KEYX_LEFT},
};
enum { DRAG = 6 };                 // AppKey.button
enum { FIRST_OWN_KEY = KEY_MAX + 1 };   // sequence i is reported as curses key FIRST_OWN_KEY + i
enum { BACKGROUND_KEY = FIRST_OWN_KEY + 100 };   // the beginning of the terminal's answer about its background

static bool check_terminal(LsErr *err) {
  const char *name = getenv("TERM");
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
    return ls_fail(err, LS_EENV, "the screen needs a terminal on standard input and output; use --plain for text");
  int state = 0;
  if (!name || !*name)
    return ls_fail(err, LS_EENV,
                   "TERM is not set, so the terminal is unknown; try TERM=xterm-256color, or --plain for text");
  if (setupterm(NULL, STDOUT_FILENO, &state) != OK || state != 1)
    return ls_fail(err, LS_EENV,
                   "the terminal database does not know TERM=%s; try TERM=xterm-256color, or --plain for text", name);
  const char *place = tigetstr("cup");
  bool can_place = place && place != (const char *)-1;
  del_curterm(cur_term);   // newterm makes its own
  if (!can_place)
    return ls_fail(err, LS_EENV, "the terminal TERM=%s cannot place the cursor; use --plain for text", name);
  return true;
}

static bool is_set(const char *variable) {
  const char *value = getenv(variable);
  return value && *value;
}

static int choose_colors(TermColor wish) {
  bool never = wish == TERM_COLOR_NEVER || (wish == TERM_COLOR_AUTO && is_set("NO_COLOR"));
  int offered = tigetnum("colors");
  if (never || offered < 8) return THEME_MONO;
  if (offered > 256 && tigetflag("RGB") > 0) return THEME_DIRECT;
  return offered >= 256 ? THEME_256 : THEME_8;
}

// Keys that send signals would throw away what is still on its way to the terminal, be it what restores it.
static void keep_output_on_signals(void) {
  struct termios mode;
  if (tcgetattr(STDIN_FILENO, &mode) != 0) return;
  mode.c_lflag |= NOFLSH;
  tcsetattr(STDIN_FILENO, TCSANOW, &mode);
  def_prog_mode();
}

static void set_up_input(bool mouse) {
  cbreak();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  keep_output_on_signals();
  nodelay(stdscr, TRUE);
  set_escdelay(ESCAPE_MS);
  for (int i = 0; i < LS_COUNT(sequences); i++) define_key(sequences[i].bytes, FIRST_OWN_KEY + i);
  if (!mouse) return;
  mousemask(BUTTON1_PRESSED | BUTTON2_PRESSED | BUTTON3_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED |
            REPORT_MOUSE_POSITION, NULL);
  mouseinterval(0);   // a press counts at once; waiting for a double click would delay it
}

// Terminals that are known to swallow what they do not understand.
static bool swallows_commands(void) {
  static const char *const able[] = {"xterm", "rxvt", "tmux", "kitty", "alacritty", "foot", "wezterm", "vte",
                                     "konsole", "ghostty"};
  const char *name = getenv("TERM");
  for (int i = 0; i < LS_COUNT(able); i++)
    if (ls_starts_with(name, able[i])) return true;
  return false;
}

// Asks the terminal for its background color, where the environment does not say. Nobody waits: the answer comes with
// the keys, or never. Only terminals that are known to swallow the question are asked.
static void ask_background(void) {
  static const char question[] = "\033]11;?\033\\";
  if (is_set("COLORFGBG") || !swallows_commands()) return;
  define_key("\033]11;rgb:", BACKGROUND_KEY);
  if (write(STDOUT_FILENO, question, sizeof question - 1) < 0) {}   // then there is no answer
}

static bool open_pipe(LsErr *err) {
  if (pipe2(signals.wake, O_NONBLOCK | O_CLOEXEC) == 0) return true;
  return ls_fail(err, LS_EIO, "cannot make a pipe: %s", strerror(errno));
}

static void close_pipe(void) {
  close(signals.wake[0]);
  close(signals.wake[1]);
}

Term *term_open(const TermOptions *options, LsErr *err) {
  setlocale(LC_ALL, "");
  setlocale(LC_NUMERIC, "C");
  setlocale(LC_COLLATE, "C");      // scripts sort alike everywhere, and fast
  if (!check_terminal(err) || !open_pipe(err)) return NULL;
  tcgetattr(STDIN_FILENO, &signals.before);
  signals.ending = signals.resized = signals.suspend = 0;
  signals.restore_length = 0;
  catch_signals();   // before newterm: curses leaves alone what is caught, and would else lose a Ctrl-Z while it draws
  Term *term = ls_alloc(sizeof *term);
  term->screen = newterm(NULL, stdout, stdin);
  if (!term->screen) {
    release_signals();
    close_pipe();
    free(term);
    ls_fail(err, LS_EENV, "the terminal TERM=%s cannot be used; use --plain for text", getenv("TERM"));
    return NULL;
  }
  term->colors = choose_colors(options->color);
  term->ascii = options->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
  term->dark = theme_is_dark();
  term->redraw = true;
  term->cursor = -1;
  if (term->colors) {
    start_color();
    use_default_colors();
  }
  // Terminals of the kind that answers to xterm's sequences pass over private modes that they do not know.
  term->in_frames = tigetflag("XT") == 1;
  term->mouse = !options->no_mouse;
  set_up_input(!options->no_mouse);
  prepare_restore(!options->no_mouse);
  if (term->colors >= THEME_256) ask_background();
  term->shown = canvas_new(COLS, LINES);
  return term;
}

// Curses asks for presses alone, whenever it takes the screen: where the mouse goes while its button is held is asked
// for behind that.
static void ask_drags(Term *term) {
  static const char wish[] = "\033[?1002h";
  if (!term->mouse || term->drags || !has_mouse()) return;
  term->drags = write(STDOUT_FILENO, wish, sizeof wish - 1) > 0;
}

static void leave_screen(Term *term) {
  static const char end[] = "\033[?1002l";
  if (term->drags && write(STDOUT_FILENO, end, sizeof end - 1) < 0) {}   // the terminal is gone
  term->drags = false;
  endwin();
}

void term_close(Term *term) {
  if (!term) return;
  leave_screen(term);
  release_signals();
  tcsetattr(STDIN_FILENO, TCSADRAIN, &signals.before);
  close_pipe();
  canvas_free(term->shown);
  delscreen(term->screen);
  free(term);
}

void term_size(const Term *term, int *cols, int *rows) {
  (void)term;
  *cols = COLS;
  *rows = LINES;
}

bool term_ascii(const Term *term) { return term->ascii; }
int term_ending(const Term *term) { return signals.ending ? signals.ending : term->hung_up ? SIGHUP : 0; }

void term_go_on(Term *term) {
  (void)term;
  alarm(0);
  signals.ending = 0;
}

// ---- out
// -------------------------------------------------------------------------------------------------------------

static attr_t attributes_of(int style) {
  attr_t attributes = A_NORMAL;
  if (style & STYLE_BOLD) attributes |= A_BOLD;
  if (style & STYLE_DIM) attributes |= A_DIM;
  if (style & STYLE_UNDERLINE) attributes |= A_UNDERLINE;
  if (style & STYLE_REVERSE) attributes |= A_REVERSE;
  return attributes;
}

// Curses counts columns with the C library's wcwidth: a character about which the two of us do not agree would shift
// its row, and has '?' in its place.
static void put_cell(const Term *term, int x, int y, const Cell *cell) {
  Paint paint = theme_paint(cell, term->colors, theme_look(term->shown, term->dark));
  int pair = term->colors && (paint.fore >= 0 || paint.back >= 0) ? alloc_pair(paint.fore, paint.back) : 0;
  wchar_t text[2 + CELL_MARKS] = {(wchar_t)glyph_of(cell, term->ascii)};
  cchar_t out;
  if (!text[0]) return;   // went out with the left half
  int width = term->ascii ? 1 : ls_code_width(cell->code);
  bool agreed = wcwidth(text[0]) == width;
  if (!agreed) text[0] = '?';
  for (int i = 0, n = 1; agreed && !term->ascii && i < CELL_MARKS; i++)
    if (cell->marks[i] && wcwidth((wchar_t)cell->marks[i]) == 0) text[n++] = (wchar_t)cell->marks[i];
  setcchar(&out, text, attributes_of(paint.style), 0, &pair);
  mvadd_wch(y, x, &out);
  if (!agreed && width == 2) mvadd_wch(y, x + 1, &out);
}

static bool same_cell(const Cell *a, const Cell *b) {
  return a->code == b->code && a->role == b->role && a->style == b->style && a->background == b->background &&
         memcmp(a->marks, b->marks, sizeof a->marks) == 0;
}

static void place_cursor(Term *term, const Canvas *canvas) {
  bool known = canvas->cursor_x >= 0 && canvas->cursor_y >= 0;
  move(known ? LS_MIN(canvas->cursor_y, LINES - 1) : LINES - 1, known ? LS_MIN(canvas->cursor_x, COLS - 1) : 0);
  int wanted = canvas->typing ? 1 : 0;
  if (wanted != term->cursor) curs_set(wanted);
  term->cursor = wanted;
}

// Around what refresh sends: curses has nothing left in its buffer before and after.
static void mark_frame(const Term *term, const char *mark) {
  if (term->in_frames && write(STDOUT_FILENO, mark, strlen(mark)) < 0) {}   // the terminal is gone: read tells
}

void term_draw(Term *term, const Canvas *canvas) {
  if (term->shown->cols != canvas->cols || term->shown->rows != canvas->rows) {
    canvas_free(term->shown);
    term->shown = canvas_new(canvas->cols, canvas->rows);
    term->redraw = true;
  }
  if (term->shown->stage != canvas->stage) term->redraw = true;
  term->shown->stage = canvas->stage;
  if (term->redraw) erase();
  for (int y = 0; y < LS_MIN(canvas->rows, LINES); y++)
    for (int x = 0; x < LS_MIN(canvas->cols, COLS); x++) {
      const Cell *cell = &canvas->cells[y * canvas->cols + x];
      Cell *shown = &term->shown->cells[y * canvas->cols + x];
      if (!term->redraw && same_cell(cell, shown)) continue;
      put_cell(term, x, y, cell);
      *shown = *cell;
    }
  term->redraw = false;
  place_cursor(term, canvas);
  mark_frame(term, FRAME_BEGINS);
  refresh();
  ask_drags(term);
  mark_frame(term, FRAME_ENDS);
}

bool term_is_behind(const Term *term) {
  int bytes = 0;
  (void)term;
  return ioctl(STDOUT_FILENO, TIOCOUTQ, &bytes) == 0 && bytes > BEHIND_BYTES;
}

// ---- in
// --------------------------------------------------------------------------------------------------------------

static uint32_t function_key(wint_t key) {
  if (key >= FIRST_OWN_KEY && key < FIRST_OWN_KEY + (wint_t)LS_COUNT(sequences))
    return sequences[key - FIRST_OWN_KEY].code;
  switch (key) {
    case KEY_UP: return KEYX_UP;
    case KEY_DOWN: return KEYX_DOWN;
    case KEY_LEFT: return KEYX_LEFT;
    case KEY_RIGHT: return KEYX_RIGHT;
    case KEY_HOME: case KEY_A1: return KEYX_HOME;
    case KEY_END: case KEY_C1: return KEYX_END;
    case KEY_PPAGE: case KEY_A3: return KEYX_PGUP;
    case KEY_NPAGE: case KEY_C3: return KEYX_PGDN;
    case KEY_IC: return KEYX_INSERT;
    case KEY_DC: return KEYX_DELETE;
    case KEY_SLEFT: return KEYX_SHIFT_LEFT;
    case KEY_SRIGHT: return KEYX_SHIFT_RIGHT;
    case KEY_SR: return KEYX_SHIFT_UP;
    case KEY_SF: return KEYX_SHIFT_DOWN;
    case KEY_BTAB: return KEYX_SHIFT_TAB;
    case KEY_F(1): return KEYX_F1;
    case KEY_F(5): return KEYX_F5;
    case KEY_ENTER: return KEY_RETURN_;
    case KEY_BACKSPACE: return KEY_BACKSPACE_;
    default: return KEY_NONE_;
  }
}

// A place is told only while a button is held: ask_drags.
static int button_of(mmask_t state) {
  if (state & REPORT_MOUSE_POSITION) return DRAG;

  static const mmask_t pressed[] = {BUTTON1_PRESSED, BUTTON2_PRESSED, BUTTON3_PRESSED, BUTTON4_PRESSED,
                                    BUTTON5_PRESSED};
  for (int i = 0; i < LS_COUNT(pressed); i++)
    if (state & pressed[i]) return i + 1;
  return 0;
}

static bool mouse_key(AppKey *key) {
  MEVENT event;
  if (getmouse(&event) != OK) return false;
  *key = (AppKey){KEYX_MOUSE, event.x, event.y, button_of(event.bstate)};
  return key->button != 0;
}

// The rest of "rgb:RRRR/GGGG/BBBB" and its end, a bell or ESC \. The first digit of a component is all that matters.
static void take_background(Term *term) {
  char text[32];
  int length = 0, first[3] = {0}, component = 0;
  timeout(ESCAPE_MS);
  for (wint_t code; get_wch(&code) == OK && code != 7 && code != '\\' && length + 1 < (int)sizeof text;)
    if (code != 27) text[length++] = (char)code;
  nodelay(stdscr, TRUE);
  text[length] = 0;
  for (char *p = text; component < 3 && isxdigit((unsigned char)*p); component++) {
    first[component] = *p <= '9' ? *p - '0' : (*p | 32) - 'a' + 10;
    p += strcspn(p, "/");
    if (*p) p++;
  }
  enum { RED = 2, GREEN = 5, BLUE = 1, MIDDLE = 8 };   // weights of brightness, and half of a hexadecimal digit
  bool dark = RED * first[0] + GREEN * first[1] + BLUE * first[2] < MIDDLE * (RED + GREEN + BLUE);
  if (component < 3 || dark == term->dark) return;
  term->dark = dark;
  term->redraw = true;
}

// One key out of what has arrived; false if there is none, or only something without meaning.
static bool read_key(Term *term, AppKey *key, bool *any) {
  wint_t code;
  int kind = get_wch(&code);
  *any = kind != ERR;
  if (kind == ERR) return false;
  *key = (AppKey){0};
  if (kind == KEY_CODE_YES) {
    if (code == KEY_MOUSE) return mouse_key(key);
    if (code == BACKGROUND_KEY) {
      take_background(term);
      key->code = KEYX_RESIZE;   // whoever draws has to draw again
      return term->redraw;
    }
    key->code = function_key(code);
  } else {
    key->code = code == '\n' ? KEY_RETURN_ : code == 127 ? KEY_BACKSPACE_ : (uint32_t)code;
  }
  if (key->code == KEY_CTRL_L_) {
    clearok(curscr, TRUE);
    term->redraw = true;
  }
  return key->code != KEY_NONE_;
}

static void suspend(Term *term) {
  signals.suspend = 0;
  leave_screen(term);
  struct sigaction own, fallback = {.sa_handler = SIG_DFL};
  sigaction(SIGTSTP, &fallback, &own);
  raise(SIGTSTP);   // stops here until the shell continues the job
  sigaction(SIGTSTP, &own, NULL);
  clearok(curscr, TRUE);
  term->redraw = true;
  term->cursor = -1;
  signals.resized = 1;
}

// The other program is of our process group: what the keyboard sends goes to both. Ctrl-C is not meant for us, and
// Ctrl-Z has to stop both, or nobody would be there for the terminal.
static int run_shell(const char *line) {
  static const int numbers[] = {SIGINT, SIGQUIT, SIGTSTP};
  struct sigaction before[LS_COUNT(numbers)], ignore = {.sa_handler = SIG_IGN}, usual = {.sa_handler = SIG_DFL};
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < LS_COUNT(handled); i++) sigaction(handled[i].number, &handled[i].before, NULL);
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
  }
  for (int i = 0; i < LS_COUNT(numbers); i++)
    sigaction(numbers[i], numbers[i] == SIGTSTP ? &usual : &ignore, &before[i]);
  int status = -1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR && !signals.ending) continue;
  for (int i = 0; i < LS_COUNT(numbers); i++) sigaction(numbers[i], &before[i], NULL);
  return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int term_lend(Term *term, const char *shell) {
  struct termios own;
  leave_screen(term);
  tcgetattr(STDIN_FILENO, &own);
  tcsetattr(STDIN_FILENO, TCSADRAIN, &signals.before);
  int status = run_shell(shell);
  tcsetattr(STDIN_FILENO, TCSADRAIN, &own);
  clearok(curscr, TRUE);
  term->redraw = true;
  term->cursor = -1;
  signals.resized = 1;
  return status;
}

bool term_copy(Term *term, const char *text) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  (void)term;
  if (!swallows_commands() && !ls_starts_with(getenv("TERM"), "screen")) return false;
  LsText out = {0};
  ls_text_add(&out, "\033]52;c;");
  for (size_t i = 0, n = strlen(text); i < n; i += 3) {
    unsigned bits = 0;
    for (size_t k = 0; k < 3; k++) bits = bits << 8 | (i + k < n ? (uint8_t)text[i + k] : 0);
    for (size_t k = 0; k < 4; k++) ls_text_addc(&out, i + k > n ? '=' : digits[bits >> (18 - 6 * k) & 63]);
  }
  ls_text_add(&out, "\a");
  bool ok = write(STDOUT_FILENO, ls_text_str(&out), out.length) == (ssize_t)out.length;
  ls_text_free(&out);
  return ok;
}

void term_listen(Term *term, int fd) { term->listen = fd; }

static bool take_resize(Term *term, AppKey *key) {
  signals.resized = 0;
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col) resizeterm(size.ws_row, size.ws_col);
  clearok(curscr, TRUE);
  term->redraw = true;
  *key = (AppKey){KEYX_RESIZE, 0, 0, 0};
  return true;
}

static void drain_wake(void) {
  char bytes[64];
  while (read(signals.wake[0], bytes, sizeof bytes) > 0) {}
}

bool term_key(Term *term, int timeout_ms, AppKey *key) {
  for (bool waited = false; !term_ending(term); waited = true) {
    bool any = true;
    if (signals.suspend) suspend(term);
    if (signals.resized) return take_resize(term, key);
    while (any)
      if (read_key(term, key, &any)) return true;
    if (waited && timeout_ms >= 0) return false;
    struct pollfd fds[3] = {{STDIN_FILENO, POLLIN, 0}, {signals.wake[0], POLLIN, 0}, {term->listen, POLLIN, 0}};
    int ready = poll(fds, term->listen ? 3 : 2, timeout_ms);
    if (ready == 0) return false;
    drain_wake();
    if (fds[2].revents && !fds[0].revents && !fds[1].revents) return false;
    if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL)) term->hung_up = true;
  }
  return false;
}
