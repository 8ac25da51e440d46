// test_model_pages.c: pages of unified memory: the lecture's milliseconds, what faults add, and who has which page.
#include "app/models/pages.h"
#include "check_models.h"

static const ModelClaim claims[] = {
    {"FQ3 1024 MB at 25 GB/s", "how=copies size=1024 back=0", "ms", 40.96, NULL},
    {"FQ3 with prefetch", "how=prefetch size=1024 back=0", "ms", 40.96, NULL},
    {"no fault with prefetch", "how=prefetch size=1024 back=0", "faults", 0, NULL},
    {"a fault a page", "size=1024 back=0", "faults", 512, NULL},
    {"30 us each", "size=1024 back=0 fault=30", "stall_ms", 15.36, NULL},
    {"groups of 8", "size=1024 back=0 group=8", "faults", 64, NULL},
    {"the bytes are the same", "size=1024 back=0", "move_ms", 40.96, NULL},
    {"a quarter comes back", "size=64 back=25", "on_gpu", 24, NULL},
    {"before anything moves", "size=64 step=0", "on_gpu", 0, NULL},
    {"half way", "size=64 step=16", "on_gpu", 16, NULL},
};

static void as_in_the_lectures(void) { check_claims(model_named("pages"), claims, LS_COUNT(claims)); }

// Each page comes once, and goes back once at most; times add up.
static void pages_move_once(void) {
  for (int how = 0; how < 3; how++)
    for (int size = 2; size <= 1024; size += 94)
      for (int group = 1; group <= 32; group += 5) {
        ModelValues values;
        static PagesModel m;
        int in = 0, out = 0;
        double us = 0;
        model_defaults(model_named("pages"), &values);
        values.numbers.value[0] = how, values.numbers.value[1] = size, values.numbers.value[2] = group;
        pages_model(&values, &m);
        for (int i = 0; i < m.event_count; i++) {
          bool back = m.events[i].kind == PAGES_HOST_FAULT || m.events[i].kind == PAGES_COPY_OUT;
          *(back ? &out : &in) += m.events[i].count;
          us += m.events[i].us;
        }
        CHECK_INT(in, m.pages);
        CHECK_INT(out, (m.pages * 25 + 99) / 100);
        CHECK(fabs(us - m.us) < 1e-6 * m.us && fabs(m.move_us + m.stall_us - m.us) < 1e-6 * m.us);
      }
}

static const Check checks[] = {{"as in the lectures", as_in_the_lectures}, {"pages move once", pages_move_once}};

int main(int argc, char **argv) { return check_main("model pages", checks, LS_COUNT(checks), argc, argv); }
