/* Launches that have the trace of an earlier one, and so need no capture.
 *
 * The layer keeps the arguments of the launches that it has captured. A launch of the same kernel, sizes and buffer
 * sizes waits until the reader has emulated the earlier one and said what its trace depends on (control.h); where the
 * two agree in that, the launch repeats the earlier one. The reader decides by the same rule (capture_repeats.c) about
 * launches that were captured all the same. */
#include "tracegen/program/launch/repeated_launch.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tracegen/program/launch/contents.h"
#include "tracegen/program/launch/log.h"
#include "tracegen/program/launch/snapshot.h"

#define WAIT_NS      200000  /* between the first two looks at what the reader has found out; then twice as long */
#define MOST_WAIT_NS 5000000 /* between two looks */
#define MOST_WAIT_S  5.0     /* after which the program goes on, and is captured: assumed */
#define NO_ROOT      SIZE_MAX

struct kept_argument {
  enum argument_state state;
  size_t root, size;                /* place of its buffer among the launch's, or NO_ROOT; as given to clSetKernelArg */
  uint64_t offset, bytes, of_whole; /* of a buffer */
  uint64_t content;                 /* the number of the whole buffer's contents before the launch */
  struct memory_record *whole;      /* NULL: no buffer */
  unsigned char *value;             /* of ARGUMENT_BYTES */
};

struct kept_launch {
  struct kept_launch *next;
  uint64_t index;
  const struct program_record *program;
  const char *name, *options, *folder; /* equal texts are the same */
  cl_uint dimensions, argument_count;
  size_t global[3], local[3], offset[3];
  const struct launch_finding *known; /* NULL: not yet */
  struct kept_argument arguments[];
};

static struct kept_launch *first;
static uint32_t kept_count, seen_count;

/* Keeping launches. */

static size_t root_of(const struct captured_launch *c, const struct argument_record *a) {
  for (size_t i = 0; a->state == ARGUMENT_MEMORY && i < c->root_count; i++)
    if (c->roots[i] == whole_buffer(a->memory))
      return i;
  return NO_ROOT;
}

/* Fills everything but the value, which stays the record's. */
static struct kept_argument describe(const struct captured_launch *c, cl_uint i) {
  const struct argument_record *a = &c->kernel.arguments[i];
  struct kept_argument out = {.state = a->state, .root = root_of(c, a), .size = a->size};
  if (out.root == NO_ROOT)
    return out;
  out.offset = a->memory->offset;
  out.bytes = a->memory->bytes;
  out.whole = c->roots[out.root];
  out.of_whole = out.whole->bytes;
  out.content = out.whole->content;
  return out;
}

static void free_kept(struct kept_launch *k) {
  for (cl_uint i = 0; i < k->argument_count; i++)
    free(k->arguments[i].value);
  free(k);
}

static bool keep_arguments(const struct captured_launch *c, struct kept_launch *k) {
  for (; k->argument_count < c->kernel.argument_count; k->argument_count++) {
    const struct argument_record *a = &c->kernel.arguments[k->argument_count];
    struct kept_argument *to = &k->arguments[k->argument_count];
    *to = describe(c, k->argument_count);
    if (a->state != ARGUMENT_BYTES)
      continue;
    if (!(to->value = malloc(a->size + 1)))
      return false;
    memcpy(to->value, a->value, a->size);
  }
  return true;
}

static bool has_opaques(const struct captured_launch *c) {
  for (cl_uint i = 0; i < c->kernel.argument_count; i++) {
    const struct argument_record *a = &c->kernel.arguments[i];
    if (a->state == ARGUMENT_SAMPLER || (a->state == ARGUMENT_MEMORY && a->memory->region[0] > 0))
      return true;
  }
  return false;
}

static bool are_wanted(const struct captured_launch *c) {
  return atomic_load(&log_control()->shares_traces) && c->kernel.argument_count <= KNOWN_PARAMETERS && !has_opaques(c);
}

void repeated_launch_keep(const struct captured_launch *c) {
  if (!are_wanted(c) || kept_count == KNOWN_LAUNCHES)
    return;
  struct kept_launch *k = calloc(1, sizeof *k + c->kernel.argument_count * sizeof k->arguments[0]);
  if (!k)
    return;
  *k = (struct kept_launch){.next = first,
                            .index = c->index,
                            .program = c->kernel.program,
                            .name = c->kernel.name,
                            .options = c->kernel.options,
                            .folder = c->kernel.folder,
                            .dimensions = c->launch->dimensions};
  memcpy(k->global, c->global, sizeof k->global);
  memcpy(k->local, c->local, sizeof k->local);
  memcpy(k->offset, c->offset, sizeof k->offset);
  if (!keep_arguments(c, k)) {
    free_kept(k);
    return;
  }
  first = k;
  kept_count++;
}

/* Comparing launches. */

static bool has_same_kernel(const struct captured_launch *c, const struct kept_launch *k) {
  return c->kernel.program == k->program && c->kernel.name == k->name && c->kernel.options == k->options &&
         c->kernel.folder == k->folder && c->launch->dimensions == k->dimensions &&
         c->kernel.argument_count == k->argument_count && memcmp(c->global, k->global, sizeof k->global) == 0 &&
         memcmp(c->local, k->local, sizeof k->local) == 0 && memcmp(c->offset, k->offset, sizeof k->offset) == 0;
}

