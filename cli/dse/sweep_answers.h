/* What a sweep answers, as text and as JSON. */
#ifndef CLI_SWEEP_ANSWERS_H
#define CLI_SWEEP_ANSWERS_H

#include "cli/dse/sweep_session.h"

/* The caller json_decref's *out, an object. */
int sweep_answers_json(const struct sweep_session *session, json_t **out, struct error *error);
int sweep_answers_print(const struct sweep_session *session, FILE *out, struct error *error);

#endif
