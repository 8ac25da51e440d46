// focus.h: the pictures that the focus pane can show.
#ifndef LS_APP_FOCUS_H
#define LS_APP_FOCUS_H

typedef enum FocusKind {
  FOCUS_SEGMENTS, FOCUS_BANKS, FOCUS_SHUFFLE, FOCUS_DIVERGENCE, FOCUS_BARRIER, FOCUS_ATOMICS, FOCUS_TEXTURE, FOCUS_GEOMETRY,
  FOCUS_WAVES,
  FOCUS_COUNT
} FocusKind;
const char *focus_name(FocusKind kind);       // "segments", as in export --view
const char *focus_title(FocusKind kind);      // "global memory"

#endif
