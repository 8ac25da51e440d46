// panel.h: a mode of the explorer as one const struct: parameters, comparisons, lists, prompts, help.
//
// The session has one panel open or none. It opens the one whose command was given, hands it keys and the clicks into
// it, and closes it; whoever draws the session draws it. What a panel is about is its own affair: the structs are in
// ui/panels/, one file each, and come into a session as the table `panels`, which is made from the rows PANEL of
// commands.def. A session without a table has no panels.
//
// A new panel is a file ui/panels/panel_NAME.c, a row in commands.def, and a test.
#ifndef LS_APP_PANEL_H
#define LS_APP_PANEL_H

#include "app/commands.h"
#include "app/footer.h"
#include "app/layout.h"

typedef struct Session Session;
typedef struct Canvas Canvas;   // of ui/; the session does not look into it

typedef enum PanelPlace {
  PANEL_LINE,     // the last line of the screen, instead of the footer
  PANEL_SIDE,     // below the lanes
  PANEL_LIST,     // in the place of the focus pane: it has words to be read in full
  PANEL_FOCUS,    // the focus pane, on the whole screen
  PANEL_SCREEN,   // all between title and footer; messages wait
} PanelPlace;

typedef struct SesPanel {
  PanelPlace place;
  const FooterKey *keys; int key_count;                       // of the footer; PANEL_LINE has none
  int (*keys_now)(const Session *session, const FooterKey **keys);   // where keys change; NULL: they do not
  const char *crumb;                                 // in the title in place of block and warp; NULL: they stand
  bool (*open)(Session *session);                    // false: it stays closed, and has said why. NULL: it always opens
  bool (*key)(Session *session, uint32_t code);      // true if the picture may have changed
  bool (*click)(Session *session, Rect rect, AppKey mouse);   // into rect; false: means nothing there. NULL: nowhere
  void (*draw)(Session *session, Canvas *canvas, Rect rect);
  void (*close)(Session *session);                   // NULL: it leaves nothing behind
} SesPanel;

// The panel that a command opens. A table ends with a NULL panel.
typedef struct SesPanelRow { CommandId opens; const SesPanel *panel; } SesPanelRow;

// Opens the panel of a command with its first row chosen and nothing typed, after closing what was open. False: there
// is no such.
bool ses_open_panel(Session *session, CommandId id);
void ses_close_panel(Session *session);   // of no effect if none is open
// Where the open panel stands in a layout of its session.
Rect ses_panel_rect(const Session *session, const Layout *layout);
// The keys of its footer, as they are now. Returns how many.
int ses_panel_keys(const Session *session, const FooterKey **keys);
unsigned ses_panel_flag(const Session *session);   // LAYOUT_...: what the open panel needs; 0: nothing

#endif
