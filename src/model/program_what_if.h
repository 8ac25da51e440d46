// program_what_if.h: what a program would take with one thing of its model changed.
#ifndef LS_MODEL_PROGRAM_WHAT_IF_H
#define LS_MODEL_PROGRAM_WHAT_IF_H

#include "model/program_model.h"

enum { PROGRAM_WHAT_IFS = 9, PROGRAM_WHAT_IF_STEPS = 20000 };
// id, value: the change. words: "one stream".
typedef struct ProgramWhatIf { ProgramModelId id; double value; const char *words; double span; } ProgramWhatIf;

// The changes that mean something to this program, none for one of more than PROGRAM_WHAT_IF_STEPS steps. arch may be
// NULL.
int program_what_ifs(const HostProgram *program, const ProgramModel *model, const ArchProfile *arch,
                     const ProgramCost *costs, ProgramWhatIf out[PROGRAM_WHAT_IFS]);
// How long it takes by this model, in nanoseconds; negative: it cannot be said.
double program_model_span(const HostProgram *program, const ProgramModel *model, const ArchProfile *arch,
                          const ProgramCost *costs);

#endif
