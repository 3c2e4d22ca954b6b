/* Functions that the host programs of tests/programs share. Each is an ordinary OpenCL program that knows nothing
 * of reassemble; it ends with exit code 0, prints what it computed wrong and ends with 1, or ends with 1 when an
 * OpenCL call fails. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

struct program {
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
};

/* Ends the process with the name of what failed. */
void must(cl_int status, const char *what);
/* The first device of a type, a context, a queue with `properties`, and `source` built with `options`. */
void program_open(struct program *p, cl_device_type type, cl_command_queue_properties properties, const char *source,
                  const char *options);
void program_close(struct program *p);
/* Returns the program that its own binary gives, built with these options, as programs with a cache of their own do. */
cl_program program_reloaded(const struct program *p, const char *options);

cl_kernel program_kernel(const struct program *p, const char *name);
cl_mem program_buffer(const struct program *p, cl_mem_flags flags, size_t bytes, void *host);
void program_set(cl_kernel kernel, cl_uint index, size_t bytes, const void *value);
void program_launch(const struct program *p, cl_kernel kernel, size_t global, size_t local);
void program_read(const struct program *p, cl_mem buffer, size_t bytes, void *host);

/* Returns whether actual[i] == wanted[i] for all elements; prints the first one that differs. */
int same_floats(const char *name, const float *actual, const float *wanted, size_t count);

#endif
