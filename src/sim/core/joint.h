// joint.h: words of global memory that several threads add to at the same time: each keeps what it adds to itself.
//
// Such words are claimed for one operation (ownership.h), and nobody looks at them before all threads are done, so it
// is all the same when a sum comes to memory. Two threads that add to one line of the cache again and again would wait
// for each other most of the time.
#ifndef LS_SIM_JOINT_H
#define LS_SIM_JOINT_H

#include <stdbool.h>
#include "sim/core/exec.h"

// Can a worker keep this atomic back? Additions and XOR of integers: they change a word if and only if the operand is
// not 0.
bool sim_joint_is_kept(const SimExec *exec, const SimMem *mem);
// Lane i of the mask changes the word at exec->addr[i] in span. A word is claimed when it is first kept; false: it is
// another's.
// Where exec->copied_to is set the caller adds to the words at exec->joint_copy.origin + address himself.
bool sim_joint_keep(SimExec *exec, const SimInst *inst, const SimSpan *span, uint32_t mask);
void sim_joint_flush(SimExec *exec);   // all comes to memory; before a unit of blocks ends

#endif
