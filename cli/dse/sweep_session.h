/* Everything that one `reassemble dse` works on, and the steps that its forms (run, merge) share. */
#ifndef CLI_SWEEP_SESSION_H
#define CLI_SWEEP_SESSION_H

#include <jansson.h>

#include "cli/core/options.h"
#include "cli/replay/replay.h"
#include "cli/core/view.h"
#include "dse/evaluate/evaluate.h"
#include "dse/points/families.h"
#include "dse/intervals.h"
#include "dse/points/points.h"
#include "dse/answer/scores.h"
#include "dse/sweep/sweep.h"

struct sweep_options {
  const char *output, *share, *diff;
  bool plan, resume, yes, exact, plot;
  struct option_list targets;
};

struct sweep_session {
  const struct sweep_options *own;
  const struct options *options;
  struct sweep *sweep;
  struct points points;
  struct families families;
  struct intervals intervals; /* of the one-at-a-time sensitivities */
  struct replay replay;       /* owns the traces; empty after a merge without approximate results */
  struct isa_profile *isa;
  struct evaluation evaluation;
  struct outcomes outcomes;
  struct scores scores;
  json_t *head; /* of the journal */
  char *output; /* folder */
};

/* One number per design, and the workloads that it is about: the sweep's objective over all, or one's speed-ups. */
struct sweep_score {
  const char *title; /* the workload's name; NULL: of all */
  double *of;        /* [designs] */
  size_t first, count;
};

/* Sweep and points; --target is added to the sweep's targets. */
int sweep_session_open(struct sweep_session *session, const char *sweep, struct error *error);
void sweep_session_clear(struct sweep_session *session);
/* Finds the designs that share replays (`exact`: none), and the further ones that the intervals of sensitivities
 * need. */
int sweep_session_group(struct sweep_session *session, bool exact, struct error *error);
/* Emulates the workloads. */
int sweep_session_load(struct sweep_session *session, struct error *error);
/* "<folder>/<name>"; NULL: out of memory. */
char *sweep_session_path(const struct sweep_session *session, const char *name);

/* cli/dse/sweep_merge.c: results from the journals of other folders, the arguments behind "merge". */
int sweep_merge(struct sweep_session *session, struct error *error);

/* cli/dse/sweep_plan.c: what is going to be done. `seconds`: of all the base's replays. */
struct sweep_plan {
  size_t remaining; /* results still to find in this share */
  double replays;   /* that take about as long */
  size_t known;     /* results that the journal had */
  size_t share, shares;
  double seconds;
};
/* Text goes to `out`, JSON (schema reassemble.dse-plan/1) to stdout. */
int sweep_plan_show(const struct sweep_session *session, const struct sweep_plan *plan, bool json, FILE *out,
                    struct error *error);
/* The object "plan". */
void sweep_plan_members(const struct sweep_session *session, const struct sweep_plan *plan, bool with_times,
                        struct view *view);

/* cli/dse/sweep_score.c: one for all workloads, or per_workload one each; the caller clears it. */
size_t sweep_score_count(const struct sweep_session *session);
int sweep_score_make(const struct sweep_session *session, size_t number, struct sweep_score *out, struct error *error);
void sweep_score_clear(struct sweep_score *score);

/* cli/dse/sweep_finish.c: makes exact what is reported of single designs (dse/confirm.h), and finds its intervals. */
struct run;
int sweep_confirm(struct sweep_session *session, const struct run *run, struct error *error);
/* With all outcomes there: scores, results.csv, results.json, impossible.csv, and the answers. */
int sweep_finish(struct sweep_session *session, struct error *error);

#endif
