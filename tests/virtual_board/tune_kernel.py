"""Tunes a matrix product with PyOpenCL: vectors and work-groups by event times, each result checked."""
import numpy
import pyopencl

N = 64
SOURCE = """
kernel void product(global const float *a, global const float *b, global float *c, int n) {
  const int column = get_global_id(0) * WIDTH, row = get_global_id(1);
  float sums[WIDTH];
  for (int i = 0; i < WIDTH; i++)
    sums[i] = 0;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < WIDTH; i++)
      sums[i] += a[row * n + k] * b[k * n + column + i];
  for (int i = 0; i < WIDTH; i++)
    c[row * n + column + i] = sums[i];
}
"""

context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context, properties=pyopencl.command_queue_properties.PROFILING_ENABLE)
ones = numpy.ones((N, N), numpy.float32)
result = numpy.empty_like(ones)
flags = pyopencl.mem_flags
a, b = (pyopencl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=ones) for _ in range(2))
c = pyopencl.Buffer(context, flags.WRITE_ONLY, result.nbytes)
times = []
for width in (1, 4):
    kernel = pyopencl.Program(context, SOURCE).build(f"-DWIDTH={width}").product
    for local in ((4, 4), (16, 16), (16, 64)):
        try:
            event = kernel(queue, (N // width, N), local, a, b, c, numpy.int32(N))
        except pyopencl.Error as refusal:
            assert local[0] * local[1] > context.devices[0].max_work_group_size and "INVALID" in str(refusal)
            continue
        event.wait()
        pyopencl.enqueue_copy(queue, result, c)
        assert (result == N).all()
        times.append((event.profile.end - event.profile.start, width, local))
assert all(ns > 0 for ns, _, _ in times)
print(f"fastest on {context.devices[0].name}: {min(times)}")
