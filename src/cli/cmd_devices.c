// cmd_devices.c: lanescope devices and lanescope occupancy.
#include <limits.h>
#include <string.h>

#include "cli/busy.h"
#include "cli/cli.h"
#include "cli/gpus.h"

static void json_profile(LsJson *json, const ArchProfile *a) {
  char cc[16];
  snprintf(cc, sizeof cc, "%d.%d", a->cc_major, a->cc_minor);
  ls_json_open(json, '{');
  ls_json_member(json, "name", a->name);
  ls_json_member(json, "title", a->title);
  ls_json_member(json, "compute_capability", cc);
  ls_json_member_i64(json, "sms", a->sm_count);
  ls_json_member_i64(json, "warps_per_sm", a->warps_per_sm);
  ls_json_member_i64(json, "blocks_per_sm", a->blocks_per_sm);
  ls_json_member_i64(json, "threads_per_block", a->threads_per_block);
  ls_json_member_i64(json, "registers_per_sm", a->regs_per_sm);
  ls_json_member_i64(json, "shared_per_sm", a->shared_per_sm);
  ls_json_member_i64(json, "shared_per_block", a->shared_per_block);
  ls_json_member_i64(json, "banks", a->banks);
  ls_json_close(json, '}');
}

static void json_devices(LsJson *json) {
  ls_json_open_member(json, "devices", '[');
  const Device *device;
  for (int i = 0; (device = dev_at(i)); i++) {
    LsErr why = {0};
    ls_json_open(json, '{');
    ls_json_member(json, "name", device->name);
    ls_json_member(json, "title", device->title);
    bool available = device->available(&why);
    ls_json_member_bool(json, "available", available);
    if (!available) ls_json_member(json, "why_not", why.message);
    ls_json_close(json, '}');
  }
  ls_json_close(json, ']');
}

static void print_json(void) {
  LsText text = {0};
  LsJson json;
  int count;
  const ArchProfile *profiles = arch_all(&count);
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  json_devices(&json);
  gpus_json(&json);
  ls_json_open_member(&json, "profiles", '[');
  for (int i = 0; i < count; i++) json_profile(&json, &profiles[i]);
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  cli_print_json(&text);
}

static void print_gpus(void) {
  LsText text = {0};
  gpus_text(&text);
  plain_print(stdout, "\nGPUs of this machine\n");
  for (const char *p = ls_text_str(&text); *p;) {
    int length = (int)strcspn(p, "\n");
    plain_print(stdout, "  %.*s\n", length, p);
    p += length + (p[length] == '\n');
  }
  ls_text_free(&text);
}

static void print_text(void) {
  const Device *device;
  plain_print(stdout, "devices that run kernels (--device)\n");
  for (int i = 0; (device = dev_at(i)); i++) {
    LsErr why = {0};
    bool available = device->available(&why);
    int first_line = (int)strcspn(why.message, "\n");   // what to do about a GPU is said below
    plain_print(stdout, "  %-10s %s%s%.*s\n", device->name, device->title, available ? "" : ": ",
                available ? 0 : first_line, why.message);
  }
  print_gpus();
  int count;
  const ArchProfile *a = arch_all(&count);
  plain_print(stdout,
              "\nprofiles that can be assumed (--profile; gpu is that of this machine)\n  %-10s %-29s %4s %5s %6s %7s %9s %7s\n", "name",
         "device", "cc", "SMs",
         "warps", "blocks", "registers", "shared");
  for (int i = 0; i < count; i++, a++)
    plain_print(stdout, "  %-10s %-29s %2d.%d %5d %6d %7d %9d %4d KB\n", a->name, a->title, a->cc_major, a->cc_minor,
                a->sm_count,
           a->warps_per_sm, a->blocks_per_sm, a->regs_per_sm, a->shared_per_sm / 1024);
}

int cmd_devices(Cli *cli, LsErr *err) {
  (void)err;
  busy_begin("looking at the devices");   // a driver takes its time to start
  if (cli->given[OPT_ID_JSON]) print_json();
  else print_text();
  busy_end();
  return 0;
}

// ---- occupancy -----------------------------------------------------------------------------------------------------

static void json_occupancy(const ArchProfile *arch, const Occupancy *occ) {
  LsText text = {0};
  LsJson json;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_member(&json, "profile", arch->name);
  ls_json_member_i64(&json, "blocks_per_sm", occ->blocks);
  ls_json_member_i64(&json, "warps_per_sm", occ->warps);
  ls_json_member_i64(&json, "max_warps_per_sm", occ->max_warps);
  ls_json_member_f64(&json, "occupancy", occ->fraction);
  ls_json_member(&json, "limit", occ_limit_name(occ->limit));
  ls_json_close(&json, '}');
  cli_print_json(&text);
}

// One resource, and the blocks that fit by it alone.
static void print_limit(const char *resource, int blocks) {
  if (blocks == INT_MAX) plain_print(stdout, "  %-14s any number\n", resource);
  else plain_print(stdout, "  %-14s %d\n", resource, blocks);
}

static void print_occupancy(const Occupancy *occ) {
  if (occ->limit == OCC_IMPOSSIBLE) puts("no block of this size fits on an SM");
  else plain_print(stdout, "%d blocks per SM, %d of %d warps, %.1f%%, limited by %s\n", occ->blocks, occ->warps,
                   occ->max_warps,
              occ->fraction * 100, occ_limit_name(occ->limit));
  puts("\nblocks that each limit alone would allow");
  print_limit("warps", occ->by_warps);
  print_limit("block slots", occ->by_blocks);
  print_limit("registers", occ->by_regs);
  print_limit("shared memory", occ->by_shared);
}

int cmd_occupancy(Cli *cli, LsErr *err) {
  const char *profile = cli->given[OPT_ID_PROFILE] ? cli->value[OPT_ID_PROFILE] : "h200";
  const char *name = cli->given[OPT_ID_OCCUPANCY_DEVICE] ? cli->value[OPT_ID_OCCUPANCY_DEVICE] : profile;
  const ArchProfile *arch = gpus_profile(name, err);
  uint64_t regs = 32, shared = 0;
  Launch launch = {.block = {256, 1, 1}};
  if (!arch) return -1;
  if (cli->given[OPT_ID_BLOCK] && !launch_parse_dim(cli->value[OPT_ID_BLOCK], false, launch.block, err)) return -1;
  if (!cli_unsigned(cli, OPT_ID_REGS, 1, 255, &regs, err) || !cli_unsigned(cli, OPT_ID_SHARED, 0, 1 << 20, &shared, err))
    return -1;
  Occupancy occ;
  int threads = (int)launch_threads(&launch);
  occ_compute(arch, threads, (int)regs, (int)shared, &occ);
  if (cli->given[OPT_ID_JSON]) return json_occupancy(arch, &occ), 0;
  plain_print(stdout, "%s: %d threads per block, %d registers per thread, %d bytes of shared memory per block\n",
              arch->title, threads, (int)regs,
         (int)shared);
  print_occupancy(&occ);
  return 0;
}
