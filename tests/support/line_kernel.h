/* Kernels of one block, written as a text with one letter for each operation, small enough to work out by hand:
 *   a integer addition (1 slot)
 *   u addition that is the first use of the value of the memory operation before it
 *   L S A load, store, atomic of 4 bytes for each work-item, global
 *   l s load, store, local
 *   c load, constant
 *   B barrier (only at the end)
 *   f float multiply-add
 *   i integer addition of another pipe than f
 * Memory operation m of work-item x of work-group g accesses byte group_bytes * g + item_bytes * x + op_bytes * m.
 * Memory: struct line_kernel holds everything; nothing must be freed. */
#ifndef SUPPORT_LINE_KERNEL_H
#define SUPPORT_LINE_KERNEL_H

#include "trace/trace.h"

#define LINE_KERNEL_OPS    2048
#define LINE_KERNEL_GROUPS 64
#define LINE_KERNEL_ITEMS  256

struct line_kernel {
  struct trace trace;
  struct trace_op ops[LINE_KERNEL_OPS];
  struct trace_block block;
  uint32_t mem_ops[LINE_KERNEL_OPS];
  struct trace_step step;
  struct trace_site sites[LINE_KERNEL_OPS];
  struct trace_nest nest;
  struct trace_path path, *paths[1];
  int32_t streams[TRACE_STREAM_WORDS * LINE_KERNEL_OPS];
  struct trace_cohort cohort;
  struct trace_shape shape, *shapes[1];
  uint16_t zeros[LINE_KERNEL_ITEMS], numbers[LINE_KERNEL_ITEMS];
  uint32_t bases[LINE_KERNEL_GROUPS][LINE_KERNEL_OPS];
  struct trace_group groups[LINE_KERNEL_GROUPS];
};

struct line_kernel_shape {
  const char *ops;
  uint32_t groups, items;
  int32_t item_bytes;
  uint32_t op_bytes, group_bytes;
};

void line_kernel_make(struct line_kernel *k, const struct line_kernel_shape *shape);

#endif
