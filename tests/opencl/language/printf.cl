/* Every conversion, scalars and vectors; opencl/printed_text compares the text with OpenCL's. Left out is what PoCL 3.1
 * gets wrong: doubles under %f, %e and %g without l, which it prints as floats, and %8.3s, which it prints as blanks. */
__constant char table[] = "from a table";

__kernel void print_integers(__global const int *numbers, __global int *returned) {
  const int id = (int)get_global_id(0), n = numbers[id];
  const char c = (char)n;
  const ulong wide = (ulong)n * 0x100000001UL;
  int sum = printf("%d: [%d] [%i] [%u] [%o] [%x] [%X]\n", id, n, n, n, n, n, n);
  sum += printf("%d: flags [%+d] [% d] [%08d] [%-8d] [%8d] [%#x] [%#o] [%+5d] [%-+8d]\n", id, n, n, n, n, n, n, n, n, n);
  sum += printf("%d: precision [%.3d] [%8.5d] [%-8.5d] [%.0d] [%.10x]\n", id, n, n, n, n, n);
  sum += printf("%d: lengths [%hhd] [%hhu] [%hd] [%hu] [%ld] [%lu] [%lx]\n", id, c, c, (short)n, (ushort)n, (long)n,
                wide, wide);
  sum += printf("%d: characters [%c] [%5c] [%-5c] %%\n", id, 'a' + (n & 15), 'b', 'c');
  sum += printf("%d: strings [%s] [%10s] [%-10s] [%.2s] [%s]\n", id, "plain", "right", "left", "cut", table);
  sum += printf("%d: choice [%s]\n", id, n & 1 ? "odd" : "even");
  sum += printf("no arguments\n");
  returned[id] = sum;
}

__kernel void print_floats(__global const float *numbers, __global double *sums) {
  const int id = (int)get_global_id(0);
  const float f = numbers[id];
  const double d = (double)f * 1e10;
  printf("%d: [%f] [%e] [%g] [%F] [%E] [%G]\n", id, f, f, f, f, f, f);
  printf("%d: flags [%+f] [% f] [%010f] [%-12f] [%12f] [%#.0f] [%#g]\n", id, f, f, f, f, f, f, f);
  printf("%d: precision [%.0f] [%.2f] [%10.3f] [%-10.1f] [%.3e] [%.4g] [%012.5e]\n", id, f, f, f, f, f, f, f);
  printf("%d: double [%lf] [%lg] [%.15lg] [%-30.3le]\n", id, d, d, d, d);
  sums[id] = d;
}

__kernel void print_special(__global const float *numbers) {
  const int id = (int)get_global_id(0);
  const float zero = numbers[id] * 0;
  printf("%d: [%f] [%f] [%5.1f] [%g]\n", id, 1 / zero, -1 / zero, zero, 1 / zero);
  printf("%d: [%a] [%A]\n", id, numbers[id], numbers[id]);
}

__kernel void print_vectors(__global const int *numbers) {
  const int id = (int)get_global_id(0), n = numbers[id];
  const float4 f = (float4)(n, n + 0.5f, -n, n * 0.125f);
  printf("%d: [%v4hlf] [%v4hle] [%8.2v4hlg]\n", id, f, f, f);
  printf("%d: [%v2hld] [%v3hld] [%v4hlx] [%v8hlu]\n", id, (int2)(n, -n), (int3)(1, n, 3), (int4)(n), (uint8)(n));
  printf("%d: [%v4hhd] [%v16hhu] [%v2hd] [%v4hx]\n", id, (char4)(1, -1, n, 127), (uchar16)(n), (short2)(n, -n),
         (ushort4)(n, 1, 2, 3));
  printf("%d: [%v2ld] [%v2lf] [%#v2hlx] [%05v3hld]\n", id, (long2)(n, -n), (double2)(n, 0.25), (int2)(n, 255), (int3)(n));
}

__kernel void print_around_a_barrier(__global const int *numbers) {
  __local int shared[4];
  const int id = (int)get_local_id(0);
  printf("%d: before %d\n", id, numbers[id]);
  shared[id] = numbers[id];
  barrier(CLK_LOCAL_MEM_FENCE);
  printf("%d: behind %d\n", id, shared[3 - id]);
}
