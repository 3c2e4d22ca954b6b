/* Parts of `reassemble info`: each shows one view of a trace, as a table for people and as JSON. */
#ifndef CLI_INFO_H
#define CLI_INFO_H

#include <stdio.h>

#include <jansson.h>

#include "base/error.h"
#include "model/isa.h"
#include "model/statistics.h"
#include "trace/summary.h"
#include "trace/trace.h"

/* Functional statistics. A new reference, NULL when out of memory. */
json_t *info_statistics_json(const struct statistics *statistics);
int info_statistics_print(const struct statistics *statistics, struct error *error);

#endif
