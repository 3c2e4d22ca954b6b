/* What a core that is replayed in place of all (one_core.h) was told at L2: for each access that went there, how long it
 * waited in queues and how many of its lines memory had to give.
 *
 * Purpose: a replay of the same launch with other prices and latencies asks L2 for the same lines, in nearly the same
 *          order. Given these answers it needs neither L2 nor the other cores, which take nine tenths of the time.
 * Shapes: the n-th access whose first line is L has the n-th answer of L. A replay that asks more often is told the last
 *         answer again, of a line that is there; one that asks for another line what was told last.
 * Units: ticks, lines. Ownership: l2_answers_clear and l2_asked_clear free. Errors: false when out of memory. Cost: a
 * look-up of a hash an access; 12 bytes an access and about 40 a line. Threads: answers are read-only once recorded; an
 * l2_asked belongs to one replay. */
#ifndef MODEL_L2_ANSWERS_H
#define MODEL_L2_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_index.h"
#include "model/result/counters.h"
#include "model/result/queues.h"

struct l2_answer {
  uint32_t wait, missed;
  uint32_t next; /* of the same line; the last one: itself */
};

struct l2_answers {
  struct l2_answer *answers; /* [count] */
  struct l2_line {
    uint32_t line, first, last; /* answers */
  } * lines;                    /* [line_count] */
  uint32_t count, capacity, line_count, line_capacity;
  struct hash_index index;    /* of lines */
  uint32_t most;              /* keys of the index */
  struct sim_counters shared; /* all that was counted at L2 */
  struct queue_ticks waited;
};

/* Adds the answer to an access whose first line is `line`. */
bool l2_answers_add(struct l2_answers *answers, uint32_t line, uint64_t wait, uint64_t missed);
void l2_answers_clear(struct l2_answers *answers);
size_t l2_answers_bytes(const struct l2_answers *answers);

/* How far a replay has come in the answers of each line. */
struct l2_asked {
  const struct l2_answers *answers; /* NULL: the replay has an L2 */
  uint32_t *next;                   /* [line_count]: the next answer; none is left: count */
  struct l2_answer told;            /* last */
};

bool l2_asked_init(struct l2_asked *asked, const struct l2_answers *answers);
void l2_asked_clear(struct l2_asked *asked);
/* Returns the answer to an access whose first line is `line`. */
struct l2_answer l2_asked_next(struct l2_asked *asked, uint32_t line);

#endif
