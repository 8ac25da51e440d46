// probe_room.c: the PTX that finds room for records: the chunk of the lane that writes, and the next one.
//
// %lanescope_at and %lanescope_end, units, are of the lane's own chunk, 0 if it has none. %lanescope_chunk is how large
// the next one is to be. %lanescope_tells: is this the first lane of the segment, and is there room for its group of
// records?
#include "device/probe/probe_room.h"

#include <stdio.h>

#include "device/probe/probe_numbers.h"

enum { GROUP_UNITS = 16 };   // of the small forms of its records, for which there is room at once
enum { MOST_OWN_UNITS = 128 };

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

void probe_start_room(const Probe *probe, int func, LsText *out) {
  ls_text_addf(out, "mov.u32 %%lanescope_at, 0;\nmov.u32 %%lanescope_end, 0;\nmov.u32 %%lanescope_chunk, %d;\n"
                    "mov.u32 %%lanescope_line, %%laneid;\nand.b32 %%lanescope_column, %%lanescope_line, %d;\n"
                    "shr.u32 %%lanescope_line, %%lanescope_line, %d;\n",
               PROBE_LEAST_UNITS, (1 << probe_line_bits(probe)) - 1, probe_line_bits(probe));
  if (func != probe->entry) return;
  ls_text_add(out, scratch);
  probe_put_block(probe, "%lanescope_rb", "%lanescope_ru", "%lanescope_rv", out);
  probe_put_warp(probe, "%lanescope_rw", "%lanescope_ru", "%lanescope_rv", out);
  load("%lanescope_rt", offsetof(ProbeContext, first_block), out);
  ls_text_addf(out, "cvt.u64.u32 %%lanescope_rx, %%lanescope_rb;\n"
                    "sub.u64 %%lanescope_rx, %%lanescope_rx, %%lanescope_rt;\n"
                    "cvt.u64.u32 %%lanescope_rt, %%lanescope_rw;\n"
                    "mad.lo.u64 %%lanescope_rx, %%lanescope_rx, %u, %%lanescope_rt;\n", launch_warps(probe->launch));
  load("%lanescope_rt", offsetof(ProbeContext, own_chunks), out);
  ls_text_addf(out, "setp.eq.u32 %%lanescope_rp, %%lanescope_lt, 0;\n"
                    "setp.lt.and.u64 %%lanescope_rp, %%lanescope_rx, %%lanescope_rt, %%lanescope_rp;\n"
                    "mul.lo.u64 %%lanescope_rx, %%lanescope_rx, %d;\nmov.u32 %%lanescope_ry, %d;\n",
               probe->own_units, probe->own_units);
  put_chunk_head(probe, "%lanescope_rp", out);
  ls_text_addf(out, "cvt.u32.u64 %%lanescope_ru, %%lanescope_rx;\n"
                    "@%%lanescope_rp add.u32 %%lanescope_at, %%lanescope_ru, 1;\n"
                    "@%%lanescope_rp add.u32 %%lanescope_end, %%lanescope_ru, %d;\n"
                    "@%%lanescope_rp mov.u32 %%lanescope_chunk, %d;\n}\n", probe->own_units, probe->next_units);
}

// ---- the next chunk ------------------------------------------------------------------------------------------------

// The lane of %lanescope_p takes one with room for %lanescope_ry units. %lanescope_q: it got it; else events are lost.
static void put_next_chunk(const Probe *probe, int events, LsText *out) {
  ls_text_add(out, "add.u32 %lanescope_ry, %lanescope_ry, 1;\nmax.u32 %lanescope_ry, %lanescope_ry, %lanescope_chunk;\n"
                   "cvt.u64.u32 %lanescope_rt, %lanescope_ry;\n");
  load("%lanescope_d", offsetof(ProbeContext, head), out);
  ls_text_add(out, "@%lanescope_p atom.global.add.u64 %lanescope_rx, [%lanescope_d], %lanescope_rt;\n");
  load("%lanescope_d", offsetof(ProbeContext, pool), out);
  ls_text_add(out, "add.u64 %lanescope_rx, %lanescope_rx, %lanescope_d;\n"
                   "add.u64 %lanescope_rt, %lanescope_rx, %lanescope_rt;\n");
  load("%lanescope_d", offsetof(ProbeContext, record_units), out);
  ls_text_add(out, "setp.le.and.u64 %lanescope_q, %lanescope_rt, %lanescope_d, %lanescope_p;\n"
                   "setp.gt.and.u64 %lanescope_rp, %lanescope_rt, %lanescope_d, %lanescope_p;\n");
  load("%lanescope_d", offsetof(ProbeContext, head), out);
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

void probe_put_room(const Probe *probe, const char *first, const char *lanes, const char *units, int events,
                    const char *label, LsText *out) {
  ls_text_addf(out, "add.u32 %%lanescope_to, %%lanescope_at, %s;\n"
                    "setp.gt.and.u32 %%lanescope_p, %%lanescope_to, %%lanescope_end, %s;\n"
                    "vote.sync.any.pred %%lanescope_q, %%lanescope_p, %s;\n"
                    "@!%%lanescope_q bra %s;\n", units, first, lanes, label);
  ls_text_addf(out, "%smov.u32 %%lanescope_ry, %s;\n", scratch, units);
  put_next_chunk(probe, events, out);
  ls_text_addf(out, "@%%lanescope_rp mov.u32 %%lanescope_end, 0;\n}\n%s:\n", label);
}

void probe_put_group_room(const Probe *probe, int site, const ProbeRoom *room, LsText *out) {
  char label[32], units[16];
  snprintf(label, sizeof label, "$lanescope_room_%d", site);
  snprintf(units, sizeof units, "%d", room->units);
  probe_put_room(probe, "%lanescope_lead", "%lanescope_m", units, room->events, label, out);
  ls_text_add(out, "setp.ne.and.u32 %lanescope_tells, %lanescope_end, 0, %lanescope_lead;\n");
}
