// C = A B, a tile of 64 x 64 of C for each block of 16 x 16
// threads; k and n are multiples of 4.
extern "C" __global__ void matmul(float *C, const float *A,
                                  const float *B, int m,
                                  int k, int n) {
  // TODO: 4 x 4 elements of C for each thread.
}
