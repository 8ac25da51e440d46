// ncu.h: what Nsight Compute read: ncu --csv --page raw --print-units base --metrics ... prints one line a kernel.
#ifndef LS_TESTS_GPU_NCU_H
#define LS_TESTS_GPU_NCU_H

#include "model/counter.h"

// The kernels in the order in which they were launched.
typedef struct NcuRow { char kernel[128]; CounterSet value; bool known[COUNTER_COUNT]; } NcuRow;
typedef struct NcuTable { NcuRow *rows; int count, capacity; } NcuTable;

bool ncu_read(const char *path, NcuTable *table, LsErr *err);
void ncu_free(NcuTable *table);
// The metrics that counter.def names, with commas between, for --metrics.
void ncu_metrics(LsText *out);

#endif
