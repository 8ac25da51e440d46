// The device's part: the product of gpumult1. The host's
// part is a step of the program: three loops.
#include "gpumult1.cu"
