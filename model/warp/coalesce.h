/* Coalescing: one warp access becomes transactions, one for each cache line.
 *
 * An access whose lanes lie at first + lane * stride with no gap longer than a line is a range of lines, and is found
 * without computing the address of each lane. Units: bytes, line numbers. Ownership: the caller's memory. Errors: none.
 * Cost: O(lines) then, else O(lanes^2) at worst (64 lanes, usually sorted already). Threads: any.
 * Source: NVIDIA, "CUDA C++ programming guide", section "device memory accesses". */
#ifndef MODEL_COALESCE_H
#define MODEL_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

#define COALESCE_MAX_LANES 64

/* The addresses of one warp access, in bytes of the simulated memory (arena, then local, then private memory). */
struct lane_addresses {
  uint32_t bytes; /* bytes that each lane accesses, at least 1 */
  uint32_t count;
  uint64_t lanes;             /* bit mask of the numbers of these lanes in the warp */
  uint32_t word_stride_bytes; /* distance of the words of a lane (interleaved_memory.h), 0: they lie together */
  bool affine;                /* lane k is at first + k * stride; otherwise at address[k] */
  uint64_t first;
  int64_t stride;
  uint64_t address[COALESCE_MAX_LANES];
};

struct line_size {
  uint32_t bytes;
  int shift; /* log2(bytes), -1 when bytes is not a power of two */
};

struct line_size line_size_make(uint32_t bytes);

static inline __attribute__((always_inline)) uint32_t line_of(const struct line_size *size, uint64_t address) {
  return (uint32_t)(size->shift >= 0 ? address >> size->shift : address / size->bytes);
}

/* Returns the largest number of transactions of one access. */
uint32_t coalesce_capacity(const struct line_size *size, uint32_t lanes, uint32_t bytes);

/* Writes the distinct lines, ascending, and returns their number. Sorts `lanes->address`. */
uint32_t coalesce_lines(const struct line_size *size, struct lane_addresses *lanes, uint32_t *lines);
/* Writes the lines of each lane, lane by lane (no coalescing), and returns their number. */
uint32_t coalesce_off_lines(const struct line_size *size, const struct lane_addresses *lanes, uint32_t *lines);

#endif
