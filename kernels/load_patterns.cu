// Five ways for one warp to load 32 words. How many
// 32-byte sectors does each of them touch?
extern "C" __global__
void load_patterns(int *out, int *base, int pattern,
                   int offset)
{
  int lane = threadIdx.x;
  int word = 0;
  switch (pattern) {
  case 1:   // aligned: lane after lane
    word = lane;
    break;
  case 2:   // permuted within one line
    word = lane ^ 5;
    break;
  case 3:   // consecutive, but offset
    word = lane + offset;
    break;
  case 4:   // the same word for all
    word = offset;
    break;
  case 5:   // scattered
    word = lane * 1237 % 4096;
    break;
  }
  out[lane] = base[word];
}
