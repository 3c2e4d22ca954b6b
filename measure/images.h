/* Images and samplers of a workload on a device. Private to measure/session.c. Errors: those of OpenCL. */
#ifndef MEASURE_IMAGES_H
#define MEASURE_IMAGES_H

#include "measure/opencl_api.h"
#include "workload/workload.h"

#define IMAGES_SAMPLERS 64 /* above every number of a sampler (workload/image_format.h) */

cl_mem image_create(const struct opencl_api *api, cl_context context, const struct workload_buffer *b, cl_int *status);
cl_int image_write(const struct opencl_api *api, cl_command_queue queue, cl_mem image, const struct workload_buffer *b,
                   const void *contents);
cl_int image_read(const struct opencl_api *api, cl_command_queue queue, cl_mem image, const struct workload_buffer *b,
                  void *contents);
/* Writes the sampler with number `bits`, which is made on first use. samplers_release frees those that were made. */
cl_int sampler_find(const struct opencl_api *api, cl_context context, cl_sampler samplers[IMAGES_SAMPLERS],
                    uint32_t bits, cl_sampler *out);
void samplers_release(const struct opencl_api *api, cl_sampler samplers[IMAGES_SAMPLERS]);

#endif
