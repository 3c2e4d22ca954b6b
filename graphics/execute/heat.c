/* The work of each pixel: operations and texels of all fragments that cover it, from the draws' traces. */
#include <limits.h>
#include <stdlib.h>

#include "graphics/execute/execution.h"
#include "trace/trace.h"

struct lane_work {
  uint64_t operations, texels;
};

static struct lane_work work_of(const struct trace *t, uint64_t item, uint32_t *addresses) {
  const uint64_t size = trace_local_size(&t->header);
  struct lane_work work = {0};
  struct trace_cursor cursor;
  uint32_t block;
  trace_cursor_init(&cursor, t, &t->groups[item / size], (uint32_t)(item % size));
  while (trace_cursor_next(&cursor, &block, addresses)) {
    const struct trace_block *b = &t->code.blocks[block];
    work.operations += b->op_count;
    for (uint32_t m = 0; m < b->mem_count; m++)
      work.texels += t->code.ops[t->code.mem_ops[b->first_mem + m]].name != TRACE_NO_NAME;
  }
  return work;
}

static void add(uint32_t *to, uint64_t more) {
  *to = more > UINT32_MAX - *to ? UINT32_MAX : *to + (uint32_t)more;
}

static void add_quads(struct frame_execution *out, const struct raster *r, const struct trace *t, uint32_t *addresses) {
  for (size_t q = 0; q < r->quad_count; q++)
    for (unsigned lane = 0; lane < 4; lane++) {
      const uint32_t x = (uint32_t)r->quads[q].x + (lane & 1), y = (uint32_t)r->quads[q].y + (lane >> 1);
      if (!(r->quads[q].coverage & 1u << lane) || x >= out->width || y >= out->height)
        continue;
      const struct lane_work work = work_of(t, 4 * q + lane, addresses);
      add(&out->operations[(size_t)y * out->width + x], work.operations);
      add(&out->texels[(size_t)y * out->width + x], work.texels);
    }
}

int execution_add_heat(struct execution *e, const struct raster *raster, const char *name, struct error *error) {
  char path[PATH_MAX];
  struct trace *trace;
  if (!e->out->operations || !e->out->texels)
    return 0;
  snprintf(path, sizeof path, "%s/%s.fragment.rtrace", e->options->folder, name);
  if (trace_load(path, &trace, error)) {
    if (error)
      error->kind = ERROR_WORK; /* draw has just written it */
    return -1;
  }
  uint32_t *addresses = malloc((trace->code.mem_count + 1) * sizeof *addresses);
  if (addresses)
    add_quads(e->out, raster, trace, addresses);
  free(addresses);
  trace_destroy(trace);
  return addresses ? 0 : error_no_memory(error);
}
