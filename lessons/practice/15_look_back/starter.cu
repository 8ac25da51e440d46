typedef unsigned long long u64;

// y[i]: the sum of x from its start to i, over all blocks.
// state[b] and ticket[0] begin with 0.
extern "C" __global__ void scan(int *y, u64 *state,
                                unsigned *ticket,
                                const int *x, int n) {
  // TODO
}
