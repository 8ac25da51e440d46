// Caesar cipher on lower-case letters undone, in place:
// one thread for each letter.
extern "C" __global__
void decrypt(char *m, int m_len, int shift)
{
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < m_len) {
    int letter = m[id] - 'a';
    m[id] = (letter - shift) % 26 + 'a';
  }
}
