/* opencl_builtins.h: as much of OpenCL C as Oclgrind's test kernels call, in the terms of clang's NVPTX target.

   A barrier is CUDA's: it orders all memory, whatever the flags say. Which work-item copies an element for its
   work-group is not said in OpenCL: here it is another one than the element's own. Waiting for a copy is a barrier. */

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef ulong size_t;
typedef uint cl_mem_fence_flags;
#define VECTORS(type) \
  typedef type type##2 __attribute__((ext_vector_type(2))); \
  typedef type type##3 __attribute__((ext_vector_type(3))); \
  typedef type type##4 __attribute__((ext_vector_type(4))); \
  typedef type type##8 __attribute__((ext_vector_type(8))); \
  typedef type type##16 __attribute__((ext_vector_type(16)))
VECTORS(char); VECTORS(uchar); VECTORS(short); VECTORS(ushort); VECTORS(int); VECTORS(uint);
VECTORS(long); VECTORS(ulong); VECTORS(float);

#define INLINE static inline __attribute__((always_inline, overloadable))
#define BY_DIMENSION(name, register) \
  INLINE size_t name(uint dimension) { \
    return dimension == 0 ? register##_x() : dimension == 1 ? register##_y() : register##_z(); \
  }
BY_DIMENSION(get_local_id, __nvvm_read_ptx_sreg_tid)
BY_DIMENSION(get_local_size, __nvvm_read_ptx_sreg_ntid)
BY_DIMENSION(get_enqueued_local_size, __nvvm_read_ptx_sreg_ntid)
BY_DIMENSION(get_group_id, __nvvm_read_ptx_sreg_ctaid)
BY_DIMENSION(get_num_groups, __nvvm_read_ptx_sreg_nctaid)
INLINE size_t get_global_id(uint d) { return get_group_id(d) * get_local_size(d) + get_local_id(d); }
INLINE size_t get_global_size(uint d) { return get_num_groups(d) * get_local_size(d); }
INLINE size_t get_local_linear_id(void) {
  return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}
INLINE size_t get_global_linear_id(void) {
  return (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
}

#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
__attribute__((convergent)) INLINE void barrier(cl_mem_fence_flags flags) { __syncthreads(); }
#define work_group_barrier barrier
INLINE void mem_fence(cl_mem_fence_flags flags) { __nvvm_membar_gl(); }

#define ATOMIC(space, type, name, builtin) \
  INLINE type name(volatile space type *p, type value) { return (type)builtin((type *)p, value); }
#define ATOMICS(space) \
  ATOMIC(space, int, atomic_add, __nvvm_atom_add_gen_i) \
  ATOMIC(space, int, atomic_min, __nvvm_atom_min_gen_i) \
  ATOMIC(space, int, atomic_max, __nvvm_atom_max_gen_i) \
  INLINE uint atomic_add(volatile space uint *p, uint value) { \
    return (uint)__nvvm_atom_add_gen_i((int *)p, (int)value); \
  } \
  INLINE ulong atomic_add(volatile space ulong *p, ulong value) { \
    return (ulong)__nvvm_atom_add_gen_l((long *)p, (long)value); \
  } \
  ATOMIC(space, uint, atomic_min, __nvvm_atom_min_gen_ui) \
  ATOMIC(space, uint, atomic_max, __nvvm_atom_max_gen_ui) \
  INLINE int atomic_inc(volatile space int *p) { return atomic_add(p, 1); } \
  INLINE uint atomic_inc(volatile space uint *p) { return atomic_add(p, 1u); } \
  INLINE int atomic_dec(volatile space int *p) { return atomic_add(p, -1); } \
  INLINE int atomic_cmpxchg(volatile space int *p, int old, int new) { \
    return __nvvm_atom_cas_gen_i((int *)p, old, new); \
  }
ATOMICS(global)
ATOMICS(local)
#define atom_add atomic_add
#define UINT_MAX 0xffffffffu

#define COPY(to, from) \
  INLINE event_t async_work_group_copy(to int *target, const from int *source, size_t count, event_t event) { \
    size_t step = get_local_size(0) * get_local_size(1) * get_local_size(2); \
    for (size_t i = get_local_linear_id(); i < count; i += step) target[count - 1 - i] = source[count - 1 - i]; \
    return event; \
  }
COPY(local, global)
COPY(global, local)
__attribute__((convergent)) INLINE void wait_group_events(int count, event_t *events) { __syncthreads(); }

INLINE short rhadd(short a, short b) { return (short)((a + b + 1) >> 1); }
INLINE char rhadd(char a, char b) { return (char)((a + b + 1) >> 1); }
INLINE ulong rhadd(ulong a, ulong b) { return (a >> 1) + (b >> 1) + ((a | b) & 1); }
INLINE int3 vload3(size_t at, const global int *p) { return (int3)(p[3 * at], p[3 * at + 1], p[3 * at + 2]); }
INLINE void vstore3(int3 v, size_t at, global int *p) { p[3 * at] = v.x; p[3 * at + 1] = v.y; p[3 * at + 2] = v.z; }
