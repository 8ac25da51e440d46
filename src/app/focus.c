// focus.c: names of the pictures in the focus pane.
#include "app/focus.h"

static const struct { const char *name, *title; } focuses[FOCUS_COUNT] = {
    [FOCUS_SEGMENTS] = {"segments", "global memory"},
    [FOCUS_BANKS] = {"banks", "shared banks"},
    [FOCUS_SHUFFLE] = {"shuffle", "shuffle and vote"},
    [FOCUS_DIVERGENCE] = {"divergence", "divergence"},
    [FOCUS_BARRIER] = {"barrier", "barrier"},
    [FOCUS_ATOMICS] = {"atomics", "atomics"},
    [FOCUS_TEXTURE] = {"texture", "texture"},
    [FOCUS_GEOMETRY] = {"geometry", "geometry"},
    [FOCUS_WAVES] = {"waves", "waves"},
};

const char *focus_name(FocusKind kind) { return (int)kind >= 0 && kind < FOCUS_COUNT ? focuses[kind].name : ""; }
const char *focus_title(FocusKind kind) { return (int)kind >= 0 && kind < FOCUS_COUNT ? focuses[kind].title : ""; }
