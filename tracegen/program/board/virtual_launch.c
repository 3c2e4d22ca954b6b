#include "tracegen/program/board/virtual_launch.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "tracegen/program/answers.h"
#include "tracegen/program/board/device_time.h"
#include "tracegen/program/board/emulated_results.h"
#include "tracegen/program/launch/describe.h"
#include "tracegen/program/launch/initialised_bytes.h"
#include "tracegen/program/launch/log.h"

#define PAUSE_NS 100000 /* between looks at an answer */

static struct launch_answer *answers;
static const struct virtual_settings *board;

struct known_launch {
  struct known_launch *next;
  uint64_t key, count;
  uint64_t launch, last; /* captured first and last */
  uint64_t writes;       /* to its buffers, when it was captured last: the same means the same contents */
  bool contents_matter, has_failed;
};

static struct known_launch *known;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* In place of launches when nothing is to be computed: a command that takes their place in the queue. */
static CL_API_ENTRY cl_int CL_API_CALL enqueue_nothing(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                       const size_t *offset, const size_t *global, const size_t *local,
                                                       cl_uint wait_count, const cl_event *wait_list, cl_event *event) {
  (void)kernel, (void)dimensions, (void)offset, (void)global, (void)local;
  cl_event own = NULL;
  const cl_int status = below->clEnqueueMarkerWithWaitList(queue, wait_count, wait_list, event ? event : &own);
  if (own)
    below->clReleaseEvent(own);
  return status;
}

static void compute_nothing(void) {
  static cl_icd_dispatch idle;
  idle = *below;
  idle.clEnqueueNDRangeKernel = enqueue_nothing;
  below = &idle;
}

bool virtual_launch_open(const char *folder, const struct virtual_settings *settings) {
  answers = answers_map(folder);
  board = settings;
  emulated_results_open(folder);
  if (!settings->computes)
    compute_nothing();
  return answers;
}

/* Answers. */

/* Returns whether the reader is alive, so that an answer can be expected. */
static bool is_answered(void) {
  const uint32_t reader = atomic_load(&log_control()->reader);
  return reader == 0 || kill((pid_t)reader, 0) == 0;
}

static int64_t await_answer(uint64_t launch) {
  static const struct timespec pause = {.tv_nsec = PAUSE_NS};
  int64_t ns = launch < ANSWER_COUNT ? ANSWER_NONE : ANSWER_FAILED;
  while (ns == ANSWER_NONE && (ns = atomic_load(&answers[launch].ns)) == ANSWER_NONE) {
    if (!is_answered())
      return ANSWER_FAILED;
    nanosleep(&pause, NULL);
  }
  return ns;
}

int64_t virtual_launch_ns(uint64_t launch) {
  const int64_t ns = await_answer(launch);
  return ns > 0 ? ns : 0;
}

/* Keys. */

static uint64_t hash_argument(uint64_t hash, const struct argument_record *a) {
  hash = text_hash(hash, &a->state, sizeof a->state);
  hash = text_hash(hash, &a->size, sizeof a->size);
  if (a->state == ARGUMENT_BYTES)
    return text_hash(hash, a->value, a->size);
  if (a->state != ARGUMENT_MEMORY)
    return hash;
  hash = text_hash(hash, &a->memory->bytes, sizeof a->memory->bytes);
  hash = text_hash(hash, &a->memory->image_type, sizeof a->memory->image_type);
  hash = text_hash(hash, a->memory->region, sizeof a->memory->region);
  return text_hash(hash, &a->memory->offset, sizeof a->memory->offset);
}

/* Tells whether two arguments are the same memory. */
static uint64_t hash_sharing(uint64_t hash, const struct kernel_record *k, cl_uint i) {
  cl_uint first = 0;
  while (k->arguments[first].memory != k->arguments[i].memory)
    first++;
  return text_hash(hash, &first, sizeof first);
}

static uint64_t hash_kernel(const struct kernel_record *k) {
  uint64_t hash = text_hash(TEXT_HASH_START, k->name, strlen(k->name));
  hash = text_hash(hash, k->options, strlen(k->options));
  if (k->program && k->program->source)
    hash = text_hash(hash, k->program->source, strlen(k->program->source));
  for (cl_uint i = 0; i < k->argument_count && i < MAX_ARGUMENTS; i++) {
    hash = hash_argument(hash, &k->arguments[i]);
    if (k->arguments[i].state == ARGUMENT_MEMORY)
      hash = hash_sharing(hash, k, i);
  }
  return hash;
}

