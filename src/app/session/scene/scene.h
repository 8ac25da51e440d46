// scene.h: the state at the cursor, gathered once per step. Views read it; ses_scene makes it.
#ifndef LS_APP_SCENE_H
#define LS_APP_SCENE_H

#include "model/model.h"
#include "ptx/debuginfo.h"
#include "trace/trace.h"

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
  // Lanes of the event, and of what the focus pane explains, that are outside of their array: their bytes are not used.
  Bounds bounds, focus_bounds;
  TraceWarp warps[32]; int warp_count;
  int file, line;                    // of the event; line 0: unknown
  int warp_line[32];                 // last line of every warp; 0
  SceneVar *vars; int var_count;     // of the session's warp
  bool values_pending;               // values are on their way: ses_tick brings them
  bool values_known; char why_not[256];   // whether variables can be shown at all
  char astray[256];                  // why nothing of the emulator can stand for the values of this run here; "": it can
  SceneArray *arrays; int array_count;
  CounterSet so_far; bool so_far_known;   // unknown for a while in a long saved trace: ses_tick works on it
  char sentence[1024];               // of the event
  // Of the picture in the focus pane, "" where that is the event's; picture_earlier: it is about something else than the event.
  char picture[1024]; bool picture_earlier;
} Scene;

#endif
