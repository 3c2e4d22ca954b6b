/* The layout of a recording's file; all numbers are little endian. Private to record/.
 *
 *   magic      8 bytes
 *   u64        bytes of the payload
 *   payload    one zstd frame with a checksum: sections, each a struct section and `bytes` bytes
 *
 * The payload of SECTION_BEFORE and SECTION_AFTER is a struct region_head, then runs of pages, each a struct page_run
 * and its pages. Pages that no run holds are zeros. */
#ifndef TRACEGEN_BIFROST_RECORD_RECORDING_LAYOUT_H
#define TRACEGEN_BIFROST_RECORD_RECORDING_LAYOUT_H

#include <stdint.h>

#define RECORDING_MAGIC       "RBIFR001"
#define RECORDING_MAGIC_BYTES 8
#define RECORDING_HEAD_BYTES  16
#define RECORDING_MAX_BYTES   (UINT64_C(1) << 30) /* of the payload, and of all regions together */
#define RECORDING_PAGE_BYTES  4096
#define RECORDING_MAX_REGIONS 65536

enum section_kind { SECTION_JOB = 1, SECTION_BEFORE, SECTION_AFTER, SECTION_LAUNCHES, SECTION_DISASSEMBLY };

struct section {
  uint32_t kind; /* enum section_kind; readers skip others */
  uint32_t reserved;
  uint64_t bytes;
};

struct job_section {
  uint32_t product, reserved;
  uint64_t job_chain;
};

#define REGION_EXECUTABLE 1u
struct region_head {
  uint64_t address, bytes;
  uint32_t flags, reserved;
};

struct page_run {
  uint32_t first, count; /* pages of RECORDING_PAGE_BYTES; the last page of a region may be shorter */
};

#endif
