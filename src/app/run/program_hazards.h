// program_hazards.h: steps of a program that touch the same bytes and that nothing orders.
//
// First by what the code tells of a kernel's parameters: which launches have to be followed. Then, once these were,
// by bytes.
#ifndef LS_APP_PROGRAM_HAZARDS_H
#define LS_APP_PROGRAM_HAZARDS_H

#include "app/run/program_run.h"
#include "app/run/touched.h"
#include "model/program_order.h"

// One use of a buffer by a step.
typedef struct ProgramAccess {
  int step, buffer;
  bool on_host, writes;
  uint64_t first, size;            // bytes
} ProgramAccess;

typedef struct ProgramHazards ProgramHazards;
// All borrowed.
ProgramHazards *program_hazards_new(const HostProgram *program, const PtxModule *module, const ProgramOrder *order);
void program_hazards_free(ProgramHazards *hazards);
// Whether what a launch touches has to be known byte by byte.
bool program_hazards_follows(const ProgramHazards *hazards, int step);
// What was followed; takes ownership.
void program_hazards_take(ProgramHazards *hazards, int step, Touched *touched);
// A use that only the run knows of: by the function of a host step.
void program_hazards_add(ProgramHazards *hazards, const ProgramAccess *access);
// Calls back for each pair of steps, the later one first, at the first byte that they have in common.
typedef struct ProgramHazard { const ProgramAccess *later, *earlier; uint64_t byte; int32_t later_pc, earlier_pc;
                              } ProgramHazard;
void program_hazards_find(ProgramHazards *hazards, void (*found)(void *context, const ProgramHazard *hazard),
                          void *context);

#endif
