#include "layer/records.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
  struct memory_record *memories;
  struct program_record *programs;
  struct kernel_record *kernels;
  struct queue_record *queues;
  uint64_t memory_ids, program_ids;
} all;

void records_lock(void) {
  pthread_mutex_lock(&mutex);
}

void records_unlock(void) {
  pthread_mutex_unlock(&mutex);
}

struct memory_record *memory_add(cl_mem handle, uint64_t bytes, const char *kind) {
  struct memory_record *r = calloc(1, sizeof *r);
  if (!r)
    return NULL;
  *r = (struct memory_record){
      .next = all.memories, .handle = handle, .id = all.memory_ids++, .bytes = bytes, .references = 1, .kind = kind};
  all.memories = r;
  return r;
}

struct memory_record *memory_find(cl_mem handle) {
  for (struct memory_record *r = all.memories; r; r = r->next)
    if (r->handle == handle)
      return r;
  return NULL;
}

struct program_record *program_add(cl_program handle, char *source, const char *reason) {
  struct program_record *r = calloc(1, sizeof *r);
  if (!r)
    return NULL;
  *r = (struct program_record){
      .next = all.programs, .handle = handle, .id = all.program_ids++, .source = source, .reason = reason};
  all.programs = r;
  return r;
}

struct program_record *program_find(cl_program handle) {
  for (struct program_record *r = all.programs; r; r = r->next)
    if (r->handle == handle)
      return r;
  return NULL;
}

struct kernel_record *kernel_add(cl_kernel handle, struct program_record *program, const char *name,
                                 cl_uint arguments) {
  struct kernel_record *r = calloc(1, sizeof *r);
  if (!r)
    return NULL;
  r->handle = handle;
  r->program = program;
  r->name = strdup(name);
  r->options = strdup(program && program->options ? program->options : "");
  r->argument_count = arguments;
  if (!r->name || !r->options) {
    free(r->name);
    free(r->options);
    free(r);
    return NULL;
  }
  r->next = all.kernels;
  all.kernels = r;
  return r;
}

struct kernel_record *kernel_find(cl_kernel handle) {
  for (struct kernel_record *r = all.kernels; r; r = r->next)
    if (r->handle == handle)
      return r;
  return NULL;
}

struct queue_record *queue_add(cl_command_queue handle, cl_context context) {
  struct queue_record *r = calloc(1, sizeof *r);
  if (!r)
    return NULL;
  *r = (struct queue_record){.next = all.queues, .handle = handle, .context = context, .references = 1};
  all.queues = r;
  return r;
}

struct queue_record *queue_find(cl_command_queue handle) {
  for (struct queue_record *r = all.queues; r; r = r->next)
    if (r->handle == handle)
      return r;
  return NULL;
}

size_t queues_of(cl_context context, cl_command_queue *out, size_t size) {
  size_t count = 0;
  for (const struct queue_record *r = all.queues; r && count < size; r = r->next)
    if (r->references > 0 && r->context == context)
      out[count++] = r->handle;
  return count;
}
