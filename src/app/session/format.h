// format.h: values as the explorer writes them everywhere: no more digits than needed, 32 lanes in one line.
#ifndef LS_APP_FORMAT_H
#define LS_APP_FORMAT_H

#include "app/session/scene/scene.h"

// Formats a value of a type as the explorer does everywhere.
void ses_format_value(uint8_t kind, int size, uint64_t bits, bool hex, LsText *out);
// How the values of a variable over the lanes are told: not at all, one for all, a series, one by one.
typedef enum SesShape { SES_LANES_NONE, SES_LANES_SAME, SES_LANES_SERIES, SES_LANES_EACH } SesShape;
SesShape ses_lanes_shape(const SceneVar *var);
// "0 1 2 .. 31", "16", lane by lane: the line for a variable of a warp, no longer than width columns.
void ses_format_lanes(const SceneVar *var, bool hex, int width, LsText *out);

// "640 ns", "4.32 µs", "1.5 s": three digits.
void ses_format_ns(uint64_t ns, char *out, size_t size);

#endif
