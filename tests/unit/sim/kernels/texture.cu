// texture.cu: fetches from textures and accesses to surfaces, for the emulator's tests.
//   nvcc -arch=compute_75 -ptx texture.cu
// Every thread fetches once, at the coordinates it finds in `at`; all four channels are kept.
#define FETCHES(T, S)                                                                                    \
  FETCH(T, index_##S, tex1Dfetch<T>(t, (int)c.x))                                                        \
  FETCH(T, one_##S, tex1D<T>(t, c.x))                                                                    \
  FETCH(T, two_##S, tex2D<T>(t, c.x, c.y))                                                               \
  FETCH(T, three_##S, tex3D<T>(t, c.x, c.y, c.z))                                                        \
  FETCH(T, layered_one_##S, tex1DLayered<T>(t, c.x, (int)c.w))                                           \
  FETCH(T, layered_two_##S, tex2DLayered<T>(t, c.x, c.y, (int)c.w))                                      \
  FETCH(T, level_two_##S, tex2DLod<T>(t, c.x, c.y, c.w))                                                 \
  FETCH(T, gradient_two_##S, tex2DGrad<T>(t, c.x, c.y, make_float2(c.w, 0), make_float2(0, c.w)))        \
  FETCH(T, gather_r_##S, tex2Dgather<T>(t, c.x, c.y, 0))                                                 \
  FETCH(T, gather_a_##S, tex2Dgather<T>(t, c.x, c.y, 3))                                                 \
  FETCH(T, cube_##S, texCubemap<T>(t, c.x, c.y, c.z))                                                    \
  FETCH(T, layered_cube_##S, texCubemapLayered<T>(t, c.x, c.y, c.z, (int)c.w))

#define FETCH(T, name, expression)                                                                       \
  extern "C" __global__ void name(cudaTextureObject_t t, T *out, const float4 *at, int n) {              \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                       \
    if (i >= n) return;                                                                                  \
    float4 c = at[i];                                                                                    \
    out[i] = expression;                                                                                 \
  }

FETCHES(float4, f)
FETCHES(int4, i)
FETCHES(uint4, u)

// One thread reads at all places, then writes value after value, so that the last one wins.
#define ALL_MODES(name, T, read, write, ...)                                                             \
  MODE(name##_trap, T, read, write, cudaBoundaryModeTrap, __VA_ARGS__)                                   \
  MODE(name##_clamp, T, read, write, cudaBoundaryModeClamp, __VA_ARGS__)                                 \
  MODE(name##_zero, T, read, write, cudaBoundaryModeZero, __VA_ARGS__)
#define MODE(name, T, read, write, mode, ...)                                                            \
  extern "C" __global__ void name(cudaSurfaceObject_t s, T *out, const T *in, const int4 *at, int n) {   \
    _Pragma("unroll 1") for (int i = 0; i < n; i++) { int4 c = at[i]; out[i] = read<T>(s, __VA_ARGS__, mode); }              \
    _Pragma("unroll 1") for (int i = 0; i < n; i++) { int4 c = at[i]; write(in[i], s, __VA_ARGS__, mode); }                  \
  }

ALL_MODES(surface_one, int, surf1Dread, surf1Dwrite, c.x)
ALL_MODES(surface_two, int, surf2Dread, surf2Dwrite, c.x, c.y)
ALL_MODES(surface_three, int, surf3Dread, surf3Dwrite, c.x, c.y, c.z)
ALL_MODES(surface_layered_one, int, surf1DLayeredread, surf1DLayeredwrite, c.x, c.w)
ALL_MODES(surface_layered_two, int, surf2DLayeredread, surf2DLayeredwrite, c.x, c.y, c.w)

#define WIDTH(name, T) MODE(name, T, surf2Dread, surf2Dwrite, cudaBoundaryModeZero, c.x, c.y)
WIDTH(surface_b8, unsigned char)
WIDTH(surface_b8x2, uchar2)
WIDTH(surface_b8x4, uchar4)
WIDTH(surface_b16, short)
WIDTH(surface_b16x2, ushort2)
WIDTH(surface_b16x4, short4)
WIDTH(surface_b32x2, float2)
WIDTH(surface_b32x4, uint4)
WIDTH(surface_b64, long long)
WIDTH(surface_b64x2, ulonglong2)

// What a student would write first: an image upside down, and a blur by the texture unit.
extern "C" __global__ void flip(cudaTextureObject_t from, cudaSurfaceObject_t to, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) surf2Dwrite(tex2D<uchar4>(from, x + 0.5f, height - y - 0.5f), to, x * 4, y);
}

// Threads of a block write neighbors of each other's texels without a barrier.
extern "C" __global__ void smear(cudaSurfaceObject_t s, int width) {
  int x = threadIdx.x, value = surf1Dread<int>(s, x * 4);
  surf1Dwrite(value + 1, s, (x + 1) % width * 4);
}

// The same with barriers.
extern "C" __global__ void rotate(cudaSurfaceObject_t s, int width) {
  int x = threadIdx.x, value = surf1Dread<int>(s, x * 4);
  __syncthreads();
  surf1Dwrite(value + 1, s, (x + 1) % width * 4);
}

// Lanes of a warp use two textures.
extern "C" __global__ void choose(cudaTextureObject_t a, cudaTextureObject_t b, float *out) {
  int i = threadIdx.x;
  out[i] = tex1Dfetch<float>(i & 1 ? a : b, i);
}
