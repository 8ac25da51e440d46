// test_model_bounds.c: which lanes of an access are outside of their array, and what is said of them.
#include "base/mem.h"
#include "check.h"
#include "model/bounds.h"
#include "model/sentence.h"

static const uint32_t ALL = 0xffffffffu;
static const uint64_t X = 0x7f0000000000;

static TraceObject objects[] = {
    {.name = "x", .space = TRACE_GLOBAL, .type = LAUNCH_F32, .base = 0x7f0000000000, .size = 400},
    {.name = "first", .space = TRACE_SHARED, .type = LAUNCH_F32, .base = 0, .size = 128},
    {.name = "second", .space = TRACE_SHARED, .type = LAUNCH_F32, .base = 128, .size = 128},
    {.name = "argument 2", .space = TRACE_GLOBAL, .type = LAUNCH_F64, .base = 0x7f0000100000, .size = 256},
    {.name = "locals", .space = TRACE_LOCAL, .type = LAUNCH_F32, .base = 0, .size = 128},
};
static TraceInfo info = {.objects = objects, .object_count = LS_COUNT(objects)};
static uint64_t addr[32];

static TraceEvent access_at(TraceKind kind, TraceSpace space, int pc, int width, uint64_t first, int64_t stride) {
  for (int i = 0; i < 32; i++) addr[i] = first + (uint64_t)(stride * i);
  return (TraceEvent){.step = 10, .kind = (uint8_t)kind, .space = (uint8_t)space, .pc = pc, .active = ALL, .mask = ALL,
                      .width = (uint8_t)width, .addr = addr, .fault = -1};
}

static TraceFault fault_at(TraceSpace space, int pc, int object, uint64_t at, int size) {
  return (TraceFault){.kind = FAULT_OUT_OF_BOUNDS, .space = (uint8_t)space, .pc = pc, .object = object, .addr = at,
                      .size = size,
                      .step = UINT64_MAX};
}

static void expect(const TraceFault *fault, const TraceEvent *e, uint32_t outside, bool refused, const char *sentence) {
  LsText out = {0};
  Bounds b = bounds_of(&info, fault, 1, e);
  CHECK_INT(b.outside, outside);
  CHECK_INT(b.refused, refused);
  sentence_of(&(SentenceAbout){.info = &info, .faults = fault, .fault_count = 1}, e, &out);
  if (sentence) CHECK_STR(ls_text_str(&out), sentence);
  ls_text_free(&out);
}

static void past_the_end(void) {
  TraceFault fault = fault_at(TRACE_GLOBAL, 3, 0, X + 400, 4);
  TraceEvent e = access_at(TRACE_LOAD, TRACE_GLOBAL, 3, 4, X + 384, 4);
  expect(&fault, &e, 0xfffffff0, true,
         "Lanes 4-31 read outside of x, which has 100 elements: x[100] to x[127]. The emulator ends the kernel here; a GPU may do "
         "so too, or go on with whatever is there. The other 4, lanes 0-3, are inside: x[96] to x[99].");
  e.mask = e.active = 1u << 3;    // the last one that is inside
  expect(&fault, &e, 0, false, "Lane 3 loads 4 bytes, x[99]: 1 line, 1 sector, 32 bytes move, 4 are used (12.5%).");
  e = access_at(TRACE_STORE, TRACE_GLOBAL, 3, 8, X + 396, 0);
  expect(&fault, &e, ALL, true,   // half of it is
         "All 32 lanes write outside of x, which has 100 elements: x[99]. The emulator ends the kernel here; a GPU may do so too, or "
         "go on with whatever is there.");
}

static void before_the_start(void) {
  TraceFault fault = fault_at(TRACE_GLOBAL, 3, 0, X - 4, 4);
  TraceEvent e = access_at(TRACE_ATOM, TRACE_GLOBAL, 3, 4, X - 4, 4);
  expect(&fault, &e, 1, true,
         "Lane 0 updates outside of x, which has 100 elements: x[-1]. The emulator ends the kernel here; a GPU may do so too, or go on "
         "with whatever is there. The other 31, lanes 1-31, are inside: x[0] to x[30].");
  fault = fault_at(TRACE_GLOBAL, 3, 3, objects[3].base - 8, 8);
  e = access_at(TRACE_LOAD, TRACE_GLOBAL, 3, 8, objects[3].base - 8, 8);
  e.mask = e.active = 3;
  expect(&fault, &e, 1, true,
         "Lane 0 reads outside of argument 2, which has 32 elements: element -1 of argument 2. The emulator ends the kernel here; a "
         "GPU may do so too, or go on with whatever is there. The other, lane 1, is inside: element 0 of argument 2.");
}

