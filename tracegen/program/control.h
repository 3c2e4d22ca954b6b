/* What the processes of a capture share, in the file `control` of its folder, which each of them maps: numbers that
 * have to differ between them, and how much room is taken. The program's side is the layer, in one or several
 * processes; the reader emulates. docs/capture.md.
 *
 * Threads and processes: every member is atomic. Private to tracegen and its layer. */
#ifndef LAYER_CONTROL_H
#define LAYER_CONTROL_H

#include <stdatomic.h>
#include <stdint.h>

#define CONTROL_FILE "control"

struct capture_control {
  _Atomic int64_t start_ns;                      /* the monotonic clock when the capture began */
  _Atomic uint64_t launches, memories, programs; /* next number of each */
  _Atomic uint64_t contents;                     /* the last number: 0 means none */
  _Atomic uint64_t written_bytes, freed_bytes;   /* of contents, in all */
  _Atomic uint64_t ended, consumed; /* captured launches: in the log to their end, done with by the reader */
  _Atomic uint32_t lost;            /* lines that could not be written to the log */
  _Atomic uint32_t waiting;         /* launches that wait for room */
  _Atomic uint32_t reader;          /* its process; 0: none */
};

/* Maps the file, which is made when it is missing. NULL: errno says why. */
struct capture_control *control_map(int folder);
void control_unmap(struct capture_control *control);

#endif
