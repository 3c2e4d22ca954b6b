/* Images and samplers. */
#include "tracegen/program/layer/wrappers.h"

#include "tracegen/program/launch/describe.h"
#include "tracegen/program/launch/initialised_bytes.h"

/* Asks for the sizes of an image and makes the region of all its texels of them. Sizes that a kind of image lacks are
 * 0 in OpenCL. Returns whether OpenCL tells them. */
static bool ask_region(cl_mem image, cl_mem_object_type type, size_t region[3]) {
  static const cl_image_info questions[] = {CL_IMAGE_WIDTH, CL_IMAGE_HEIGHT, CL_IMAGE_DEPTH};
  size_t layers = 0;
  for (unsigned d = 0; d < 3; d++)
    if (below->clGetImageInfo(image, questions[d], sizeof region[d], &region[d], NULL))
      return false;
  if (below->clGetImageInfo(image, CL_IMAGE_ARRAY_SIZE, sizeof layers, &layers, NULL))
    return false;
  if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
    region[1] = layers;
  if (type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
    region[2] = layers;
  for (unsigned d = 1; d < 3; d++)
    region[d] = region[d] ? region[d] : 1;
  return region[0] > 0;
}

/* Makes the image a part of the buffer that it shows. A launch may not write one of them and access the other (OpenCL
 * 1.2, section 5.3.1), so that all of its accesses see the same bytes. */
static bool show(struct memory_record *image, struct memory_record *buffer) {
  if (!buffer || buffer->region[0] > 0)
    return false;
  image->kind = "image";
  image->parent = whole_buffer(buffer);
  image->offset = buffer->offset;
  image->parent->references++; /* it lives as long as its image */
  return true;
}

/* Fills the record with what OpenCL says about the image, because the calls that make images have different parameters.
 * Returns whether the image is supported. */
static bool ask(cl_mem image, struct memory_record *r) {
  size_t element = 0;
  cl_mem parent = NULL;
  if (below->clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof r->image_type, &r->image_type, NULL) ||
      below->clGetMemObjectInfo(image, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL) ||
      below->clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof r->format, &r->format, NULL) ||
      below->clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, NULL) ||
      !ask_region(image, r->image_type, r->region))
    return false;
  r->bytes = (uint64_t)r->region[0] * r->region[1] * r->region[2] * element;
  if (parent && r->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
    return show(r, memory_find(parent));
  r->kind = parent ? "an image made from another memory object" : "image";
  return !parent;
}

static cl_mem remember(cl_mem handle, cl_mem_flags flags) {
  if (!handle)
    return NULL;
  records_lock();
  struct memory_record *r = memory_add(handle, 0, "an image that OpenCL does not describe");
  if (r && !ask(handle, r))
    r->region[0] = 0;
  cl_mem buffer = NULL; /* that the image shows: writes to the image are writes to it */
  below->clGetMemObjectInfo(handle, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof buffer, &buffer, NULL);
  struct memory_record *shown = buffer ? memory_find(buffer) : NULL;
  initialised_all(shown);
  if (shown)
    whole_buffer(shown)->is_shared = true;
  if (r) {
    r->is_shared = true;
    memory_log(r, flags);
  }
  records_unlock();
  return handle;
}

static CL_API_ENTRY cl_mem CL_API_CALL create_image(cl_context context, cl_mem_flags flags,
                                                    const cl_image_format *format, const cl_image_desc *description,
                                                    void *host, cl_int *status) {
  return remember(below->clCreateImage(context, memory_readable(flags), format, description, host, status), flags);
}

static CL_API_ENTRY cl_mem CL_API_CALL create_image_with_properties(cl_context context,
                                                                    const cl_mem_properties *properties,
                                                                    cl_mem_flags flags, const cl_image_format *format,
                                                                    const cl_image_desc *description, void *host,
                                                                    cl_int *status) {
  return remember(below->clCreateImageWithProperties(context, properties, memory_readable(flags), format, description,
                                                     host, status),
                  flags);
}

static CL_API_ENTRY cl_mem CL_API_CALL create_image_2d(cl_context context, cl_mem_flags flags,
                                                       const cl_image_format *format, size_t width, size_t height,
                                                       size_t pitch, void *host, cl_int *status) {
  return remember(below->clCreateImage2D(context, memory_readable(flags), format, width, height, pitch, host, status),
                  flags);
}

static CL_API_ENTRY cl_mem CL_API_CALL create_image_3d(cl_context context, cl_mem_flags flags,
                                                       const cl_image_format *format, size_t width, size_t height,
                                                       size_t depth, size_t pitch, size_t slice, void *host,
                                                       cl_int *status) {
  return remember(
      below->clCreateImage3D(context, memory_readable(flags), format, width, height, depth, pitch, slice, host, status),
      flags);
}

static cl_sampler remember_sampler(cl_sampler handle) {
  if (!handle)
    return NULL;
  records_lock();
  struct sampler_record *r = sampler_add(handle);
  if (r) {
    below->clGetSamplerInfo(handle, CL_SAMPLER_NORMALIZED_COORDS, sizeof r->normalised, &r->normalised, NULL);
    below->clGetSamplerInfo(handle, CL_SAMPLER_ADDRESSING_MODE, sizeof r->addressing, &r->addressing, NULL);
    below->clGetSamplerInfo(handle, CL_SAMPLER_FILTER_MODE, sizeof r->filter, &r->filter, NULL);
  }
  records_unlock();
  return handle;
}

static CL_API_ENTRY cl_sampler CL_API_CALL create_sampler(cl_context context, cl_bool normalised,
                                                          cl_addressing_mode addressing, cl_filter_mode filter,
                                                          cl_int *status) {
  return remember_sampler(below->clCreateSampler(context, normalised, addressing, filter, status));
}

static CL_API_ENTRY cl_sampler CL_API_CALL create_sampler_with_properties(cl_context context,
                                                                          const cl_sampler_properties *properties,
                                                                          cl_int *status) {
  return remember_sampler(below->clCreateSamplerWithProperties(context, properties, status));
}

void wrap_images(cl_icd_dispatch *table) {
  table->clCreateImage = create_image;
  table->clCreateImageWithProperties = create_image_with_properties;
  table->clCreateImage2D = create_image_2d;
  table->clCreateImage3D = create_image_3d;
  table->clCreateSampler = create_sampler;
  table->clCreateSamplerWithProperties = create_sampler_with_properties;
}
