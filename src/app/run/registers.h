// registers.h: how many registers a thread of a run's kernel has, and how that is known. A GPU's driver tells of a measured run;
// for an emulated one NVIDIA's assembler is asked, if it is installed, on a thread of its own.
#ifndef LS_APP_REGISTERS_H
#define LS_APP_REGISTERS_H

#include "app/run/run.h"

typedef struct Registers Registers;
Registers *registers_ask(const Run *run);              // what is needed of the run is copied
bool registers_known(Registers *registers);            // the answer is there; never waits
int registers_count(Registers *registers);             // 0: nobody knows. Waits for the answer
// "12 registers a thread, as ptxas compiles it for sm_90.", "Registers are not known, and not counted." Waits, too.
void registers_words(Registers *registers, LsText *out);
void registers_free(Registers *registers);             // ends the asking; NULL is fine

#endif
