// session.h: what the explorer shows and how commands change it. No drawing, no keys' bytes, no Lua.
//
// The cursor stands on a step: the picture is the state after that event, and the event itself is what the focus pane
// explains. Views read the Session and its Scene (the state at the cursor, gathered once per step) and change nothing.
#ifndef LS_APP_SESSION_H
#define LS_APP_SESSION_H

#include "app/codewrap.h"
#include "app/commands.h"
#include "app/focus.h"
#include "app/footer.h"
#include "app/keys.h"
#include "app/layout.h"
#include "app/run/orders.h"
#include "app/run/program_pairs.h"
#include "app/run/run.h"
#include "app/session/compare/difference.h"
#include "app/session/format.h"
#include "app/session/panel.h"
#include "app/session/scene/scene.h"
#include "app/session/scheduleview.h"
#include "app/session/waveview.h"

typedef enum SesPane { PANE_SOURCE, PANE_LANES, PANE_VARIABLES, PANE_MEMORY, PANE_COUNT } SesPane;

// What playing is at. PLAY_STANDS: nothing; the frame that was reached stays.
typedef enum PlayAct { PLAY_STANDS, PLAY_UNFOLDS, PLAY_HOLDS, PLAY_TRAVELS } PlayAct;
typedef struct SesPlay {
  PlayAct act;
  double seconds;                    // since it began, at the speed that is set
  uint64_t from, to; bool ends;      // of PLAY_TRAVELS: steps; behind `to` there is nothing of interest
  uint64_t shown; bool has_shown;    // the step whose event was played last
  bool was_playing;                  // when it was stopped: what goes on from the frame
} SesPlay;
// A place and what is shown there. at: a step, "line:16", "fault", "end", or NULL; -1: as it is.
typedef struct SesWish { const char *at; int focus, variant, warp, lane, margin; bool zoom; } SesWish;
// How somebody likes it: sessions begin so. Set once, before there is any. first: of the first explorer; NULL: from the
// start.
typedef struct SesTaste { bool motion; const SesWish *first; } SesTaste;
extern SesTaste ses_taste;

typedef struct SesCode SesCode;
typedef struct SceneState SceneState;
typedef struct SesSources SesSources;
typedef struct SesPtxRows SesPtxRows;
typedef struct SesMargin SesMargin;
typedef struct SesTimeBar SesTimeBar;
typedef struct SesChart SesChart;
typedef struct SesSchedule SesSchedule;
typedef struct SesFind SesFind;
typedef struct SesTimeline SesTimeline;
typedef struct SesRequests SesRequests;
typedef struct SesDiffer SesDiffer;
typedef struct SesChoices SesChoices;

