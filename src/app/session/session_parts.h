// session_parts.h: what the files of the session offer one another behind session.h, lowest file first: each calls
// only those above it here (tests/check_layers.sh looks). What a file keeps is a struct of its own, opaque to the
// others.
#ifndef LS_APP_SESSION_PARTS_H
#define LS_APP_SESSION_PARTS_H

#include "app/session/session.h"

static inline const TraceInfo *ses_info(const Session *session) { return &session->run->info; }

// cursor.c: the trace at the cursor
bool ses_event_at(Session *session, uint64_t step, TraceEvent *event);   // false, with a message: it is damaged there
const TraceBlock *ses_block(const Session *session);                     // of the cursor; NULL without one
bool ses_search(Session *session, uint64_t start, int dir, const TraceQuery *query, uint64_t *found);
uint32_t ses_interesting_kinds(void);                                    // bit set of 1 << TraceKind
void ses_warp_query(const Session *session, TraceQuery *query);          // the shown warp in the block of the cursor

// scene/code.c: what is known of every instruction before anything runs, once for a run. Instructions from foreign
// files (headers of the toolkit) count as having no line. A pc that does not exist has no line and is nothing.
SesCode *code_new(Session *session);
void code_free(SesCode *code);                    // NULL is fine, as for all that is freed here
int code_count(const SesCode *code);
int code_file(const SesCode *code, int pc);       // -1
int code_line(const SesCode *code, int pc);       // 0
int code_key(const SesCode *code, int pc);        // the first pc of the same line; -1 without a line
bool code_starts(const SesCode *code, int pc);    // a visit of the line may begin here
bool code_is_notable(const SesCode *code, int pc);
bool code_is_foreign(const SesCode *code, int func);   // all of the function is in files that are not the user's
const uint8_t *code_notable(const SesCode *code);      // a byte per pc, as queries take them: n and N stop here
uint8_t *code_set(SesCode *code);                      // another one to fill, until the next that asks
int ses_lined_pc(Session *session, int warp, uint64_t step);   // the warp's last instruction that has a line; -1

// session_go.c: moving the cursor
void ses_go(Session *session, uint64_t step);
bool ses_go_event(Session *session, const Command *command);
bool ses_go_warp_event(Session *session, const Command *command);
bool ses_go_mark(Session *session, const Command *command);
bool ses_goto(Session *session, const Command *command);

// session_schedule.c
void schedule_free(SesSchedule *schedule);
bool schedule_has_news(const Session *session);  // the program has been run

// session_waves.c
void chart_free(SesChart *chart);
bool chart_has_news(const Session *session);     // what it waited for is known
int chart_version(const SesChart *chart);        // another number: its words are others

// scene/scene_seek.c: the emulator at a step, as of the shown warp
bool scene_seek(Session *session, uint64_t step, SimReplay **replay);
// scene/scene_vars.c: variables, or scalars of structs, that the debug information names in the shown function
typedef struct VarSlot {
  const char *name, *type;
  const PtxDwVar *dw;
  int64_t offset;                    // inside the variable
  uint8_t kind, size;
} VarSlot;
const VarSlot *scene_slots(const Session *session, int *count);

// scene/scene.c
SceneState *scene_new(Session *session);
void scene_free(SceneState *scene);
bool scene_is_pending(const Session *session);   // values are on their way
void scene_go_on(Session *session);              // gathers more of them
bool scene_has_picture(Session *session, FocusKind focus);   // an event up to the cursor that it is for, or it needs
                                                             // none
bool scene_counts(const Session *session);       // totals are not known yet

// scene/sources.c: the source split in lines
int ses_file_lines(Session *session, int file, const char *const **lines);   // 0: there is no such file
void sources_free(SesSources *sources);

// scene/margin.c, scene/ptx_rows.c, scene/timebar.c
void margin_free(SesMargin *margin);
void ptx_rows_free(SesPtxRows *rows);
void timebar_free(SesTimeBar *bar);

// session_by_line.c
bool ses_go_line(Session *session, const Command *command);
bool ses_goto_line(Session *session, const Command *command);

// session_place.c: where the cursor is, in words that mean something in another run of the same source
typedef struct Place {
  bool by_line;
  char file[256]; int line, ordinal, offset;   // the ordinal-th visit of the line, offset events into it
  double relative;                             // of the block's events, where there is no line
  uint32_t block; int warp;
} Place;
void ses_place_save(Session *session, Place *place);
uint64_t ses_place_find(Session *session, const Place *place);
void timeline_free(SesTimeline *timeline);

