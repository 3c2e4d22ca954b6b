/* Commands that move the texels of images. */
#include "tracegen/program/board/virtual_command.h"

/* Returns the bytes of a region of the image. */
static uint64_t bytes_of(cl_mem image, const size_t *region) {
  size_t texel = 0;
  below->clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof texel, &texel, NULL);
  return region ? (uint64_t)texel * region[0] * region[1] * region[2] : 0;
}

static CL_API_ENTRY cl_int CL_API_CALL read_image(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                                  const size_t *origin, const size_t *region, size_t row, size_t slice,
                                                  void *to, cl_uint count, const cl_event *list, cl_event *event) {
  struct virtual_command c;
  virtual_command_begin(&c, COMMAND_READ, queue, bytes_of(image, region), count, list, event);
  return virtual_command_end(
      &c, captured.clEnqueueReadImage(queue, image, blocking, origin, region, row, slice, to, count, list, c.event),
      blocking, event);
}

static CL_API_ENTRY cl_int CL_API_CALL write_image(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                                   const size_t *origin, const size_t *region, size_t row, size_t slice,
                                                   const void *from, cl_uint count, const cl_event *list,
                                                   cl_event *event) {
  struct virtual_command c;
  virtual_command_begin(&c, COMMAND_WRITE, queue, bytes_of(image, region), count, list, event);
  return virtual_command_end(
      &c, captured.clEnqueueWriteImage(queue, image, blocking, origin, region, row, slice, from, count, list, c.event),
      blocking, event);
}

static CL_API_ENTRY cl_int CL_API_CALL fill_image(cl_command_queue queue, cl_mem image, const void *color,
                                                  const size_t *origin, const size_t *region, cl_uint count,
                                                  const cl_event *list, cl_event *event) {
  struct virtual_command c;
  virtual_command_begin(&c, COMMAND_FILL, queue, bytes_of(image, region), count, list, event);
  return virtual_command_end(&c, captured.clEnqueueFillImage(queue, image, color, origin, region, count, list, c.event),
                             CL_FALSE, event);
}

static CL_API_ENTRY cl_int CL_API_CALL copy_image(cl_command_queue queue, cl_mem from, cl_mem to,
                                                  const size_t *from_origin, const size_t *to_origin,
                                                  const size_t *region, cl_uint count, const cl_event *list,
                                                  cl_event *event) {
  struct virtual_command c;
  virtual_command_begin(&c, COMMAND_COPY, queue, bytes_of(from, region), count, list, event);
  return virtual_command_end(
      &c, captured.clEnqueueCopyImage(queue, from, to, from_origin, to_origin, region, count, list, c.event), CL_FALSE,
      event);
}

static CL_API_ENTRY cl_int CL_API_CALL image_to_buffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                                       const size_t *origin, const size_t *region, size_t offset,
                                                       cl_uint count, const cl_event *list, cl_event *event) {
  struct virtual_command c;
  virtual_command_begin(&c, COMMAND_COPY, queue, bytes_of(from, region), count, list, event);
  return virtual_command_end(
      &c, captured.clEnqueueCopyImageToBuffer(queue, from, to, origin, region, offset, count, list, c.event), CL_FALSE,
      event);
}

static CL_API_ENTRY cl_int CL_API_CALL buffer_to_image(cl_command_queue queue, cl_mem from, cl_mem to, size_t offset,
                                                       const size_t *origin, const size_t *region, cl_uint count,
                                                       const cl_event *list, cl_event *event) {
  struct virtual_command c;
  virtual_command_begin(&c, COMMAND_COPY, queue, bytes_of(to, region), count, list, event);
  return virtual_command_end(
      &c, captured.clEnqueueCopyBufferToImage(queue, from, to, offset, origin, region, count, list, c.event), CL_FALSE,
      event);
}

void virtual_wrap_images(cl_icd_dispatch *table) {
  table->clEnqueueReadImage = read_image;
  table->clEnqueueWriteImage = write_image;
  table->clEnqueueFillImage = fill_image;
  table->clEnqueueCopyImage = copy_image;
  table->clEnqueueCopyImageToBuffer = image_to_buffer;
  table->clEnqueueCopyBufferToImage = buffer_to_image;
}
