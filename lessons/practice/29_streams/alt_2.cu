// A stream for each kind of work; events tie them together.
void pipeline() {
  cudaMemcpyAsync(d0, h0, bytes,
                  cudaMemcpyHostToDevice, s0);
  cudaEventRecord(e0, s0);
  cudaStreamWaitEvent(s1, e0);
  work<<<blocks, threads, 0, s1>>>(d0);
  cudaEventRecord(e2, s1);
  cudaStreamWaitEvent(s2, e2);
  cudaMemcpyAsync(h0, d0, bytes,
                  cudaMemcpyDeviceToHost, s2);
  cudaEventRecord(e6, s2);
  cudaMemcpyAsync(d1, h1, bytes,
                  cudaMemcpyHostToDevice, s0);
  cudaEventRecord(e1, s0);
  cudaStreamWaitEvent(s1, e1);
  work<<<blocks, threads, 0, s1>>>(d1);
  cudaEventRecord(e3, s1);
  cudaStreamWaitEvent(s2, e3);
  cudaMemcpyAsync(h1, d1, bytes,
                  cudaMemcpyDeviceToHost, s2);
  cudaEventRecord(e7, s2);
  cudaStreamWaitEvent(s0, e6);
  cudaMemcpyAsync(d0, h2, bytes,
                  cudaMemcpyHostToDevice, s0);
  cudaEventRecord(e0, s0);
  cudaStreamWaitEvent(s1, e0);
  work<<<blocks, threads, 0, s1>>>(d0);
  cudaEventRecord(e2, s1);
  cudaStreamWaitEvent(s2, e2);
  cudaMemcpyAsync(h2, d0, bytes,
                  cudaMemcpyDeviceToHost, s2);
  cudaEventRecord(e8, s2);
  cudaStreamWaitEvent(s0, e7);
  cudaMemcpyAsync(d1, h3, bytes,
                  cudaMemcpyHostToDevice, s0);
  cudaEventRecord(e1, s0);
  cudaStreamWaitEvent(s1, e1);
  work<<<blocks, threads, 0, s1>>>(d1);
  cudaEventRecord(e3, s1);
  cudaStreamWaitEvent(s2, e3);
  cudaMemcpyAsync(h3, d1, bytes,
                  cudaMemcpyDeviceToHost, s2);
  cudaEventRecord(e9, s2);
}
