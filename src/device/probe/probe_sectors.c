// probe_sectors.c: sectors of global memory that the lanes of a loop look at, and the bytes of them.
//
// Addresses mostly go up from lane to lane. Then those that are the same are neighbors: a lane begins a sector, or a
// place, if the lane before it is in another one, and adds one to a number of its own (HELD_EACH). Nobody has to count
// lanes, and nothing goes out to memory before the kernel ends. Where addresses go down somewhere, a function looks at
// all of them, and the first lane adds what it finds.
#include "device/probe/probe_sectors.h"
#include "device/probe/probe_held.h"
#include "device/probe/probe_put.h"

bool probe_looks_at_sectors(const Probe *probe, const ProbeGroup *g) {
  bool global = g->kind == GROUP_ACCESS && g->space == PTX_GLOBAL && g->what != PROBE_ATOM && !g->affine;
  return global && !g->part && g->late != LATE_ROUNDS && probe->module->code[g->first_pc].guard < 0;
}

// %lanescope_v: the address of the lane before this one, in %lanescope_x its own. The first lane has no such lane. The
// assembler puts a look whether all are there before whatever names its lanes by a register: it takes longer than this.
static void take_neighbor(int label, LsText *out) {
  ls_text_addf(out,
               "mov.b64 {%%lanescope_b, %%lanescope_g}, %%lanescope_x;\n"
               "@!%%lanescope_all bra $lanescope_some_%d;\n"
               "shfl.sync.up.b32 %%lanescope_b, %%lanescope_b, 1, 0, -1;\n"
               "shfl.sync.up.b32 %%lanescope_g, %%lanescope_g, 1, 0, -1;\n"
               "bra.uni $lanescope_beside_%d;\n$lanescope_some_%d:\n", label, label, label);
  ls_text_addf(out,
               "and.b32 %%lanescope_a, %%lanescope_m, %%lanescope_lt;\n"
               "selp.b32 %%lanescope_a, %%lanescope_m, %%lanescope_a, %%lanescope_lead;\n"
               "bfind.u32 %%lanescope_a, %%lanescope_a;\n"
               "shfl.sync.idx.b32 %%lanescope_b, %%lanescope_b, %%lanescope_a, 31, %%lanescope_m;\n"
               "shfl.sync.idx.b32 %%lanescope_g, %%lanescope_g, %%lanescope_a, 31, %%lanescope_m;\n"
               "$lanescope_beside_%d:\n"
               "mov.b64 %%lanescope_v, {%%lanescope_b, %%lanescope_g};\n"
               "selp.b64 %%lanescope_v, %%lanescope_x, %%lanescope_v, %%lanescope_lead;\n", label);
}

// Goes to the label if addresses go down somewhere: not all lanes find theirs to go up.
static void leave_if_falling(int label, LsText *out) {
  ls_text_addf(out,
               "setp.gt.u64 %%lanescope_p, %%lanescope_v, %%lanescope_x;\n"
               "mov.u32 %%lanescope_a, 0;\n@!%%lanescope_p activemask.b32 %%lanescope_a;\n"
               "xor.b32 %%lanescope_a, %%lanescope_a, %%lanescope_m;\nsetp.ne.u32 %%lanescope_p, %%lanescope_a, 0;\n"
               "@%%lanescope_p bra $lanescope_falls_%d;\n", label);
}

// Each lane that begins something.
static void count_beginnings(const Probe *probe, const ProbeGroup *g, const char *times, LsText *out) {
  ls_text_add(out, "xor.b64 %lanescope_v, %lanescope_v, %lanescope_x;\n"
                   "setp.ge.or.u64 %lanescope_q, %lanescope_v, 32, %lanescope_lead;\n");
  probe_put_held(probe, "%lanescope_q", g->slot + PROBE_FIRST, times, out);
  ls_text_add(out, "setp.ne.or.b64 %lanescope_q, %lanescope_v, 0, %lanescope_lead;\n");
  probe_put_held(probe, "%lanescope_q", g->slot + PROBE_SECOND, times, out);
}

// The first lane, for all of them: sectors below, places above.
static void count_at_once(const Probe *probe, const ProbeGroup *g, const char *times, LsText *out) {
  const ProbeArgument args[] = {WORD("%lanescope_m"), LONG("%lanescope_x")};
  probe_put_call_for(out, "lanescope_probe_sectors_and_places", args, LS_COUNT(args), "%lanescope_b");
  ls_text_addf(out, "bar.warp.sync %%lanescope_m;\nand.b32 %%lanescope_a, %%lanescope_b, 0xffff;\n"
                    "mul.lo.u32 %%lanescope_a, %%lanescope_a, %s;\n", times);
  probe_put_held(probe, "%lanescope_lead", g->slot + PROBE_FIRST, "%lanescope_a", out);
  ls_text_addf(out, "shr.u32 %%lanescope_a, %%lanescope_b, 16;\n"
                    "mul.lo.u32 %%lanescope_a, %%lanescope_a, %s;\n", times);
  probe_put_held(probe, "%lanescope_lead", g->slot + PROBE_SECOND, "%lanescope_a", out);
}

void probe_put_sectors(const Probe *probe, const ProbeGroup *g, int label, const char *times, LsText *out) {
  probe_put_address(probe, &probe->module->code[g->first_pc], g->address, "%lanescope_x", out);
  take_neighbor(label, out);
  leave_if_falling(label, out);
  count_beginnings(probe, g, times, out);
  ls_text_addf(out, "bra.uni $lanescope_seen_%d;\n$lanescope_falls_%d:\n", label, label);
  count_at_once(probe, g, times, out);
  ls_text_addf(out, "$lanescope_seen_%d:\n", label);
}