// Offsets in shared memory are 32 bits wide.
static void into_the_next_array(void) {
  TraceFault fault = fault_at(TRACE_SHARED, 5, 1, 128, 4);
  TraceEvent e = access_at(TRACE_LOAD, TRACE_SHARED, 5, 4, 64, 4);
  expect(&fault, &e, 0xffff0000, false,
         "Lanes 16-31 read outside of first, which has 32 elements: first[32] to first[47]. That is memory of something else: a device "
         "reads what is there without a word. The other 16, lanes 0-15, are inside: first[16] to first[31].");
  fault = fault_at(TRACE_SHARED, 5, 2, 124, 4);
  e = access_at(TRACE_STORE, TRACE_SHARED, 5, 4, 120, 4);
  expect(&fault, &e, 3, false,
         "Lanes 0 and 1 write outside of second, which has 32 elements: second[-2] to second[-1]. That is memory of something else: a "
         "device overwrites it without a word. The other 30, lanes 2-31, are inside: second[0] to second[29].");
  fault = fault_at(TRACE_SHARED, 5, 1, 0xfffffffc, 4);
  e = access_at(TRACE_LOAD, TRACE_SHARED, 5, 4, 0xfffffffc, 4);
  for (int i = 1; i < 32; i++) addr[i] = (uint64_t)(4 * (i - 1));
  expect(&fault, &e, 1, true,
         "Lane 0 reads outside of first, which has 32 elements: first[-1]. The emulator ends the kernel here; a GPU may do so too, or go "
         "on with whatever is there. The other 31, lanes 1-31, are inside: first[0] to first[30].");
}

static void a_null_pointer(void) {
  TraceFault fault = fault_at(TRACE_GLOBAL, 3, -1, 0, 4);
  TraceEvent e = access_at(TRACE_LOAD, TRACE_GLOBAL, 3, 4, 0, 4);
  expect(&fault, &e, ALL, true,
         "All 32 lanes read where no array is: global address 0x0000 to 0x007c. The emulator ends the kernel here; a GPU may do so too, "
         "or go on with whatever is there.");
}

// Local arrays are one object; the fault tells by its distance where the one that is meant ends.
static void local_arrays(void) {
  TraceFault fault = fault_at(TRACE_LOCAL, 3, 4, 20, 4);
  fault.distance = 4;   // the array ends at 16
  TraceEvent e = access_at(TRACE_STORE, TRACE_LOCAL, 3, 4, 0, 4);
  e.mask = e.active = 0x3f;
  expect(&fault, &e, 0x30, false,
         "Lanes 4 and 5 write outside of the array that is meant: locals[4] to locals[5]. That is memory of something else: a device "
         "overwrites it without a word. The other 4, lanes 0-3, are inside: locals[0] to locals[3].");
  fault = fault_at(TRACE_LOCAL, 3, 4, 12, 4);
  fault.distance = -4;  // it begins there
  expect(&fault, &e, 0xf, false, NULL);
}

// Only an out-of-bounds access at this instruction tells, or one that the fault directly follows.
static void other_faults(void) {
  TraceEvent e = access_at(TRACE_LOAD, TRACE_GLOBAL, 3, 4, X + 384, 4);
  TraceFault fault = fault_at(TRACE_GLOBAL, 4, 0, X + 400, 4);
  expect(&fault, &e, 0, false, NULL);
  fault.step = 11;
  expect(&fault, &e, 0xfffffff0, true, NULL);
  fault.block = 1;
  expect(&fault, &e, 0, false, NULL);
  fault = fault_at(TRACE_GLOBAL, 3, 0, X + 400, 4);
  fault.kind = FAULT_RACE;
  expect(&fault, &e, 0, false, NULL);
  fault = fault_at(TRACE_SHARED, 3, 0, X + 400, 4);
  expect(&fault, &e, 0, false, NULL);
  fault = fault_at(TRACE_GLOBAL, 3, 0, X + 400, 0);   // a write to constants has no place
  expect(&fault, &e, 0, false, NULL);
  e.kind = TRACE_EXEC;
  fault = fault_at(TRACE_GLOBAL, 3, 0, X + 400, 4);
  expect(&fault, &e, 0, false, NULL);
}

static void what_is_inside(void) {
  TraceFault fault = fault_at(TRACE_GLOBAL, 3, 0, X + 400, 4);
  TraceEvent e = access_at(TRACE_LOAD, TRACE_GLOBAL, 3, 4, X + 384, 4);
  Bounds b = bounds_of(&info, &fault, 1, &e);
  TraceEvent inside = bounds_inside(&e, &b);
  Coalescing coal;
  coal_analyze(&inside, COAL_SECTORS_32, &coal);
  CHECK_INT(inside.mask, 0xf);
  CHECK_INT(coal.sectors, 1);
  CHECK_INT(coal.bytes_used, 16);
}

static const Check checks[] = {
    {"past the end", past_the_end}, {"before the start", before_the_start},
    {"into the next array", into_the_next_array},
    {"a null pointer", a_null_pointer}, {"local arrays", local_arrays},
    {"other faults", other_faults}, {"what is inside", what_is_inside},
};

int main(int argc, char **argv) { return check_main("model_bounds", checks, LS_COUNT(checks), argc, argv); }
