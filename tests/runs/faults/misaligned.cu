// misaligned.cu: addresses that are no multiple of the size of the access.

// Four floats at once are fine only where a multiple of four begins.
//: run float4_shifted -b 8 -a f32[64]=iota -a f32[64]=none
//: expect misaligned @float4_shifted thread 0 "reads 16 bytes at argument 1[1]" "no multiple of 16"
extern "C" __global__ void float4_shifted(const float *in, float *out) {
  const float4 *rows = (const float4 *)(in + 1);
  float4 row = rows[threadIdx.x];                               // @float4_shifted
  out[threadIdx.x] = row.x + row.y + row.z + row.w;
}

// A number behind a header of three bytes.
//: run packed_header -b 4 -a u8[64]=iota -a i32[4]=none
//: expect misaligned @packed_header thread 0 "byte 3 of argument 1" "no multiple of 4"
extern "C" __global__ void packed_header(const unsigned char *packet, int *out) {
  out[threadIdx.x] = *(const int *)(packet + 3 + 4 * threadIdx.x);   // @packed_header
}

// Threads with an odd number write a double where only floats are aligned.
//: run double_in_floats -b 16 -a f32[64]=none
//: expect misaligned @double_in_floats thread 1 "writes 8 bytes at" "no multiple of 8"
extern "C" __global__ void double_in_floats(float *out) {
  *(double *)(out + threadIdx.x) = threadIdx.x;                 // @double_in_floats
}

// Bytes of shared memory, taken for integers at a distance of three.
//: run shared_bytes -b 32 -a i32[32]=none
//: expect misaligned @shared_bytes thread 1 "no multiple of 4"
extern "C" __global__ void shared_bytes(int *out) {
  __shared__ __align__(16) unsigned char bytes[128];
  int t = threadIdx.x;
  for (int i = t; i < 128; i += 32) bytes[i] = i;
  __syncthreads();
  out[t] = *(int *)&bytes[3 * t];                               // @shared_bytes
}
