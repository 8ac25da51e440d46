// probe_room.c: the PTX that finds room for records: the chunk of the lane that writes, and the next one.
//
// The atomic that takes a chunk is what keeps lanes apart: in code with calls the assembler begins a loop or a function
// that has one with a YIELD, and where lanes come by one, others go on that wait for them behind the branch at which
// they parted. So where warps are few and there are calls each lane has a chunk from the start, the atomic is in a
// function that is called where that is full, and functions go on in the chunk of their callers (ProbeCursor).
//
// %lanescope_at and %lanescope_end, units, are of the lane's own chunk, 0 if it has none. %lanescope_chunk is how large
// the next one is to be. %lanescope_tells: is this the first lane of the segment, and is there room for its group of
// records?
#include "device/probe/probe_room.h"

#include <stdio.h>

#include "device/probe/probe_numbers.h"

enum { GROUP_UNITS = 16 };   // of the small forms of its records, for which there is room at once
enum { MOST_OWN_UNITS = 128 };
enum { WARP = 32, ENOUGH_UNITS = 32, MOST_LANE_UNITS = 256, LANE_ROOM = 1 << 20 };   // of a lane, and of all lanes

// ---- groups of records ---------------------------------------------------------------------------------------------

int probe_small_units(const Probe *probe, const ProbeSite *site) {
  ProbeNumbers n = probe_numbers(probe, site);
  int units = 1 + n.asks;
  if (probe_has_shape(site)) return PROBE_PART_UNITS;
  for (int i = 0; i < n.count; i++)
    units += n.kind[i] == NUMBERS_NARROW ? PROBE_NARROW_UNITS : n.kind[i] < NUMBERS_SHUFFLED;
  return units;
}

// Sites of a segment for whose records there is room at once, from `first` on.
static int group_end(const Probe *probe, const ProbeSegment *s, int first, int *units) {
  int i = first;
  for (*units = 0; i < s->site + s->site_count; i++) {
    int more = probe_is_grouped(&probe->sites[i]) ? probe_small_units(probe, &probe->sites[i]) : 0;
    if (i > first && *units + more > GROUP_UNITS) break;
    *units += more;
  }
  return i;
}

// An operation between lanes may bring others to its lanes, and then somebody else writes.
bool probe_is_grouped(const ProbeSite *site) { return site->kind != SITE_LANES; }

bool probe_begins_group(const Probe *probe, int site, ProbeRoom *room) {
  const ProbeSegment *s = &probe->segments[probe->sites[site].segment];
  int first = s->site, end, units;
  while ((end = group_end(probe, s, first, &units)) <= site) first = end;
  *room = (ProbeRoom){.units = units};
  for (int i = first; i < end; i++)
    if (probe_is_grouped(&probe->sites[i])) room->events += probe_events_of(probe, &probe->sites[i]);
  return first == site && units > 0;
}

// ---- how much ------------------------------------------------------------------------------------------------------

// For a full warp that comes once to every site of the entry: its records, and the room that is asked for before each
// group of them.
static int units_of_all(const Probe *probe) {
  int units = 1, most = 1;
  ProbeRoom room;
  for (int i = 0; i < probe->site_count; i++) {
    const ProbeSite *site = &probe->sites[i];
    if (probe->module->code[site->pc].func != probe->entry) continue;
    if (probe_begins_group(probe, i, &room)) most = LS_MAX(most, units + room.units);
    units += probe_has_shape(site) ? 1 : probe_small_units(probe, site);
    most = LS_MAX(most, units);
  }
  return most;
}

static bool has_rounds(const Probe *probe) {
  const PtxModule *m = probe->module;
  for (int pc = 0; pc < m->code_count; pc++) {
    const PtxOperand *o = m->code[pc].operands;
    bool jumps = m->code[pc].op == PTX_OP_bra && o->kind == PTX_OPD_LABEL && o->target <= pc;
    if (probe->segment_of[pc] >= 0 && (jumps || probe_is_inner_call(probe, &m->code[pc]))) return true;
  }
  return false;
}

uint64_t probe_recorded_warps(const Probe *probe) {
  uint64_t blocks = probe->record == PROBE_RECORD_SOME ? probe->block_bits : probe->blocks;
  return blocks * launch_warps(probe->launch);
}

