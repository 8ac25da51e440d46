// session_impl.h: what the files of the session share behind session.h.
#ifndef LS_APP_SESSION_IMPL_H
#define LS_APP_SESSION_IMPL_H

#include "app/run/registers.h"
#include "app/session/session.h"

// A variable, or one scalar of a struct, that the debug information names.
typedef struct VarSlot {
  const char *name, *type;
  const PtxDwVar *dw;
  int64_t offset;                    // inside the variable
  uint8_t kind, size;
} VarSlot;

// The visits of the warps of a block: every time a warp came to another source line. Sorted by step.
typedef struct Visit { uint64_t step; int key, ordinal; } Visit;
typedef struct WarpVisits { Visit *visits; int count, capacity; } WarpVisits;
typedef struct VisitIndex { bool made; uint32_t block; WarpVisits warps[32]; } VisitIndex;

// Where the cursor is, in words that mean something in another run of the same source.
typedef struct Place {
  bool by_line;
  char file[256]; int line, ordinal, offset;   // the ordinal-th visit of the line, offset events into it
  double relative;                             // of the block's events, where there is no line
  uint32_t block; int warp;
} Place;

typedef struct Choice { char label[128]; RunRequest request; } Choice;

typedef enum MatchKind { MATCH_NONE, MATCH_PCS, MATCH_KINDS, MATCH_DIVERGENT, MATCH_CONFLICT } MatchKind;

typedef struct SourceLines { char *text; const char **lines; int count; } SourceLines;

typedef struct SesImpl {
  LsArena *arena;                    // lives as long as the run
  // Per pc, once for a run. Instructions from foreign files (headers of the toolkit) count as having no line.
  int code_count;
  int *pc_file, *pc_line, *pc_key;   // pc_key: the first pc of the same line; -1 without a line
  uint8_t *foreign;                  // per function: all of it is in files that are not the user's
  uint8_t *line_start;               // a visit of the line may begin here
  uint8_t *notable;                  // n and N stop here
  uint8_t *scratch;
  // Scene.
  Scene scene;
  bool scene_made, vars_made;
  bool go_on;                    // the next ses_scene goes on gathering values that are pending
  int scene_warp, scene_lane, vars_func;
  VarSlot *slots; int slot_count, slot_func;
  SceneVar *vars_now, *vars_before;  // slot_count each
  SceneVar *vars_shown;
  SceneArray *arrays; int array_count, array_capacity, fixed_arrays;
  const char **words; int word_count, word_capacity;   // names of types, in the arena
  LsText sentence;
  bool prints;                       // it says what was printed
  struct PictureKey { uint64_t step, focus_step; int kind, variant, has_focus; } picture_key;   // what scene.picture was made for
  // Searching.
  MatchKind match; uint32_t match_kinds; uint8_t *match_pcs;
  // Navigation.
  VisitIndex index;
  double wave_seconds;               // since the wavefront lit up
  double play_debt;                  // events that playing still owes
  uint64_t peer_step; int peer_warp;
  bool peer_made;
  // Panels.
  bool pending;                      // a wanted run is on its way
  int64_t want_block;                // that it was wanted for, -1
  uint64_t want_event;               // and the event in it, UINT64_MAX
  bool wants_fault; FaultKind want_kind; int32_t want_pc;   // or this fault
  bool has_previous; RunRequest previous;
  char other_label[128];
  Choice *choices; int choice_count, choice_capacity;
  // What panes ask for again and again.
  SourceLines *sources; int source_count;
  char **ptx_rows; int ptx_func, ptx_count;
  double *margin; uint8_t *margin_known; int margin_of, margin_file, margin_lines;
  SesBar *bar; int bar_columns;
  // Comparison.
  Difference difference; bool difference_made;
  // Waves.
  WaveChart chart; bool chart_made, chart_has_registers;
  Registers *registers;
} SesImpl;

static inline SesImpl *ses_impl(Session *session) { return session->impl; }
static inline const TraceInfo *ses_info(const Session *session) { return &session->run->info; }

// session.c
void ses_want(Session *session, RunRequest *request, bool is_other);   // takes the contents of request
void ses_want_changed(Session *session, RunRequest *request, bool is_other);   // the same where the grid may have changed

// session_go.c: navigation
void ses_go(Session *session, uint64_t step);
bool ses_event_at(Session *session, uint64_t step, TraceEvent *event);
const TraceBlock *ses_block(Session *session);               // of the cursor
bool ses_search(Session *session, uint64_t start, int dir, const TraceQuery *query, uint64_t *found);
bool ses_go_event(Session *session, const Command *command);
bool ses_go_line(Session *session, const Command *command);
bool ses_go_warp_event(Session *session, const Command *command);
bool ses_go_interest(Session *session, const Command *command);
bool ses_go_mark(Session *session, const Command *command);
bool ses_goto(Session *session, const Command *command);
bool ses_goto_line(Session *session, const Command *command);
bool ses_set_warp(Session *session, const Command *command);
bool ses_set_block(Session *session, const Command *command);
bool ses_set_lane(Session *session, const Command *command);
bool ses_record_block(Session *session, uint32_t block);     // by a new run, together with the present one
void ses_update_focus(Session *session);

// session_place.c: keeping a place from run to run
void ses_place_save(Session *session, Place *place);
uint64_t ses_place_find(Session *session, const Place *place);
void ses_index_clear(VisitIndex *index);

// session_find.c: finding, the ':' line, who wrote this
bool ses_find_next(Session *session, int dir);
bool ses_line_command(Session *session, const char *text);
bool ses_writer(Session *session, const Command *command);

// session_list.c: faults and printed lines as places to go to
void ses_say_faults(Session *session);                       // if there are any that no recorded step shows
void ses_list_arrive(Session *session);                      // after a run that was wanted for one of them

// session_params.c: changing what is run
bool ses_set_param(Session *session, const Command *command);
bool ses_set_line(Session *session, const char *rest);                 // "N=128", after `:set`

// session_keys.c, session_mouse.c: keys and the mouse
bool ses_move(Session *session, const Command *command);
bool ses_click(Session *session, AppKey mouse);

// session_waves.c
void ses_waves_clear(Session *session);

// session_panes.c
void ses_panes_clear(Session *session);
void ses_split_sources(Session *session);                              // fills impl->sources, once

// scene.c, scene_code.c, scene_vars.c, scene_arrays.c, scene_words.c
void scene_clear(Session *session);
void scene_event_words(Session *session);
void scene_picture_words(Session *session);
void scene_prepare_code(Session *session);
int scene_lined_pc(Session *session, int warp, uint64_t step);   // the warp's last instruction that has a line; -1
bool scene_seek(Session *session, uint64_t step, SimReplay **replay);   // as of the shown warp
bool scene_seek_warp(Session *session, uint64_t step, int warp, SimReplay **replay);
void scene_vars(Session *session);
void scene_arrays(Session *session);
void scene_type_objects(Session *session);
void scene_values(Session *session, const TraceEvent *event, SimReplay *replay, uint64_t *value, uint64_t *result, bool *has);

#endif