struct Session {
  Run *run;                          // owned
  Run *other;                        // owned; the other side of a comparison, or NULL
  char other_label[128];
  Run *before;                       // owned; of the file before it was saved last, or NULL: ses_keep_before
  uint64_t step, steps;
  uint32_t block; int warp, lane;    // lane -1: none inspected
  bool warp_follows;                 // the shown warp is the event's
  bool focus_auto; FocusKind focus;  // what is shown
  int variant[FOCUS_COUNT];
  // Borrowed, of whoever draws: what the picture wants of a pane with so many columns. NULL: the layout takes a share.
  void (*room)(Session *session, FocusKind kind, int cols, FocusRoom *room);
  // Borrowed, of a lesson's page: the rows that its text needs in so many columns, its rule included. NULL: there is
  // none.
  int (*rail_rows)(const void *context, int cols); const void *rail_context;
  LayoutHeld held;                   // of the focus pane, since ses_layout was last asked
  bool stage;                        // the picture and its sentence alone, for who sits far away
  enum { SES_STAGE_AS_STARTED, SES_STAGE_ON, SES_STAGE_OFF } stage_wish;   // of the one who typed :set stage=on
  double phase;                      // how far the event at the cursor has unfolded while it is played, between 0 and
                                     // 1;
                                     // 0: it is not played, and stands in its end state
  bool hex, show_ptx, zoom;
  bool playing; int speed;           // from event of interest to event of interest; speed: power of two, 0 is 1x
  int margin;                        // index into ses_margin_name
  bool margin_chosen;                // by somebody; else it is the number that says most about this kernel
  SesPane pane; int scroll[PANE_COUNT];   // scroll: first row shown, relative to where it would be by itself
  int line_marked;                   // source pane: a line that a student of a lesson chooses; 0: none
  bool untold;                       // a lesson asks what goes wrong: neither faults nor findings are told
  // A hall is asked: no totals, margins, marks of the time bar either; nor the picture, in place of which the source
  // stands.
  enum { SES_HIDES_NOTHING, SES_HIDES_NUMBERS, SES_HIDES_PICTURE } hides;
  int array_shown;                   // memory pane: -1 follows the event
  int var_shown;                     // variables pane: the chosen row, -1 none; `u` looks for its writer
  const SesPanelRow *panels;         // borrowed: the panels that commands open; NULL: none
  const SesPanel *panel;             // open, or NULL; what follows is the open panel's
  char input[256]; int pick;         // text being typed; highlighted row
  int list_skip;                     // rows that the words about the chosen row of a list are scrolled
  void *panel_data;                  // what else it keeps; its close frees it
  char message[512]; bool message_is_error;
  char search[128];
  int cols, rows;                    // of the screen, for clicks and pages
  unsigned layout_flags;             // LAYOUT_RAIL if a lesson has its rail open, LAYOUT_CODE while it asks for a line;
                                     // the other flags follow from the state
  RecipeBook *book;                  // borrowed, may be NULL: where the comparison finds other kernels of the topic
  Session *peer_of;                  // borrowed; of the other side of a comparison: the session that shows it
  Session *peer;                     // view of `other`: its cursor follows this one (ses_peer brings it up to date)
  double patience;                   // seconds that gathering values may take at a time; 0: any. Screens set it
  SesWaves waves;                    // of the pane of blocks on SMs
  SesScheduleAt schedule_at;         // of the timeline of a program
  bool motion;                       // events unfold while they are played; else their end states stand one after
                                     // another
  SesPlay play;
  struct { bool known; uint64_t step; int warp; } peer_at;   // of this session, that the peer was brought to
  bool headers;                      // lines of the toolkit's headers count as lines
  bool ascii;                        // of the screen: keys of the footer are spelled out
  bool lowest;                       // set by its page: nothing is below, so that q quits the program
  bool want_quit, want_rerun;        // want_rerun: `next` is the request to run (a job of the page)
  RunRequest next; bool next_is_other, next_is_before;   // next_is_before: nothing is to be run, `before` is to be put
                                                         // beside
  Orders *orders;                    // owned; of the launch that is shown, or NULL: nothing was tried
  uint64_t want_orders;              // seeds that a job of the page is to try; 0: none
  bool is_own;                       // set by its page: of a file that can be edited, and is watched
  int wants;                         // of its page: CMD_EDIT, CMD_LAUNCH, CMD_MESSAGES; 0: nothing
  const struct Model *wants_model;   // of its page: to be opened with the values of this run; NULL: none
  // What the files of the session keep, each its own: opaque to the others.
  SesCode *code; SceneState *scene;
  SesSources *sources; SesPtxRows *ptx_rows; SesMargin *margin_numbers; SesTimeBar *bar; SesChart *chart;
  SesSchedule *schedule;
  SesFind *find; SesTimeline *timeline; SesRequests *requests; SesDiffer *differ; SesChoices *choices;
};

