/* Times many GPUs from recordings of one core (retime_alone.h): groups them by the parameters that need a recording of
 * their own, makes the recordings that pay, times GPUs that are equal for the launch once, and corrects their cycles by
 * two exact replays a recording. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"

#include "base/text.h"
#include "model/retime/retime_alone.h"
#include "model/retime/retime_family.h"

/* The least number of GPUs for which another recording pays. It costs a replay, and about as much as timing three
 * GPUs. */
enum { LEAST_GPUS = 3, NO_RECORDING = -1 };
/* The least number of GPUs whose cycles are corrected by exact replays of two of them. */
enum { LEAST_CORRECTED = 8 };
#define LEAST_DIFFERENCE 0.001 /* of cycles, below which there is nothing to correct */
#define MOST_SHARE       2.0   /* limit of a correction */

/* A GPU of the call. */
struct member {
  struct gpu_spec seen; /* as the launch sees it */
  uint64_t group, all;  /* hashes: of what needs a recording of its own; of all that is timed */
  int recording;        /* number of the recording that serves it */
};

struct many {
  const struct retime_alone *alone;
  struct member *members; /* [count] */
  size_t count;
  struct alone_recording *made; /* [made_count], without the first */
  int made_count;
};

static bool is_timed(const struct param *param) {
  return param->flags & PARAM_RETIMED_SAMPLED;
}

/* Sets the hashes of a member's parameters. The area, energy, error and clock of a GPU do not change its cycles. */
static void set_hashes(struct member *m) {
  struct gpu_spec spec = m->seen;
  spec.clock_hz = 1;
  spec.prediction_error_ratio = spec.order_error_ratio = 0;
  m->group = m->all = TEXT_HASH_START;
  for (size_t i = 0; i < gpu_params.count; i++) {
    const struct param *param = &gpu_params.list[i];
    if (!(param->flags & PARAM_RETIMED))
      continue;
    const double value = params_get_number(param, &spec);
    m->all = text_hash(m->all, &value, sizeof value);
    if (!is_timed(param))
      m->group = text_hash(m->group, &value, sizeof value);
  }
}

static const struct alone_recording *recording_of(const struct many *many, int number) {
  return number == 0 ? &many->alone->first : &many->made[number - 1];
}

/* Lets the recordings serve the members that they can. */
static void serve(struct many *many, size_t from) {
  for (size_t i = from; i < many->count; i++)
    for (int r = 0; r <= many->made_count && many->members[i].recording == NO_RECORDING; r++)
      if (alone_recording_serves(recording_of(many, r), &many->members[i].seen))
        many->members[i].recording = r;
}

/* Returns the member of the group of `first` that is nearest to the first recording's GPU, and counts the group. */
static size_t nearest(const struct many *many, size_t first, size_t *count) {
  size_t near = first;
  double least = 0;
  *count = 0;
  for (size_t i = first; i < many->count; i++) {
    if (many->members[i].group != many->members[first].group || many->members[i].recording != NO_RECORDING)
      continue;
    const double distance = retime_distance(&many->alone->first.spec, &many->members[i].seen);
    if ((*count)++ == 0 || distance < least) {
      least = distance;
      near = i;
    }
  }
  return near;
}

/* Makes the recordings of the groups that are large enough. */
static void make_recordings(struct many *many) {
  serve(many, 0);
  for (size_t i = 0; i < many->count; i++) {
    size_t count;
    const size_t near = many->members[i].recording == NO_RECORDING ? nearest(many, i, &count) : i;
    if (many->members[i].recording != NO_RECORDING || count < LEAST_GPUS)
      continue;
    if (!array_room_for_one(&many->made, many->made_count, sizeof *many->made))
      return;
    if (!alone_recording_make(many->alone, &many->members[near].seen, &many->made[many->made_count])) {
      alone_recording_clear(&many->made[many->made_count]);
      continue;
    }
    many->made_count++;
    serve(many, 0);
  }
}

