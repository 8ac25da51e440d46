// group_hashes.c: reads sums of hashes of a GPU's answers, form by form.
#include "group_hashes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "source_dir.h"

static const char path[] = "tests/unit/sim/vectors/approximations.hashes";
enum { LIMIT = 1 << 20 };

// The finalizer of splitmix64 (Steele, Lea, Flood 2014).
uint64_t group_hash(uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}

const char *group_hashes_open(char **whole) {
  *whole = source_read(path, LIMIT, NULL, NULL);
  const char *at = *whole;
  while (at && *at == '#') {
    at = strchr(at, '\n');
    if (at) at++;
  }
  return at;
}

static int width_of(const char *name) {
  const char *type = strrchr(name, '.');
  if (type && strcmp(type, ".f64") == 0) return 8;
  return type && strcmp(type, ".f32") == 0 ? 4 : 2;
}

bool group_hashes_next(const char **at, GroupHashes *form) {
  int used = 0;
  if (sscanf(*at, "%31s %d %d%n", form->name, &form->bits, &form->count, &used) != 3) return false;
  if (form->count > GROUP_HASHES_MOST) return false;
  form->width = width_of(form->name);
  *at += used;
  for (int i = 0; i < form->count; i++) {
    char *end;
    form->sums[i] = strtoull(*at, &end, 16);
    if (end == *at) return false;
    *at = end;
  }
  return true;
}
