// fuzz_grade.c: any bytes as a source that is to be judged for marks, and as a message between a grader and the process
// that judges: read within its bounds, and what is refused is refused with a line and a reason.
#include <stdlib.h>
#include <string.h>

#include "app/practice/grade_wire.h"
#include "app/practice/source_rules.h"
#include "base/mem.h"
#include "fuzz.h"

// A copy of the exact size, so that the sanitizer sees a read behind it.
static void read_source(const uint8_t *data, size_t size) {
  LsText why = {0};
  int line = 0;
  char *exact = ls_alloc(size);
  memcpy(exact, data, size);
  bool holds = source_rules_hold(exact, size, &line, &why);
  if (holds != !why.length || holds != !line) abort();
  ls_text_free(&why);
  free(exact);
}

static void read_message(const uint8_t *data, size_t size) {
  LsText message = {0}, again = {0};
  ls_text_addn(&message, (const char *)data, size);
  char *state = grade_wire_take(&message, "state");
  grade_wire_int(&message, "line", 0);
  grade_wire_begin(&again);
  grade_wire_put(&again, "state", state ? state : "", state ? strlen(state) : 0);
  grade_wire_end(&again);
  if (!grade_wire_is_whole(&again)) abort();
  ls_text_free(&message);
  ls_text_free(&again);
  free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  read_source(data, size);
  read_message(data, size);
  return 0;
}
