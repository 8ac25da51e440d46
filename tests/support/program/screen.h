// screen.h: the real program on a pseudo-terminal, with libvterm as the terminal that shows it.
//
// Nothing sleeps: whatever is expected is waited for, and is there after some milliseconds; only what never comes costs
// the whole patience.
#ifndef LS_TESTS_PROGRAM_SCREEN_H
#define LS_TESTS_PROGRAM_SCREEN_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

#include "base/text.h"

typedef struct Screen {
  pid_t child;             // 0: ended and waited for
  int fd;                  // of the terminal's side; -1 after screen_hang_up
  VTerm *vterm;
  VTermScreen *cells;
  LsText bytes;            // all that the program wrote
  bool altered;            // the alternate screen is shown
  struct termios before;   // modes of the terminal when the program started
  bool gone;               // the program closed the terminal
} Screen;

// Keys that are no characters.
#define K_UP "\033[A"
#define K_DOWN "\033[B"
#define K_RIGHT "\033[C"
#define K_LEFT "\033[D"
#define K_ESC "\033"       // let something be waited for after it, or it begins a sequence
#define K_ENTER "\r"
#define K_BACKSPACE "\177"

// Starts a line of shell in a terminal of that size. `exec` in front of it makes the child the program itself.
Screen *screen_open(const char *line, int cols, int rows);
void screen_close(Screen *screen);           // kills what still runs
void screen_type(Screen *screen, const char *keys);
void screen_resize(Screen *screen, int cols, int rows);
void screen_hang_up(Screen *screen);         // the terminal's window is closed

// Rows without blanks at their ends, each with a newline; into `out`, which is cleared.
void screen_text(Screen *screen, LsText *out);
bool screen_has(Screen *screen, const char *text);       // waits until it stands somewhere in a row; else says what is there
bool screen_lacks(Screen *screen, const char *text);     // waits until it does not
// Waits until a number between these two texts has become larger.
bool screen_counts_up(Screen *screen, const char *before, const char *after);
void screen_settle(Screen *screen, int quiet_ms);        // until nothing was written for so long, or for a while where
                                                         // the picture moves
bool screen_is(Screen *screen, const char *expected);    // waits until all of it is so; else says which rows are not
// Highest color number in any cell, -1 if all are the terminal's own.
int screen_colors(const Screen *screen);
bool screen_is_ascii(Screen *screen);

// Waits for the end; status as the shell tells it, -1 if it does not end.
int screen_end(Screen *screen);
// What the program last asked for.
bool screen_reports_mouse(const Screen *screen);
bool screen_hides_cursor(const Screen *screen);
// Whether the terminal is as it was before: modes, main screen, cursor shown, mouse unreported. Says what is not.
bool screen_is_restored(const Screen *screen);

#endif
