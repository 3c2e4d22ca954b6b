#include "cli/dse/sweep_session.h"

#include <stdlib.h>

#include "base/input/conf.h"
#include "base/text.h"
#include "cli/dse/sweep_diff.h"
#include "cli/dse/sweep_inputs.h"
#include "cli/dse/sweep_reference.h"

static int add_targets(struct sweep_session *session, struct error *error) {
  const struct option_list *list = &session->own->targets;
  struct sweep *sweep = session->sweep;
  if (list->count == 0)
    return 0;
  double *larger = realloc(sweep->targets, (sweep->target_count + list->count) * sizeof *larger);
  if (!larger)
    return error_no_memory(error);
  sweep->targets = larger;
  for (size_t i = 0; i < list->count; i++) {
    const struct conf_node node = {.kind = CONF_SCALAR, .file = "", .key = "--target", .text = list->items[i]};
    if (conf_real(&node, 1e-6, 1e6, &sweep->targets[sweep->target_count], error) != 0)
      return -1;
    sweep->target_count++;
  }
  return 0;
}

int sweep_session_open(struct sweep_session *session, const char *sweep, struct error *error) {
  if (sweep_load(sweep, &session->sweep, error) != 0 || add_targets(session, error) != 0 ||
      points_enumerate(session->sweep, session->own->yes, &session->points, error) != 0)
    return -1;
  session->output =
      session->own->output ? text_format("%s", session->own->output) : text_format("dse-%s", session->sweep->name);
  if (!session->output)
    return error_no_memory(error);
  if (session->own->diff && sweep_diff_check(session, error) != 0) /* before hours of work */
    return -1;
  return sweep_reference_check(session, error);
}

int sweep_session_group(struct sweep_session *session, bool exact, struct error *error) {
  return families_find(&session->points, exact, &session->families, error) == 0
             ? intervals_plan(&session->points, exact, &session->intervals, error)
             : -1;
}

int sweep_session_load(struct sweep_session *session, struct error *error) {
  if (isa_load(session->sweep->gpu->isa, &session->isa, error) != 0 ||
      sweep_inputs_load(session->sweep, session->options, &session->replay, &session->evaluation, error) != 0)
    return -1;
  session->evaluation.isa = session->isa;
  return intervals_begin(&session->intervals, &session->evaluation, error);
}

char *sweep_session_path(const struct sweep_session *session, const char *name) {
  return text_format("%s/%s", session->output, name);
}

void sweep_session_clear(struct sweep_session *session) {
  json_decref(session->head);
  scores_clear(&session->scores);
  outcomes_clear(&session->outcomes);
  sweep_inputs_clear(&session->evaluation);
  isa_destroy(session->isa);
  replay_clear(&session->replay);
  intervals_clear(&session->intervals);
  families_clear(&session->families);
  points_clear(&session->points);
  sweep_destroy(session->sweep);
  free(session->output);
}
