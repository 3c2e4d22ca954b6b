/* A call that enqueues a command: what the wrappers of all such calls share. Private to the board.
 *
 *   struct virtual_command c;
 *   virtual_command_begin(&c, COMMAND_WRITE, queue, bytes, wait_count, wait_list, event);
 *   return virtual_command_end(&c, captured.clEnqueueWriteBuffer(..., c.event), blocking, event);
 *
 * Threads: any. */
#ifndef TRACEGEN_PROGRAM_VIRTUAL_COMMAND_H
#define TRACEGEN_PROGRAM_VIRTUAL_COMMAND_H

#include "tracegen/program/board/virtual_events.h"
#include "tracegen/program/board/virtual_time.h"

struct virtual_command {
  struct action action;
  uint32_t deps[ACTION_MOST_DEPS];
  cl_event *event, own; /* event: for OpenCL, that of the program or `own`, by which the command is measured; or NULL */
  int64_t start_ns;     /* real time */
};

/* Host time stands still from here to the end. */
void virtual_command_begin(struct virtual_command *c, enum command_kind kind, cl_command_queue queue, uint64_t bytes,
                           cl_uint wait_count, const cl_event *wait_list, cl_event *event);
/* Puts the command into the timeline if `status` is CL_SUCCESS, notes *event for it (event may be NULL), and waits for
 * it if the call blocks. Returns the status; CL_OUT_OF_RESOURCES where a command has failed before one that blocks. */
cl_int virtual_command_end(struct virtual_command *c, cl_int status, cl_bool blocking, const cl_event *event);

/* Returns the number of the queue in the timeline. */
uint32_t virtual_queue_number(cl_command_queue queue);
/* Forgets the queue, whose handle OpenCL may use again. */
void virtual_queue_forget(cl_command_queue queue);

/* Applies an action that waits, and what a measured device takes to report the end. */
void virtual_wait_as(const struct action *wait);
/* Waits until the command has ended, in simulated time. OpenCL below has ended it already. */
void virtual_wait(uint32_t command);
/* Gives a time to commands that had to wait for a user event, until none can be placed. One that has no prediction
 * fails. */
void virtual_resolve(void);
/* Returns whether the command failed. */
bool virtual_has_failed(uint32_t command);
/* Returns whether a command of the queue with this number has failed since the last question. */
bool virtual_queue_has_failed(uint32_t queue);

/* Each puts its wrappers into the table. */
void virtual_wrap_transfers(cl_icd_dispatch *table);
void virtual_wrap_images(cl_icd_dispatch *table);
void virtual_wrap_maps(cl_icd_dispatch *table);
void virtual_wrap_queues(cl_icd_dispatch *table);
void virtual_wrap_launches(cl_icd_dispatch *table);

/* Answers a query of OpenCL with `bytes` bytes from `from`: copies them to `value` of `size` bytes and writes their
 * number to *needed, either of which may be NULL. */
cl_int virtual_answer(const void *from, size_t bytes, size_t size, void *value, size_t *needed);

#endif
