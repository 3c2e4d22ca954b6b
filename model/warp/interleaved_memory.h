/* Private memory that is interleaved across the lanes of a warp: word w of all work-items, then word w + 1 of all of
 * them. So lanes that access the same element of their private arrays access neighbouring words.
 *
 * A word has four bytes; the words of one lane lie word_stride_bytes (4 x the warp's work-items) apart. Units: bytes,
 * line numbers. Ownership: the caller's memory. Errors: none. Cost: O(lanes x words of a lane), sorted. Threads: any.
 * Source: NVIDIA, CUDA C++ Programming Guide, section "Local Memory" (consecutive 32-bit words are accessed by
 * consecutive thread IDs). */
#ifndef MODEL_INTERLEAVED_MEMORY_H
#define MODEL_INTERLEAVED_MEMORY_H

#include "model/warp/coalesce.h"

enum { INTERLEAVED_WORD = 4 };

/* Returns the place of byte `offset` of a lane's private memory, in bytes from the beginning of its warp's memory. */
static inline uint64_t interleaved_place(uint32_t offset, uint32_t lane, uint32_t word_stride_bytes) {
  return (uint64_t)(offset / INTERLEAVED_WORD) * word_stride_bytes + lane * INTERLEAVED_WORD +
         offset % INTERLEAVED_WORD;
}

/* Returns the largest number of lines of an access. */
uint32_t interleaved_capacity(const struct line_size *size, uint32_t lanes, uint32_t bytes);
/* Writes the lines of the words of `lanes`, whose word_stride_bytes is not 0, and returns their number: each line once,
 * ascending, or (without `coalesce`) those of each lane, lane by lane. */
uint32_t interleaved_lines(const struct line_size *size, const struct lane_addresses *lanes, bool coalesce,
                           uint32_t *lines);

#endif
