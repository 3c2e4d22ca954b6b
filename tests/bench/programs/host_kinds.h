/* The OpenCL programs that bench_programs runs: each is a kind of real program, reduced to its launches. */
#ifndef BENCH_HOST_KINDS_H
#define BENCH_HOST_KINDS_H

/* Runs one kind of program on the first device; a failing OpenCL call ends the process. `launches`: how many launches
 * of its main kernel; 0: the usual number. */
struct host_kind {
  const char *name;
  void (*run)(int launches);
  const char *what; /* one line */
};

extern const struct host_kind host_streams[];   /* regular programs; ends with a NULL name */
extern const struct host_kind host_irregular[]; /* programs whose addresses or paths depend on data */

#endif
