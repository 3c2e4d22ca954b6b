/* Remarks on a kernel (dse/remarks.h) in a view. */
#ifndef CLI_VIEW_REMARKS_H
#define CLI_VIEW_REMARKS_H

#include "cli/core/view.h"
#include "dse/remarks.h"

/* Text alone: lines "  name: sentence". Kinds that `without` (NULL: none) holds too are left out. */
void view_remarks_say(struct view *view, const char *name, const struct remarks *remarks,
                      const struct remarks *without);
/* Returns whether there is a kind that `without` does not hold. */
bool view_remarks_differ(const struct remarks *remarks, const struct remarks *without);
/* JSON alone: an array, for the key "remarks". */
struct view_value view_remarks_items(struct view *view, const struct remarks *remarks);

#endif
