#include "model/warp/access_parts.h"

#include "model/warp/interleaved_memory.h"

struct access_parts access_parts_of(const struct gpu_spec *spec) {
  const uint32_t line = (uint32_t)spec->line_bytes;
  const uint32_t piece = spec->access_piece_bytes ? (uint32_t)spec->access_piece_bytes : line;
  struct access_parts parts = {.line = line_size_make(line),
                               .piece = line_size_make(piece),
                               .run_shift = spec->coalesce ? (uint32_t)__builtin_ctz((unsigned)spec->tag_lines) : 0,
                               .interleaved = spec->private_interleaved,
                               .item_bytes = (uint32_t)spec->access_item_bytes,
                               .part_bytes = (uint32_t)spec->access_part_bytes};
  while (piece << parts.pieces_shift < line)
    parts.pieces_shift++;
  parts.whole_bytes = parts.part_bytes ? parts.part_bytes / (uint32_t)spec->warp_size : UINT32_MAX;
  if (parts.item_bytes && parts.item_bytes < parts.whole_bytes)
    parts.whole_bytes = parts.item_bytes;
  return parts;
}

uint32_t access_parts_capacity(const struct access_parts *parts, uint32_t lanes, uint32_t bytes) {
  const uint32_t whole = parts->interleaved ? interleaved_capacity(&parts->piece, lanes, bytes)
                                            : coalesce_capacity(&parts->piece, lanes, bytes);
  if (parts->item_bytes == 0 || bytes <= parts->item_bytes)
    return whole;
  const uint32_t instructions = (bytes + parts->item_bytes - 1) / parts->item_bytes;
  return whole + instructions * coalesce_capacity(&parts->piece, lanes, parts->item_bytes);
}

uint32_t access_mark_tags(uint32_t shift, const uint32_t *lines, uint32_t count, uint32_t *begins) {
  uint32_t runs = 0;
  for (uint32_t i = 0; i < count; i++) {
    begins[i] = i == 0 || lines[i] <= lines[i - 1] || lines[i] >> shift != lines[i - 1] >> shift;
    runs += begins[i];
  }
  return runs;
}

static uint32_t coalesce_pieces(const struct access_parts *parts, struct lane_addresses *lanes, uint32_t *lines) {
  return access_lines_of_pieces(parts, lines, coalesce_lines(&parts->piece, lanes, lines));
}

static uint32_t lanes_below(const struct lane_addresses *lanes, uint32_t lane) {
  return lane >= COALESCE_MAX_LANES ? lanes->count
                                    : (uint32_t)__builtin_popcountll(lanes->lanes & ((UINT64_C(1) << lane) - 1));
}

void access_part_take(const struct lane_addresses *all, uint32_t first, uint32_t count, uint32_t from, uint32_t bytes,
                      struct lane_addresses *part) {
  const uint32_t begin = lanes_below(all, first), end = lanes_below(all, first + count);
  part->bytes = bytes;
  part->count = end - begin;
  part->affine = all->affine;
  part->first = all->first + (uint64_t)all->stride * begin + from; /* not read unless affine */
  part->stride = all->stride;
  for (uint32_t i = begin; i < end && !all->affine; i++)
    part->address[i - begin] = all->address[i] + from;
}

/* Writes the lines of one instruction of the access. Returns their number, and adds that of their transactions. */
static uint32_t instruction_lines(const struct access_parts *parts, const struct lane_addresses *all, uint32_t from,
                                  uint32_t bytes, uint32_t *lines, uint32_t *begins, uint32_t *runs) {
  const uint32_t lanes = access_part_lanes(parts, bytes);
  struct lane_addresses part;
  uint32_t n = 0;
  for (uint32_t first = 0; first < COALESCE_MAX_LANES; first += lanes) {
    access_part_take(all, first, lanes, from, bytes, &part);
    if (part.count == 0)
      continue;
    const uint32_t added = coalesce_pieces(parts, &part, lines + n);
    *runs += access_mark_begins(parts, lines + n, added, begins + n);
    n += added;
  }
  return n;
}

uint32_t access_parts_lines(const struct access_parts *parts, struct lane_addresses *lanes, uint32_t *lines,
                            uint32_t *begins, uint32_t *runs) {
  uint32_t n = 0, bytes;
  *runs = 0;
  if (lanes->bytes <= parts->whole_bytes) {
    n = coalesce_pieces(parts, lanes, lines);
    *runs = access_mark_begins(parts, lines, n, begins);
    return n;
  }
  for (uint32_t from = 0; from < lanes->bytes; from += bytes) {
    bytes = access_instruction_bytes(parts, lanes->bytes, from);
    n += instruction_lines(parts, lanes, from, bytes, lines + n, begins + n, runs);
  }
  return n;
}

uint32_t access_parts_interleaved(const struct access_parts *parts, const struct lane_addresses *lanes, bool coalesce,
                                  uint32_t *lines) {
  if (!coalesce)
    return interleaved_lines(&parts->line, lanes, false, lines);
  return access_lines_of_pieces(parts, lines, interleaved_lines(&parts->piece, lanes, true, lines));
}
