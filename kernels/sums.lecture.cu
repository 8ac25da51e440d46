// The sums with the lecture's stride: blockDim.x squared
// in reduce1, reduce2 and reduce3.
#include "reduce0.cu"
#include "reduce1.lecture.cu"
#include "reduce2.lecture.cu"
#include "reduce3.lecture.cu"
#include "reduce4.cu"