Session *ses_new(Run *run);                   // takes ownership of run
void ses_free(Session *session);
// Swaps in a new run and keeps the place: same line and occurrence, block, warp as far as they exist.
// With next_is_other the run becomes the other side of the comparison instead. Clears want_rerun.
void ses_replace_run(Session *session, Run *run);
// Asks for the whole of a run that was stopped so that it can be looked at before all of its grid has run.
void ses_open_early(Session *session);
// Asks for a run with this request instead of the present one; takes its contents.
void ses_run_request(Session *session, RunRequest *request);
// The run of an older version of the file, which this one can be put beside. Takes ownership.
void ses_keep_before(Session *session, Run *before);
// The run that was wanted could not be made: says so, and the request is again that of the present run.
void ses_run_failed(Session *session, const LsErr *err);
// What the panel of parameters shows: the request that is on its way, else that of the run.
const RunRequest *ses_request(const Session *session);
// The other side at the corresponding place; NULL without comparison. Views draw it like any session.
Session *ses_peer(Session *session);
// In a comparison of two forms of a lecture kernel: for each line of the shown source whether the other one has not
// got it, from index 0 for line 1; to be freed. NULL: it is no such comparison.
bool *ses_own_lines(Session *session);
// The first of them that is no comment, from 1; where this side has none, the line at which the other one has more; 0:
// no such comparison, or no difference.
int ses_first_own_line(Session *session);
// Makes a run the other side; takes ownership of it.
void ses_put_beside(Session *session, Run *run, const char *label);
void ses_close_compare(Session *session);
// Where both sides differ; NULL without comparison. ses_tick goes on with it while it is not done.
const Difference *ses_difference(Session *session);
bool ses_difference_waits(const Session *session);
// Runs a command. Returns false if it means nothing here. Errors become session->message.
bool ses_command(Session *session, const Command *command);
// A key for the open panel, or by the keymap.
bool ses_key(Session *session, AppKey key);
// One tick of playing (call about 30 times a second); true if the picture changed.
bool ses_tick(Session *session, double seconds);
// Something moves: ses_tick is wanted. Any key stops it, and the frame stays.
bool ses_plays(const Session *session);
void ses_play_stop(Session *session);
double ses_speed(const Session *session);     // 1 at normal speed
// Into how many parts the event at the cursor unfolds; 0: the picture is not of this event. And whether Space plays it
// now: it has not been played yet.
int ses_parts(Session *session);
bool ses_unfolds(Session *session);
const Scene *ses_scene(Session *session);     // at the cursor; never NULL for a run with steps
// Rows of the panel of parameters: those of the lecture kernel, or the launch of a file (grid, block, shared memory,
// scalars, sizes of buffers); then how the emulator runs it. note: the range, or what the value is.
typedef struct SesParam { char name[64], value[64], note[64]; bool slider; double share; } SesParam;
int ses_param_count(const Session *session);
bool ses_param(const Session *session, int row, SesParam *out);   // false if there is no such row
void ses_param_help(const Session *session, int row, LsText *out);      // what it means, and its range
bool ses_param_is_signed(const Session *session, int row);              // a minus may begin its value
bool ses_param_type(Session *session, int row, const char *text);       // asks for a run with this value
bool ses_can_rerun(Session *session);                                   // else it says why not
// What this run can be put beside: made anew, false, with a message, if it can be put beside nothing; rows and their
// words; the run of a row is asked for.
bool ses_make_choices(Session *session);
void ses_free_choices(Session *session);
int ses_compare_count(Session *session);
const char *ses_compare_choice(Session *session, int row);
bool ses_compare_with(Session *session, int row);
// Faults, and what the kernel printed, as rows of lists: every row is a place to go to, if need be by a run that
// records
// it.
typedef enum SesWhen { WHEN_BEFORE, WHEN_HERE, WHEN_AFTER, WHEN_NOT_RECORDED, WHEN_UNKNOWN } SesWhen;
typedef struct SesRow {
  char who[64], text[512];
  SesWhen when; uint64_t step;
  FaultGrade grade;                  // of faults; whatever else is listed has GRADE_FAULT
} SesRow;
// What must not be missed of the run, for the title line: "▲ 4 faults · ! lists them"; brief: "▲ 4 faults". Only the
// worst: warnings where there is no fault, notes where there is neither. Nothing: "".
// False: only notes, no reason for alarm.
bool ses_title_news(const Session *session, bool brief, LsText *out);
void ses_title_found(const Session *session, bool brief, LsText *out);   // the same of findings
// session_launches.c: the steps of a program of several launches; none where the run is one launch.
typedef struct SesStep {
  int step;                          // of the host, from 1; 0: a launch by a kernel
  int launch;                        // its number, from 1; 0: it is no launch
  char number[24]; int depth;        // of a launch, as it is shown: "3", or, below others, ".2"
  SesWhen when;                      // beside the launch that is open
  bool was_run;                      // a launch: what follows is known
  char name[128], grid[40], block[40];   // of a launch; else name is what the step does
  char stream[64], time[32];         // time "": not known
  int faults, findings;              // findings -1: nobody looked
} SesStep;
int ses_launch(const Session *session);               // which launch is open, from 1; 0: of no program
int ses_launch_count(const Session *session);         // with those by kernels
// Launches as they are read, those by kernels below the launch that they come from: a place, from 1, to a number.
int ses_launch_at(const Session *session, int rank);
int ses_launch_rank(const Session *session);          // of the open one
void ses_launch_name(const Session *session, int number, LsText *out);   // "2 of 3", "1.2.1"
bool ses_go_launch_of(Session *session, const char *name);
int ses_step_count(Session *session);
int ses_step_here(const Session *session);                                    // the row of the launch that is open
bool ses_step(Session *session, int row, SesStep *out);
void ses_step_words(Session *session, int row, LsText *out);
void ses_program_words(Session *session, LsText *out);                  // of the whole, in a line
bool ses_go_step(Session *session, int row);                            // opens the launch that the step is, or the
                                                                        // next one
