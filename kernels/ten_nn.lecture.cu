// Each thread keeps the ten points of qs that are nearest
// to its own point p, the farthest of the ten on top.
extern "C" __global__
void ten_nn(float2 *result, float2 *ps, float2 *qs,
            size_t num_ps, size_t num_qs)
{
  size_t i = threadIdx.x;
  if (i >= num_ps)
    return;
  float2 p = ps[i];
  float2 heap[10];
  float d[10];
  #pragma unroll 1
  for (int k = 0; k < 10; k++) {
    d[k] = 1e30f;
    heap[k] = p;
  }
  #pragma unroll 1
  for (size_t j = 0; j < num_qs; j++) {
    float2 q = qs[j];
    float dx = q.x - p.x;
    float dy = q.y - p.y;
    float r = dx * dx + dy * dy;
    if (r < d[0]) {
      int k = 0;
      #pragma unroll 1
      for (int c = 1; c < 10; c = 2 * k + 1) {
        if (c < 9 && d[c + 1] > d[c])
          c++;
        if (d[c] <= r)
          break;
        d[k] = d[c];
        heap[k] = heap[c];
        k = c;
      }
      d[k] = r;
      heap[k] = q;
    }
  }
  #pragma unroll 1
  for (int k = 0; k < 10; k++)
    result[i * 10 + k] = heap[k];
}