// Before their sizes are known: the most that there may be.
static bool may_own_lanes(const Probe *probe) {
  return probe->calls_left && probe->record != PROBE_RECORD_NONE &&
         probe_recorded_warps(probe) * WARP * PROBE_LEAST_UNITS <= LANE_ROOM;
}

static bool has_functions(const Probe *probe) {
  bool calls = false;
  for (int f = 0; f < probe->module->func_count; f++) {
    if (!probe->reached[f]) continue;
    if (ptx_calls_itself(probe->module, f)) return false;   // the fewer registers, the smaller its frames
    calls |= f != probe->entry;
  }
  return calls;
}

uint64_t probe_cursors(const Probe *probe) {
  return may_own_lanes(probe) && has_functions(probe) ? probe_recorded_warps(probe) * WARP : 0;
}

// Each lane has one if all of them can have enough.
static bool size_for_lanes(Probe *probe, int needed) {
  uint64_t lanes = probe_recorded_warps(probe) * WARP, room = LS_MIN(probe->record_units / 4, LANE_ROOM);
  int units = MOST_LANE_UNITS;
  while (units > PROBE_LEAST_UNITS && (uint64_t)units * lanes > room) units /= 2;
  if (!may_own_lanes(probe) || (uint64_t)units * lanes > room || units < LS_MIN(needed, ENOUGH_UNITS))
    return false;
  probe->own_units = units;
  probe->own_lanes = WARP;
  return true;
}

// An atomic on the pool's cursor takes an H200 1.7 ns, whichever warp does it: where there is memory, warps have from
// the start what they will probably need, and take much at once then.
void probe_size_chunks(Probe *probe) {
  uint64_t warps = probe->blocks * launch_warps(probe->launch), share = probe->record_units / 4 / warps;
  int needed = has_rounds(probe) ? MOST_OWN_UNITS : (units_of_all(probe) + 3) / 4 * 4;
  int most = (int)LS_MIN((uint64_t)LS_MIN(needed, MOST_OWN_UNITS), share);
  bool has_room = needed <= most;
  probe->own_units = has_room ? LS_MAX(needed, PROBE_LEAST_UNITS) : PROBE_LEAST_UNITS;
  probe->next_units = 2 * PROBE_LEAST_UNITS;
  while (probe->next_units * 2 <= most) probe->next_units *= 2;
  probe->own_lanes = 1;
  probe->has_cursors &= size_for_lanes(probe, probe->own_units);
}

// ---- where it is ---------------------------------------------------------------------------------------------------

static void load(const char *to, size_t member, LsText *out) {
  ls_text_addf(out, "ld.const.u64 %s, [%s+%d];\n", to, PROBE_CONTEXT, (int)member);
}

int probe_line_bits(const Probe *probe) {
  uint32_t side = probe->launch->block[0];
  return side < 16 && !(side & (side - 1)) ? __builtin_ctz(side) : 4;
}

// Of the chunk at unit %lanescope_rx, of %lanescope_ry units, if the predicate holds.
static void put_chunk_head(const Probe *probe, const char *predicate, LsText *out) {
  probe_put_block(probe, "%lanescope_rb", "%lanescope_ru", "%lanescope_rv", out);
  probe_put_warp(probe, "%lanescope_rw", "%lanescope_ru", "%lanescope_rv", out);
  ls_text_add(out, "shl.b32 %lanescope_rw, %lanescope_rw, 16;\nor.b32 %lanescope_rw, %lanescope_rw, %lanescope_ry;\n"
                   "mov.u64 %lanescope_rt, %clock64;\nmov.b64 {%lanescope_ru, %lanescope_rv}, %lanescope_rt;\n");
  load("%lanescope_rt", offsetof(ProbeContext, records), out);
  ls_text_addf(out, "mad.lo.u64 %%lanescope_rt, %%lanescope_rx, %d, %%lanescope_rt;\n"
                    "@%s st.global.v4.b32 [%%lanescope_rt],"
                    " {%%lanescope_rw, %%lanescope_rb, %%lanescope_ru, %%lanescope_rv};\n",
               PROBE_UNIT, predicate);
}

static const char scratch[] =
    "{\n.reg .b32 %lanescope_rb, %lanescope_rw, %lanescope_ru, %lanescope_rv, %lanescope_ry;\n"
    ".reg .b64 %lanescope_rx, %lanescope_rt;\n.reg .pred %lanescope_rp;\n";

