// begin_order.h: which block begins next, and who waits for one that begins later.
#ifndef LS_SIM_BEGIN_ORDER_H
#define LS_SIM_BEGIN_ORDER_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

uint32_t sim_begin_next(SimExec *exec);                    // the number of the block that begins now
void sim_begin_left(SimExec *exec, bool waits);            // the running block has ended, or waits and is put away
void sim_begin_look(SimExec *exec, uint32_t mask);         // the running block looks at exec->addr
// The index among those put away of a block that cannot go on before one that had not begun; -1: none is known. Then
// `other` is the latter's number.
int sim_begin_verdict(SimExec *exec, uint32_t *other);

#endif