/* Returns the number of the first member before `at` that takes the same time, or `at`. */
static size_t same_before(const struct many *many, size_t at) {
  const struct member *m = &many->members[at];
  for (size_t i = 0; i < at; i++)
    if (many->members[i].all == m->all && many->members[i].recording == m->recording)
      return i;
  return at;
}

static void time_member(const struct many *many, size_t at, const struct gpu_spec *spec, struct sim_result *out,
                        bool *done) {
  const struct member *m = &many->members[at];
  const size_t same = m->recording == NO_RECORDING ? at : same_before(many, at);
  out[at] = (struct sim_result){0};
  done[at] = false;
  if (same < at) {
    out[at] = out[same];
    out[at].time_ns = out[at].cycles * 1e9 / (double)spec->clock_hz;
    done[at] = done[same];
  } else if (m->recording != NO_RECORDING) {
    done[at] = alone_recording_time(many->alone, recording_of(many, m->recording), &m->seen, &out[at]);
  }
}

/* ---- corrections ---- */

/* How much of the difference between its cycles and the recorded ones a GPU really has, if it is faster or slower. */
struct correction {
  double faster, slower;
};

/* Returns the share of the predicted difference that the GPU of member `at` really has. */
static double share_of(const struct many *many, size_t at, double recorded, const struct sim_result *out) {
  const double predicted = out[at].cycles - recorded;
  const double exact =
      fabs(predicted) > LEAST_DIFFERENCE * recorded ? retime_alone_exactly(many->alone, &many->members[at].seen) : 0;
  return exact > 0 ? fmin(fmax((exact - recorded) / predicted, 0), MOST_SHARE) : 1;
}

/* Corrects the members of a recording by exact replays of the fastest and the slowest one. On a GPU on which accesses
 * queue behind those of other cores, all cores together are faster or slower by another amount than one core is. */
static void correct(const struct many *many, int recording, const struct gpu_spec *specs, struct sim_result *out,
                    const bool *done) {
  const double recorded = recording_of(many, recording)->whole.cycles;
  size_t fastest = many->count, slowest = many->count, count = 0;
  for (size_t i = 0; i < many->count; i++) {
    if (many->members[i].recording != recording || !done[i])
      continue;
    fastest = count == 0 || out[i].cycles < out[fastest].cycles ? i : fastest;
    slowest = count == 0 || out[i].cycles > out[slowest].cycles ? i : slowest;
    count++;
  }
  if (count < LEAST_CORRECTED)
    return;
  const struct correction share = {share_of(many, fastest, recorded, out), share_of(many, slowest, recorded, out)};
  for (size_t i = 0; i < many->count; i++) {
    const double difference = out[i].cycles - recorded, real = difference < 0 ? share.faster : share.slower;
    if (many->members[i].recording == recording && done[i] && difference != 0 && real != 1)
      retime_alone_stretch(&specs[i], recorded + difference * real, &out[i]);
  }
}

void retime_alone_all(const struct retime_alone *alone, const struct gpu_spec *specs, size_t count,
                      struct sim_result *out, bool *done) {
  struct many many = {.alone = alone, .members = calloc(count + 1, sizeof *many.members), .count = count};
  for (size_t i = 0; i < count && many.members; i++) {
    many.members[i].seen = retime_alone_spec(alone->trace, &specs[i]);
    many.members[i].recording = NO_RECORDING;
    set_hashes(&many.members[i]);
  }
  if (many.members)
    make_recordings(&many);
  for (size_t i = 0; i < count; i++)
    if (many.members)
      time_member(&many, i, &specs[i], out, done);
    else
      done[i] = false;
  for (int i = 0; i <= many.made_count && many.members; i++)
    correct(&many, i, specs, out, done);
  for (int i = 0; i < many.made_count; i++)
    alone_recording_clear(&many.made[i]);
  free(many.made);
  free(many.members);
}
