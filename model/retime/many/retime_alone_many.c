/* Times many GPUs from recordings of one core (retime_alone.h): groups them by the parameters that need a recording of
 * their own, makes the recordings that pay, times some GPUs of all recordings and interpolates the others, those that
 * are equal for the launch once, and corrects their cycles (retime_alone_correct.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "model/retime/many/retime_alone_parts.h"
#include "model/retime/retime_family.h"

/* The least number of GPUs for which another recording pays. It costs a replay, and about as much as timing three
 * GPUs. */
enum { LEAST_GPUS = 3, ALL_RECORDINGS = -2 };
/* The number of timed GPUs from which on those of different recordings are interpolated apart. */
enum { MOST_TIMED_TOGETHER = 64 };
#define TOLERANCE 0.003 /* of an interpolation (retime_surface.h) */

static bool is_timed(const struct param *param) {
  return param->flags & PARAM_RETIMED_SAMPLED;
}

/* Returns the hash of the parameters that change times, or of those of them that a recording does not serve. */
static uint64_t hash_of(const struct gpu_spec *spec, bool unserved) {
  uint64_t hash = TEXT_HASH_START;
  for (size_t i = 0; i < gpu_params.count; i++) {
    const struct param *param = &gpu_params.list[i];
    const double value = params_get_number(param, spec);
    if ((param->flags & PARAM_RETIMED) && !(unserved && is_timed(param)))
      hash = text_hash(hash, &value, sizeof value);
  }
  return hash;
}

/* Sets the hashes of a member's parameters. The area, energy, error and clock of a GPU do not change its cycles. */
static void set_hashes(struct alone_member *m) {
  struct gpu_spec spec = m->seen;
  spec.clock_hz = 1;
  spec.prediction_error_ratio = spec.order_error_ratio = 0;
  m->all = hash_of(&spec, false);
  spec.l1_bytes = spec.l1_ways = 0; /* a recording serves L1s of all sizes */
  m->group = hash_of(&spec, true);
  spec.l2_bytes = spec.l2_ways = 0;
  m->rates = hash_of(&spec, true);
}

/* Lets the recordings serve the members that they can. */
static void serve(struct alone_many *many, size_t from) {
  for (size_t i = from; i < many->count; i++)
    for (int r = 0; r <= many->made_count && many->members[i].recording == NO_RECORDING; r++)
      if (alone_recording_serves(alone_many_recording(many, r), &many->members[i].seen))
        many->members[i].recording = r;
}

