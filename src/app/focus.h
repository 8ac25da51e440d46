// focus.h: the pictures that the focus pane can show, and which events each of them is for. The table is focus.def.
#ifndef LS_APP_FOCUS_H
#define LS_APP_FOCUS_H

#include "trace/trace.h"

typedef enum FocusKind {
#define FOCUS(ID, ...) FOCUS_##ID,
#include "app/focus.def"
  FOCUS_COUNT
} FocusKind;

// What a picture wants for the event at the cursor, in a pane of so many columns. Rows include the rule, and not the
// sentence below: least is still true, though parts are only counted; good shows what it is about; whole, everything.
// parts: what it unfolds into one after another while it is played (sectors, wavefronts, warps), at least 1.
typedef struct FocusRoom { int least, good, whole, parts; } FocusRoom;

const char *focus_name(FocusKind kind);       // "segments", as in export --view
const char *focus_title(FocusKind kind);      // "global memory"
int focus_variants(FocusKind kind);           // forms of the picture, at least one
// The picture that an event has of its own; false if it has none.
bool focus_of(const TraceEvent *event, FocusKind *kind);
// Whether a picture looks for such events, and whether it shows this one where the cursor stands on it.
bool focus_looks_for(FocusKind kind, const TraceEvent *event);
bool focus_shows(FocusKind kind, const TraceEvent *event);
// Bit sets of 1 << TraceKind: what a picture looks for; what the pane turns to by itself.
uint32_t focus_kinds(FocusKind kind);
uint32_t focus_all_kinds(void);

#endif
