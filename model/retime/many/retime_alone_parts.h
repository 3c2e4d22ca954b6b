/* The parts of a call of retime_alone_all. Private to retime_alone_many.c, which times the GPUs, and to
 * retime_alone_correct.c, which corrects their cycles. */
#ifndef MODEL_RETIME_ALONE_PARTS_H
#define MODEL_RETIME_ALONE_PARTS_H

#include "model/retime/many/retime_surface.h"
#include "model/retime/retime_alone.h"

enum { NO_RECORDING = -1 };

/* A GPU of the call. */
struct alone_member {
  struct gpu_spec seen; /* as the launch sees it */
  uint64_t rates;       /* hash of the rates behind the core, and of all else that it does not time, but caches */
  uint64_t group, all;  /* hashes: of what needs a recording of its own; of all that is timed */
  int recording;        /* number of the recording that serves it */
  bool timed;           /* and not interpolated */
};

struct alone_many {
  const struct retime_alone *alone;
  struct alone_member *members; /* [count] */
  size_t count;
  struct alone_recording *made; /* [made_count], without the first */
  int made_count;
  const struct gpu_spec *specs; /* [count], of the caller, as the next two */
  struct sim_result *out;
  bool *done;
  struct surface_member *places; /* of the members that are interpolated together ... */
  size_t *numbers;               /* ... and their numbers */
  size_t place_count;
};

/* Returns the recording with this number; 0 is the first one. */
static inline const struct alone_recording *alone_many_recording(const struct alone_many *many, int number) {
  return number == 0 ? &many->alone->first : &many->made[number - 1];
}

/* Corrects the cycles of the members that have been timed or interpolated, by two exact replays for all GPUs with the
 * same rates. */
void alone_many_correct(const struct alone_many *many);

#endif
