/* Remarks on a kernel (dse/remarks.h) in a view. */
#ifndef CLI_VIEW_REMARKS_H
#define CLI_VIEW_REMARKS_H

#include "cli/core/view.h"
#include "dse/remarks.h"

/* Text alone: lines "  name: sentence". Remarks whose kind `without` (NULL: none) holds too are left out, unless they
 * are about a cost that is half as large again, or larger. */
void view_remarks_say(struct view *view, const char *name, const struct remarks *remarks,
                      const struct remarks *without);
/* Returns whether view_remarks_say says anything. */
bool view_remarks_differ(const struct remarks *remarks, const struct remarks *without);
/* JSON alone: an array, for the key "remarks". */
struct view_value view_remarks_items(struct view *view, const struct remarks *remarks);

#endif
