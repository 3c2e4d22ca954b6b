/* Times many GPUs from recordings of one core (retime_alone.h): groups them by the parameters that need a recording of
 * their own, makes the recordings that pay, times some GPUs of a recording and interpolates the others, those that are
 * equal for the launch once, and corrects their cycles by two exact replays a recording. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"

#include "base/text.h"
#include "model/retime/retime_alone.h"
#include "model/retime/retime_family.h"
#include "model/retime/many/retime_surface.h"

/* The least number of GPUs for which another recording pays. It costs a replay, and about as much as timing three
 * GPUs. */
enum { LEAST_GPUS = 3, NO_RECORDING = -1 };
/* The least number of GPUs whose cycles are corrected by exact replays of two of them. */
enum { LEAST_CORRECTED = 8 };
#define LEAST_DIFFERENCE 0.001 /* of cycles, below which there is nothing to correct */
#define MOST_SHARE       2.0   /* limit of a correction */
#define TOLERANCE        0.002 /* of an interpolation (retime_surface.h) */

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
  const struct gpu_spec *specs; /* [count], of the caller, as the next two */
  struct sim_result *out;
  bool *done;
  struct surface_member *places; /* of different members of one recording ... */
  size_t *numbers;               /* ... and their numbers */
  size_t place_count;
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

static bool time_member(struct many *many, size_t at) {
  const struct member *m = &many->members[at];
  return many->done[at] = alone_recording_time(many->alone, recording_of(many, m->recording), &m->seen, &many->out[at]);
}

static bool time_place(void *context, size_t place, double *cycles) {
  struct many *many = context;
  const size_t at = many->numbers[place];
  const bool done = time_member(many, at);
  *cycles = many->out[at].cycles;
  return done;
}

/* Gathers the members of a recording that differ. */
static void gather(struct many *many, int recording) {
  many->place_count = 0;
  for (size_t i = 0; i < many->count; i++)
    if (many->members[i].recording == recording && same_before(many, i) == i) {
      many->places[many->place_count] = (struct surface_member){0};
      many->numbers[many->place_count++] = i;
    }
}

/* Returns whether the gathered members have different values of the parameter. */
static bool differ(const struct many *many, const struct param *param) {
  const double first = params_get_number(param, &many->members[many->numbers[0]].seen);
  for (size_t i = 1; i < many->place_count; i++)
    if (params_get_number(param, &many->members[many->numbers[i]].seen) != first)
      return true;
  return false;
}

/* Sets the coordinates of the gathered members: the parameters in which they differ. Returns false if there are too
 * many. */
static bool set_places(struct many *many) {
  size_t dimensions = 0;
  for (size_t p = 0; p < gpu_params.count && many->place_count > 0; p++) {
    const struct param *param = &gpu_params.list[p];
    if (!is_timed(param) || !differ(many, param))
      continue;
    if (dimensions == SURFACE_MOST_DIMENSIONS)
      return false;
    for (size_t i = 0; i < many->place_count; i++)
      many->places[i].at[dimensions] = params_get_number(param, &many->members[many->numbers[i]].seen);
    dimensions++;
  }
  return true;
}

/* Times the members of a recording, or interpolates their cycles. */
static void time_recording(struct many *many, int recording) {
  gather(many, recording);
  const struct surface_rule rule = {.tolerance = TOLERANCE, .learns = true};
  const bool made =
      set_places(many) && surface_make(many->places, many->place_count, rule, time_place, many) == SURFACE_MADE;
  for (size_t i = 0; i < many->place_count; i++) {
    const size_t at = many->numbers[i], near = many->numbers[many->places[i].near];
    if (many->done[at] || many->places[i].timed)
      continue;
    if (!made || many->places[i].value <= 0) {
      time_member(many, at);
      continue;
    }
    many->out[at] = many->out[near];
    retime_alone_stretch(&many->specs[at], many->places[i].value, &many->out[at]);
    many->done[at] = true;
  }
}

/* Copies the results of equal members. */
static void copy_equal(struct many *many) {
  for (size_t i = 0; i < many->count; i++) {
    const size_t same = same_before(many, i);
    if (many->members[i].recording == NO_RECORDING || same == i)
      continue;
    many->out[i] = many->out[same];
    many->out[i].time_ns = many->out[i].cycles * 1e9 / (double)many->specs[i].clock_hz;
    many->done[i] = many->done[same];
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

static bool many_init(struct many *many) {
  many->members = calloc(many->count + 1, sizeof *many->members);
  many->places = calloc(many->count + 1, sizeof *many->places);
  many->numbers = calloc(many->count + 1, sizeof *many->numbers);
  for (size_t i = 0; i < many->count; i++) {
    many->out[i] = (struct sim_result){0};
    many->done[i] = false;
  }
  for (size_t i = 0; i < many->count && many->members; i++) {
    many->members[i].seen = retime_alone_spec(many->alone->trace, &many->specs[i]);
    many->members[i].recording = NO_RECORDING;
    set_hashes(&many->members[i]);
  }
  return many->members && many->places && many->numbers;
}

static void many_clear(struct many *many) {
  for (int i = 0; i < many->made_count; i++)
    alone_recording_clear(&many->made[i]);
  free(many->made);
  free(many->members);
  free(many->places);
  free(many->numbers);
}

void retime_alone_all(const struct retime_alone *alone, const struct gpu_spec *specs, size_t count,
                      struct sim_result *out, bool *done) {
  struct many many = {.alone = alone, .count = count, .specs = specs, .out = out, .done = done};
  if (many_init(&many)) {
    make_recordings(&many);
    for (int i = 0; i <= many.made_count; i++)
      time_recording(&many, i);
    copy_equal(&many);
    for (int i = 0; i <= many.made_count; i++)
      correct(&many, i, specs, out, done);
  }
  many_clear(&many);
}
