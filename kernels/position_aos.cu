// Copy positions kept as an array of structures.
struct Position {
  float x;
  float y;
  float z;
};

extern "C" __global__
void position_aos(Position *out, Position *data, int n)
{
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n) {
    float x = data[idx].x;
    float y = data[idx].y;
    float z = data[idx].z;
    out[idx].x = x;
    out[idx].y = y;
    out[idx].z = z;
  }
}
