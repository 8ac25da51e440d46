// check.h: what every CUnit program shares: a table of tests, run all or those named on the command line.
//
//   static const Check checks[] = {{"what it tests", function}, ...};
//   int main(int argc, char **argv) { return check_main("base", checks, LS_COUNT(checks), argc, argv); }
//
//   tests/unit/base/test_base                 all tests
//   tests/unit/base/test_base utf8            those whose name contains utf8
#ifndef LS_TESTS_CHECK_H
#define LS_TESTS_CHECK_H

#include <CUnit/Basic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Check { const char *name; void (*run)(void); } Check;

// A failed comparison says both values.
#define CHECK(condition) CU_ASSERT(condition)
#define CHECK_STR(actual, expected)                                                                  \
  do {                                                                                               \
    const char *actual_ = (actual), *expected_ = (expected);                                         \
    int same_ = actual_ && strcmp(actual_, expected_) == 0;                                          \
    if (!same_) printf("\n%s:%d:\n  got      %s\n  expected %s\n", __FILE__, __LINE__, actual_ ? actual_ : "(null)", expected_); \
    CU_ASSERT(same_);                                                                                \
  } while (0)
#define CHECK_INT(actual, expected)                                                                  \
  do {                                                                                               \
    long long actual_ = (long long)(actual), expected_ = (long long)(expected);                      \
    if (actual_ != expected_) printf("\n%s:%d: got %lld, expected %lld\n", __FILE__, __LINE__, actual_, expected_); \
    CU_ASSERT(actual_ == expected_);                                                                 \
  } while (0)

// Makes an empty folder of its own for a test, below $TMPDIR; the test removes it.
static inline bool check_folder(char *folder, size_t size) {
  const char *below = getenv("TMPDIR");
  snprintf(folder, size, "%s/lanescope-test-XXXXXX", below && *below ? below : "/tmp");
  return mkdtemp(folder) != NULL;
}

// How much is tried: the first in make check, the second in make check-long.
static inline int check_long(int usual, int in_a_long_check) { return getenv("CHECK_LONG") ? in_a_long_check : usual; }

static inline int check_main(const char *suite_name, const Check *checks, int count, int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (CU_initialize_registry() != CUE_SUCCESS) return 99;
  CU_pSuite suite = CU_add_suite(suite_name, NULL, NULL);
  for (int i = 0; suite && i < count; i++) {
    if (argc > 1 && !strstr(checks[i].name, argv[1])) continue;
    if (!CU_add_test(suite, checks[i].name, checks[i].run)) return 99;
  }
  CU_basic_set_mode(CU_BRM_VERBOSE);
  CU_basic_run_tests();
  unsigned failed = CU_get_number_of_failures(), ran = CU_get_number_of_tests_run();
  CU_cleanup_registry();
  if (ran == 0) fprintf(stderr, "%s: no test matches\n", suite_name);
  return failed || !ran;
}

#endif
