/* Mapping of memory. Where host and GPU share their memory it moves nothing. Else a map moves what the host may read,
 * and the unmap what the host may have written. */
#include "tracegen/program/board/virtual_command.h"

#include <pthread.h>
#include <stdlib.h>

struct mapped {
  struct mapped *next;
  const void *at;
  uint64_t written; /* bytes that the unmap moves */
};

static struct mapped *maps;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void note(const void *at, uint64_t bytes, cl_map_flags flags) {
  struct mapped *m = at ? malloc(sizeof *m) : NULL;
  if (!m)
    return;
  pthread_mutex_lock(&mutex);
  *m = (struct mapped){maps, at, flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION) ? bytes : 0};
  maps = m;
  pthread_mutex_unlock(&mutex);
}

/* Returns the bytes that the unmap of this address moves, and forgets the map. */
static uint64_t take(const void *at) {
  pthread_mutex_lock(&mutex);
  struct mapped **link = &maps;
  while (*link && (*link)->at != at)
    link = &(*link)->next;
  struct mapped *m = *link;
  const uint64_t bytes = m ? m->written : 0;
  if (m)
    *link = m->next;
  free(m);
  pthread_mutex_unlock(&mutex);
  return bytes;
}

static uint64_t read_bytes(uint64_t bytes, cl_map_flags flags) {
  return flags & CL_MAP_WRITE_INVALIDATE_REGION ? 0 : bytes;
}

static CL_API_ENTRY void *CL_API_CALL map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                 cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                                                 const cl_event *list, cl_event *event, cl_int *status) {
  struct virtual_command c;
  cl_int found = CL_SUCCESS;
  virtual_command_begin(&c, COMMAND_MAP, queue, read_bytes(size, flags), count, list, event);
  void *at = captured.clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, count, list, c.event, &found);
  note(at, size, flags);
  virtual_command_end(&c, found, blocking, event);
  if (status)
    *status = found;
  return at;
}

static CL_API_ENTRY void *CL_API_CALL map_image(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                                cl_map_flags flags, const size_t *origin, const size_t *region,
                                                size_t *row, size_t *slice, cl_uint count, const cl_event *list,
                                                cl_event *event, cl_int *status) {
  struct virtual_command c;
  cl_int found = CL_SUCCESS;
  size_t texel = 0;
  below->clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof texel, &texel, NULL);
  const uint64_t bytes = region ? (uint64_t)texel * region[0] * region[1] * region[2] : 0;
  virtual_command_begin(&c, COMMAND_MAP, queue, read_bytes(bytes, flags), count, list, event);
  void *at = captured.clEnqueueMapImage(queue, image, blocking, flags, origin, region, row, slice, count, list, c.event,
                                        &found);
  note(at, bytes, flags);
  virtual_command_end(&c, found, blocking, event);
  if (status)
    *status = found;
  return at;
}

static CL_API_ENTRY cl_int CL_API_CALL unmap(cl_command_queue queue, cl_mem memory, void *at, cl_uint count,
                                             const cl_event *list, cl_event *event) {
  struct virtual_command c;
  virtual_command_begin(&c, COMMAND_UNMAP, queue, take(at), count, list, event);
  return virtual_command_end(&c, captured.clEnqueueUnmapMemObject(queue, memory, at, count, list, c.event), CL_FALSE,
                             event);
}

void virtual_wrap_maps(cl_icd_dispatch *table) {
  table->clEnqueueMapBuffer = map_buffer;
  table->clEnqueueMapImage = map_image;
  table->clEnqueueUnmapMemObject = unmap;
}
