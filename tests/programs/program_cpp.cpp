// SAXPY with OpenCL's C++ bindings and exceptions: contexts and devices by their types, a kernel functor, an event and
// its profile, a build error and its log.
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION  120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace {

const char source[] = "kernel void saxpy(float a, global const float *x, global float *y) {\n"
                      "  size_t i = get_global_id(0);\n"
                      "  y[i] = a * x[i] + y[i];\n"
                      "}\n";

bool reports_build_errors(const cl::Context &context) {
  cl::Program program(context, "kernel void broken(global float *x) { x[0] = y; }");
  try {
    program.build();
  } catch (const cl::BuildError &error) {
    return error.getBuildLog().at(0).second.find("undeclared") != std::string::npos;
  }
  return false;
}

int run() {
  const std::size_t count = 1000;
  const cl::Context context(CL_DEVICE_TYPE_GPU);
  const cl::Device device = context.getInfo<CL_CONTEXT_DEVICES>().at(0);
  cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);
  cl::Program program(context, cl::Program::Sources{source});
  program.build({device}, "-cl-mad-enable -DUNUSED");
  std::vector<float> x(count), y(count), found(count);
  for (std::size_t i = 0; i < count; i++) {
    x[i] = static_cast<float>(i % 10);
    y[i] = static_cast<float>(i % 3);
  }
  cl::Buffer in(context, x.begin(), x.end(), true), out(queue, y.begin(), y.end(), false);
  cl::KernelFunctor<float, cl::Buffer, cl::Buffer> saxpy(program, "saxpy");
  const cl::Event event = saxpy(cl::EnqueueArgs(queue, cl::NDRange(count), cl::NDRange(50)), 2.f, in, out);
  event.wait();
  cl::copy(queue, out, found.begin(), found.end());
  if (event.getProfilingInfo<CL_PROFILING_COMMAND_END>() < event.getProfilingInfo<CL_PROFILING_COMMAND_START>())
    return 1;
  for (std::size_t i = 0; i < count; i++)
    if (found[i] != 2 * x[i] + y[i]) {
      std::fprintf(stderr, "y[%zu] is %g, wanted %g\n", i, static_cast<double>(found[i]),
                   static_cast<double>(2 * x[i] + y[i]));
      return 1;
    }
  return reports_build_errors(context) ? 0 : 1;
}

} // namespace

int main() {
  try {
    return run();
  } catch (const cl::Error &error) {
    std::fprintf(stderr, "%s failed with OpenCL error %d\n", error.what(), error.err());
    return 1;
  }
}