static uint64_t key_of(const struct launch *l) {
  uint64_t hash = 0;
  records_lock();
  const struct kernel_record *k = kernel_find(l->kernel);
  if (k)
    hash = hash_kernel(k);
  records_unlock();
  for (cl_uint d = 0; d < l->dimensions; d++) {
    const size_t offset = l->offset ? l->offset[d] : 0;
    hash = text_hash(hash, &l->global[d], sizeof *l->global);
    hash = text_hash(hash, &l->local[d], sizeof *l->local);
    hash = text_hash(hash, &offset, sizeof offset);
  }
  return hash;
}

/* Launches. */

static struct known_launch *find_key(uint64_t key) {
  struct known_launch *k = known;
  while (k && k->key != key)
    k = k->next;
  if (!k && (k = calloc(1, sizeof *k))) {
    *k = (struct known_launch){.next = known, .key = key};
    known = k;
  }
  return k;
}

/* Returns a digest of how often each buffer of the kernel has been written to. */
static uint64_t count_writes(cl_kernel kernel) {
  uint64_t hash = TEXT_HASH_START;
  records_lock();
  const struct kernel_record *k = kernel_find(kernel);
  for (cl_uint i = 0; k && i < k->argument_count && i < MAX_ARGUMENTS; i++)
    if (k->arguments[i].state == ARGUMENT_MEMORY) {
      const struct memory_record *m = whole_buffer(k->arguments[i].memory);
      hash = text_hash(text_hash(hash, &m->id, sizeof m->id), &m->writes, sizeof m->writes);
    }
  records_unlock();
  return hash;
}

static bool has_to_be_captured(const struct known_launch *k, cl_kernel kernel) {
  if (k->count == 0 || board->emulates || board->compares)
    return true;
  if (k->has_failed || (!k->contents_matter && (k->count & (k->count - 1)) != 0))
    return false;
  return count_writes(kernel) != k->writes;
}

/* The launch may write to all its arguments, and the capture does not see it. */
static void note_writes(cl_kernel kernel) {
  records_lock();
  const struct kernel_record *k = kernel_find(kernel);
  for (cl_uint i = 0; k && i < k->argument_count && i < MAX_ARGUMENTS; i++)
    if (k->arguments[i].state == ARGUMENT_MEMORY)
      initialised_all(whole_buffer(k->arguments[i].memory));
  records_unlock();
}

/* The emulator computes a launch when it is enqueued, and this one waits for an event of the program. */
static cl_int refuse_deferred(void) {
  fprintf(stderr, "reassemble: a launch that waits for a user event cannot be computed by the emulator\n");
  return CL_INVALID_OPERATION;
}

/* The launch has no prediction: the program gets an error in place of a command. */
static cl_int refuse(struct known_launch *k, uint64_t launch) {
  k->has_failed = true;
  virtual_act(&(struct action){.kind = ACTION_REFUSE, .launch = launch});
  return CL_OUT_OF_RESOURCES;
}

/* OpenCL below has accepted a launch that is refused. */
static void drop_event(cl_event *event) {
  if (!event || !*event)
    return;
  captured.clReleaseEvent(*event);
  *event = NULL;
}

/* Captures the launch, and finds out whether it is like the first one of its key. */
static cl_int capture(struct virtual_command *c, const struct launch *l, struct known_launch *k) {
  const cl_int status = captured.clEnqueueNDRangeKernel(l->queue, l->kernel, l->dimensions, l->offset, l->global,
                                                        l->local, l->wait_count, l->wait_list, l->event);
  if (status != CL_SUCCESS)
    return status;
  const uint64_t launch = launch_last_index();
  k->writes = count_writes(l->kernel);
  if (k->count++ == 0)
    k->launch = launch;
  k->last = launch;
  c->action.launch = k->contents_matter ? launch : k->launch;
  if (!virtual_is_ready(&c->action.request)) {
    if (board->emulates)
      return refuse_deferred();
    c->action.launch = launch;
    c->action.request.kernel_ns = -1;
    return status;
  }
  if (await_answer(launch) == ANSWER_FAILED) {
    drop_event(l->event);
    return refuse(k, launch);
  }
  if (atomic_load(&answers[launch].digest) != atomic_load(&answers[k->launch].digest)) {
    k->contents_matter = true;
    c->action.launch = launch;
  }
  c->action.request.kernel_ns = virtual_launch_ns(c->action.launch);
  if (!board->emulates)
    return status;
  note_writes(l->kernel);
  return emulated_results_put(l->queue, l->kernel, launch);
}

