// session.h: what the explorer shows and how commands change it. No drawing, no keys' bytes, no Lua.
//
// The cursor stands on a step: the picture is the state after that event, and the event itself is what the focus pane
// explains. Views read the Session and its Scene (the state at the cursor, gathered once per step) and change nothing.
#ifndef LS_APP_SESSION_H
#define LS_APP_SESSION_H

#include "app/keys.h"
#include "app/run.h"
#include "ptx/debuginfo.h"

typedef enum CommandId {
#define COMMAND(ID, ...) CMD_##ID,
#include "app/commands.def"
#undef COMMAND
  CMD_GOTO,         // arg: step
  CMD_GOTO_LINE,    // arg: source line; the next event of the shown warp there
  CMD_SET_WARP, CMD_SET_BLOCK, CMD_SET_LANE,   // arg
  CMD_SET_PARAM,    // arg: index << 32 | (uint32_t)direction, or text "N=128"
  CMD_SET_FOCUS,    // arg: FocusKind
  CMD_TEXT,         // text: a ':' line
  CMD_CLICK,        // arg: x << 32 | y, from the mouse (resolved through the layout)
  CMD_NONE,
  CMD_COUNT
} CommandId;
typedef struct CommandDef { const char *name, *keys, *footer, *help; unsigned contexts; } CommandDef;
enum { CTX_X = 1, CTX_M = 2, CTX_L = 4 };
const CommandDef *command_def(CommandId id);                 // for the rows of commands.def
CommandId command_for_key(uint32_t code, unsigned context);  // CMD_NONE if the key means nothing
CommandId command_by_name(const char *name);                 // "next"; CMD_NONE if there is none
uint32_t command_key(CommandId id, int n);                   // the n-th key of its row, from 0; 0: it has fewer

typedef struct Command { CommandId id; int64_t arg; const char *text; } Command;

typedef enum FocusKind {
  FOCUS_SEGMENTS, FOCUS_BANKS, FOCUS_SHUFFLE, FOCUS_DIVERGENCE, FOCUS_BARRIER, FOCUS_ATOMICS, FOCUS_GEOMETRY, FOCUS_COUNT
} FocusKind;
const char *focus_name(FocusKind kind);       // "segments", as in export --view
const char *focus_title(FocusKind kind);      // "global memory"

typedef enum SesPane { PANE_SOURCE, PANE_LANES, PANE_VARIABLES, PANE_MEMORY, PANE_COUNT } SesPane;
typedef enum SesMode { SES_NORMAL, SES_PARAMS, SES_FIND, SES_COMMAND_LINE, SES_PICK_BLOCK, SES_PICK_WARP, SES_PICK_LANE,
                       SES_HELP, SES_COMPARE_PICK } SesMode;

typedef struct SceneVar {
  const char *name, *type;           // as the source writes them
  uint8_t kind, size;                // PtxDwKind of a scalar; bytes (1..8)
  bool in_scope, is_param;
  uint32_t valid;                    // lanes whose value is known here
  uint64_t bits[32];
  uint32_t changed;                  // lanes whose value this step changed
} SceneVar;

typedef struct SceneArray {
  const char *name, *type;           // "ts", "float[256]"
  uint8_t space;                     // TraceSpace
  uint8_t kind, elem_size;           // PtxDwKind, bytes
  uint64_t base, count;              // elements
  int64_t columns;                   // of a 2D array (last dimension), else 0
  bool touched;                      // by the event at the cursor
  uint64_t touched_first, touched_last;   // elements
} SceneArray;

