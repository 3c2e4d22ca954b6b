#include "tracegen/program/launch/snapshot.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/opencl_status.h"
#include "base/text.h"
#include "tracegen/program/launch/contents.h"
#include "tracegen/program/launch/device_macros.h"
#include "tracegen/program/launch/log.h"
#include "tracegen/program/launch/repeated_launch.h"

static struct {
  uint64_t bytes;
  bool after; /* also keep what the launch leaves in its buffers */
} wanted;

void snapshot_settings(void) {
  wanted.bytes = launch_setting("REASSEMBLE_CAPTURE_BYTES", UINT64_MAX);
  wanted.after = launch_setting("REASSEMBLE_CAPTURE_AFTER", 1) != 0;
}

bool snapshot_has_room(struct captured_launch *c) {
  uint64_t bytes = 0, left;
  for (size_t i = 0; i < c->root_count; i++)
    bytes += c->roots[i]->bytes * (wanted.after ? 2 : 1);
  return room_wait(bytes, wanted.bytes, &left) ||
         launch_skip(c, "its buffers need %" PRIu64 " bytes; %" PRIu64 " of %" PRIu64 " are left", bytes, left,
                     wanted.bytes);
}

bool snapshot_open(struct captured_launch *c) {
  return below->clGetCommandQueueInfo(c->launch->queue, CL_QUEUE_CONTEXT, sizeof c->context, &c->context, NULL) ==
             CL_SUCCESS ||
         launch_skip(c, "its queue is not valid");
}

/* Makes a queue of the layer's own to read with, where there is none. */
static bool open_reader(struct captured_launch *c) {
  cl_device_id device;
  cl_int status = CL_SUCCESS;
  if (c->reader)
    return true;
  if (below->clGetCommandQueueInfo(c->launch->queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL))
    return launch_skip(c, "its queue is not valid");
  c->reader = below->clCreateCommandQueue(c->context, device, 0, &status);
  return status == CL_SUCCESS || launch_skip(c, "no queue to read its buffers with: %s", OPENCL_STATUS(status));
}

static bool save_buffer(struct captured_launch *c, struct memory_record *root) {
  cl_int status = CL_SUCCESS;
  errno = 0;
  if (!open_reader(c))
    return false;
  switch (content_save(root, c->reader, &status)) {
  case CONTENT_SAVED:
    return true;
  case CONTENT_NO_MEMORY:
    return launch_skip(c, "no memory for a copy of %" PRIu64 " bytes", root->bytes);
  case CONTENT_NOT_READ:
    return launch_skip(c, "buffer %" PRIu64 " cannot be read: %s", root->id, OPENCL_STATUS(status));
  case CONTENT_NOT_WRITTEN:
    break;
  }
  return launch_skip(c, "buffer %" PRIu64 " cannot be written to the capture's folder: %s", root->id, strerror(errno));
}

/* Buffers that the kernel does not write, and nothing else has written since they were captured, are not read again. */
static bool save_changed(struct captured_launch *c) {
  for (size_t i = 0; i < c->root_count; i++)
    if ((repeated_launch_may_store(c, i) || !content_is_known(c->roots[i])) && !save_buffer(c, c->roots[i]))
      return false;
  return true;
}

/* Writes the source behind the macros of its device. */
static bool save_source(const struct program_record *p) {
  char name[64], *macros = device_macros(p->handle), *text = macros ? text_format("%s%s", macros, p->source) : NULL;
  snprintf(name, sizeof name, "program-%" PRIu64 ".cl", p->id);
  const bool saved = text && log_file(name, text, strlen(text));
  free(macros);
  free(text);
  return saved;
}

static bool save_program(struct captured_launch *c) {
  struct program_record *p = c->kernel.program;
  if (!p->saved && !save_source(p))
    return launch_skip(c, "its source cannot be written to the capture's folder");
  p->saved = true;
  return true;
}

void snapshot_note_writes(struct captured_launch *c) {
  records_lock();
  for (size_t i = 0; i < c->root_count; i++)
    c->writes[i] = c->roots[i]->writes;
  records_unlock();
}

/* Buffers that nothing has written to since they were captured are not read again. */
static bool save_unknown(struct captured_launch *c, size_t i) {
  if (content_is_known(c->roots[i]))
    return true;
  if (!save_buffer(c, c->roots[i]))
    return false;
  c->roots[i]->writes_seen = c->writes[i];
  return true;
}

bool snapshot_save_some(struct captured_launch *c, const bool *wanted_roots) {
  for (size_t i = 0; i < c->root_count; i++)
    if (wanted_roots[i] && !save_unknown(c, i))
      return false;
  return true;
}

bool snapshot_save_inputs(struct captured_launch *c) {
  if (!save_program(c))
    return false;
  for (size_t i = 0; i < c->root_count; i++)
    if (!save_unknown(c, i))
      return false;
  return true;
}

bool snapshot_save_outputs(struct captured_launch *c, bool succeeded) {
  const bool saved = succeeded && wanted.after && save_changed(c);
  for (size_t i = 0; i < c->root_count; i++)
    c->roots[i]->writes_seen = saved ? c->writes[i] : 0;
  return saved;
}
