/* Encodes the address streams of a cohort for a work-group's record: the kind of each, its strides, its numbers.
 * Internal to trace/. */
#ifndef TRACE_GROUP_STREAMS_H
#define TRACE_GROUP_STREAMS_H

#include <stddef.h>

#include "base/error.h"
#include "trace/write/group.h"

/* Sets firsts and rest_lengths to their places in group->to, whose memory may have moved. */
static inline void group_find_streams(struct group *group) {
  group->firsts = (uint32_t *)(void *)(group->to->data + group->streams_at);
  group->rest_lengths = group->firsts + group->stream_count;
}

/* Appends the cohort's streams to group->record, their numbers but the first to group->to, and sets firsts and
 * rest_lengths from `first_stream` on. */
int group_encode_streams(struct group *group, const struct cohort *cohort, size_t first_stream, struct error *error);

#endif