// session_schedule.c: a program over time, made when it is first asked for. A change of its model keeps the cursor;
// false: nothing changed, or it cannot be, which is told.
const Schedule *ses_schedule(Session *session);
bool ses_schedule_waits(const Session *session);                        // the program is being run: a tick is wanted
// It is played: what is not yet is not shown. Begins, or pauses; goes on by so many seconds; shows all of it again.
void ses_schedule_play(Session *session);
bool ses_schedule_advance(Session *session, double seconds);            // false: it is not playing
void ses_schedule_show_all(Session *session);
bool ses_schedule_change(Session *session, ProgramModelId id, double value);
// session_schedule_words.c: what a bar is called, in brief where there is little room; of_host: the host's side of it.
void ses_schedule_name(const HostProgram *program, int step, bool of_host, bool brief, LsText *out);
void ses_schedule_bar_name(const HostProgram *program, const ProgramBar *bar, bool of_host, bool brief, LsText *out);
void ses_schedule_row_name(const ProgramChartRow *row, LsText *out);
// The chosen bar: when, what it waits for and by what rule, its blocks, what waits for it.
enum { SCHEDULE_LINES = 4 };
typedef struct ScheduleLine { const char *label; char text[400]; } ScheduleLine;
int ses_schedule_lines(const Schedule *schedule, const ScheduleView *view, ScheduleLine lines[SCHEDULE_LINES]);
void ses_schedule_step_title(const Schedule *schedule, const ScheduleView *view, int step, LsText *out);
void ses_schedule_title(const Schedule *schedule, LsText *out);        // "timeline · computed for H200"
void ses_schedule_total(const Schedule *schedule, bool counts, LsText *out);   // "12 steps · 4 launches · 1.84 ms"
void ses_schedule_sum_words(const Schedule *schedule, LsText *out);
// session_pairs.c: of a comparison of two programs, their launches as pairs; false: it is none. Going to a pair opens
// its launch here, and beside it its counterpart.
bool ses_shows_pairs(const Session *session);
bool ses_pairs(const Session *session, ProgramPairs *pairs);            // for program_pairs_fini
bool ses_go_pair(Session *session, int row);
int ses_fault_count(Session *session);
bool ses_fault_row(Session *session, int row, SesRow *out);
void ses_fault_words(Session *session, int row, LsText *out);           // all of its words, and what going there does
bool ses_go_fault(Session *session, int row);
// What other orders of the launch leave. ses_take_orders takes ownership, and shows the list if nothing is open.
void ses_take_orders(Session *session, Orders *orders);
void ses_orders_failed(Session *session, const LsErr *err);
int ses_outcome_count(Session *session);
bool ses_outcome_row(Session *session, int row, SesRow *out);
void ses_outcomes_words(Session *session, LsText *out);                 // of all of them
void ses_outcome_words(Session *session, int row, LsText *out);
bool ses_go_outcome(Session *session, int row);                         // by a run in an order that ends so
// What the run wastes (model/findings/finding.h), those of a line first, worst first; then those of the launch as a
// whole. A run that was made is judged with it. A saved trace is judged by ses_tick, or when somebody asks: until then
// ses_findings is NULL, and ses_findings_wait says whether a tick is wanted.
const Findings *ses_findings(const Session *session);
bool ses_findings_wait(const Session *session);
int ses_finding_count(Session *session);
const Finding *ses_finding(Session *session, int row);                  // NULL if there is no such row
bool ses_go_finding(Session *session, int row);
// What it wastes, as the time bar and the source mark it: 'c' turns (conflicts, queues), 's' sectors, 'l' lanes, 'b'
// barriers, 0 nothing of the kind. And the mark of a line of the file at the cursor.
char ses_finding_mark(const Finding *finding);
char ses_line_finding(Session *session, int line);
int ses_print_count(Session *session);
bool ses_print_row(Session *session, int row, SesRow *out);
void ses_print_words(Session *session, int row, LsText *out);
bool ses_go_print(Session *session, int row);
// session_wish.c: goes there; goes to a place that has a name, option is whose value it is. False: there is no such
// place.
bool ses_wish(Session *session, const SesWish *wish, LsErr *err);
bool ses_go_named(Session *session, const char *at, const char *option, LsErr *err);
// Looks for a text: a line, words of the source, a variable, an opcode, a kind of event.
bool ses_find(Session *session, const char *text);
int ses_warps(const Session *session);                                  // of a block
uint64_t ses_grid_blocks(const Session *session);
void ses_say(Session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
// returns true: handled
bool ses_complain(Session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Source for the source pane: text of the file the cursor is in, split in lines.
int ses_source_lines(Session *session, const char *const **lines, const char **path);
// The rows of a source pane, below its rule where it has one (LAYOUT_RULE_H): the line at the cursor in as many as it
// needs. Without a rule, only lines that say something. Returns how many rows are filled.
typedef struct SesSourceRow { int line; CodeRow part; bool first, goes_on; } SesSourceRow;   // line from 1
enum { SES_SOURCE_ROWS = 512 };
int ses_source_rows(Session *session, Rect pane, SesSourceRow out[SES_SOURCE_ROWS]);
// The warps of a lanes pane with so many rows for them, in order; where not all fit, the chosen one and those that
// differ.
int ses_lanes_rows(Session *session, int rows, int out[32]);
// The line of an instruction as steps by line count them, and its file; 0 in headers of the toolkit, and where nobody
// knows.
int ses_line_of(const Session *session, int pc, int *file);
// First line (0-based) that a source pane of so many text rows shows, and first warp of a lanes pane.
int ses_source_top(Session *session, int rows);
int ses_lanes_top(Session *session, int rows);
int ses_ptx_top(Session *session, int rows);
// PTX of the function at the cursor, a row per instruction: how many; text and pc of one, and whether it is the
// event's.
int ses_ptx_rows(Session *session);
const char *ses_ptx_row(Session *session, int row, int *pc, bool *current);
// Margin: what number, and its value for a line of the file at the cursor; false if the line has none.
enum { SES_MARGIN_LANES, SES_MARGIN_SECTORS, SES_MARGIN_CONFLICTS, SES_MARGIN_EXECUTIONS, SES_MARGIN_DIVERGENT };
int ses_margin_count(void);
const char *ses_margin_name(int margin);      // "active lanes", "sectors per request", "conflicts", "executions"
bool ses_margin_average(int margin);          // an average, with decimals; else a count
bool ses_margin_value(Session *session, int line, double *value, bool *alarming);
bool ses_line_faults(Session *session, int line);   // something went wrong on this line of the file at the cursor
// Blocks on SMs over time (waveview.h): the chart of the run; the window that a pane in `rect` opens on it; the
// block under
// its cursor in words.
const WaveChart *ses_wave_chart(Session *session);
void ses_wave_view(Session *session, Rect rect, WaveView *view);
void ses_wave_words(Session *session, const WaveView *view, LsText *out);
void ses_waves_words(Session *session, LsText *out);      // of the whole chart
// for registers that the chart is to be computed with: ses_tick looks for them
bool ses_waves_wait(const Session *session);
// Elements of an array at the cursor: bits[] (elem_size bytes each, zero-extended), init[] (0: never written).
uint64_t ses_array_read(Session *session, const SceneArray *array, uint64_t first, uint64_t count, uint64_t *bits,
                        uint8_t *init);
// Registers of the inspected lane (none: lane 0) that were ever written: lines of "name type value"; returns how many.
int ses_registers(Session *session, LsText *out);
// Groups of lanes of the shown warp after the step, or its reconvergence stack, the newest last; 0 if not known.
int ses_groups(Session *session, SimGroup *groups, int room);
// Time bar: heights 0..7 and a mark per column: 0, '!' fault, what is wasted there ('c', 's', 'l': height says how
// much), 'd' divergence, 'b' barrier. Of a program, the launches before and after stand at both ends, each between
// walls ('|'), or several together where there are many: how busy they were, and '!' where one has a fault.
typedef struct SesBar { uint8_t height; char mark; bool elsewhere; } SesBar;   // elsewhere: of another launch
void ses_time_bar(Session *session, int columns, SesBar *bar, int *cursor_column);
// What a column stands for: a step, or another launch (its number; 0: none).
uint64_t ses_time_bar_at(Session *session, int columns, int column, int *launch);

void ses_layout(Session *session, Layout *layout);   // the one that the explorer draws and clicks are resolved with

#endif
