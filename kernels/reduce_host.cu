// The device's part: a sum for each block, then one of all.
// The host's part is a step of the program: a plain loop.
#include "reduce3.cu"