// session_request.c: the run that is wanted instead of the present one. What is looked for in it is found when it is
// there.
typedef struct SesTarget {
  int64_t block;                                // -1
  uint64_t event;                               // of that block; UINT64_MAX
  bool is_fault; FaultKind kind; int32_t pc;    // this fault
  bool is_outcome;                              // it is a witness of one of Session.orders
  char what[96];                                // whose writer is looked for: RunRequest.writer
} SesTarget;
SesRequests *requests_new(void);
void requests_free(SesRequests *requests);
void ses_want(Session *session, RunRequest *request, bool is_other);     // takes the contents of request
void ses_want_changed(Session *session, RunRequest *request, bool is_other);   // where the grid may have changed
void ses_want_beside(Session *session, RunRequest *request, const char *label);   // as the other side
const char *ses_wanted_label(const Session *session);
SesTarget *ses_target(Session *session);                                       // of what is wanted
bool ses_wants_other(const Session *session);
void ses_wanted_came(Session *session);                                        // or failed: nothing is wanted any more
void ses_remember_request(Session *session);                                   // the present one as the previous one
const RunRequest *ses_previous_request(const Session *session);                // NULL: none

// session_choose.c
bool ses_set_warp(Session *session, const Command *command);
bool ses_set_block(Session *session, const Command *command);
bool ses_set_lane(Session *session, const Command *command);
bool ses_record_block(Session *session, uint32_t block);     // by a new run, together with the present one

// session_launches.c: asks for another launch; false: it cannot be run. What went wrong in the program, and not in the
// launch that is open: between its steps, and in other launches.
bool ses_want_launch(Session *session, int number);
bool ses_go_launch(Session *session, const Command *command);
int ses_elsewhere_count(const Session *session);
FaultGrade ses_elsewhere_grade(const Session *session, int index);
bool ses_elsewhere_row(Session *session, int index, SesRow *out);
void ses_elsewhere_words(Session *session, int index, LsText *out);
bool ses_go_elsewhere(Session *session, int index);
// Asks for the launch before this one that last wrote these bytes; false: this is no program's memory. Where they are
// in the launch that came; UINT64_MAX: nowhere.
bool ses_want_writer(Session *session, uint64_t addr, int size, const char *what);
uint64_t ses_writer_address(const Session *session);

// session_pairs.c: the other side of two programs goes to the counterpart of the launch that is open
void ses_follow_pair(Session *session);

// session_list.c
void ses_say_faults(Session *session);                       // if there are any that no recorded step shows
void ses_target_arrive(Session *session);                    // to what a run was wanted for

// session_params.c
bool ses_set_param(Session *session, const Command *command);
bool ses_what(Session *session, const char *words);          // "is a warp", after `:what`: a message
bool ses_set_line(Session *session, const char *rest);       // "N=128", after `:set`

// session_find.c, session_writer.c
void find_free(SesFind *find);
bool ses_is_finding(const Session *session);
bool ses_find_next(Session *session, int dir);
bool ses_writer(Session *session, const Command *command);
void ses_writer_arrive(Session *session);                    // in the launch that wrote what was asked for
// To the last write of so many bytes of global memory. False: nobody recorded writes them.
bool ses_go_last_write(Session *session, uint64_t addr, int size, const char *what);

// compare/differ.c, compare/choices.c
void differ_free(SesDiffer *differ);
void differ_advance(Session *session);
uint64_t differ_counterpart(const Session *session);         // the other side's step at a difference; UINT64_MAX: at
                                                             // none

// session_findings.c
bool ses_findings_learn(Session *session);                   // true: they are known now
bool ses_finding_pcs(Session *session, uint8_t *set);        // a byte per pc: something is wasted there; false: nowhere
void ses_choose_margin(Session *session);                    // the number that says most, unless somebody chose

// session_interest.c
bool ses_find_interest(Session *session, int dir, uint64_t *found);   // the next event of interest, whatever was
                                                                      // searched for
bool ses_go_interest(Session *session, const Command *command);

// session.c
void ses_switch_headers(Session *session);                   // which instructions have a line is another question then

// session_play.c
bool ses_play(Session *session, const Command *command);
bool ses_change_speed(Session *session, const Command *command);

// session_settings.c: what `:set` changes of the screen, and not of the run. False: it is none of these
bool ses_set_screen(Session *session, const char *name, const char *value);

// session_prompt.c: a line of typing as a command. LINE_DONE: it is done, or has been refused. LINE_TRY: if the
// command means nothing, ses_line_unknown says what would.
typedef enum LineResult { LINE_DONE, LINE_COMMAND, LINE_TRY } LineResult;
LineResult ses_read_line(Session *session, const char *text, Command *command);
bool ses_line_unknown(Session *session, const char *text);

// session_mouse.c: *then: a command that the click stands for, CMD_NONE if it has been followed
bool ses_mouse(Session *session, AppKey mouse, CommandId *then);
bool ses_move(Session *session, const Command *command);     // up and down in a pane

// session_orders.c
bool ses_orders(Session *session, const Command *command);
void ses_forget_orders(Session *session);
void ses_outcome_arrive(Session *session);                   // in a witness: to what it is a witness of

// session_commands.c
bool ses_click(Session *session, AppKey mouse);

#endif
