/* The times that a GPU's commands cost its host: rows of the GPU file (model/params/gpu_rows.def) that no replay reads.
 *
 * Units: nanoseconds; bytes per nanosecond, which is GB/s; a rate of 0 is without limit. Cost: O(1). Threads: values
 * only. */
#ifndef TRACEGEN_PROGRAM_HOST_COSTS_H
#define TRACEGEN_PROGRAM_HOST_COSTS_H

#include <stdbool.h>
#include <stdint.h>

struct host_costs {
  bool shared_memory;       /* host and GPU have one memory: mapping copies nothing */
  double link_bytes_per_ns; /* between the host's memory and the GPU's */
  double link_ns;           /* more, per transfer */
  double copy_bytes_per_ns; /* of the GPU's own memory, read and written bytes together */
  double enqueue_ns;        /* of the host, per call that enqueues a command */
  double submit_ns;         /* from the call until the GPU can start the command */
  double wait_ns;           /* from the end of a command until the call that waits for it returns */
  double query_ns;          /* of the host, per question about an event or the time */
};

enum command_kind {
  COMMAND_KERNEL,
  COMMAND_READ,   /* of a buffer or image, to the host */
  COMMAND_WRITE,  /* from the host */
  COMMAND_MAP,    /* `bytes` are those that the host will see */
  COMMAND_UNMAP,  /* `bytes` are those that the host may have written */
  COMMAND_COPY,   /* inside of the GPU's memory */
  COMMAND_FILL,   /* the same */
  COMMAND_MARKER, /* markers, barriers, and what else takes no time */
  COMMAND_USER,   /* a user event, which ends when the host says so */
  COMMAND_KINDS
};

/* Returns the word for a kind: "kernel", "read". */
const char *command_kind_name(enum command_kind kind);

/* Returns how long a command other than a kernel takes, in nanoseconds. */
int64_t command_ns(const struct host_costs *costs, enum command_kind kind, uint64_t bytes);

/* The resources that commands occupy while they run; each runs one command at a time. */
enum command_engine { ENGINE_NONE, ENGINE_GPU, ENGINE_LINK, ENGINE_COUNT };
enum command_engine command_engine(const struct host_costs *costs, enum command_kind kind);

#endif
