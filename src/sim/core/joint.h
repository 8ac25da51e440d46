// joint.h: words of global memory that several threads add to at the same time: each keeps what it adds to itself.
//
// Such words are claimed for one operation (ownership.h), and nobody looks at them before all threads are done, so it
// is all the same when a sum comes to memory. Two threads that add to one line of the cache again and again would wait
// for each other most of the time.
#ifndef LS_SIM_JOINT_H
#define LS_SIM_JOINT_H

#include <stdbool.h>
#include "sim/core/exec.h"

// Can this atomic be kept back? Additions and XOR of integers: they change a word if and only if the operand is not 0.
bool sim_joint_is_kept(const SimMem *mem);
// Lane i of the mask changes the word at origin + exec->addr[i].
void sim_joint_keep(SimExec *exec, const SimMem *mem, uintptr_t origin, uint32_t mask);
void sim_joint_flush(SimExec *exec);   // all comes to memory; before a unit of blocks ends

#endif
