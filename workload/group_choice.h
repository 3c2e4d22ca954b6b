/* The choice of the work-groups of a launch that are emulated: all of them, or a sample that stands for the launch
 * (docs/sampling.md).
 *
 * Texts: "auto"; a share of the work-groups, "5%" or "0.05"; a list of linear ids (x fastest) and ranges of them,
 * "0..15,64". A share consists of the work-groups that "auto" chooses and of others, evenly spread, up to the share.
 * Ownership: a choice starts from zero, which means all work-groups; group_choice_clear frees. Errors: ERROR_INPUT for
 * a text or a list that does not fit the launch. Cost: linear in the chosen work-groups. Threads: any. */
#ifndef WORKLOAD_GROUP_CHOICE_H
#define WORKLOAD_GROUP_CHOICE_H

#include "base/error.h"
#include "base/index_ranges.h"

enum group_choice_kind { GROUPS_ALL, GROUPS_AUTO, GROUPS_SHARE, GROUPS_LIST };

struct group_choice {
  enum group_choice_kind kind;
  double share;             /* GROUPS_SHARE: above 0, at most 1 */
  struct index_ranges list; /* GROUPS_LIST */
};

int group_choice_parse(const char *text, struct group_choice *out, struct error *error);
void group_choice_clear(struct group_choice *choice);
/* Chooses among the groups[0] x groups[1] x groups[2] work-groups of an NDRange. *out stays empty when all are chosen.
 * The caller clears *out in any case. */
int group_choice_apply(const struct group_choice *choice, const uint64_t groups[3], struct index_ranges *out,
                       struct error *error);

#endif
