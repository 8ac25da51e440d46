// Caesar cipher on lower-case letters, in place. The host
// brings the word and fetches it: see the program's steps.
#include "encrypt_parallel.cu"
