// forgets.cu: the same without its barrier.
#define FORGET
#include "triple.cu"
