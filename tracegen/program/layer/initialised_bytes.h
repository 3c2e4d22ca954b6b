/* Which bytes of a buffer nobody is known to have written: those of a buffer that was created without contents, until
 * the program writes, copies or fills them, or maps them for writing. What kernels write is the reader's to know, for
 * launches that it emulates; all arguments of other launches count as written. In doubt, bytes count as written.
 *
 * Threads: hold records_lock around every call but wrap_writes. Private to the layer. */
#ifndef LAYER_INITIALISED_BYTES_H
#define LAYER_INITIALISED_BYTES_H

#include <jansson.h>

#include "tracegen/program/layer/records.h"

/* Nothing of the buffer has been written. */
void written_nothing(struct memory_record *buffer);
/* `buffer` may be NULL (unknown), an image (nothing happens) or a part of another. */
void written_range(struct memory_record *buffer, uint64_t offset, uint64_t bytes);
void written_all(struct memory_record *buffer);
void written_everything(void);
/* [[offset, bytes], ...] of what was not written; NULL: everything was. */
json_t *written_gaps(const struct memory_record *buffer);

#endif