static cl_int run_below(const struct launch *l) {
  return below->clEnqueueNDRangeKernel(l->queue, l->kernel, l->dimensions, l->offset, l->global, l->local,
                                       l->wait_count, l->wait_list, l->event);
}

/* Runs a launch that takes as long as the one of its key that was captured last. */
static cl_int repeat(struct virtual_command *c, const struct launch *l, struct known_launch *k) {
  k->count++;
  c->action.launch = k->last;
  c->action.request.kernel_ns = k->has_failed ? 0 : virtual_launch_ns(k->last);
  if (c->action.request.kernel_ns == 0)
    return refuse(k, k->last);
  const cl_int status = run_below(l);
  if (board->computes)
    note_writes(l->kernel);
  return status;
}

static cl_int run(struct virtual_command *c, const struct launch *l) {
  if (device_time_is_on())
    return run_below(l);
  pthread_mutex_lock(&mutex);
  struct known_launch *k = find_key(key_of(l));
  cl_int status = CL_OUT_OF_HOST_MEMORY;
  if (k)
    status = has_to_be_captured(k, l->kernel) ? capture(c, l, k) : repeat(c, l, k);
  pthread_mutex_unlock(&mutex);
  return status;
}

/* Returns OpenCL's error for a launch that the described GPU does not admit; CL_SUCCESS: it does. */
static cl_int check(const struct launch *l, cl_device_id device) {
  cl_ulong local_bytes = 0;
  uint64_t items = 1;
  for (cl_uint d = 0; d < l->dimensions; d++) {
    if (l->local[d] > (size_t)board->max_work_group)
      return CL_INVALID_WORK_ITEM_SIZE;
    items *= l->local[d];
  }
  if (items > (uint64_t)board->max_work_group)
    return CL_INVALID_WORK_GROUP_SIZE;
  below->clGetKernelWorkGroupInfo(l->kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local_bytes, &local_bytes, NULL);
  return local_bytes > (cl_ulong)board->local_memory_bytes ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

static cl_int launch(struct virtual_command *c, struct launch *l) {
  cl_device_id device = NULL;
  size_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1};
  if (l->dimensions < 1 || l->dimensions > 3 || !l->global)
    return captured.clEnqueueNDRangeKernel(l->queue, l->kernel, l->dimensions, l->offset, l->global, l->local,
                                           l->wait_count, l->wait_list, l->event);
  const cl_int status = below->clGetCommandQueueInfo(l->queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  memcpy(global, l->global, l->dimensions * sizeof *global);
  if (!l->local && !board->described)
    return run(c, l); /* the device of this machine chooses */
  if (!l->local) {
    launch_choose_local(l->kernel, device, global, local);
    l->local = local;
  }
  const cl_int admitted = board->described ? check(l, device) : CL_SUCCESS;
  return admitted == CL_SUCCESS ? run(c, l) : admitted;
}

static CL_API_ENTRY cl_int CL_API_CALL enqueue_range(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                     const size_t *offset, const size_t *global, const size_t *local,
                                                     cl_uint wait_count, const cl_event *wait_list, cl_event *event) {
  struct virtual_command c;
  char name[ACTION_NAME_BYTES] = "";
  virtual_command_begin(&c, COMMAND_KERNEL, queue, 0, wait_count, wait_list, event);
  struct launch l = {queue, kernel, dimensions, offset, global, local, wait_count, wait_list, c.event};
  below->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
  c.action.name = name[0] && !strpbrk(name, " \n") ? name : NULL;
  return virtual_command_end(&c, launch(&c, &l), CL_FALSE, event);
}

static CL_API_ENTRY cl_int CL_API_CALL enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint wait_count,
                                                    const cl_event *wait_list, cl_event *event) {
  static const size_t one = 1;
  return enqueue_range(queue, kernel, 1, NULL, &one, &one, wait_count, wait_list, event);
}

void virtual_wrap_launches(cl_icd_dispatch *table) {
  table->clEnqueueNDRangeKernel = enqueue_range;
  table->clEnqueueTask = enqueue_task;
}
