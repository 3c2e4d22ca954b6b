/* Each work-item takes a place in the list by an atomic operation's result; the order is not defined, the sum is. */
__kernel void atomic_results(__global const int *in, __global int *list, __global int *state) {
  const int x = in[get_global_id(0)];
  int seen = state[1];
  list[atomic_inc(&state[0])] = x;
  for (int old = atomic_cmpxchg(&state[1], seen, seen + x); old != seen; old = atomic_cmpxchg(&state[1], seen, seen + x))
    seen = old;
}
