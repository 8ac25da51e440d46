// approximations.c: a kernel that hashes a function's results over all arguments of a group, and what it should give.
#include "approximations.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "group_hashes.h"

enum { THREADS = 256, BLOCKS = 16, LEVEL = 4 };

// From the argument %x (32 bits) to the result %r (32 bits).
static void add_call(LsText *ptx, const GroupHashes *form) {
  if (form->width == 8) {
    ls_text_addf(ptx, "  mov.b64 %%a, {0, %%x};\n  %s %%d, %%a;\n  mov.b64 {%%low, %%r}, %%d;\n", form->name);
  } else if (form->width == 2) {
    ls_text_addf(ptx, "  cvt.u16.u32 %%a, %%x;\n  %s %%d, %%a;\n  cvt.u32.u16 %%r, %%d;\n", form->name);
  } else {
    ls_text_addf(ptx, "  %s %%r, %%x;\n", form->name);
  }
}

// group_hash of %z.
static const char hash[] =
    "  add.u64 %z, %z, 0x9e3779b97f4a7c15;\n"
    "  shr.u64 %s, %z, 30;\n  xor.b64 %z, %z, %s;\n  mul.lo.u64 %z, %z, 0xbf58476d1ce4e5b9;\n"
    "  shr.u64 %s, %z, 27;\n  xor.b64 %z, %z, %s;\n  mul.lo.u64 %z, %z, 0x94d049bb133111eb;\n"
    "  shr.u64 %s, %z, 31;\n  xor.b64 %z, %z, %s;\n";

// Blocks in y are groups; those in x share one.
static void add_kernel(LsText *ptx, const GroupHashes *form) {
  ls_text_addf(ptx, ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry sums(.param .u64 out) {\n"
               "  .reg .b%d %%a, %%d;\n", form->width * 8);
  ls_text_add(ptx, "  .reg .b32 %x, %r, %low, %i, %step, %group;\n  .reg .b64 %z, %s, %sum, %at, %offset;\n"
              "  .reg .pred %more;\n  mov.u32 %group, %ctaid.y;\n  mov.u32 %step, %ntid.x;\n  mov.u32 %i, %ctaid.x;\n"
              "  mov.u32 %low, %tid.x;\n  mad.lo.u32 %i, %i, %step, %low;\n  mov.u32 %low, %nctaid.x;\n"
              "  mul.lo.u32 %step, %step, %low;\n  mov.u64 %sum, 0;\nagain:\n");
  ls_text_addf(ptx, "  shl.b32 %%x, %%group, %d;\n  or.b32 %%x, %%x, %%i;\n", form->bits);
  add_call(ptx, form);
  ls_text_add(ptx, "  mov.b64 %z, {%r, %x};\n");
  ls_text_add(ptx, hash);
  ls_text_addf(ptx, "  add.u64 %%sum, %%sum, %%z;\n  add.u32 %%i, %%i, %%step;\n  setp.lt.u32 %%more, %%i, %u;\n",
               1u << form->bits);
  ls_text_add(ptx, "  @%more bra again;\n  ld.param.u64 %at, [out];\n  cvta.to.global.u64 %at, %at;\n"
              "  mul.wide.u32 %offset, %group, 8;\n  add.s64 %at, %at, %offset;\n"
              "  red.global.add.u64 [%at], %sum;\n  ret;\n}\n");
}

static bool run(Gpu *gpu, const GroupHashes *form, uint64_t *sums, LsErr *err) {
  LsText ptx = {0};
  Launch launch;
  uint64_t size = (uint64_t)form->count * sizeof *sums;
  uint8_t *bytes = (uint8_t *)sums;
  launch_init(&launch);
  launch.grid[0] = form->bits > 10 ? BLOCKS : 1;
  launch.grid[1] = (uint32_t)form->count;
  launch.block[0] = THREADS;
  LaunchArg arg = {.type = LAUNCH_U64, .is_buffer = true, .count = (uint64_t)form->count, .init = LAUNCH_ZERO};
  LS_PUSH(launch.args, launch.arg_count, launch.arg_capacity, arg);
  add_kernel(&ptx, form);
  GpuModule *module = gpu_load(gpu, ls_text_str(&ptx), LEVEL, err);
  bool ok = module && gpu_run(gpu, module, "sums", &launch, &bytes, &size, NULL, err);
  gpu_unload(gpu, module);
  launch_fini(&launch);
  ls_text_free(&ptx);
  return ok;
}

static void compare(Comparison *c, const GroupHashes *form, Tally *tally) {
  uint64_t *sums = ls_alloc((size_t)form->count * sizeof *sums);
  LsErr err = {0};
  int wrong = 0;
  bool ok = run(c->gpu, form, sums, &err);
  if (!ok) printf("%s: %s\n", form->name, err.message);
  for (int i = 0; ok && i < form->count; i++) {
    if (sums[i] == form->sums[i]) continue;
    if (wrong++ == 0 || c->told < c->most_told) printf("%s: group %03x differs\n", form->name, i);
    c->told++;
  }
  tally->values += ok ? (uint64_t)form->count << form->bits : 0;
  if (ok && !wrong) tally->agreed++;
  else tally->differed++;
  free(sums);
}

void approximations_compare(Comparison *comparison, const char *filter, Tally *tally) {
  static GroupHashes form;
  char *whole;
  const char *at = group_hashes_open(&whole);
  while (at && group_hashes_next(&at, &form))
    if (strstr(form.name, filter)) compare(comparison, &form, tally);
  free(whole);
}
