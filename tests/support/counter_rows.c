// counter_rows.c: reads the table of what Nsight Compute counted, and makes each of its rows a launch again.
#include "counter_rows.h"
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/mem.h"
#include "source_dir.h"

enum { MOST_COLUMNS = 32, LIMIT = 1 << 20 };
enum { KERNEL, GRID, BLOCK, SHARED, ARGS, FIRST_COUNTER };

// Cuts a line into its fields in place; a field in quotes may hold commas.
static int split(char *line, char *fields[MOST_COLUMNS]) {
  int count = 0;
  while (line && count < MOST_COLUMNS) {
    bool quoted = *line == '"';
    fields[count++] = line += quoted;
    line = strchr(line, quoted ? '"' : ',');
    if (quoted && line) *line++ = 0;
    if (line && *line == ',') *line++ = 0;
    else line = NULL;
  }
  return count;
}

static int counter_named(const char *name) {
  for (int i = 0; i < COUNTER_COUNT; i++)
    if (strcmp(counter_def((CounterId)i)->name, name) == 0) return i;
  return -1;
}

static bool launch_of(char **fields, Launch *launch, LsErr *err) {
  launch_init(launch);
  launch->kernel = ls_strdup(fields[KERNEL]);
  launch->shared_bytes = (uint64_t)atoi(fields[SHARED]);
  if (!launch_parse_dim(fields[GRID], true, launch->grid, err)) return false;
  if (!launch_parse_dim(fields[BLOCK], false, launch->block, err)) return false;
  for (char *rest = NULL, *arg = strtok_r(fields[ARGS], " ", &rest); arg; arg = strtok_r(NULL, " ", &rest))
    if (!launch_add_arg(launch, arg, err)) return false;
  return true;
}

static bool add_row(CounterRows *rows, char **names, char **fields, int columns, LsErr *err) {
  CounterRow row;
  int known = 0;
  bool ok = launch_of(fields, &row.launch, err);
  for (int c = FIRST_COUNTER; c < columns && known < COUNTER_ROW_VALUES; c++) {
    int id = counter_named(names[c]);
    if (id < 0) continue;
    row.id[known] = (CounterId)id;
    row.value[known++] = strtoull(fields[c], NULL, 10);
  }
  LS_PUSH(rows->rows, rows->count, rows->capacity, row);
  return ok && (known == COUNTER_ROW_VALUES || ls_fail(err, LS_EFORMAT,
                                                       "a column of h200-counters.csv is not in counter.def any more"));
}

static bool read_table(CounterRows *rows, char *table, LsErr *err) {
  char *names[MOST_COLUMNS], *fields[MOST_COLUMNS], *rest = NULL;
  int columns = split(strtok_r(table, "\n", &rest), names);
  for (char *line = strtok_r(NULL, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    if (split(line, fields) != columns)
      return ls_fail(err, LS_EFORMAT, "row %d of h200-counters.csv has other columns", rows->count + 1);
    if (!add_row(rows, names, fields, columns, err)) return false;
  }
  return true;
}

bool counter_rows_read(CounterRows *rows, LsErr *err) {
  size_t size = 0;
  *rows = (CounterRows){0};
  char *text = source_read("tests/unit/model/hardware/h200-counters.ptx", LIMIT, &size, err);
  char *table = text ? source_read("tests/unit/model/hardware/h200-counters.csv", LIMIT, NULL, err) : NULL;
  rows->module = table ? ptx_parse("h200-counters.ptx", text, size, err) : NULL;
  bool ok = rows->module && read_table(rows, table, err);
  free(text);
  free(table);
  return ok;
}

void counter_rows_free(CounterRows *rows) {
  for (int i = 0; i < rows->count; i++) launch_fini(&rows->rows[i].launch);
  free(rows->rows);
  ptx_module_free(rows->module);
  *rows = (CounterRows){0};
}
