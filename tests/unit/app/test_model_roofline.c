// test_model_roofline.c: roofs and points against the lectures' numbers and the recordings.
#include "app/models/roofline.h"
#include "check_models.h"

static const ModelClaim claims[] = {
    {"000 G80: 4 bytes a flop", "profile=g80 flops=2 bytes=8", "attainable", 21.6, NULL},
    {"000 G80", "profile=g80 flops=2 bytes=8", "bound", 0, "memory"},
    {"000 tile 16 on G80", "profile=g80 flops=4 bytes=1", "attainable", 345.6, NULL},
    {"000 tile 32 on G80", "profile=g80 flops=8 bytes=1", "attainable", 346, NULL},
    {"000 tile 32 on G80", "profile=g80 flops=8 bytes=1", "bound", 0, "arithmetic"},
    {"H200 ridge", "profile=h200", "ridge", 66900.0 / 4800, NULL},
    {"H200 naive", "profile=h200 flops=2 bytes=4", "attainable", 2400, NULL},
    {"V100, EQ8", "profile=v100 flops=2 bytes=8", "attainable", 225, NULL},
    {"V100, tile 16", "profile=v100 flops=4 bytes=1", "attainable", 3600, NULL},
    // Measured (tests/gpu/roofs.cu): below the data sheet's 4,800 GB/s, 67 and 34 Tflop/s, and near them.
    {"H200 measured", "profile=h200 roofs=fp32", "bandwidth", 4476.9, NULL},
    {"H200 measured", "profile=h200 roofs=fp32", "share_of_sheet", 65087.3 / 66900, NULL},
    {"H200 measured", "profile=h200 roofs=fp64", "peak", 33359.1, NULL},
    {"H200 measured", "profile=h200 roofs=fp64 flops=8 bytes=1", "bound", 0, "arithmetic"},
    {"not measured", "profile=v100 roofs=fp32", "peak", 15700, NULL},
    {"one device", "beside=none", "beside_ridge", NAN, NULL},
};

static void as_in_the_lectures(void) { check_claims(model_named("roofline"), claims, LS_COUNT(claims)); }

static void points_are_read(void) {
  ModelValues values;
  RooflineModel m;
  LsErr err = {0};
  const Model *model = model_named("roofline");
  model_defaults(model, &values);
  roofline_model(&values, &m);
  CHECK_INT(m.point_count, 3);
  CHECK_STR(m.points[1].name, "tiled");
  CHECK(m.points[1].intensity == 3.97 && m.points[1].gflops == 5645);
  CHECK(model_set(model, &values, "points=a:0.5 b:2:10", &err));
  roofline_model(&values, &m);
  CHECK(m.point_count == 2 && m.points[0].gflops == 0 && m.points[1].gflops == 10);
  CHECK(model_set(model, &values, "points=", &err));
  roofline_model(&values, &m);
  CHECK_INT(m.point_count, 0);
  static const char *const bad[] = {"points=a", "points=:1", "points=a:0", "points=a:-1", "points=a:1:x", "points=a:1:",
                                    "points=a:1 b"};
  for (int i = 0; i < LS_COUNT(bad); i++) {
    err = (LsErr){0};
    CHECK(!model_set(model, &values, bad[i], &err) && err.kind == LS_EREQUEST && strstr(err.message, "is no point"));
  }
}

// What a recording of an H200 says of its points (lanescope stats --device recorded): above the roof is told, below is
// not.
static void caches_are_told(void) {
  ModelValues values;
  LsText words = {0};
  model_defaults(model_named("roofline"), &values);
  model_named("roofline")->words(&values, &words);
  CHECK(strstr(ls_text_str(&words), "naive is above the roof") && !strstr(ls_text_str(&words), "tiled is above"));
  ls_text_free(&words);
}

// Below the middle of the slope twice the use is twice as fast; just below the ridge it cannot be.
static void gain_ends_at_the_peak(void) {
  static const struct {
    const char *flops, *words;
  } steps[] = {{"flops=2", "Twice the use of each byte would be twice as fast."},
               {"flops=16", "Twice the use of each byte would be twice as fast."},
               {"flops=32", "More use of each byte gives at most 0.116 % more."},
               {"flops=64", "more use of each byte gives nothing."}};
  const Model *model = model_named("roofline");
  for (int i = 0; i < LS_COUNT(steps); i++) {
    ModelValues values;
    LsText words = {0};
    LsErr err = {0};
    model_defaults(model, &values);
    CHECK(model_set(model, &values, "profile=g80", &err) && model_set(model, &values, "bytes=8", &err));
    CHECK(model_set(model, &values, steps[i].flops, &err));
    model->words(&values, &words);
    CHECK(strstr(ls_text_str(&words), steps[i].words) != NULL);
    ls_text_free(&words);
  }
}

static const Check checks[] = {
    {"as in the lectures", as_in_the_lectures},
    {"points are read", points_are_read},
    {"caches are told", caches_are_told},
    {"gain ends at the peak", gain_ends_at_the_peak},
};

int main(int argc, char **argv) { return check_main("model roofline", checks, LS_COUNT(checks), argc, argv); }
