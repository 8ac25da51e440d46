// Kernels in pairs: the first one wastes something, its twin does not.

// in and out by rows of 64: writes go down a column.
extern "C" __global__ void transpose_naive(float *out, const float *in)
{
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  out[x * 64 + y] = in[y * 64 + x];           // transpose_naive
}

// threadIdx.x goes down a column of both.
extern "C" __global__ void copy_columns(float *out, const float *in)
{
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  out[x * 64 + y] = in[x * 64 + y];           // copy_columns
}

extern "C" __global__ void copy_rows(float *out, const float *in)
{
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  out[y * 64 + x] = in[y * 64 + x];
}

// Each thread adds up a piece of its own.
extern "C" __global__ void sum_pieces(float *out, const float *in, int piece)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  #pragma unroll 1
  for (int k = 0; k < piece; k++)
    sum += in[i * piece + k];                 // sum_pieces
  out[i] = sum;
}

extern "C" __global__ void sum_strided(float *out, const float *in, int piece)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  #pragma unroll 1
  for (int k = 0; k < piece; k++)
    sum += in[k * gridDim.x * blockDim.x + i];
  out[i] = sum;
}

extern "C" __global__ void every_nth(float *out, const float *in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * n];                         // every_nth
}

struct Particle { float x, y, z, mass; };

// Of each particle only the mass is wanted.
extern "C" __global__ void masses(float *out, const Particle *particles)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * particles[i].mass;             // masses
}

__device__ float work(float x, int rounds)
{
  #pragma unroll 1
  for (int k = 0; k < rounds; k++)
    x = x * 0.5f + 1.0f / (x + 1.0f);
  return x;
}

extern "C" __global__ void odd_lanes(float *out, const float *in, int rounds)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  if (threadIdx.x % 2)                        // odd_lanes
    x = work(x, rounds);
  else
    x = work(x + 1, rounds);
  out[i] = x;
}

extern "C" __global__ void odd_warps(float *out, const float *in, int rounds)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  if (threadIdx.x / 32 % 2)
    x = work(x, rounds);
  else
    x = work(x + 1, rounds);
  out[i] = x;
}

// Every fourth thread has something to do.
extern "C" __global__ void every_fourth(float *out, const float *in, int rounds)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 4 == 0)                             // every_fourth
    out[i / 4] = work(in[i / 4], rounds);
}

extern "C" __global__ void first_quarter(float *out, const float *in, int rounds)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < blockDim.x / 4)
    out[i] = work(in[i], rounds);
}

// As many rounds as the data says.
extern "C" __global__ void rounds_by_data(float *out, const int *rounds)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i;
  #pragma unroll 1
  for (int k = 0; k < rounds[i]; k++)         // rounds_by_data
    x = x * 0.5f + 1.0f / (x + 1.0f);
  out[i] = x;
}

extern "C" __global__ void count_all(int *count, const int *in)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] >= 0)
    atomicAdd(count, 1);                      // count_all
}

extern "C" __global__ void count_blocks(int *count, const int *in)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int here = __syncthreads_count(in[i] >= 0);
  if (threadIdx.x == 0)
    atomicAdd(count, here);
}

// Lanes meet seldom, but a block comes back to 128 places eight times.
extern "C" __global__ void places_global(int *places)
{
  for (int k = 0; k < 8; k++)
    atomicAdd(&places[(threadIdx.x + k) % 128], k);   // places_global
}

extern "C" __global__ void places_shared(int *places)
{
  __shared__ int own[128];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < 8; k++)
    atomicAdd(&own[(threadIdx.x + k) % 128], k);
  __syncthreads();
  atomicAdd(&places[threadIdx.x], own[threadIdx.x]);
}

__constant__ float table[32] = {1, 2, 3, 4, 5, 6, 7, 8};

extern "C" __global__ void table_by_lane(float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[i % 32];                     // table_by_lane
}

extern "C" __global__ void table_by_round(float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  #pragma unroll 1
  for (int k = 0; k < 32; k++)
    sum += table[k];
  out[i] = sum;
}

// An array of the thread's own, whose index the compiler does not know.
extern "C" __global__ void own_array(float *out, const int *which)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own[16];
  for (int k = 0; k < 16; k++)
    own[k] = k * 0.5f + i;
  out[i] = own[which[i] & 15];                // own_array
}

extern "C" __global__ void own_registers(float *out, const int *which)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = (which[i] & 15) * 0.5f + i;
}

// Five neighbors each, from global memory and from a tile.
extern "C" __global__ void blur(float *out, const float *in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 5; k++)
    sum += in[i + k];                         // blur
  out[i] = sum;
}

extern "C" __global__ void blur_tile(float *out, const float *in, int n)
{
  __shared__ float tile[128 + 4];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = in[i];
  if (threadIdx.x < 4)
    tile[128 + threadIdx.x] = in[i + 128];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 5; k++)
    sum += tile[threadIdx.x + k];
  out[i] = sum;
}

// A thread reads what it wrote itself: the second barrier orders nothing.
extern "C" __global__ void own_words(float *out, const float *in)
{
  __shared__ float words[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  words[threadIdx.x] = in[i];
  __syncthreads();
  float other = words[127 - threadIdx.x];
  __syncthreads();
  words[threadIdx.x] = other;
  __syncthreads();                            // own_words
  out[i] = words[threadIdx.x] + 1;
}

extern "C" __global__ void others_words(float *out, const float *in)
{
  __shared__ float words[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  words[threadIdx.x] = in[i];
  __syncthreads();
  float other = words[127 - threadIdx.x];
  __syncthreads();
  words[threadIdx.x] = other;
  __syncthreads();
  out[i] = words[threadIdx.x ^ 64] + 1;
}

// Rows of 16 words without a type that says so: padding cannot be read off a declaration.
extern "C" __global__ void rows_by_hand(float *out, int row)
{
  extern __shared__ float words[];
  for (int k = threadIdx.x; k < 32 * row; k += blockDim.x)
    words[k] = k;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = words[threadIdx.x % 32 * row];   // rows_by_hand
}

extern "C" __global__ void shared_block(float *out)
{
  __shared__ float big[10 * 1024];
  big[threadIdx.x] = threadIdx.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = big[threadIdx.x];
}

// Three words of each thread, read where they are and through shared memory.
extern "C" __global__ void triples(float *out, const float *in)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[3 * i] + in[3 * i + 1] + in[3 * i + 2];   // triples
}

extern "C" __global__ void triples_staged(float *out, const float *in)
{
  __shared__ float words[3 * 128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 3; k++)
    words[k * 128 + threadIdx.x] = in[blockIdx.x * 3 * 128 + k * 128 + threadIdx.x];
  __syncthreads();
  out[i] = words[3 * threadIdx.x] + words[3 * threadIdx.x + 1] + words[3 * threadIdx.x + 2];
}
