#include "measure/images.h"

static const size_t origin[3];

cl_mem image_create(const struct opencl_api *api, cl_context context, const struct workload_buffer *b, cl_int *status) {
  const cl_image_format format = {image_order_number((enum image_order)b->format.order),
                                  image_type_number((enum image_type)b->format.type)};
  const cl_image_desc description = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = b->width, .image_height = b->height};
  return api->clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, NULL, status);
}

cl_int image_write(const struct opencl_api *api, cl_command_queue queue, cl_mem image, const struct workload_buffer *b,
                   const void *contents) {
  const size_t region[3] = {b->width, b->height, 1};
  return api->clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, contents, 0, NULL, NULL);
}

cl_int image_read(const struct opencl_api *api, cl_command_queue queue, cl_mem image, const struct workload_buffer *b,
                  void *contents) {
  const size_t region[3] = {b->width, b->height, 1};
  return api->clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, contents, 0, NULL, NULL);
}

cl_int sampler_find(const struct opencl_api *api, cl_context context, cl_sampler samplers[IMAGES_SAMPLERS],
                    uint32_t bits, cl_sampler *out) {
  static const cl_addressing_mode modes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP,
                                             CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT};
  const uint32_t mode = (bits & SAMPLER_ADDRESS) / SAMPLER_CLAMP_TO_EDGE;
  cl_int status = CL_SUCCESS;
  if (bits >= IMAGES_SAMPLERS || mode >= sizeof modes / sizeof *modes)
    return CL_INVALID_SAMPLER;
  if (!samplers[bits])
    samplers[bits] = api->clCreateSampler(context, bits & SAMPLER_NORMALISED ? CL_TRUE : CL_FALSE, modes[mode],
                                          bits & SAMPLER_LINEAR ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &status);
  *out = samplers[bits];
  return status;
}

void samplers_release(const struct opencl_api *api, cl_sampler samplers[IMAGES_SAMPLERS]) {
  for (unsigned i = 0; i < IMAGES_SAMPLERS; i++)
    if (samplers[i])
      api->clReleaseSampler(samplers[i]);
}
