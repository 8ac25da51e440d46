// P = M * N by tiles of 8, 16 and 32: three launches, each
// with another block. See the steps of the program.
#include "matmul_tiled.cu"
