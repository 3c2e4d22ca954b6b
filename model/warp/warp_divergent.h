/* The walk of a warp whose work-items run different paths. The functions follow the rules of model/warp/warp.h. */
#ifndef MODEL_WARP_DIVERGENT_H
#define MODEL_WARP_DIVERGENT_H

#include "model/warp/warp.h"

void divergent_start(struct warp *warp, const struct warp_context *context, void *memory);
enum warp_event divergent_next(struct warp *warp, const struct warp_context *context);
void divergent_addresses(const struct warp *warp, const struct warp_context *context, struct lane_addresses *out);

#endif
