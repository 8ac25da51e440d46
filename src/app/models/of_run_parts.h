// of_run_parts.h: what the files share that take a model's values from a run.
#ifndef LS_APP_MODELS_OF_RUN_PARTS_H
#define LS_APP_MODELS_OF_RUN_PARTS_H

#include "app/models/of_run.h"
#include "model/occ.h"

// A value by its name; a number is brought into its range.
bool of_run_number(const Model *model, ModelValues *values, const char *name, int64_t number, LsErr *err);
bool of_run_word(const Model *model, ModelValues *values, const char *name, const char *word, LsErr *err);
bool of_run_profile(const Model *model, Run *run, ModelValues *values, LsErr *err);
void of_run_occupancy(const Run *run, Occupancy *out);         // of the run's device; all zero: not known
int of_run_shared(const Run *run);                             // bytes of a block
// Registers of a thread: as measured, as a recording has them, as the assembler says; 0: nobody knows.
int of_run_registers(const Run *run);
// A recording of the same kernel with the same parameters. NULL: there is none. Caller frees.
Run *of_run_recording(const Run *run);

bool of_run_latency(const Model *model, Run *run, int64_t step, ModelValues *values, LsErr *err);
bool of_run_roofline(const Model *model, Run *run, int64_t step, ModelValues *values, LsErr *err);
bool of_run_spaces(const Model *model, Run *run, int64_t step, ModelValues *values, LsErr *err);

#endif
