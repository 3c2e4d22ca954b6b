/* LRU evicts the line that was used longest ago. Source: Mattson, Gecsei, Slutz and Traiger, "Evaluation techniques for
 * storage hierarchies", IBM Systems Journal 9(2), 1970. */
#include "model/cache/replacement.h"

const struct replacement_ops replacement_lru = {.by_last_use = true};
