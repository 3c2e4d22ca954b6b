/* The messages between the driver library inside an OpenCL program and the emulator outside, over a socket that the
 * program inherits (its number is in the variable REASSEMBLE_BIFROST_CHANNEL). Both sides have one byte order: a
 * program for 64-bit Arm, run by qemu on a little-endian host or by such a processor itself.
 *
 * Buffers lie in one sparse file of BIFROST_NODE_BYTES, the node (REASSEMBLE_BIFROST_NODE), which both map: GPU address
 * = BIFROST_GPU_BASE + offset in the file. REASSEMBLE_BIFROST_PRODUCT is the product id, in hexadecimal digits.
 *
 * A message is a struct bifrost_message, `regions` struct bifrost_message_region and `text_bytes` bytes of text. Only
 * BIFROST_SUBMIT is answered, with an int32_t: 0, or -1 where the program has to stop. */
#ifndef TRACEGEN_BIFROST_CHANNEL_H
#define TRACEGEN_BIFROST_CHANNEL_H

#include <stdint.h>

#define BIFROST_GPU_BASE    UINT64_C(0x2000000) /* the kernel driver keeps the addresses below to itself */
#define BIFROST_GPU_END     (UINT64_C(1) << 32)
#define BIFROST_NODE_BYTES  (BIFROST_GPU_END - BIFROST_GPU_BASE)
#define BIFROST_MAX_REGIONS 65536
#define BIFROST_MAX_TEXT    (1 << 20)
#define BIFROST_PAGE_BYTES  UINT64_C(4096)

enum bifrost_message_kind {
  BIFROST_SUBMIT = 1, /* run the job chain; the regions are the buffers that it may use */
  BIFROST_LAUNCH,     /* the program enqueued a kernel; the text is bifrost_launch_text's */
};

struct bifrost_message {
  uint32_t kind; /* enum bifrost_message_kind */
  uint32_t regions;
  uint32_t text_bytes;
  uint32_t reserved;
  uint64_t job_chain; /* GPU address of the first job */
};

#define BIFROST_REGION_EXECUTABLE 1u
struct bifrost_message_region {
  uint64_t address, bytes;
  uint32_t flags; /* BIFROST_REGION_* */
  uint32_t reserved;
};

#endif
