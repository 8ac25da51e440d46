// Caesar cipher on lower-case letters, in place:
// one thread walks over the whole word.
extern "C" __global__
void cuda_encrypt(char *m, int m_len, int shift)
{
  #pragma unroll 1
  for (int i = 0; i < m_len; i++) {
    int letter = m[i] - 'a';
    m[i] = (letter + shift) % 26 + 'a';
  }
}
