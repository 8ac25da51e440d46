// The sine of every step, for the host's own loop to be
// held against: see the steps of the program.
#include "gpu_sin_if.cu"
