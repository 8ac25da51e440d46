// probe_inline.h: functions of the runtime, written out where they are called.
//
// A block that is recorded takes room for its records with an atomic that has a result. Where lanes have parted, the assembler
// looks at a loop with such an atomic, if a call may follow, as at one that waits for other lanes: it begins it with a YIELD,
// and these others go on, who should have been joined (see probe.cu). Code without calls is spared that.
#ifndef LS_DEVICE_PROBE_INLINE_H
#define LS_DEVICE_PROBE_INLINE_H

#include "device/probe/probe_impl.h"

// Adds the text to *out, with calls of functions that call nobody themselves replaced by their bodies. place: a word for
// their labels, unlike that of any other text.
void probe_inline(const char *text, const char *place, LsText *out);

#endif