/* Returns the member of the group of `first` that is nearest to the first recording's GPU, and counts the group. */
static size_t nearest(const struct alone_many *many, size_t first, size_t *count) {
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
static void make_recordings(struct alone_many *many) {
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
static size_t same_before(const struct alone_many *many, size_t at) {
  const struct alone_member *m = &many->members[at];
  for (size_t i = 0; i < at; i++)
    if (many->members[i].all == m->all && many->members[i].recording == m->recording)
      return i;
  return at;
}

static bool time_member(struct alone_many *many, size_t at) {
  struct alone_member *m = &many->members[at];
  const bool known = m->recording == 0 || alone_recording_know(many->alone, &m->seen, &many->made[m->recording - 1]);
  many->done[at] =
      known && alone_recording_time(many->alone, alone_many_recording(many, m->recording), &m->seen, &many->out[at]);
  return m->timed = many->done[at];
}

static bool time_place(void *context, size_t place, double *cycles) {
  struct alone_many *many = context;
  const size_t at = many->numbers[place];
  const bool done = many->done[at] || time_member(many, at);
  *cycles = many->out[at].cycles;
  return done;
}

/* Gathers the members of a recording, or of all (ALL_RECORDINGS), that differ. */
static void gather(struct alone_many *many, int recording) {
  many->place_count = 0;
  for (size_t i = 0; i < many->count; i++) {
    const int own = many->members[i].recording;
    if (own != NO_RECORDING && (own == recording || recording == ALL_RECORDINGS) && same_before(many, i) == i) {
      many->places[many->place_count] = (struct surface_member){0};
      many->numbers[many->place_count++] = i;
    }
  }
}

/* Returns whether the gathered members have different values of the parameter. */
static bool differ(const struct alone_many *many, const struct param *param) {
  const double first = params_get_number(param, &many->members[many->numbers[0]].seen);
  for (size_t i = 1; i < many->place_count; i++)
    if (params_get_number(param, &many->members[many->numbers[i]].seen) != first)
      return true;
  return false;
}

/* Returns the coordinate of a value: of a rate the time that it takes, of a size its logarithm. */
static double coordinate(const struct param *param, double value) {
  if (strstr(param->unit, "/cycle"))
    return value > 0 ? 1 / value : 0;
  return strcmp(param->unit, "bytes") == 0 ? log(value) : value;
}

/* Sets the coordinates of the gathered members: the parameters in which they differ. Returns false if there are too
 * many. */
static bool set_places(struct alone_many *many) {
  size_t dimensions = 0;
  for (size_t p = 0; p < gpu_params.count && many->place_count > 0; p++) {
    const struct param *param = &gpu_params.list[p];
    if (!(param->flags & PARAM_RETIMED) || !differ(many, param))
      continue;
    if (dimensions == SURFACE_MOST_DIMENSIONS)
      return false;
    for (size_t i = 0; i < many->place_count; i++)
      many->places[i].at[dimensions] =
          coordinate(param, params_get_number(param, &many->members[many->numbers[i]].seen));
    dimensions++;
  }
  return true;
}

/* Returns the place nearest to another one among those that were timed from the same recording with the same L1, or
 * the number of places if there is none. */
static size_t nearest_alike(const struct alone_many *many, size_t place) {
  const struct alone_member *m = &many->members[many->numbers[place]];
  size_t near = many->place_count;
  double least = INFINITY;
  for (size_t i = 0; i < many->place_count; i++) {
    const struct alone_member *other = &many->members[many->numbers[i]];
    if (!other->timed || other->recording != m->recording || other->seen.l1_bytes != m->seen.l1_bytes ||
        other->seen.l1_ways != m->seen.l1_ways)
      continue;
    const double distance = retime_distance(&m->seen, &other->seen);
    near = distance < least ? i : near;
    least = fmin(least, distance);
  }
  return near;
}

/* Sets the result of a gathered member of which the cycles were interpolated. Returns false if no GPU with the same
 * traffic was timed. */
static bool interpolate(struct alone_many *many, size_t place) {
  const size_t at = many->numbers[place], near = nearest_alike(many, place);
  if (near == many->place_count || many->places[place].value <= 0)
    return false;
  many->out[at] = many->out[many->numbers[near]];
  retime_alone_stretch(&many->specs[at], many->places[place].value, &many->out[at]);
  return many->done[at] = true;
}

/* Times the gathered members, or interpolates their cycles. Returns false if they are not on one surface. */
static bool time_gathered(struct alone_many *many) {
  const struct surface_rule rule = {
      .tolerance = TOLERANCE, .learns = true, .most_timed = MOST_TIMED_TOGETHER, .settles = true};
  const enum surface_state state =
      set_places(many) ? surface_make(many->places, many->place_count, rule, time_place, many) : SURFACE_FAILED;
  for (size_t i = 0; i < many->place_count && state != SURFACE_OPEN; i++) {
    const bool interpolated = state == SURFACE_MADE && !many->places[i].timed;
    if (!many->done[many->numbers[i]] && !(interpolated && interpolate(many, i)))
      time_member(many, many->numbers[i]);
  }
  return state != SURFACE_OPEN;
}

/* Times all gathered members. */
static void time_places(struct alone_many *many) {
  for (size_t i = 0; i < many->place_count; i++)
    if (!many->done[many->numbers[i]])
      time_member(many, many->numbers[i]);
}

/* Times the members of all recordings: on one surface, or on one for each recording. */
static void time_recordings(struct alone_many *many) {
  gather(many, ALL_RECORDINGS);
  if (time_gathered(many))
    return;
  for (int i = 0; i <= many->made_count; i++) {
    gather(many, i);
    if (!time_gathered(many))
      time_places(many);
  }
}

/* Copies the results of equal members. */
static void copy_equal(struct alone_many *many) {
  for (size_t i = 0; i < many->count; i++) {
    const size_t same = same_before(many, i);
    if (many->members[i].recording == NO_RECORDING || same == i)
      continue;
    many->out[i] = many->out[same];
    many->out[i].time_ns = many->out[i].cycles * 1e9 / (double)many->specs[i].clock_hz;
    many->done[i] = many->done[same];
  }
}

/* ---- all GPUs ---- */

static bool many_init(struct alone_many *many) {
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

static void many_clear(struct alone_many *many) {
  for (int i = 0; i < many->made_count; i++)
    alone_recording_clear(&many->made[i]);
  free(many->made);
  free(many->members);
  free(many->places);
  free(many->numbers);
}

void retime_alone_all(const struct retime_alone *alone, const struct gpu_spec *specs, size_t count,
                      struct sim_result *out, bool *done) {
  struct alone_many many = {.alone = alone, .count = count, .specs = specs, .out = out, .done = done};
  if (many_init(&many)) {
    make_recordings(&many);
    time_recordings(&many);
    copy_equal(&many);
    alone_many_correct(&many);
  }
  many_clear(&many);
}
