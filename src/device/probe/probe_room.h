// probe_room.h: room for records on the device: chunks, each of one lane (probe_layout.h).
//
// To have asked nobody where a record goes is what makes records cheap. An atomic for each, on one number for the whole
// grid, is what they took before; and where a loop has one, the assembler thinks that somebody waits there
// (probe_inline.h).
#ifndef LS_DEVICE_PROBE_ROOM_H
#define LS_DEVICE_PROBE_ROOM_H

#include "device/probe/probe_put.h"

// Neighboring sites of a segment, for whose records in their small forms there is room or none.
typedef struct ProbeRoom { int units, events; } ProbeRoom;

int probe_line_bits(const Probe *probe);       // so many lanes side by side, see PROBE_EVEN
// Of a record of a full warp that is as it probably is (ProbeKind).
int probe_small_units(const Probe *probe, const ProbeSite *site);
bool probe_is_grouped(const ProbeSite *site);
// Does a group begin with this site? Fills in *room of the one that it is in.
bool probe_begins_group(const Probe *probe, int site, ProbeRoom *room);

// How large chunks are.
void probe_size_chunks(Probe *probe);
uint64_t probe_recorded_warps(const Probe *probe);   // of the blocks that may be
uint64_t probe_cursors(const Probe *probe);          // how many there are
// The function that takes the next chunk, where lanes have one from the start.
void probe_put_chunk_function(const Probe *probe, LsText *out);
// Around calls, and before a function ends: where the lane goes on to write.
void probe_keep_cursor(const Probe *probe, LsText *out);
void probe_take_cursor(const Probe *probe, LsText *out);
// The start of a function that records.
void probe_start_room(const Probe *probe, int func, LsText *out);
// Room for `units`, a number or register, for the lane with the predicate `first` of those in the register `lanes`, or
// its %lanescope_end is 0 and so many events are lost. Changes %lanescope_p, _q, _d and _to.
void probe_put_room(const Probe *probe, const char *first, const char *lanes, const char *units, int events,
                    const char *label, LsText *out);
// The same for a group, and %lanescope_tells.
void probe_put_group_room(const Probe *probe, int site, const ProbeRoom *room, LsText *out);

#endif
