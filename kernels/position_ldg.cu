// Copy positions kept as an array of structures. Loads go
// through the path for data that nobody writes.
struct Position {
  float x;
  float y;
  float z;
};

extern "C" __global__
void position_ldg(Position *out, Position *data, int n)
{
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n) {
    float x = __ldg(&data[idx].x);
    float y = __ldg(&data[idx].y);
    float z = __ldg(&data[idx].z);
    out[idx].x = x;
    out[idx].y = y;
    out[idx].z = z;
  }
}
