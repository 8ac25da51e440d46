// test_probe_room.c: what an instrumented kernel's own functions ask the lanes.
#include <string.h>
#include "base/mem.h"
#include "check.h"
#include "source_dir.h"

static int times(const char *text, const char *word) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, word)); at++) count++;
  return count;
}

// Lanes that had parted may vote together on a GPU, though neither's members have the others: who asks leaves them out.
static void votes(void) {
  LsErr err = {0};
  size_t length;
  char *source = source_read("src/device/probe/probe.cu", 1 << 20, &length, &err);
  CU_ASSERT_FATAL(source != NULL);
  CHECK_INT(times(source, "__ballot_sync("), 1);
  CHECK(strstr(source, "__ballot_sync(mask, yes) & mask;") != NULL);
  free(source);
}

static const Check checks[] = {
    {"votes", votes},
};

int main(int argc, char **argv) { return check_main("probe_room", checks, LS_COUNT(checks), argc, argv); }
