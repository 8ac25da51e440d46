// Chunk 3 goes back to the place of chunk 1.
void pipeline() {
  cudaMemcpyAsync(d0, h0, bytes,
                  cudaMemcpyHostToDevice, s0);
  work<<<blocks, threads, 0, s0>>>(d0);
  cudaMemcpyAsync(h0, d0, bytes,
                  cudaMemcpyDeviceToHost, s0);
  cudaMemcpyAsync(d1, h1, bytes,
                  cudaMemcpyHostToDevice, s1);
  work<<<blocks, threads, 0, s1>>>(d1);
  cudaMemcpyAsync(h1, d1, bytes,
                  cudaMemcpyDeviceToHost, s1);
  cudaMemcpyAsync(d0, h2, bytes,
                  cudaMemcpyHostToDevice, s0);
  work<<<blocks, threads, 0, s0>>>(d0);
  cudaMemcpyAsync(h2, d0, bytes,
                  cudaMemcpyDeviceToHost, s0);
  cudaMemcpyAsync(d1, h3, bytes,
                  cudaMemcpyHostToDevice, s1);
  work<<<blocks, threads, 0, s1>>>(d1);
  cudaMemcpyAsync(h1, d1, bytes,
                  cudaMemcpyDeviceToHost, s1);
}