typedef struct Scene {
  uint64_t step;
  TraceEvent event;                  // its arrays point into the scene
  uint64_t addr[32], value[32], result[32]; uint8_t source[32];
  bool has_values;                   // value/result hold something (loads and stores too, where the replay knows)
  // What the focus pane explains: the event where it suits the pane, else the shown warp's last one before that does.
  bool has_focus; TraceEvent focus;  // its arrays point into the scene
  uint64_t focus_addr[32], focus_value[32], focus_result[32]; uint8_t focus_source[32];
  TraceWarp warps[32]; int warp_count;
  int file, line;                    // of the event; line 0: unknown
  int warp_line[32];                 // last line of every warp; 0
  SceneVar *vars; int var_count;     // of the session's warp
  bool values_known; char why_not[160];   // whether variables can be shown at all
  SceneArray *arrays; int array_count;
  CounterSet so_far; bool so_far_known;   // unknown for a while in a long saved trace: ses_tick works on it
  char sentence[1024];
} Scene;

typedef struct Session Session;
struct Session {
  Run *run;                          // owned
  Run *other;                        // owned; the other side of a comparison, or NULL
  char other_label[128];
  uint64_t step, steps;
  uint32_t block; int warp, lane;    // lane -1: none inspected
  bool warp_follows;                 // the shown warp is the event's
  bool focus_auto; FocusKind focus;  // what is shown
  int variant[FOCUS_COUNT];
  bool hex, show_ptx, zoom, playing; int speed;   // speed: power of two, 0 is 1x
  int margin;                        // index into ses_margin_name
  SesPane pane; int scroll[PANE_COUNT];   // scroll: first row shown, relative to where it would be by itself
  int array_shown;                   // memory pane: -1 follows the event
  int var_shown;                     // variables pane: the chosen row, -1 none; `u` looks for its writer
  SesMode mode;
  char input[256]; int pick;         // text being typed; highlighted row of a panel
  char message[512]; bool message_is_error;
  char search[128];
  int cols, rows;                    // of the screen, for clicks and pages
  unsigned layout_flags;             // LAYOUT_RAIL if a lesson has its rail open; the other flags follow from the state
  RecipeBook *book;                  // borrowed, may be NULL: where the comparison finds other kernels of the topic
  Session *peer;                     // view of `other`: its cursor follows this one (ses_peer brings it up to date)
  bool want_quit, want_rerun;        // want_rerun: `next` is the request to run (a job of the page)
  RunRequest next; bool next_is_other;
  void *impl;                        // caches of session.c
};

Session *ses_new(Run *run);                   // takes ownership of run
void ses_free(Session *session);
// Swaps in a new run and keeps the place: same line and occurrence, block, warp as far as they exist.
// With next_is_other the run becomes the other side of the comparison instead. Clears want_rerun.
void ses_replace_run(Session *session, Run *run);
// The run that was wanted could not be made: says so, and the request is again that of the present run.
void ses_run_failed(Session *session, const LsErr *err);
// What the panel of parameters shows: the request that is on its way, else that of the run.
const RunRequest *ses_request(const Session *session);
// The other side at the corresponding place; NULL without comparison. Views draw it like any session.
Session *ses_peer(Session *session);
void ses_close_compare(Session *session);
// Runs a command. Returns false if it means nothing here. Errors become session->message.
bool ses_command(Session *session, const Command *command);
// A key in the session's mode (typing, panels) or by the keymap.
bool ses_key(Session *session, AppKey key);
// One tick of playing (call about 30 times a second); true if the picture changed.
bool ses_tick(Session *session, double seconds);
const Scene *ses_scene(Session *session);     // at the cursor; never NULL for a run with steps
// Rows of the panel of comparisons (SES_COMPARE_PICK): how many, and their words.
int ses_compare_count(Session *session);
const char *ses_compare_choice(Session *session, int row);
// What the panel of a choice (block, warp, lane, parameters) says about its row `pick`: range and meaning.
void ses_pick_help(Session *session, LsText *out);

