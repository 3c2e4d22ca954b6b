/* One compute job of a Bifrost GPU: what the job descriptor says, and the GPU's memory. The job parser (job/) fills it,
 * and the executor (isa/) runs it.
 *
 * Shapes: a dispatch is a grid of `groups` work-groups of `local` work-items each. Addresses are the GPU's.
 * Units: bytes, unless a name says otherwise.
 * Ownership: the memory's bytes belong to who made the memory; a dispatch borrows all that it points to.
 * Threads: a dispatch is constant while it runs. Work-groups may run on several threads, which share the memory as the
 * GPU's cores do.
 * Source: the open driver's descriptions of descriptors (Mesa 25.0, src/panfrost/lib/genxml/v6.xml and v7.xml). */
#ifndef TRACEGEN_BIFROST_BIFROST_DISPATCH_H
#define TRACEGEN_BIFROST_BIFROST_DISPATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A buffer of the driver, at its GPU address. */
struct bifrost_region {
  uint64_t address, bytes;
  uint8_t *data; /* [bytes] */
  bool executable;
};

/* All that the GPU may access: regions in ascending order of address, which do not overlap. */
struct bifrost_memory {
  struct bifrost_region *regions;
  size_t count;
};

/* Returns the region that holds all of the `bytes` bytes at `address`, or NULL. Cost: a binary search. */
const struct bifrost_region *bifrost_memory_region(const struct bifrost_memory *memory, uint64_t address,
                                                   uint64_t bytes);
/* Returns where the `bytes` bytes at GPU address `address` lie in this process, or NULL: no region holds them. */
uint8_t *bifrost_memory_at(const struct bifrost_memory *memory, uint64_t address, uint64_t bytes);

/* The registers that hold ids when a work-item starts: bits of bifrost_dispatch.preload. Local ids are 16 bits
 * each: x and y share r55, z is the low half of r56. The work-group's ids are r57 to r59, the global ids r60 to
 * r62. */
enum bifrost_preload {
  BIFROST_PRELOAD_PC = 1 << 6,
  BIFROST_PRELOAD_LOCAL_XY = 1 << 7,
  BIFROST_PRELOAD_LOCAL_Z = 1 << 8,
  BIFROST_PRELOAD_GROUP_X = 1 << 9,
  BIFROST_PRELOAD_GROUP_Y = 1 << 10,
  BIFROST_PRELOAD_GROUP_Z = 1 << 11,
  BIFROST_PRELOAD_GLOBAL_X = 1 << 12,
  BIFROST_PRELOAD_GLOBAL_Y = 1 << 13,
  BIFROST_PRELOAD_GLOBAL_Z = 1 << 14,
};

#define BIFROST_MAX_FAU 128 /* the descriptor's count has 7 bits */

struct bifrost_dispatch {
  const struct bifrost_memory *memory;
  uint32_t product;             /* 0x6000: G71 (job/products.h) */
  uint32_t architecture;        /* 6: G71, G72; 7: G31, G51, G52, G76 */
  uint32_t warp_lanes;          /* 4 or 8 */
  uint32_t groups[3], local[3]; /* at least 1 each */
  uint64_t shader;              /* address of the first clause */
  uint32_t preload;             /* BIFROST_PRELOAD_* */
  uint32_t registers;           /* of each work-item: 32 or 64 */
  bool has_barrier;
  /* Fast access uniforms: FAU word i is 64 bits wide. */
  uint32_t fau_count;
  uint64_t fau[BIFROST_MAX_FAU];
  uint64_t uniform_buffers; /* address of the table of buffers: 8 bytes each */
  uint32_t uniform_buffer_count;
  uint64_t attributes, attribute_buffers, textures, samplers; /* addresses of tables; 0: none */
  uint32_t attribute_count, texture_count, sampler_count;
  /* Thread-local storage: `tls_bytes` for each work-item, where it uses any. The GPU places those of the work-items
   * that are resident behind tls_base; an emulator may place them where it likes. */
  uint64_t tls_base;
  uint32_t tls_bytes;
  /* Workgroup-local storage: `wls_bytes` for each of `wls_instances` resident work-groups, from wls_base on. */
  uint64_t wls_base;
  uint32_t wls_bytes, wls_instances;
};

#endif
