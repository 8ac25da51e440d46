// test_model_occupancy.c: the picture of occupancy against the lectures' numbers, and its register file against the limit
// that it explains. The limits themselves are held against NVIDIA's calculator in test_model_occ.
#include <limits.h>

#include "app/models/occupancy.h"
#include "check_models.h"

static const ModelClaim claims[] = {
    {"004 512 threads", "profile=v100 threads=512 registers=32", "blocks", 4, NULL},
    {"004 128 threads", "profile=v100 threads=128 registers=32", "blocks", 16, NULL},
    {"004 32 threads", "profile=v100 threads=32 registers=32", "occupancy", 0.5, NULL},
    {"E73 Table 2.2", "profile=gtx1080 threads=32 registers=32", "occupancy", 0.5, NULL},
    {"E137 34 registers", "profile=v100 threads=256 registers=34", "blocks", 6, NULL},
    {"E137 34 registers", "profile=v100 threads=256 registers=34", "occupancy", 0.75, NULL},
    {"E137 34 registers", "profile=v100 threads=256 registers=34", "limit", 0, "registers"},
    {"four pools", "profile=v100 threads=320 registers=40", "blocks", 4, NULL},
    {"E13 22 registers", "profile=gt200 threads=256 registers=22", "blocks", 2, NULL},
    {"E13 20 registers", "profile=gt200 threads=256 registers=20", "blocks", 3, NULL},
    {"000 8x8", "profile=g80 threads=64 registers=10", "warps", 16, NULL},
    {"000 16x16", "profile=g80 threads=256 registers=10", "warps", 24, NULL},
    {"000 32x32", "profile=g80 threads=1024 registers=10", "limit", 0, "impossible"},
    {"001 42 warps", "profile=k20x threads=512 registers=48", "warps", 32, NULL},
    {"001 42 warps", "profile=k20x threads=256 registers=48", "warps", 40, NULL},
    {"002 endnote 5", "profile=v100 threads=48 registers=32", "occupancy", 1, NULL},
    {"002 endnote 5", "profile=v100 threads=48 registers=32", "lanes_used", 0.75, NULL},
    {"shared, H200", "profile=h200 threads=256 registers=32 shared=28160", "blocks", 8, NULL},
    {"shared, H200", "profile=h200 threads=256 registers=32 shared=28161", "blocks", 7, NULL},
    {"shared, V100", "profile=v100 threads=256 registers=32 shared=12289", "by_shared", 7, NULL},
    {"no shared", "profile=v100", "by_shared", NAN, NULL},
    {"1024 threads", "profile=v100 threads=1024 registers=65", "blocks", 0, NULL},
};

static void as_in_the_lectures(void) { check_claims(model_named("occupancy"), claims, LS_COUNT(claims)); }

// The blocks that partitions have room for, warp after warp, are those that the limit of registers says.
static void the_file_explains_the_limit(void) {
  int seen = 0;
  for (int profile = 0; profile < MODEL_PROFILES; profile++) {
    const ArchProfile *arch = model_profile(profile);
    for (int threads = 32; threads <= arch->threads_per_block; threads += 32)
      for (int regs = 1; regs <= arch->regs_per_thread; regs += 3) {
        Occupancy occ;
        OccFile file;
        occ_compute(arch, threads, regs, 0, &occ);
        occ_file(arch, threads, regs, &file);
        if (!file.per_warp || !occ.by_regs) continue;
        CHECK_INT(file.warps_per_partition * file.partitions / (threads / 32), occ.by_regs);
        CHECK(file.rounded >= regs && file.rounded < regs + 8 && file.per_warp == file.rounded * 32);
        seen++;
      }
  }
  CHECK(seen > 10000);
}

static void the_curve_is_what_its_columns_give(void) {
  ModelValues values;
  OccupancyModel m;
  Occupancy occ;
  CHECK(claim_values(model_named("occupancy"), "profile=v100 threads=256 registers=33 curve=registers", &values));
  occupancy_model(&values, &m);
  CHECK_INT(occupancy_curve_here(&m), 4);
  CHECK_INT(occupancy_curve_value(&m, 4), 40);
  static const int stairs[] = {8, 8, 8, 8, 6, 5, 4, 4, 3, 3, 2};   // 001: the staircase of 256 threads
  for (int i = 0; i < LS_COUNT(stairs); i++) {
    occupancy_curve_at(&m, i, &occ);
    CHECK_INT(occ.blocks, stairs[i]);
  }
}

static void words_say_what_would_help(void) {
  static const struct { const char *set, *words; } told[] = {
      {"registers=34", "With 32 registers it would be 8."},
      {"registers=34", "34 of a thread count as 40"},
      {"registers=32 shared=12289", "With 12288 bytes it would be 8."},
      {"threads=48 registers=32", "16 of the 64 lanes of a block stay dark"},
      {"threads=1024 registers=65", "the launch fails"},
      {"profile=g80 threads=1024 registers=10", "512 is the most"},
      {"profile=v100 shared=100000", "at most 98,304 bytes"},
  };
  for (int i = 0; i < LS_COUNT(told); i++) {
    ModelValues values;
    LsText words = {0};
    const Model *model = model_named("occupancy");
    CHECK(claim_values(model, told[i].set, &values));
    model->words(&values, &words);
    if (!strstr(ls_text_str(&words), told[i].words)) printf("\n%s: %s", told[i].set, ls_text_str(&words));
    CHECK(strstr(ls_text_str(&words), told[i].words) != NULL);
    ls_text_free(&words);
  }
}

static const Check checks[] = {
    {"as in the lectures", as_in_the_lectures},
    {"the file explains the limit", the_file_explains_the_limit},
    {"the curve is what its columns give", the_curve_is_what_its_columns_give},
    {"words say what would help", words_say_what_would_help},
};

int main(int argc, char **argv) { return check_main("model occupancy", checks, LS_COUNT(checks), argc, argv); }
