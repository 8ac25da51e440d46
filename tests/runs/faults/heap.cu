// heap.cu: memory that a kernel takes with malloc() and new.

struct Node {
  int value;
  Node *next;
  __device__ Node(int value, Node *next) : value(value), next(next) {}
};

// Every thread has a list of its own.
//: run lists -g 3 -b 40 -a i32[120]=none -a i32=9
//: clean
extern "C" __global__ void lists(int *out, int n) {
  Node *head = nullptr;
  for (int i = 0; i < n; i++) head = new Node(i * (int)(threadIdx.x + 1), head);
  int sum = 0;
  while (head) {
    Node *next = head->next;
    sum += head->value;
    delete head;
    head = next;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// One thread takes what the block works on, and gives it back when all are done.
//: run common -g 3 -b 70 -a i32[210]=none
//: clean
extern "C" __global__ void common(int *out) {
  __shared__ int *piece;
  int t = threadIdx.x, n = blockDim.x;
  if (t == 0) piece = (int *)malloc(n * sizeof *piece);
  __syncthreads();
  piece[t] = t;
  __syncthreads();
  out[blockIdx.x * n + t] = piece[n - 1 - t];
  __syncthreads();
  if (t == 0) free(piece);
}

// Where there is no room for more, malloc says so; who looks is right.
//: run full -g 2 -b 32 -a i32[1]=zero
//: clean
extern "C" __global__ void full(int *count) {
  while (int *piece = (int *)malloc(100000)) {
    piece[24999] = 1;
    atomicAdd(count, 1);
  }
}

// Who does not, writes to nowhere.
//: run unchecked -b 1 -a i32[1]=none
//: expect out_of_bounds @unchecked thread 0 "null"
extern "C" __global__ void unchecked(int *out) {
  int *piece = (int *)malloc(9 << 20);
  piece[0] = 1;                                                // @unchecked
  out[0] = piece[0];
  free(piece);
}

//: run past -b 8 -a i32[8]=none
//: expect out_of_bounds @past thread 5 "past the end of the 40 bytes that it took"
extern "C" __global__ void past(int *out) {
  int *piece = (int *)malloc(40);
  piece[2 * threadIdx.x] = 1;                                  // @past
  out[threadIdx.x] = piece[2 * threadIdx.x];
  free(piece);
}

//: run freed -b 40 -a i32[40]=none
//: expect use_after_free @freed thread 0 "byte 4 of the 40 bytes that it took" "freed at heap.cu"
extern "C" __global__ void freed(int *out) {
  volatile int *piece = (volatile int *)malloc(40);
  piece[1] = threadIdx.x;
  free((void *)piece);
  out[threadIdx.x] = piece[1];                                 // @freed
}

// No barrier before the one who frees it.
//: run freed_early -b 64 -a i32[64]=none
//: expect use_after_free @freed_early "of the 256 bytes that" "freed at heap.cu"
extern "C" __global__ void freed_early(int *out) {
  __shared__ int *piece;
  int t = threadIdx.x;
  if (t == 0) {
    piece = (int *)malloc(256);
    for (int i = 0; i < 64; i++) piece[i] = i;
  }
  __syncthreads();
  if (t == 0) free(piece);
  __syncthreads();
  out[t] = piece[t];                                           // @freed_early
}

// A node is asked for the next one when it is gone.
//: run next_of_deleted -b 1 -a i32[1]=none
//: expect use_after_free @next thread 0 "byte 8 of the 16 bytes that it took"
extern "C" __global__ void next_of_deleted(int *out) {
  Node *first = new Node(1, nullptr), *head = new Node(2, first);
  int sum = 0;
  for (Node *node = head; node; node = *(Node *volatile *)&node->next) {   // @next
    sum += node->value;
    delete node;
  }
  out[0] = sum;
}

//: run twice -b 1 -a i32[1]=none
//: expect bad_free @twice thread 0 "once more the 40 bytes that it took"
extern "C" __global__ void twice(int *out) {
  int *piece = (int *)malloc(40);
  free(piece);
  out[0] = 1;
  free(piece);                                                 // @twice
}

// Every thread frees what thread 0 took.
//: run all_free -b 32 -a i32[1]=none
//: expect bad_free @all_free "that thread (0,0,0) took" "freed at heap.cu"
extern "C" __global__ void all_free(int *out) {
  __shared__ int *piece;
  if (threadIdx.x == 0) piece = new int[32];
  __syncthreads();
  piece[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = piece[31];
  delete[] piece;                                              // @all_free
}

//: run moved -b 1 -a i32[1]=none
//: expect bad_free @moved thread 0 "4 bytes behind the start of the 40 bytes"
extern "C" __global__ void moved(int *out) {
  int *piece = (int *)malloc(40);
  *piece++ = 1;
  out[0] = 1;
  free(piece);                                                 // @moved
}

//: run not_taken -b 1 -a i32[1]=none
//: expect bad_free @not_taken thread 0 "malloc() did not return"
extern "C" __global__ void not_taken(int *out) {
  free(out);                                                   // @not_taken
}

//: run unset -b 32 -a i32[32]=none
//: expect uninitialized @unset thread 0
extern "C" __global__ void unset(int *out) {
  volatile int *piece = (volatile int *)malloc(64);
  piece[0] = 1;
  out[threadIdx.x] = piece[1] + piece[0];                      // @unset
  free((void *)piece);
}

//: run no_barrier -b 64 -a i32[64]=none
//: expect race @writes @reads
extern "C" __global__ void no_barrier(int *out) {
  __shared__ int *piece;
  int t = threadIdx.x;
  if (t == 0) piece = (int *)malloc(256);
  __syncthreads();
  piece[t] = t;                                                // @writes
  out[t] = piece[63 - t];                                      // @reads
}