// Source for the source pane: text of the file the cursor is in, split in lines.
int ses_source_lines(Session *session, const char *const **lines, const char **path);
// PTX of the kernel, one line per instruction of the shown source line or all: text and pc of row i; rows in all.
// First line (0-based) that a source pane of so many text rows shows, and first warp of a lanes pane.
int ses_source_top(Session *session, int rows);
int ses_lanes_top(Session *session, int rows);
int ses_ptx_top(Session *session, int rows);
int ses_ptx_rows(Session *session);
const char *ses_ptx_row(Session *session, int row, int *pc, bool *current);
// Margin: what number, and its value for a line of the file at the cursor; false if the line has none.
int ses_margin_count(void);
const char *ses_margin_name(int margin);      // "active lanes", "sectors per request", "conflicts", "executions"
bool ses_margin_value(Session *session, int line, double *value, bool *alarming);
// Elements of an array at the cursor: bits[] (elem_size bytes each, zero-extended), init[] (0: never written).
uint64_t ses_array_read(Session *session, const SceneArray *array, uint64_t first, uint64_t count, uint64_t *bits, uint8_t *init);
// Registers of the inspected lane: rows of "name type value" for the panel.
int ses_registers(Session *session, LsText *out);
// Formats a value of a type as the explorer does everywhere.
void ses_format_value(uint8_t kind, int size, uint64_t bits, bool hex, LsText *out);
// How the values of a variable over the lanes are told: not at all, one for all, a series, one by one.
typedef enum SesShape { SES_LANES_NONE, SES_LANES_SAME, SES_LANES_SERIES, SES_LANES_EACH } SesShape;
SesShape ses_lanes_shape(const SceneVar *var);
// "0 1 2 .. 31", "16", lane by lane: the line for a variable of a warp, no longer than width columns.
void ses_format_lanes(const SceneVar *var, bool hex, int width, LsText *out);
// Time bar: heights 0..7 and a mark per column.
typedef struct SesBar { uint8_t height; char mark; } SesBar;   // mark: 0, '!' fault, 'd' divergence, 'b' barrier
void ses_time_bar(Session *session, int columns, SesBar *bar, int *cursor_column);

// ---- layout: a pure function of the window and what is open ----------------------------------------------------------

// Every rectangle includes the row of its rule. Those shown lie inside the window and never overlap.
//
//   title                                   title                  one line each: title, bar, footer at the edges;
//   source        | lanes                   source | lanes         lanes above variables above memory;
//                 | variables                      | variables     80 x 24: no memory, no rule for "so far"
//                 | memory                  focus
//   focus                                   so far
//   so far                                  bar
//   bar                                     footer
//   footer
typedef struct Rect { int x, y, w, h; } Rect;
typedef struct Layout {
  bool too_small;                    // under 60x20: only a message
  Rect title, source, ptx, lanes, variables, memory, focus, so_far, bar, footer, rail, panel;  // w == 0: not shown
  Rect left, middle, right;          // comparison
} Layout;
enum { LAYOUT_RAIL = 1, LAYOUT_COMPARE = 2, LAYOUT_ZOOM = 4, LAYOUT_PTX = 8, LAYOUT_PANEL = 16 };
// The least that a pane has when it is shown at all.
enum { LAYOUT_LEAST_COLS = 60, LAYOUT_LEAST_ROWS = 20, LAYOUT_LEAST_CODE_W = 18, LAYOUT_LEAST_LANES_W = 40,
       LAYOUT_LEAST_SIDE_W = 18, LAYOUT_LEAST_PANE_H = 3, LAYOUT_LEAST_FOCUS_H = 5, LAYOUT_LEAST_RAIL_H = 6 };
void layout_compute(int cols, int rows, int warps, unsigned flags, Layout *layout);
void ses_layout(Session *session, Layout *layout);   // the one that the explorer draws and clicks are resolved with

// The words of the footer with their keys, as many as fit into cols; x and w for clicks.
typedef struct FooterItem { char keys[24]; const char *word; int x, w; CommandId command; } FooterItem;
enum { FOOTER_ROOM = 24 };
int footer_compute(int cols, unsigned context, bool unicode, FooterItem items[FOOTER_ROOM]);

#endif
