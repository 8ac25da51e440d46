// program_model.h: the stated model that the times of a program are computed from, as a table of values that may be
// changed: "what if the link were twice as fast, with two streams, with pinned memory".
//
// The rows are in program_model.def. A change of streams or memory is a change of the program: its times are those of a
// ProgramVariant, which has the same steps in the same order.
#ifndef LS_MODEL_PROGRAM_MODEL_H
#define LS_MODEL_PROGRAM_MODEL_H

#include "base/text.h"
#include "model/program_time.h"

typedef enum ProgramModelId {
#define MODEL(ID, ...) PROGRAM_MODEL_##ID,
#include "model/program_model.def"
  PROGRAM_MODEL_COUNT
} ProgramModelId;

typedef struct ProgramModelDef { const char *key, *unit; double least, most; const char *words,
                                *help; } ProgramModelDef;
const ProgramModelDef *program_model_def(ProgramModelId id);

// In the units of the table.
typedef struct ProgramModel { double value[PROGRAM_MODEL_COUNT]; } ProgramModel;
// What is set of a model, and what is not.
typedef struct ProgramModelChange {
  bool given[PROGRAM_MODEL_COUNT];
  double value[PROGRAM_MODEL_COUNT];
} ProgramModelChange;

void program_model_init(ProgramModel *model, const ArchProfile *arch);   // of a device; NULL: of the newest
void program_model_change(ProgramModel *model, const ProgramModelChange *change);
ProgramRates program_model_rates(const ProgramModel *model, const ArchProfile *arch);
ProgramRules program_model_rules(const ProgramModel *model);
// "link=50", "memory=pinned". False with LS_EREQUEST: no such key, or no such value.
bool program_model_read(ProgramModelChange *change, const char *text, LsErr *err);
// "50 GB/s", "pinned", "as the program has them".
void program_model_text(ProgramModelId id, double value, LsText *out);
// A value that a slider goes to from this one: numbers double and halve, words take turns.
double program_model_turn(ProgramModelId id, double value, int direction);
// "link 50 GB/s, latency 8 us, ...": all that the times of the program (NULL: of any) rest on. usual: only what is not
// as there; NULL: all.
void program_model_words(const ProgramModel *model, const ProgramModel *usual, const HostProgram *program,
                         LsText *out);

// The program with streams and memory as the model has them. Its steps share what they point at with the program, which
// has to outlive it.
typedef struct ProgramVariant { HostProgram program; } ProgramVariant;
void program_variant_init(ProgramVariant *variant, const HostProgram *program, const ProgramModel *model);
void program_variant_fini(ProgramVariant *variant);
// As program_time, of the variant, for all its steps. arch may be NULL.
bool program_model_time(const ProgramVariant *variant, const ProgramModel *model, const ArchProfile *arch,
                        const ProgramCost *costs, ProgramTime *times, LsErr *err);

#endif
