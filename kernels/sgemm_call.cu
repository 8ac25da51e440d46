// BLAS counts column by column: element (i, j) of a matrix
// is M[i + j * ld]. A and B of the caller lie row by row.
enum Op { N, T };

__device__
float element(Op op, const float *M, int ld, int i, int j)
{
  return op == N ? M[i + j * ld] : M[j + i * ld];
}

// C = op(A) * op(B): m rows, n columns, sums of k terms.
// cuBLAS has two factors more, and adds the old C.
__device__
void sgemm(Op ta, Op tb, int m, int n, int k,
           const float *A, int lda,
           const float *B, int ldb, float *C, int ldc)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  bool refused = lda < (ta == N ? m : k)
    || ldb < (tb == N ? k : n) || ldc < m;
  if (refused || i >= m || j >= n)
    return;
  float sum = 0.0f;
  #pragma unroll 1
  for (int t = 0; t < k; t++) {
    float a = element(ta, A, lda, i, t);
    float b = element(tb, B, ldb, t, j);
    sum += a * b;
  }
  C[i + j * ldc] = sum;
}

extern "C" __global__
void product(float *C, const float *A, const float *B,
             int Arow, int Acol, int Bcol)
{
  sgemm(T, T, Arow, Bcol, Acol,
        A, Acol, B, Bcol, C, Arow);
}
