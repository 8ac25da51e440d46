kernel void neighbor(global int *out, local int *s, int add) {
  int i = get_local_id(0);
  s[i] = i;
  out[i] = s[get_local_size(0) - 1 - i] + add;
}
