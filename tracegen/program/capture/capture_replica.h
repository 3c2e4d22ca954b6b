/* A captured launch as a workload in memory. Private to program/capture. */
#ifndef TRACEGEN_PROGRAM_CAPTURE_REPLICA_H
#define TRACEGEN_PROGRAM_CAPTURE_REPLICA_H

#include "tracegen/program/capture/capture.h"

struct replica {
  const struct capture *capture;
  const json_t *launch;
  const char *place; /* for messages */
  struct workload workload;
  struct workload_launch range;
  double ulps;
  bool compares;
  struct capture_outcome *out;
  char **undefined;  /* by buffer: the uninitialised bytes; NULL: none */
  bool knows_writes; /* what all launches before wrote is known */
};

/* Fills the workload from the log's line of the launch; replica_clear frees it, also after an error. */
int replica_build(struct replica *replica, const char *name, struct error *error);
void replica_clear(struct replica *replica);
/* Reads from `item` of the log which contents a buffer has. */
int replica_content(const struct replica *replica, const json_t *item, uint64_t *number, struct error *error);

#endif
