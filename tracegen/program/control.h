/* The state that the processes of a capture share: numbers that must differ between them, and how much room is taken.
 * It lies in the file `control` of the capture's folder, which each process maps. The layer writes, in one or several
 * processes of the program; the reader emulates. See docs/capture.md.
 *
 * Threads and processes: every member is atomic, but for those of `known`, of which each is written once, before
 * known_count counts it. Private to tracegen and its layer. */
#ifndef TRACEGEN_PROGRAM_CONTROL_H
#define TRACEGEN_PROGRAM_CONTROL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tracegen/program/content_file.h"

#define CONTROL_FILE "control"

#define KNOWN_LAUNCHES   1024       /* what the reader finds out about later ones stays unknown to the layer */
#define KNOWN_PARAMETERS 64         /* of a kernel that has more, nothing is known */
#define NO_TRACED_LAUNCH UINT64_MAX /* of launch_finding.traced */

/* The findings of the reader about a captured launch. */
struct launch_finding {
  uint64_t index;  /* the launch's number */
  uint64_t traced; /* the emulated launch whose trace it has; NO_TRACED_LAUNCH: none that another one may have */
  /* The inputs that the traces of its kernel depend on (tracegen/abi/launch_inputs.h): on everything, or on these
   * parameters' values and contents; and the parameters through which the kernel may store. Parameter k is bit k. */
  bool everything;
  uint64_t values, contents, stored;
};

struct capture_control {
  _Atomic int64_t start_ns;                      /* when the capture began, by clock_nanoseconds */
  _Atomic uint64_t launches, memories, programs; /* the next number of each */
  char stores[CONTENT_STORES][128];              /* paths, by the reader; relative ones start at the capture's folder */
  _Atomic uint64_t units[CONTENT_STORES];        /* that are taken, of each store */
  _Atomic uint64_t memory_limit;                 /* bytes that contents may take in the store in memory */
  _Atomic uint64_t memory_written, memory_freed; /* of it, in total */
  _Atomic uint64_t written_bytes, freed_bytes;   /* of contents, in total */
  _Atomic uint64_t ended, consumed;              /* captured launches: logged to their end; done with by the reader */
  _Atomic uint32_t lost;                         /* lines that could not be written to the log */
  _Atomic uint32_t waiting;                      /* launches that wait for room */
  _Atomic uint32_t counter_is_read;              /* the program read the processor's counter (clock/counter_trap.c) */
  _Atomic bool times_are_lost;                   /* lines of the timeline, for want of memory or room on a disk */
  _Atomic uint32_t uncovered_calls; /* bits: calls that tell real time or wait for it (clock/simulated_clock.h) */
  _Atomic uint32_t time_is_read;    /* the program asked for the time, or how far a command has come */
  _Atomic uint32_t reader;          /* the reader's process; 0: none */
  _Atomic uint32_t shares_traces;   /* a launch that repeats a known one needs no capture */
  _Atomic uint32_t known_count;     /* of `known` */
  struct launch_finding known[KNOWN_LAUNCHES];
};

/* Maps the file of this folder, which is made when it is missing. NULL: errno says why. */
struct capture_control *control_map(int folder);
void control_unmap(struct capture_control *control);

#endif
