// The same, but a thread asks only for its place in the
// block: every block begins with letter 0.
extern "C" __global__
void cuda_encrypt(char *m, int m_len, int shift)
{
  int id = threadIdx.x;
  if (id < m_len) {
    int letter = m[id] - 'a';
    m[id] = (letter + shift) % 26 + 'a';
  }
}
