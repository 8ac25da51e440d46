// test_model_spaces.c: windows and lanes of the lecture's ambiguous pointer, as the emulator runs it.
#include "app/models/spaces.h"
#include "check_models.h"

static const ModelClaim claims[] = {
    {"000 odd and even", "", "shared_lanes", 0, "0x55555555"},
    {"000 odd and even", "", "global_lanes", 0, "0xaaaaaaaa"},
    {"L09 one request, one sector", "", "global_requests", 1, NULL},
    {"L09 one request, one sector", "", "global_sectors", 1, NULL},
    {"L09 one wavefront", "", "shared_wavefronts", 1, NULL},
    {"L09 lane 0", "", "lane0", 0, "0x7e0000000000"},
    {"L09 lane 1", "", "lane1", 0, "0x7f0000200000"},
    {"EQ7 -3 % 2 is -1", "input=-3", "lane0_window", 0, "global"},
    {"EQ7 -4 % 2 is 0", "input=-4", "lane0_window", 0, "shared"},
};

static void as_in_the_lectures(void) { check_claims(model_named("spaces"), claims, LS_COUNT(claims)); }

static void facts_of(const char *pointers, const char *each, SpacesModel *m) {
  ModelValues values;
  LsErr err = {0};
  const Model *model = model_named("spaces");
  model_defaults(model, &values);
  CHECK(model_set(model, &values, pointers, &err) && model_set(model, &values, each, &err));
  spaces_model(&values, m);
}

static void every_pointer_is_in_its_window(void) {
  static const char *const rules[] = {"pointers=odd even", "pointers=halves", "pointers=one lane",
                                      "pointers=all shared",
                                      "pointers=all global", "pointers=all local"};
  for (int i = 0; i < LS_COUNT(rules); i++) {
    SpacesModel m;
    uint32_t all = 0;
    facts_of(rules[i], "each=array", &m);
    for (int w = 0; w < WINDOW_COUNT; w++) {
      CHECK_INT(all & m.lanes[w], 0);
      all |= m.lanes[w];
    }
    CHECK_INT(all, 0xffffffff);
    for (int lane = 0; lane < SPACES_LANES; lane++) {
      SpaceWindow w = m.window[lane];
      CHECK(m.address[lane] >= m.base[w] && m.address[lane] < m.base[w] + m.size[w] && m.lanes[w] >> lane & 1);
    }
  }
}

static void costs_are_those_of_the_counters(void) {
  SpacesModel m;
  facts_of("pointers=all global", "each=array", &m);
  CHECK(m.sectors == 4 && m.wavefronts == 0);
  facts_of("pointers=all shared", "each=array", &m);
  CHECK(m.sectors == 0 && m.wavefronts == 1);
  facts_of("pointers=halves", "each=array", &m);
  CHECK(m.sectors == 2 && m.wavefronts == 1);
}

// Pointers of a run: the lecture's odd and even lanes once more, and lanes that do nothing.
static void pointers_of_a_run_are_read(void) {
  ModelValues values;
  SpacesModel m;
  CHECK(claim_values(model_named("spaces"), "pointers=run access=ld8 s0=y g200000=x - s8 l0", &values));
  spaces_model(&values, &m);
  CHECK(m.lanes[WINDOW_SHARED] == 9 && m.lanes[WINDOW_GLOBAL] == 2 && m.lanes[WINDOW_LOCAL] == 16);
  CHECK(m.window[2] == WINDOW_COUNT && m.window[31] == WINDOW_COUNT && m.width == 8);
  CHECK(m.address[1] == m.base[WINDOW_GLOBAL] + 0x200000 && m.sectors == 1 && m.wavefronts == 1);
  CHECK_STR(m.name[WINDOW_SHARED], "y");
  static const char *const bad[] = {"access=", "access=st4", "access=st3 s0", "access=mov4 s0", "access=st4 q0",
                                    "access=st4 s0 - -x", "access=st4 -", "access=st32 s0"};
  for (int i = 0; i < LS_COUNT(bad); i++) {
    LsErr err = {0};
    CHECK(!model_set(model_named("spaces"), &values, bad[i], &err));
  }
}

static const Check checks[] = {
    {"pointers of a run are read", pointers_of_a_run_are_read},
    {"as in the lectures", as_in_the_lectures},
    {"every pointer is in its window", every_pointer_is_in_its_window},
    {"costs are those of the counters", costs_are_those_of_the_counters},
};

int main(int argc, char **argv) { return check_main("model spaces", checks, LS_COUNT(checks), argc, argv); }
