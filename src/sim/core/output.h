// output.h: what kernels print, piece by piece.
#ifndef LS_SIM_OUTPUT_H
#define LS_SIM_OUTPUT_H

#include <stddef.h>
#include <stdint.h>
#include "base/text.h"

enum { SIM_MAX_OUTPUT = 1 << 20 };   // bytes that a kernel may print

typedef struct SimExec SimExec;

// A piece of what printf wrote, behind those before it.
typedef struct SimPrint { uint32_t block, thread; uint64_t event; size_t length; } SimPrint;
typedef struct SimOutput { LsText text; SimPrint *pieces; int piece_count, piece_capacity; } SimOutput;

void sim_output_piece(SimOutput *output, SimPrint piece);
void sim_output_add(SimOutput *output, SimOutput *more);   // takes the contents of more
void sim_output_free(SimOutput *output);
void sim_output_send(SimExec *exec);                       // to the sink

#endif
