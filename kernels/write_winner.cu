// Lanes store their own number, several of them into one
// word: in the same instruction. One store stays.
extern "C" __global__
void write_winner(int *winner, int words)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  winner[i % words] = i;
}
