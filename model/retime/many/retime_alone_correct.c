#include <math.h>

#include "model/retime/many/retime_alone_parts.h"

/* The least number of GPUs whose cycles are corrected by exact replays of two of them. */
enum { LEAST_CORRECTED = 8 };
#define LEAST_DIFFERENCE 0.001 /* of cycles, below which there is nothing to correct */
#define MOST_SHARE       2.0   /* limit of a correction */

/* How much of the difference between its cycles and the recorded ones a GPU really has, if it is faster or slower. */
struct correction {
  double faster, slower;
};

static double recorded_cycles(const struct alone_many *many, size_t at) {
  return alone_many_recording(many, many->members[at].recording)->whole.cycles;
}

/* Returns how many times as long as the recorded GPU a member takes. */
static double slowness(const struct alone_many *many, size_t at) {
  return many->out[at].cycles / recorded_cycles(many, at);
}

/* Returns the share of the predicted difference that the GPU of member `at` really has. */
static double share_of(const struct alone_many *many, size_t at) {
  const double recorded = recorded_cycles(many, at), predicted = many->out[at].cycles - recorded;
  const double exact =
      fabs(predicted) > LEAST_DIFFERENCE * recorded ? retime_alone_exactly(many->alone, &many->members[at].seen) : 0;
  return exact > 0 ? fmin(fmax((exact - recorded) / predicted, 0), MOST_SHARE) : 1;
}

static bool is_corrected(const struct alone_many *many, size_t at, uint64_t rates) {
  return many->members[at].recording != NO_RECORDING && many->done[at] && many->members[at].rates == rates;
}

/* Corrects the members with these rates behind the core by exact replays of the fastest and the slowest one, beside
 * their recorded GPUs. On a GPU on which accesses queue behind those of other
 * cores, all cores together are faster or slower by another amount than one core is. */
static void correct(const struct alone_many *many, uint64_t rates) {
  size_t fastest = many->count, slowest = many->count, count = 0;
  for (size_t i = 0; i < many->count; i++) {
    if (!is_corrected(many, i, rates))
      continue;
    fastest = count == 0 || slowness(many, i) < slowness(many, fastest) ? i : fastest;
    slowest = count == 0 || slowness(many, i) > slowness(many, slowest) ? i : slowest;
    count++;
  }
  if (count < LEAST_CORRECTED)
    return;
  const struct correction share = {share_of(many, fastest), share_of(many, slowest)};
  for (size_t i = 0; i < many->count; i++) {
    const double recorded = is_corrected(many, i, rates) ? recorded_cycles(many, i) : 0;
    const double difference = many->out[i].cycles - recorded, real = difference < 0 ? share.faster : share.slower;
    if (recorded > 0 && difference != 0 && real != 1)
      retime_alone_stretch(&many->specs[i], recorded + difference * real, &many->out[i]);
  }
}

void alone_many_correct(const struct alone_many *many) {
  for (size_t i = 0; i < many->count; i++) {
    size_t first = 0;
    while (many->members[first].rates != many->members[i].rates)
      first++;
    if (first == i)
      correct(many, many->members[i].rates);
  }
}
