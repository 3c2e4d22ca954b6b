/* The writer's table of paths: equal ones get one id. It knows of a path only what files need; what recording needs
 * (struct plan) belongs to whoever records. Internal to trace/ (writer only). Start from zero.
 *
 * Recorders tell of their paths by numbers of their own: path_source keeps what each has told of. */
#ifndef TRACE_PATH_NAMES_H
#define TRACE_PATH_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/format/bytes.h"
#include "trace/path/pool.h"
#include "trace/path/slots.h"

/* A path of the file. */
struct path_name {
  uint32_t id, leaf_count;
  const uint32_t *leaf_op; /* [leaf_count]: index into trace_code.ops */
};

struct path_names {
  struct slots slots; /* struct named_path */
  struct pool pool;   /* where they lie */
  size_t memory;
  uint32_t next_id;
  uint64_t forgotten; /* how many times it forgot all */
  struct bytes fresh; /* records of paths that no frame holds yet */
  uint32_t fresh_count;
};

/* A path's record, as it stands in files (path_encode). */
struct path_record {
  uint64_t hash; /* of the raw block sequence */
  size_t length;
  const unsigned char *bytes;
};

/* The id of the path with this record; a new one when it has none. It stands as long as names->forgotten does. */
int path_names_id(struct path_names *names, const struct path_record *record, uint32_t *id, struct error *error);
/* Forgets all names when they take more than WRITER_TABLE_BYTES: ids go on, what is written stays right. */
void path_names_trim(struct path_names *names);
void path_names_clear(struct path_names *names);

/* The paths that one recorder has told of. */
struct path_source {
  struct told_path *paths; /* by their numbers there, less `first` */
  size_t capacity;
  uint32_t first;
  struct pool pool; /* what they hold */
};

/* The recorder has forgotten all paths before number `first`. */
void path_source_begin(struct path_source *source, uint32_t first);
/* Path `number` for the first time. What the pointers point to is copied. */
int path_source_tell(struct path_source *source, uint32_t number, const struct path_record *record, uint32_t leaf_count,
                     const uint32_t *leaf_op, struct error *error);
/* The name of a path that was told of, valid until the source is begun anew or told; NULL: error. */
const struct path_name *path_source_name(struct path_source *source, uint32_t number, struct path_names *names,
                                         struct error *error);
void path_source_clear(struct path_source *source);

#endif
