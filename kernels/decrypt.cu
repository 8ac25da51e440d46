// Caesar cipher undone, in place: one thread for each
// letter, and 26 more before the remainder is taken.
extern "C" __global__
void decrypt(char *m, int m_len, int shift)
{
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < m_len) {
    int letter = m[id] - 'a';
    m[id] = (letter + 26 - shift) % 26 + 'a';
  }
}
