// Copy positions kept as a structure of arrays.
extern "C" __global__
void position_soa(float *out_x, float *out_y, float *out_z,
                  float *data_x, float *data_y,
                  float *data_z, int n)
{
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n) {
    float x = data_x[idx];
    float y = data_y[idx];
    float z = data_z[idx];
    out_x[idx] = x;
    out_y[idx] = y;
    out_z[idx] = z;
  }
}
