// Lanes exchange values through shared memory: each
// writes its own, and reads that of another lane.
extern "C" __global__
void syncwarp_exchange(int *out, int distance)
{
  __shared__ int s_data[32];
  int laneId = threadIdx.x & 31;
  s_data[laneId] = 31 - laneId;
  int other = s_data[laneId ^ distance];
  out[laneId] = other;
}
