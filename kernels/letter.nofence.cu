// Block 0 writes a letter and raises a flag. Block 1 waits for
// the flag and reads.
extern "C" __global__
void letter(int *got, int *data, volatile int *flag,
            int words)
{
  if (blockIdx.x == 0) {
    *data = words;
    // the letter is on its way
    *flag = 1;
  } else {
    while (*flag == 0)
      ;
    // and here it is
    *got = *data;
  }
}
