// Each thread follows a list: a node holds a value, and the
// place of the node behind it.
extern "C" __global__
void chase(int *sums, const int2 *list, int hops,
           int step, int mask)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = i & mask;
  int sum = 0;
  #pragma unroll 1
  for (int hop = 0; hop < hops; hop++) {
    int2 node = list[at];
    sum += node.x;
    at = node.y;
  }
  sums[i] = sum;
}
