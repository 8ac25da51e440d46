// Five ways to add up an array, each by several launches.
// The host names the kernel: see the steps of the program.
#include "reduce0.cu"
#include "reduce1.cu"
#include "reduce2.cu"
#include "reduce3.cu"
#include "reduce4.cu"
