#include "measure/images.h"

static const size_t origin[3];

cl_mem image_create(const struct opencl_api *api, cl_context context, const struct workload_buffer *b, cl_int *status) {
  const cl_image_format format = {image_order_number((enum image_order)b->format.order),
                                  image_type_number((enum image_type)b->format.type)};
  const enum image_kind kind = (enum image_kind)b->image_kind;
  cl_image_desc description = {.image_type = image_kind_number(kind),
                               .image_width = b->width,
                               .image_height = b->height,
                               .image_depth = b->depth,
                               .image_array_size = kind == IMAGE_1D_ARRAY ? b->height : b->depth};
  if (kind != IMAGE_1D_BUFFER)
    return api->clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, NULL, status);
  const size_t bytes = b->count * scalar_type_bytes(b->type);
  description.buffer = api->clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, status);
  if (!description.buffer)
    return NULL;
  cl_mem image = api->clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, NULL, status);
  api->clReleaseMemObject(description.buffer); /* the image keeps it */
  return image;
}

cl_int image_write(const struct opencl_api *api, cl_command_queue queue, cl_mem image, const struct workload_buffer *b,
                   const void *contents) {
  const size_t region[3] = {b->width, b->height, b->depth};
  return api->clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, contents, 0, NULL, NULL);
}

cl_int image_read(const struct opencl_api *api, cl_command_queue queue, cl_mem image, const struct workload_buffer *b,
                  void *contents) {
  const size_t region[3] = {b->width, b->height, b->depth};
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
