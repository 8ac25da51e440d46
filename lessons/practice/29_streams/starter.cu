// Four chunks, h0 to h3 in the host's memory, go through the
// kernel and back to their places. There are streams s0 s1 s2,
// events e0 to e9, and two buffers on the device, d0 and d1.
// Calls stand one behind the other, without loops. This is
// right, but nothing overlaps. TODO: in two thirds of the time.
void pipeline() {
  cudaMemcpyAsync(d0, h0, bytes,
                  cudaMemcpyHostToDevice, s0);
  work<<<blocks, threads, 0, s0>>>(d0);
  cudaMemcpyAsync(h0, d0, bytes,
                  cudaMemcpyDeviceToHost, s0);
  cudaMemcpyAsync(d0, h1, bytes,
                  cudaMemcpyHostToDevice, s0);
  work<<<blocks, threads, 0, s0>>>(d0);
  cudaMemcpyAsync(h1, d0, bytes,
                  cudaMemcpyDeviceToHost, s0);
  cudaMemcpyAsync(d0, h2, bytes,
                  cudaMemcpyHostToDevice, s0);
  work<<<blocks, threads, 0, s0>>>(d0);
  cudaMemcpyAsync(h2, d0, bytes,
                  cudaMemcpyDeviceToHost, s0);
  cudaMemcpyAsync(d0, h3, bytes,
                  cudaMemcpyHostToDevice, s0);
  work<<<blocks, threads, 0, s0>>>(d0);
  cudaMemcpyAsync(h3, d0, bytes,
                  cudaMemcpyDeviceToHost, s0);
}
