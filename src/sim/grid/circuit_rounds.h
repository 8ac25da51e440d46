// circuit_rounds.h: rounds of a circuit, all at once.
#ifndef LS_SIM_GRID_CIRCUIT_ROUNDS_H
#define LS_SIM_GRID_CIRCUIT_ROUNDS_H

#include "sim/core/circuit.h"
#include "sim/core/exec.h"

// Rounds of the circuit at whose head the running group stands; it has just gone one round of it by lines. As many as
// the turn has room for, and as are known to go the same way; up to an access that is unlike those before. False: none.
bool sim_circuit_run(SimExec *exec, const SimCircuit *circuit);

#endif
