#include "tracegen/program/launch/records.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/program/launch/log.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct text {
  struct text *next;
  char text[];
};

static struct {
  struct text *texts;
  struct memory_record *memories;
  struct sampler_record *samplers;
  struct program_record *programs;
  struct kernel_record *kernels;
  struct queue_record *queues;
  bool memories_are_shared;
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
  *r = (struct memory_record){.next = all.memories,
                              .handle = handle,
                              .id = atomic_fetch_add(&log_control()->memories, 1),
                              .bytes = bytes,
                              .references = 1,
                              .kind = kind,
                              .writes = 1,
                              .is_shared = all.memories_are_shared};
  all.memories = r;
  return r;
}

struct memory_record *memory_find(cl_mem handle) {
  for (struct memory_record *r = all.memories; r; r = r->next)
    if (r->handle == handle)
      return r;
  return NULL;
}

void memories_are_shared(void) {
  all.memories_are_shared = true;
  for (struct memory_record *r = all.memories; r; r = r->next)
    r->is_shared = true;
}

struct memory_record *memory_first(void) {
  return all.memories;
}

struct sampler_record *sampler_add(cl_sampler handle) {
  struct sampler_record *r = calloc(1, sizeof *r);
  if (!r)
    return NULL;
  *r = (struct sampler_record){.next = all.samplers, .handle = handle};
  all.samplers = r;
  return r;
}

struct sampler_record *sampler_find(cl_sampler handle) {
  for (struct sampler_record *r = all.samplers; r; r = r->next)
    if (r->handle == handle)
      return r;
  return NULL;
}

struct program_record *program_add(cl_program handle, char *source, const char *reason) {
  struct program_record *r = calloc(1, sizeof *r);
  if (!r)
    return NULL;
  *r = (struct program_record){.next = all.programs,
                               .handle = handle,
                               .id = atomic_fetch_add(&log_control()->programs, 1),
                               .source = source,
                               .reason = reason};
  all.programs = r;
  return r;
}

struct program_record *program_find(cl_program handle) {
  for (struct program_record *r = all.programs; r; r = r->next)
    if (r->handle == handle)
      return r;
  return NULL;
}

/* Returns a copy of the text that is never freed, the same for equal texts: a launch may still name a kernel that
 * another thread releases. */
static const char *kept_text(const char *text) {
  for (struct text *t = all.texts; t; t = t->next)
    if (strcmp(t->text, text) == 0)
      return t->text;
  struct text *t = malloc(sizeof *t + strlen(text) + 1);
  if (!t)
    return NULL;
  t->next = all.texts;
  all.texts = t;
  return strcpy(t->text, text);
}

struct kernel_record *kernel_add(cl_kernel handle, struct program_record *program, const char *name,
                                 cl_uint arguments) {
  struct kernel_record *r = calloc(1, sizeof *r);
  if (!r)
    return NULL;
  r->handle = handle;
  r->references = 1;
  r->program = program;
  r->name = kept_text(name);
  r->options = kept_text(program && program->options ? program->options : "");
  r->folder = kept_text(program && program->folder ? program->folder : "");
  r->argument_count = arguments;
  if (!r->name || !r->options || !r->folder) {
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

void kernel_remove(struct kernel_record *record) {
  struct kernel_record **link = &all.kernels;
  while (*link && *link != record)
    link = &(*link)->next;
  if (*link)
    *link = record->next;
  free(record);
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
  for (const struct queue_record *r = all.queues; r; r = r->next)
    if (r->references > 0 && r->context == context && count++ < size)
      out[count - 1] = r->handle;
  return count;
}
