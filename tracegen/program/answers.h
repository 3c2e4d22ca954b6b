/* The answers of a capture's reader to the layer while the program runs: the time that the described GPU takes
 * for it. The answers lie in the file `answers` of the capture's folder, which both map.
 *
 * Units: nanoseconds. Threads and processes: every member is atomic; `ns` is written last. */
#ifndef TRACEGEN_PROGRAM_ANSWERS_H
#define TRACEGEN_PROGRAM_ANSWERS_H

#include <stdatomic.h>
#include <stdint.h>

#define ANSWER_COUNT  ((uint64_t)1 << 20) /* captured launches of a program at most */
#define ANSWER_NONE   0                   /* not yet */
#define ANSWER_FAILED (-1)                /* there will be none */

struct launch_answer {
  _Atomic int64_t ns;      /* at least 1; ANSWER_NONE, ANSWER_FAILED */
  _Atomic uint64_t digest; /* of the launch's trace */
};

/* Maps the file of this folder, which is made when it is missing: ANSWER_COUNT answers. NULL: errno says why. */
struct launch_answer *answers_map(const char *folder);
void answers_unmap(struct launch_answer *answers);

#endif
