// count products of 4 x 4 matrices, one behind the other,
// 16 floats each. There are 16 threads for each product.
extern "C" __global__ void batched(float *C, const float *A,
                                   const float *B,
                                   int count) {
  // TODO: one element of C for each thread.
}
