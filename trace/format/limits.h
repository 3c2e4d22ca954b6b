/* The limits that readers enforce and writers keep. docs/trace-format.md lists the same numbers. Internal to
 * trace/. */
#ifndef TRACE_LIMITS_H
#define TRACE_LIMITS_H

#include <stdint.h>

#define LIMIT_BLOCKS           65535u
#define LIMIT_OPS              (1u << 22)
#define LIMIT_NAMES            65536u
#define LIMIT_NAME_BYTES       4096u
#define LIMIT_SUCCESSORS       (1u << 22)
#define LIMIT_OPERANDS         1024u /* of one operation */
#define LIMIT_BUFFERS          65536u
#define LIMIT_PATHS            (1u << 24)
#define LIMIT_SHAPES           (1u << 24)
#define LIMIT_STEPS            (1u << 26)
#define LIMIT_SITES            (1u << 26)
#define LIMIT_VALUES           (UINT64_C(1) << 28) /* numbers of one work-group */
#define LIMIT_BLOCK_EXECUTIONS (UINT64_C(1) << 40) /* of one work-item */
#define LIMIT_TABLE_BYTES      (UINT64_C(4) << 30) /* paths and shapes in memory */
#define LIMIT_HEADER_BYTES     (1u << 20)
#define LIMIT_CODE_BYTES       (64u << 20)
#define LIMIT_FRAME_BYTES      (1u << 30)
#define FRAME_TARGET_BYTES     (256u << 10) /* raw bytes of group records gathered per frame */
#define WRITER_TABLE_BYTES     (64u << 20)  /* a writer empties a table that has more bytes */

#endif