// The number of the warp among those of the recorded blocks, or of the lane among theirs, in %lanescope_rx; the block's
// stays in %lanescope_rb.
static void put_owner(const Probe *probe, LsText *out) {
  probe_put_block(probe, "%lanescope_rb", "%lanescope_ru", "%lanescope_rv", out);
  probe_put_warp(probe, "%lanescope_rw", "%lanescope_ru", "%lanescope_rv", out);
  load("%lanescope_rt", offsetof(ProbeContext, first_block), out);
  ls_text_addf(out, "cvt.u64.u32 %%lanescope_rx, %%lanescope_rb;\n"
                    "sub.u64 %%lanescope_rx, %%lanescope_rx, %%lanescope_rt;\n"
                    "cvt.u64.u32 %%lanescope_rt, %%lanescope_rw;\n"
                    "mad.lo.u64 %%lanescope_rx, %%lanescope_rx, %u, %%lanescope_rt;\n", launch_warps(probe->launch));
  if (probe->own_lanes > 1)
    ls_text_addf(out, "mov.u32 %%lanescope_ru, %%laneid;\ncvt.u64.u32 %%lanescope_rt, %%lanescope_ru;\n"
                      "mad.lo.u64 %%lanescope_rx, %%lanescope_rx, %d, %%lanescope_rt;\n", probe->own_lanes);
  if (!probe->has_cursors) return;
  load("%lanescope_cursor", offsetof(ProbeContext, cursors), out);
  ls_text_addf(out, "mad.lo.u64 %%lanescope_cursor, %%lanescope_rx, %d, %%lanescope_cursor;\n",
               (int)sizeof(ProbeCursor));
}

static void start_called(const Probe *probe, LsText *out) {
  if (!probe->has_cursors) return;
  ls_text_add(out, scratch);
  put_owner(probe, out);
  ls_text_add(out, "}\n");
  probe_take_cursor(probe, out);
}

void probe_keep_cursor(const Probe *probe, LsText *out) {
  if (!probe->has_cursors) return;
  ls_text_add(out, "st.global.v4.b32 [%lanescope_cursor],"
                   " {%lanescope_at, %lanescope_end, %lanescope_chunk, %lanescope_chunk};\n");
}

void probe_take_cursor(const Probe *probe, LsText *out) {
  if (!probe->has_cursors) return;
  ls_text_add(out, "ld.global.v4.b32 {%lanescope_at, %lanescope_end, %lanescope_chunk, _}, [%lanescope_cursor];\n");
}

void probe_start_room(const Probe *probe, int func, LsText *out) {
  ls_text_addf(out, "mov.u32 %%lanescope_at, 0;\nmov.u32 %%lanescope_end, 0;\nmov.u32 %%lanescope_chunk, %d;\n"
                    "mov.u32 %%lanescope_line, %%laneid;\nand.b32 %%lanescope_column, %%lanescope_line, %d;\n"
                    "shr.u32 %%lanescope_line, %%lanescope_line, %d;\n",
               PROBE_LEAST_UNITS, (1 << probe_line_bits(probe)) - 1, probe_line_bits(probe));
  if (func != probe->entry) {
    start_called(probe, out);
    return;
  }
  ls_text_add(out, scratch);
  put_owner(probe, out);
  load("%lanescope_rt", offsetof(ProbeContext, own_chunks), out);
  ls_text_add(out, "setp.lt.u64 %lanescope_rp, %lanescope_rx, %lanescope_rt;\n");
  if (probe->own_lanes == 1) ls_text_add(out, "setp.eq.and.u32 %lanescope_rp, %lanescope_lt, 0, %lanescope_rp;\n");
  ls_text_addf(out, "mul.lo.u64 %%lanescope_rx, %%lanescope_rx, %d;\nmov.u32 %%lanescope_ry, %d;\n",
               probe->own_units, probe->own_units);
  put_chunk_head(probe, "%lanescope_rp", out);
  ls_text_addf(out, "cvt.u32.u64 %%lanescope_ru, %%lanescope_rx;\n"
                    "@%%lanescope_rp add.u32 %%lanescope_at, %%lanescope_ru, 1;\n"
                    "@%%lanescope_rp add.u32 %%lanescope_end, %%lanescope_ru, %d;\n"
                    "@%%lanescope_rp mov.u32 %%lanescope_chunk, %d;\n}\n", probe->own_units, probe->next_units);
}

