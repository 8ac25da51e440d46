// y[i]: the sum of x from the start of the block to i.
// sums[b]: the sum of block b.
extern "C" __global__ void scan(int *y, int *sums,
                                const int *x, int n) {
  // TODO: a scan in each warp, then what the warps before
  // mine come to.
}