static bool has_same_places(const struct captured_launch *c, const struct kept_launch *k) {
  for (cl_uint i = 0; i < k->argument_count; i++) {
    const struct kept_argument a = describe(c, i), *b = &k->arguments[i];
    if (a.state != b->state || a.root != b->root || a.size != b->size || a.offset != b->offset || a.bytes != b->bytes ||
        a.of_whole != b->of_whole)
      return false;
  }
  return true;
}

/* Returns the first kept launch from `k` on that may be repeated; NULL: none. */
static struct kept_launch *find_alike(const struct captured_launch *c, struct kept_launch *k) {
  while (k && !(has_same_kernel(c, k) && has_same_places(c, k)))
    k = k->next;
  return k;
}

static bool agrees(const struct captured_launch *c, const struct kept_launch *k, const struct launch_finding *inputs) {
  for (cl_uint i = 0; i < k->argument_count; i++) {
    const struct kept_argument *b = &k->arguments[i];
    const bool value = inputs->values >> i & 1, contents = inputs->contents >> i & 1;
    if (value && b->value && memcmp(b->value, c->kernel.arguments[i].value, b->size) != 0)
      return false;
    if (contents && b->root != NO_ROOT && b->content != c->roots[b->root]->content)
      return false;
  }
  return true;
}

/* Returns whether two arguments are one buffer, so that what is stored through one is loaded through the other. */
static bool shares_buffers(const struct kept_launch *k) {
  for (cl_uint i = 0; i < k->argument_count; i++)
    for (cl_uint other = 0; other < i; other++)
      if (k->arguments[i].root != NO_ROOT && k->arguments[i].root == k->arguments[other].root)
        return true;
  return false;
}

/* The findings of the reader about a launch. */

/* All bytes of the buffers of a launch whose trace others may have are initialised, and stay so. */
static void count_as_initialised(const struct kept_launch *k) {
  records_lock();
  for (cl_uint i = 0; i < k->argument_count; i++)
    if (k->arguments[i].whole)
      k->arguments[i].whole->gap_count = 0;
  records_unlock();
}

static void take_news(void) {
  const struct capture_control *control = log_control();
  const uint32_t count = atomic_load(&control->known_count);
  for (; seen_count < count && seen_count < KNOWN_LAUNCHES; seen_count++)
    for (struct kept_launch *k = first; k; k = k->next)
      if (k->index == control->known[seen_count].index) {
        k->known = &control->known[seen_count];
        if (k->known->traced != NO_TRACED_LAUNCH)
          count_as_initialised(k);
      }
}

static const struct launch_finding *wait_until_known(const struct kept_launch *k) {
  struct timespec pause = {.tv_nsec = WAIT_NS};
  struct capture_control *control = log_control();
  const double start = log_clock();
  take_news();
  if (k->known)
    return k->known;
  atomic_fetch_add(&control->waiting, 1);
  while (!k->known && seen_count < KNOWN_LAUNCHES && log_clock() - start < MOST_WAIT_S && reader_is_there()) {
    nanosleep(&pause, NULL);
    pause.tv_nsec = 2 * pause.tv_nsec < MOST_WAIT_NS ? 2 * pause.tv_nsec : MOST_WAIT_NS;
    take_news();
  }
  atomic_fetch_sub(&control->waiting, 1);
  return k->known;
}

/* Returns what the traces of launches like this one depend on; NULL: not known. */
static const struct launch_finding *inputs_of_alike(const struct captured_launch *c) {
  struct kept_launch *k = find_alike(c, first);
  take_news();
  while (k && !k->known && find_alike(c, k->next))
    k = find_alike(c, k->next);
  const struct launch_finding *known = k ? wait_until_known(k) : NULL;
  return known && !known->everything && !(known->contents && shares_buffers(k)) ? known : NULL;
}

static bool is_initialised(const struct captured_launch *c) {
  for (size_t i = 0; i < c->root_count; i++)
    if (c->roots[i]->gap_count > 0)
      return false;
  return true;
}

/* Saves the buffers whose contents decide, so that their numbers can be compared. */
static bool know_contents(struct captured_launch *c, const struct launch_finding *inputs) {
  bool decides[MAX_ARGUMENTS] = {false};
  for (cl_uint i = 0; i < c->kernel.argument_count; i++)
    if (inputs->contents >> i & 1 && c->kernel.arguments[i].state == ARGUMENT_MEMORY)
      decides[root_of(c, &c->kernel.arguments[i])] = true;
  return !inputs->contents || snapshot_save_some(c, decides);
}

bool repeated_launch_find(struct captured_launch *c) {
  const struct launch_finding *inputs = are_wanted(c) ? inputs_of_alike(c) : NULL;
  c->knows_stored = inputs != NULL;
  c->stored = inputs ? inputs->stored : 0;
  if (!inputs || !know_contents(c, inputs))
    return false;
  for (struct kept_launch *k = find_alike(c, first); k; k = find_alike(c, k->next)) {
    const struct launch_finding *known = agrees(c, k, inputs) ? wait_until_known(k) : NULL;
    if (known && known->traced != NO_TRACED_LAUNCH && is_initialised(c)) {
      c->traced = known->traced;
      return true;
    }
  }
  return false;
}

bool repeated_launch_may_store(const struct captured_launch *c, size_t root) {
  for (cl_uint i = 0; c->knows_stored && i < c->kernel.argument_count; i++)
    if (c->stored >> i & 1 && root_of(c, &c->kernel.arguments[i]) == root)
      return true;
  return !c->knows_stored;
}

void repeated_launch_ended(struct captured_launch *c, bool succeeded) {
  for (size_t root = 0; root < c->root_count; root++)
    if (!succeeded || repeated_launch_may_store(c, root))
      c->roots[root]->writes_seen = 0;
}