// ---- the next chunk ------------------------------------------------------------------------------------------------

// The lane of %lanescope_p takes %lanescope_rt units: from %lanescope_rx to the new %lanescope_rt. %lanescope_q: it got
// them; %lanescope_rp: it did not. %lanescope_d: the head.
static void put_taking(LsText *out) {
  load("%lanescope_d", offsetof(ProbeContext, head), out);
  ls_text_add(out, "@%lanescope_p atom.global.add.u64 %lanescope_rx, [%lanescope_d], %lanescope_rt;\n");
  load("%lanescope_d", offsetof(ProbeContext, pool), out);
  ls_text_add(out, "add.u64 %lanescope_rx, %lanescope_rx, %lanescope_d;\n"
                   "add.u64 %lanescope_rt, %lanescope_rx, %lanescope_rt;\n");
  load("%lanescope_d", offsetof(ProbeContext, record_units), out);
  ls_text_add(out, "setp.le.and.u64 %lanescope_q, %lanescope_rt, %lanescope_d, %lanescope_p;\n"
                   "setp.gt.and.u64 %lanescope_rp, %lanescope_rt, %lanescope_d, %lanescope_p;\n");
  load("%lanescope_d", offsetof(ProbeContext, head), out);
}

// One with room for %lanescope_ry units. %lanescope_q: it got it; else events are lost.
static void put_next_chunk(const Probe *probe, int events, LsText *out) {
  ls_text_add(out, "add.u32 %lanescope_ry, %lanescope_ry, 1;\nmax.u32 %lanescope_ry, %lanescope_ry, %lanescope_chunk;\n"
                   "cvt.u64.u32 %lanescope_rt, %lanescope_ry;\n");
  put_taking(out);
  ls_text_addf(out, "@%%lanescope_rp red.global.add.u64 [%%lanescope_d+%d], %d;\n"
                    "@%%lanescope_rp mov.u32 %%lanescope_chunk, 0;\n"
                    "@%%lanescope_q cvt.u32.u64 %%lanescope_end, %%lanescope_rt;\n"
                    "@%%lanescope_q shl.b32 %%lanescope_chunk, %%lanescope_ry, 1;\n"
                    "@%%lanescope_q min.u32 %%lanescope_chunk, %%lanescope_chunk, %d;\n"
                    "cvt.u32.u64 %%lanescope_ru, %%lanescope_rx;\n"
                    "@%%lanescope_q add.u32 %%lanescope_at, %%lanescope_ru, 1;\n",
               (int)offsetof(ProbeHead, lost), events, PROBE_MOST_UNITS);
  put_chunk_head(probe, "%lanescope_q", out);
}

static const char chunk_name[] = "lanescope_probe_chunk";

// Its units and its events; whose wants is not zero gets one: its place and end, or 0.
void probe_put_chunk_function(const Probe *probe, LsText *out) {
  if (probe->record == PROBE_RECORD_NONE || probe->own_lanes == 1) return;
  ls_text_addf(out, ".func (.param .b64 lanescope_got) %s(.param .b32 lanescope_units, .param .b32 lanescope_wants,"
                    " .param .b32 lanescope_events)\n{\n%s", chunk_name, scratch + 2);
  ls_text_add(out, ".reg .pred %lanescope_p, %lanescope_q;\n.reg .b32 %lanescope_re;\n"
                   ".reg .b64 %lanescope_d, %lanescope_rn;\nld.param.b32 %lanescope_ry, [lanescope_units];\n"
                   "ld.param.b32 %lanescope_ru, [lanescope_wants];\n"
                   "ld.param.b32 %lanescope_re, [lanescope_events];\n"
                   "setp.ne.u32 %lanescope_p, %lanescope_ru, 0;\nmov.u64 %lanescope_rx, 0;\nmov.u64 %lanescope_rn, 0;\n"
                   "cvt.u64.u32 %lanescope_rt, %lanescope_ry;\n");
  put_taking(out);
  ls_text_addf(out, "cvt.u64.u32 %%lanescope_rn, %%lanescope_re;\n"
                    "@%%lanescope_rp red.global.add.u64 [%%lanescope_d+%d], %%lanescope_rn;\n"
                    "cvt.u32.u64 %%lanescope_ru, %%lanescope_rx;\nadd.u32 %%lanescope_ru, %%lanescope_ru, 1;\n"
                    "cvt.u32.u64 %%lanescope_rv, %%lanescope_rt;\n"
                    "mov.b64 %%lanescope_rn, {%%lanescope_ru, %%lanescope_rv};\n"
                    "selp.b64 %%lanescope_rn, %%lanescope_rn, 0, %%lanescope_q;\n", (int)offsetof(ProbeHead, lost));
  put_chunk_head(probe, "%lanescope_q", out);
  ls_text_add(out, "st.param.b64 [lanescope_got], %lanescope_rn;\nret;\n}\n");
}

