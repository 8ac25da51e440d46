// y[i] = a * x[i] for every element. There are as many
// threads as elements, in one block or in several.
extern "C" __global__ void scale(float *y,
                                 const float *x, float a) {
  // TODO: find the element of this thread, and make it.
}
