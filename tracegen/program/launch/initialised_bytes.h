/* Knows which bytes of a buffer are initialised: all but those of a buffer that was created without contents, until the
 * program writes, copies or fills them or maps them for writing. The reader knows what the launches that it emulates
 * write; all arguments of other launches count as initialised. In doubt, bytes count as initialised.
 *
 * Threads: hold records_lock around every call but wrap_writes. Private to the layer. */
#ifndef TRACEGEN_PROGRAM_LAUNCH_INITIALISED_BYTES_H
#define TRACEGEN_PROGRAM_LAUNCH_INITIALISED_BYTES_H

#include <jansson.h>

#include "tracegen/program/launch/records.h"

/* No byte of the buffer is initialised. */
void initialised_none(struct memory_record *buffer);
/* The bytes are initialised now. `buffer` may be NULL (unknown), an image (nothing happens) or a sub-buffer. */
void initialised_range(struct memory_record *buffer, uint64_t offset, uint64_t bytes);
void initialised_all(struct memory_record *buffer);
void initialised_everything(void);
/* Returns [[offset, bytes], ...] of what is not initialised; NULL: everything is. */
json_t *initialised_gaps(const struct memory_record *buffer);

#endif
