// term.h: the terminal: canvases go out, keys come in. One at a time per process.
//
// Every way out restores the terminal: term_close, crash signals, and the signals that ask the program to end. The
// latter are reported by term_ending, so that pages can be closed first; a second one, or two seconds, ends at once.
#ifndef LS_UI_TERM_H
#define LS_UI_TERM_H

#include "app/keys.h"
#include "ui/term/canvas.h"

typedef enum TermColor { TERM_COLOR_AUTO, TERM_COLOR_ALWAYS, TERM_COLOR_NEVER } TermColor;

typedef struct TermOptions {
  TermColor color;     // over NO_COLOR over CLICOLOR_FORCE over what the terminal can do
  bool ascii;          // also where the locale is not UTF-8
  bool stage;          // pictures alone, in high contrast
  bool no_mouse;       // leave the mouse to the terminal
} TermOptions;

typedef struct Term Term;

// Fails with LS_EENV where there is no terminal, or TERM is unknown or cannot place the cursor.
Term *term_open(const TermOptions *options, LsErr *err);
void term_close(Term *term);                       // NULL is fine
void term_size(const Term *term, int *cols, int *rows);
bool term_ascii(const Term *term);
// Only what changed goes out, as one frame that the terminal shows at once if it can (synchronized output, mode 2026).
void term_draw(Term *term, const Canvas *canvas);
// What was drawn before is still on its way, over a slow line say: a frame of a moving picture had better be left out.
bool term_is_behind(const Term *term);
// Waits for a key up to timeout_ms (-1: for ever). Resizing is KEYX_RESIZE; suspending is done inside. False on timeout
// and when the program is to end.
bool term_key(Term *term, int timeout_ms, AppKey *key);
// term_key also returns (false) when this descriptor can be read; 0: none.
void term_listen(Term *term, int fd);
// Gives the terminal, as it was before, to a line of shell until that ends; then takes it again. Its exit status, -1 if
// it could not start. Ctrl-C is for the other program, Ctrl-Z for both.
int term_lend(Term *term, const char *shell);
// Hands a text to the terminal's clipboard (OSC 52). Whether the terminal takes it, it does not say; false: this one is
// not known to, and was not asked.
bool term_copy(Term *term, const char *text);
// The signal that asks the program to end (SIGHUP when the terminal is gone); 0 if none. Exit with 128 + it.
int term_ending(const Term *term);
void term_go_on(Term *term);   // what asked for the end has been heard, and meant something else

#endif
