#include "cli/run/run_timeline.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/file.h"

/* Tracks: the host, then one for each queue. */
enum { HOST_TRACK = 1, FIRST_QUEUE_TRACK = 2 };

static const char *const states[HOST_STATES] = {
    [HOST_RUNS] = "host",
    [HOST_CALLS] = "OpenCL call",
    [HOST_SLEEPS] = "sleep",
    [HOST_AWAITS_KERNEL] = "wait: the GPU computes",
    [HOST_AWAITS_TRANSFER] = "wait: bytes move",
    [HOST_AWAITS_GPU] = "wait: the GPU begins or reports",
};

static void put_name(FILE *out, uint32_t track, const char *name, uint32_t number) {
  fprintf(out,
          ",\n{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 1, \"tid\": %" PRIu32
          ", \"args\": {\"name\": \"%s %" PRIu32 "\"}}",
          track, name, number);
}

/* Chrome's format counts microseconds. */
static void put_span(FILE *out, const char *name, uint32_t track, int64_t from, int64_t to) {
  fprintf(out,
          ",\n{\"ph\": \"X\", \"name\": \"%s\", \"pid\": 1, \"tid\": %" PRIu32 ", \"ts\": %" PRId64 ".%03" PRId64
          ", \"dur\": %" PRId64 ".%03" PRId64 "",
          name, track, from / 1000, from % 1000, (to - from) / 1000, (to - from) % 1000);
}

static void put_command(FILE *out, const struct timed_command *c) {
  put_span(out, timed_command_name(c), FIRST_QUEUE_TRACK + c->queue, c->times.start, c->times.end);
  fprintf(out,
          ", \"args\": {\"kind\": \"%s\", \"bytes\": %" PRIu64 ", \"queued_ns\": %" PRId64 ", \"submit_ns\": %" PRId64
          ", \"start_ns\": %" PRId64 ", \"end_ns\": %" PRId64 "}}",
          command_kind_name(c->kind), c->bytes, c->times.queued, c->times.submit, c->times.start, c->times.end);
}

static void put_events(FILE *out, const struct timed_program *p, const char *gpu) {
  fprintf(out,
          "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n"
          "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 1, \"args\": {\"name\": \"%s\"}}",
          gpu);
  put_name(out, HOST_TRACK, "host", 0);
  for (uint32_t i = 0; i < p->queues; i++)
    put_name(out, FIRST_QUEUE_TRACK + i, "queue", i);
  for (size_t i = 0; i < p->span_count; i++) {
    put_span(out, states[p->spans[i].state], HOST_TRACK, p->spans[i].from, p->spans[i].to);
    fputs("}", out);
  }
  for (size_t i = 0; i < p->command_count; i++)
    if (p->commands[i].queue != TIMELINE_NONE)
      put_command(out, &p->commands[i]);
  fprintf(out, "\n], \"otherData\": {\"schema\": \"reassemble.run-timeline/1\", \"gpu\": \"%s\"}}\n", gpu);
}

int run_timeline_write(const struct timed_program *program, const char *gpu, const char *path, struct error *error) {
  struct file_replace file;
  if (file_replace_begin(&file, path, error))
    return -1;
  put_events(file.stream, program, gpu);
  return file_replace_commit(&file, error);
}
