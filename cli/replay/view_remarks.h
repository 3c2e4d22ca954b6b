/* Remarks on a kernel (dse/remarks.h) in a view, and on how its replays were made. */
#ifndef CLI_VIEW_REMARKS_H
#define CLI_VIEW_REMARKS_H

#include "cli/core/options.h"
#include "cli/core/view.h"
#include "cli/replay/replay.h"
#include "dse/remarks.h"

/* Text alone: the name of the kernel, and below it for each remark the share of the time, the place in the kernel's
 * file, what was found and what to try, within the terminal's width (100 characters elsewhere). Nothing without
 * remarks. Remarks whose kind `without` (NULL: none) holds too are left out, unless they are about a cost that is half
 * as large again, or larger. */
void view_remarks_say(struct view *view, const struct replay_kernel *kernel, const struct remarks *remarks,
                      const struct remarks *without);
/* Returns whether view_remarks_say says anything. */
bool view_remarks_differ(const struct remarks *remarks, const struct remarks *without);
/* JSON alone: an array, for the key "remarks". */
struct view_value view_remarks_items(struct view *view, const struct remarks *remarks);

/* Says on standard error that replays took longer because their recordings had no memory, if that was so. */
void tell_lacking_memory(const struct options *options);

#endif
