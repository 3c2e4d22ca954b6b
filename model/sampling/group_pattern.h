/* The pattern of the work-groups of a sampled trace, by which the work-groups that the trace does not hold are
 * predicted.
 *
 * If all work-groups of the trace have one shape, and each of their numbers (addresses) is the sum of a constant and a
 * multiple of each coordinate of the work-group, this is assumed of the whole launch. Otherwise the same is tried for
 * each combination of first, last and in-between place along the dimensions, because kernels treat the borders of their
 * range in another way. Some work-groups of a combination may be odd, such as those behind the end of the data; their
 * share in the trace is taken as their share in the launch. It is not proved that no other work-group differs:
 * `--groups auto` has some near each border and some all over the launch, which are all compared.
 *
 * Ownership: group_pattern_clear frees; the trace is borrowed. Errors: ERROR_INPUT if the work-groups of the trace are
 * not alike, or if a work-group is needed whose combination the trace does not hold. Cost: linear in the numbers of the
 * trace's work-groups. Threads: read-only once made. */
#ifndef MODEL_GROUP_PATTERN_H
#define MODEL_GROUP_PATTERN_H

#include "trace/trace.h"

enum { GROUP_PATTERN_CLASSES = 27, GROUP_PATTERN_ALL = GROUP_PATTERN_CLASSES };

struct group_class {
  bool known;
  uint32_t members, odd; /* work-groups of the trace; those of them that do not follow the rule */
  bool varies[3];        /* whether the trace has work-groups at several coordinates of the dimension */
  uint32_t shape;
  uint64_t from[3]; /* coordinates of the work-group that the constants belong to */
  uint64_t stream_count, value_count;
  uint32_t *numbers;   /* bases, then values, of that work-group */
  uint32_t (*step)[3]; /* [number of numbers]: steps of each along the dimensions, modulo 2^32 */
};

struct group_pattern {
  const struct trace *trace;
  uint64_t groups[3];                                    /* work-groups of the launch, by dimension */
  struct group_class classes[GROUP_PATTERN_CLASSES + 1]; /* the last one is for all work-groups, where it is known */
};

int group_pattern_learn(struct group_pattern *pattern, const struct trace *trace, struct error *error);
void group_pattern_clear(struct group_pattern *pattern);
/* Returns the class of a work-group, or NULL if the trace does not determine it. */
const struct group_class *group_pattern_class(const struct group_pattern *pattern, uint64_t id);
/* Sets *group to the predicted work-group; `numbers` has room for the numbers of its class. */
void group_pattern_fill(const struct group_pattern *pattern, const struct group_class *class, uint32_t id,
                        uint32_t *numbers, struct trace_group *group);
/* Returns the share of the launch's work-groups that do not follow the rule of their class, estimated from the
 * trace. */
double group_pattern_odd_share(const struct group_pattern *pattern);
/* Writes the number of work-groups of the launch in each class to `counts`. */
void group_pattern_count(const struct group_pattern *pattern, uint64_t counts[GROUP_PATTERN_CLASSES + 1]);

#endif
