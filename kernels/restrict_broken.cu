// Twice the same sum, of a word of in. The compiler may
// keep in[0] only where out is promised to be elsewhere.
extern "C" __global__
void plain(int *out, const int *in)
{
  out[0] = in[0] + 1;
  out[1] = in[0] + 1;
}

extern "C" __global__
void promised(int *__restrict__ out,
              const int *__restrict__ in)
{
  out[0] = in[0] + 1;
  out[1] = in[0] + 1;
}
