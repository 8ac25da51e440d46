kernel void off_by_one(global int *out, local int *s, int add) {
  int i = get_local_id(0);
  s[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = s[get_local_size(0) - 1 - i] + add;
}
