// counter_rows.h: what Nsight Compute counted on an H200 (tests/unit/model/hardware), one launch a row.
#ifndef LS_TESTS_COUNTER_ROWS_H
#define LS_TESTS_COUNTER_ROWS_H

#include "model/counter.h"
#include "ptx/module.h"

enum { COUNTER_ROW_VALUES = 12 };   // of the table's columns: those that counter.def knows

typedef struct CounterRow {
  Launch launch;
  CounterId id[COUNTER_ROW_VALUES];
  uint64_t value[COUNTER_ROW_VALUES];
} CounterRow;

typedef struct CounterRows { PtxModule *module; CounterRow *rows; int count, capacity; } CounterRows;

bool counter_rows_read(CounterRows *rows, LsErr *err);
void counter_rows_free(CounterRows *rows);

#endif
