/* simulate --detail: what an observer saw of each kernel (model/timeline/observer.h), as tables and in JSON. */
#ifndef CLI_DETAIL_H
#define CLI_DETAIL_H

#include <jansson.h>

#include "cli/core/replay.h"

int detail_print(const struct replay *replay, const struct replay_kernel *kernel, struct error *error);
json_t *detail_json(const struct replay *replay, const struct replay_kernel *kernel);

#endif