// The lane of %lanescope_p, of `lanes`, which all call.
static void call_for_chunk(const char *lanes, int events, LsText *out) {
  ls_text_addf(out, "add.u32 %%lanescope_ry, %%lanescope_ry, 1;\n"
                    "max.u32 %%lanescope_ry, %%lanescope_ry, %%lanescope_chunk;\nselp.u32 %%lanescope_ru, 1, 0, %%lanescope_p;\n"
                    "{\n.param .b64 lanescope_got;\n"
                    ".param .b32 lanescope_0;\nst.param.b32 [lanescope_0], %%lanescope_ry;\n"
                    ".param .b32 lanescope_1;\nst.param.b32 [lanescope_1], %%lanescope_ru;\n"
                    ".param .b32 lanescope_2;\nst.param.b32 [lanescope_2], %d;\n"
                    "call (lanescope_got), %s, (lanescope_0, lanescope_1, lanescope_2);\n"
                    "ld.param.b64 %%lanescope_rt, [lanescope_got];\n}\n", events, chunk_name);
  ls_text_addf(out, "bar.warp.sync %s;\nmov.b64 {%%lanescope_ru, %%lanescope_rv}, %%lanescope_rt;\n"
                    "setp.ne.and.u32 %%lanescope_q, %%lanescope_rv, 0, %%lanescope_p;\n"
                    "@%%lanescope_p mov.u32 %%lanescope_end, %%lanescope_rv;\n"
                    "@%%lanescope_p mov.u32 %%lanescope_chunk, 0;\n"
                    "@%%lanescope_q mov.u32 %%lanescope_at, %%lanescope_ru;\n"
                    "@%%lanescope_q shl.b32 %%lanescope_chunk, %%lanescope_ry, 1;\n"
                    "@%%lanescope_q min.u32 %%lanescope_chunk, %%lanescope_chunk, %d;\n}\n", lanes, PROBE_MOST_UNITS);
}

void probe_put_room(const Probe *probe, const char *first, const char *lanes, const char *units, int events,
                    const char *label, LsText *out) {
  ls_text_addf(out, "add.u32 %%lanescope_to, %%lanescope_at, %s;\n"
                    "setp.gt.and.u32 %%lanescope_p, %%lanescope_to, %%lanescope_end, %s;\n"
                    "vote.sync.any.pred %%lanescope_q, %%lanescope_p, %s;\n"
                    "@!%%lanescope_q bra %s;\n", units, first, lanes, label);
  ls_text_addf(out, "%smov.u32 %%lanescope_ry, %s;\n", scratch, units);
  if (probe->own_lanes > 1) {
    call_for_chunk(lanes, events, out);
  } else {
    put_next_chunk(probe, events, out);
    ls_text_add(out, "@%lanescope_rp mov.u32 %lanescope_end, 0;\n}\n");
  }
  ls_text_addf(out, "%s:\n", label);
}

void probe_put_group_room(const Probe *probe, int site, const ProbeRoom *room, LsText *out) {
  char label[32], units[16];
  snprintf(label, sizeof label, "$lanescope_room_%d", site);
  snprintf(units, sizeof units, "%d", room->units);
  probe_put_room(probe, "%lanescope_lead", "%lanescope_m", units, room->events, label, out);
  ls_text_add(out, "setp.ne.and.u32 %lanescope_tells, %lanescope_end, 0, %lanescope_lead;\n");
}
