// test_model_little.c: Little's law with the numbers of the lecture: an escalator, and a K20X.
#include "app/models/little.h"
#include "check_models.h"

static const ModelClaim claims[] = {
    {"C048 20 steps of 2 s", "", "ride", 40, NULL},
    {"C048 one rider", "riders=1", "rate", 0.025, NULL},
    {"C048 five", "riders=5", "rate", 0.125, NULL},
    {"C048 ten", "riders=10", "rate", 0.25, NULL},
    {"C048 twenty", "riders=20", "rate", 0.5, NULL},
    {"C048 more give nothing", "riders=30", "rate", 0.5, NULL},
    {"C048 needed", "", "riders_needed", 20, NULL},
    {"001 K20X, about 100 lines", "", "lines", 250e9 / 14 / 0.732e9 * 500 / 128, NULL},
    {"001 K20X, 400 sectors", "", "sectors", 250e9 / 14 / 0.732e9 * 500 / 32, NULL},
    {"L07 one load each: 64 fit", "", "warps_needed", NAN, NULL},
    {"L07 two loads each", "loads=2", "warps_needed", 48, NULL},
};

static void as_in_the_lectures(void) { check_claims(model_named("little"), claims, LS_COUNT(claims)); }

static const Check checks[] = {{"as in the lectures", as_in_the_lectures}};

int main(int argc, char **argv) { return check_main("model little", checks, LS_COUNT(checks), argc, argv); }
