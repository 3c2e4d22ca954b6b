/* simulate --ablate: cycles and how they change, per variant and, in JSON, per kernel. */
#ifndef CLI_ABLATION_CYCLES_H
#define CLI_ABLATION_CYCLES_H

#include "cli/replay/ablation_run.h"

void ablation_cycles_show(const struct ablation *ablation, const struct replay *replay, struct view *view);

#endif
