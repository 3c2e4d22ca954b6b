/* Instruction fetch: each core has a cache of code lines, fully associative with LRU replacement.
 *
 * When an execution engine takes a run it looks up the lines of the run's code in the order in which they execute; each
 * miss holds the engine for miss_ticks. Code that needs no issue slot between two events belongs to the next run. Each
 * resident warp has a second walk (a cursor), which follows its runs, because the walk that the replay reads events
 * from has no code. Where the whole kernel's code fits into the cache, a path whose lines have all been fetched need
 * not be followed again. Ownership: instruction_fetch_init allocates, instruction_fetch_clear frees. Units: ticks,
 * lines of code. Errors: memory. Cost: O(lines that a run executes). Threads: one for each core. Source: Kaszyk,
 * thesis, figure 5.14 (straight-line code beside a loop). */
#ifndef MODEL_INSTRUCTION_CACHE_H
#define MODEL_INSTRUCTION_CACHE_H

#include "model/result/cycle_stack.h"
#include "model/warp/fetch_program.h"
#include "model/params/gpu.h"
#include "model/warp/warp.h"

struct fetch_cursor;

struct instruction_fetch {
  bool on; /* false: nothing below is used */
  struct code_lines lines;
  struct fetch_program *programs; /* [path_count] */
  uint32_t path_count;
  struct cache **caches; /* [cores] */
  uint32_t cores;
  uint64_t miss_ticks;
  struct fetch_cursor *cursors; /* [resident warps of all cores] */
  uint32_t *counters;           /* [resident warps * depth] */
  char *divergent;              /* [resident warps * divergent_bytes], NULL when no warp diverges */
  size_t divergent_bytes;
  struct warp_context context; /* context of the cursors' walks */
  bool *there; /* [cores * path_count]: all lines of the path stay in the cache; NULL: the kernel is too large */
};

/* Prepares `warps` resident warps on all cores together. `divergent_bytes` is the size of the state of one of them, 0
 * when none diverges. */
int instruction_fetch_init(struct instruction_fetch *fetch, const struct warp_context *context,
                           const struct gpu_spec *spec, size_t warps, size_t divergent_bytes, struct error *error);
void instruction_fetch_clear(struct instruction_fetch *fetch);

/* Starts the second walk of a resident warp that has been placed and started. */
void instruction_fetch_start(struct instruction_fetch *fetch, size_t resident, const struct warp *warp);
/* Follows the warp over its next run on `core`. Returns the number of lines of code that miss. */
uint64_t instruction_fetch_look_up(struct instruction_fetch *fetch, size_t resident, uint32_t core);
static inline uint64_t instruction_fetch_run(struct instruction_fetch *fetch, size_t resident, uint32_t core,
                                             const struct warp *warp) {
  if (warp->at && fetch->there && fetch->there[core * fetch->path_count + warp->path_index])
    return 0;
  return instruction_fetch_look_up(fetch, resident, core);
}

static inline uint64_t instruction_fetch_ticks(const struct instruction_fetch *fetch, uint64_t misses) {
  tick_sum ticks = (tick_sum)misses * fetch->miss_ticks;
  return ticks > MAX_TICKS ? MAX_TICKS + 1 : (uint64_t)ticks;
}

#endif
