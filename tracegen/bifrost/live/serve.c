#include "tracegen/bifrost/live/serve.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "tracegen/bifrost/channel.h"

struct service {
  int channel;
  const struct bifrost_node *node;
  const struct bifrost_handler *handler;
  char *launches; /* since the last submission */
  size_t launch_bytes, launch_capacity;
  struct error *error;
};

static int refuse(const struct service *s, const char *what) {
  return error_set(s->error, ERROR_WORK, "the driver library of the emulated GPU sent %s", what);
}

/* Returns the number of bytes that came before the program closed its end. */
static size_t receive(int from, void *bytes, size_t count) {
  size_t done = 0;
  while (done < count) {
    const ssize_t got = read(from, (char *)bytes + done, count - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    done += (size_t)got;
  }
  return done;
}

static int answer(const struct service *s, int32_t value) {
  while (write(s->channel, &value, sizeof value) < 0)
    if (errno != EINTR)
      return errno == EPIPE ? 0 : refuse(s, "a job and then took no answer");
  return 0;
}

static int by_address(const void *a, const void *b) {
  const uint64_t x = ((const struct bifrost_message_region *)a)->address;
  const uint64_t y = ((const struct bifrost_message_region *)b)->address;
  return (x > y) - (x < y);
}

static int place_region(const struct service *s, const struct bifrost_message_region *from, struct bifrost_memory *to) {
  const struct bifrost_region *last = to->count ? &to->regions[to->count - 1] : NULL;
  const uint64_t offset = from->address - BIFROST_GPU_BASE;
  if (last && from->address == last->address && from->bytes == last->bytes)
    return 0; /* a buffer that the driver names twice */
  if (from->address < BIFROST_GPU_BASE || !from->bytes || offset > BIFROST_NODE_BYTES ||
      from->bytes > BIFROST_NODE_BYTES - offset || (last && from->address < last->address + last->bytes))
    return refuse(s, "buffers that overlap or lie outside of the GPU's memory");
  to->regions[to->count++] = (struct bifrost_region){from->address, from->bytes, s->node->bytes + offset,
                                                     (from->flags & BIFROST_REGION_EXECUTABLE) != 0};
  return 0;
}

static int place_regions(const struct service *s, struct bifrost_message_region *list, size_t count,
                         struct bifrost_memory *out) {
  qsort(list, count, sizeof *list, by_address);
  for (size_t i = 0; i < count; i++)
    if (place_region(s, &list[i], out) != 0)
      return -1;
  return 0;
}

/* The driver may submit other jobs between a launch and its compute job, such as those that write times. */
static void drop_launches(struct service *s, uint32_t count) {
  size_t done = 0;
  while (count-- && done < s->launch_bytes) {
    const char *end = memchr(s->launches + done, '\n', s->launch_bytes - done);
    done = end ? (size_t)(end + 1 - s->launches) : s->launch_bytes;
  }
  if (!done)
    return;
  s->launch_bytes -= done;
  memmove(s->launches, s->launches + done, s->launch_bytes + 1);
}

static int run_submission(struct service *s, const struct bifrost_message *message, struct bifrost_message_region *list,
                          struct bifrost_region *room) {
  uint32_t computed = 0;
  struct bifrost_submission submission = {
      .job_chain = message->job_chain, .launches = s->launches ? s->launches : "", .computed = &computed};
  int status;
  submission.memory.regions = room;
  if (receive(s->channel, list, message->regions * sizeof *list) != message->regions * sizeof *list)
    return refuse(s, "half a message");
  if (place_regions(s, list, message->regions, &submission.memory) != 0)
    return -1;
  status = s->handler->submit(s->handler->context, &submission, s->error);
  drop_launches(s, computed);
  return answer(s, status) == 0 ? status : -1;
}

static int take_submission(struct service *s, const struct bifrost_message *message) {
  struct bifrost_message_region *list;
  struct bifrost_region *room;
  int status;
  if (message->regions > BIFROST_MAX_REGIONS)
    return refuse(s, "too many buffers");
  list = calloc(message->regions + 1, sizeof *list);
  room = calloc(message->regions + 1, sizeof *room);
  status = list && room ? run_submission(s, message, list, room)
                        : error_set(s->error, ERROR_WORK, "out of memory for the buffers of a job");
  free(list);
  free(room);
  return status;
}

static int take_launch(struct service *s, const struct bifrost_message *message) {
  const size_t bytes = message->text_bytes;
  if (bytes > BIFROST_MAX_TEXT ||
      !array_room(&s->launches, &s->launch_capacity, s->launch_bytes + bytes + 2, sizeof *s->launches))
    return refuse(s, "a name that is too long");
  if (receive(s->channel, s->launches + s->launch_bytes, bytes) != bytes)
    return refuse(s, "half a message");
  s->launch_bytes += bytes;
  s->launches[s->launch_bytes++] = '\n';
  s->launches[s->launch_bytes] = '\0';
  return 0;
}

static int take_message(struct service *s, const struct bifrost_message *message) {
  switch (message->kind) {
  case BIFROST_SUBMIT:
    return take_submission(s, message);
  case BIFROST_LAUNCH:
    return take_launch(s, message);
  default:
    return refuse(s, "a message of an unknown kind");
  }
}

int bifrost_serve(int channel, const struct bifrost_node *node, const struct bifrost_handler *handler,
                  struct error *error) {
  struct service s = {.channel = channel, .node = node, .handler = handler, .error = error};
  struct bifrost_message message;
  int status = 0;
  while (status == 0) {
    const size_t got = receive(channel, &message, sizeof message);
    if (!got)
      break;
    status = got == sizeof message ? take_message(&s, &message) : refuse(&s, "half a message");
  }
  free(s.launches);
  return status;
}
