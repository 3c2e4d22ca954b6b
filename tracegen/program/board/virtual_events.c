#include "tracegen/program/board/virtual_events.h"

#include <pthread.h>
#include <stdlib.h>

#include "tracegen/program/timeline/program_timeline.h"

#define CHAINS 4096

struct noted_event {
  struct noted_event *next;
  cl_event event;
  uint32_t command;
  unsigned references;
};

static struct noted_event *chains[CHAINS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct noted_event **chain_of(cl_event event) {
  return &chains[((uintptr_t)event >> 4) % CHAINS];
}

static struct noted_event **find(cl_event event) {
  struct noted_event **link = chain_of(event);
  while (*link && (*link)->event != event)
    link = &(*link)->next;
  return link;
}

void virtual_event_note(cl_event event, uint32_t command) {
  pthread_mutex_lock(&mutex);
  struct noted_event **link = find(event), *noted = *link;
  if (!noted && (noted = calloc(1, sizeof *noted)))
    *link = noted;
  if (noted) {
    noted->event = event;
    noted->command = command;
    noted->references = 1;
  }
  pthread_mutex_unlock(&mutex);
}

uint32_t virtual_event_command(cl_event event) {
  pthread_mutex_lock(&mutex);
  const struct noted_event *noted = *find(event);
  const uint32_t command = noted ? noted->command : TIMELINE_NONE;
  pthread_mutex_unlock(&mutex);
  return command;
}

void virtual_event_retain(cl_event event) {
  pthread_mutex_lock(&mutex);
  if (*find(event))
    (*find(event))->references++;
  pthread_mutex_unlock(&mutex);
}

void virtual_event_release(cl_event event) {
  pthread_mutex_lock(&mutex);
  struct noted_event **link = find(event), *noted = *link;
  if (noted && --noted->references == 0) {
    *link = noted->next;
    free(noted);
  }
  pthread_mutex_unlock(&mutex);
}

uint32_t virtual_event_list(cl_uint count, const cl_event *events, uint32_t *out, uint32_t most) {
  uint32_t found = 0;
  for (cl_uint i = 0; events && i < count && found < most; i++) {
    const uint32_t command = virtual_event_command(events[i]);
    if (command != TIMELINE_NONE)
      out[found++] = command;
  }
  return found;
}
