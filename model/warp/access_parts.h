/* The parts of a warp's access, which bound what one transaction carries when an access is wide.
 *
 * An access of more than item_bytes for each work-item is several instructions, of item_bytes each. The lanes of an
 * instruction form parts: as many neighbouring lanes, by number in the warp, as part_bytes hold, and at least one. Each
 * part is coalesced by itself, so that a line that two parts touch is two transactions. Inside a part there is one
 * transaction for each distinct aligned piece of `piece` bytes, at most a line. A limit of 0 is absent; without
 * limits the parts are the whole access, and the pieces are its lines. Where lines share tags, those of a part that
 * lie in one tag are one transaction of the load/store unit. Units: bytes, line numbers. Ownership: the caller's
 * memory. Errors: none. Cost: O(lines) for affine lanes, else as coalesce.h says for each part. Threads: any.
 * Sources: NVIDIA, CUDA C++ Programming Guide, section "Device Memory Accesses" of compute capability 3.x (128 bits a
 * thread: four requests, one for each quarter-warp; 64 bits: two). */
#ifndef MODEL_ACCESS_PARTS_H
#define MODEL_ACCESS_PARTS_H

#include "model/params/gpu.h"
#include "model/warp/coalesce.h"

struct access_parts {
  struct line_size line, piece;
  uint32_t pieces_shift; /* log2 of the number of pieces of a line */
  uint32_t run_shift;    /* log2 of the lines of a transaction of the load/store unit at most */
  uint32_t item_bytes, part_bytes;
  bool interleaved;     /* whether private memory is interleaved */
  uint32_t whole_bytes; /* accesses of at most so many bytes for each work-item are one part */
};

/* Like access_mark_begins, for lines that share tags: aligned 2^shift lines have one. */
uint32_t access_mark_tags(uint32_t shift, const uint32_t *lines, uint32_t count, uint32_t *begins);

/* Sets begins[i] to whether line number i of a part begins a transaction of the load/store unit. Without lines that
 * share tags each line does, and `begins` is left as it is. Returns the number of these transactions. */
static inline uint32_t access_mark_begins(const struct access_parts *parts, const uint32_t *lines, uint32_t count,
                                          uint32_t *begins) {
  return parts->run_shift == 0 ? count : access_mark_tags(parts->run_shift, lines, count, begins);
}

struct access_parts access_parts_of(const struct gpu_spec *spec);
/* Returns the largest number of transactions of an access. */
uint32_t access_parts_capacity(const struct access_parts *parts, uint32_t lanes, uint32_t bytes);
/* Writes the line of each transaction, part after part, ascending in each, and marks `begins` like access_mark_begins.
 * Returns their number, and sets *runs to that of the load/store unit. It may change the order of `lanes`. */
uint32_t access_parts_lines(const struct access_parts *parts, struct lane_addresses *lanes, uint32_t *lines,
                            uint32_t *begins, uint32_t *runs);

/* Writes the lines of an access to interleaved private memory (model/warp/interleaved_memory.h), which is divided only
 * into pieces. Without `coalesce` they are the lines of each lane. Returns their number. */
uint32_t access_parts_interleaved(const struct access_parts *parts, const struct lane_addresses *lanes, bool coalesce,
                                  uint32_t *lines);

/* Returns the bytes that the instruction at byte `from` of each work-item's access covers. */
static inline uint32_t access_instruction_bytes(const struct access_parts *parts, uint32_t bytes, uint32_t from) {
  const uint32_t left = bytes - from;
  return parts->item_bytes && left > parts->item_bytes ? parts->item_bytes : left;
}

/* Returns the number of lanes of a part of an instruction of `bytes` bytes for each work-item. */
static inline uint32_t access_part_lanes(const struct access_parts *parts, uint32_t bytes) {
  if (parts->part_bytes == 0)
    return COALESCE_MAX_LANES;
  return parts->part_bytes > bytes ? parts->part_bytes / bytes : 1;
}

/* Turns numbers of pieces into those of their lines. Returns `count`. */
static inline uint32_t access_lines_of_pieces(const struct access_parts *parts, uint32_t *lines, uint32_t count) {
  for (uint32_t i = 0; i < count && parts->pieces_shift > 0; i++)
    lines[i] >>= parts->pieces_shift;
  return count;
}

/* Sets *part to the accesses of lanes [first, first + count) of the warp in bytes [from, from + bytes) of their own. */
void access_part_take(const struct lane_addresses *all, uint32_t first, uint32_t count, uint32_t from, uint32_t bytes,
                      struct lane_addresses *part);

#endif
