// ncu.c: names the metrics of the counters for Nsight Compute, and reads its table of comma-separated values.
#include "ncu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"

enum { MOST_COLUMNS = 256, LIMIT = 64 << 20 };

void ncu_metrics(LsText *out) {
  for (int i = 0; i < COUNTER_COUNT; i++) {
    const char *metric = counter_def((CounterId)i)->metric;
    if (metric[0]) ls_text_addf(out, "%s%s", out->length ? "," : "", metric);
  }
}

void ncu_free(NcuTable *table) {
  free(table->rows);
  *table = (NcuTable){0};
}

// Every field stands in quotes; a quote inside is doubled. Cuts in place.
static int split(char *line, char *fields[MOST_COLUMNS]) {
  int count = 0;
  char *from = line, *to;
  while (*from == '"' && count < MOST_COLUMNS) {
    fields[count++] = to = ++from;
    while (*from && !(from[0] == '"' && from[1] != '"')) {
      from += from[0] == '"';
      *to++ = *from++;
    }
    if (*from == '"') from++;
    if (*from == ',') from++;
    *to = '\0';
  }
  return count;
}

// "12,345" or "12345.0"; false if it is no number ("n/a").
static bool read_number(const char *text, uint64_t *value) {
  char digits[64];
  size_t n = 0;
  double number;
  for (; *text && n < sizeof digits - 1; text++)
    if (*text != ',') digits[n++] = *text;
  digits[n] = '\0';
  if (!ls_parse_f64(digits, &number) || number < 0) return false;
  *value = (uint64_t)(number + 0.5);
  return true;
}

static void add_row(NcuTable *table, char **names, char **fields, int columns) {
  NcuRow row = {.kernel = ""};
  for (int c = 0; c < columns; c++) {
    if (strcmp(names[c], "Kernel Name") == 0) snprintf(row.kernel, sizeof row.kernel, "%s", fields[c]);
    for (int i = 0; i < COUNTER_COUNT; i++)
      if (strcmp(names[c], counter_def((CounterId)i)->metric) == 0) row.known[i] = read_number(fields[c], &row.value.value[i]);
  }
  LS_PUSH(table->rows, table->count, table->capacity, row);
}

bool ncu_read(const char *path, NcuTable *table, LsErr *err) {
  char *names[MOST_COLUMNS], *fields[MOST_COLUMNS], *rest = NULL, *text = ls_file_read(path, LIMIT, NULL, err);
  int columns = 0;
  *table = (NcuTable){0};
  if (!text) return false;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    if (line[0] != '"') continue;                          // ==PROF== and what the program itself prints
    if (!columns) {
      columns = split(line, names);
      continue;
    }
    bool is_units = strncmp(line, "\"\"", 2) == 0;         // the line under the names
    if (!is_units && split(line, fields) == columns) add_row(table, names, fields, columns);
  }
  free(text);
  return table->count > 0 || ls_fail(err, LS_EFORMAT, "%s holds no kernels that Nsight Compute counted", path);
}
