/* The writer's table of paths, in which equal paths get one id. It holds of a path only what files need; struct plan,
 * which recording needs, belongs to the encoder. Encoders number their paths themselves; a path_source holds the
 * writer's data about one encoder's paths. Internal to trace/. Both structs start from zero. */
#ifndef TRACE_PATH_NAMES_H
#define TRACE_PATH_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hash_index.h"
#include "trace/format/bytes.h"
#include "trace/path/pool.h"

/* A path of the file. */
struct path_name {
  uint32_t id, site_count;
  const uint32_t *site_op; /* [site_count]: index into trace_code.ops */
};

struct path_names {
  struct named_path **paths; /* [by_hash.count] */
  struct hash_table by_hash;
  struct pool pool; /* memory of the paths */
  size_t memory;
  uint32_t next_id;
  uint64_t emptied;   /* number of times that the table was emptied */
  struct bytes fresh; /* records of paths that no frame holds yet */
  uint32_t fresh_count;
};

/* A path's record in the form of the file format (path_encode). */
struct path_record {
  uint64_t hash; /* hash of the raw block sequence */
  size_t length;
  const unsigned char *bytes;
};

/* Writes the id of the path with this record; a path that the table does not hold gets a new id. The id is valid until
 * names->emptied changes. */
int path_names_id(struct path_names *names, const struct path_record *record, uint32_t *id, struct error *error);
/* Empties a table of more than WRITER_TABLE_BYTES. Ids continue, so that everything written stays correct; only sharing
 * with earlier paths is lost. */
void path_names_trim(struct path_names *names);
void path_names_clear(struct path_names *names);

/* The paths that one encoder has announced to the writer. */
struct path_source {
  struct source_path *paths; /* index: the encoder's number of the path, minus `first` */
  size_t capacity;
  uint32_t first;
  struct pool pool; /* memory of their contents */
};

/* Removes all paths before number `first`, as the encoder has done. */
void path_source_begin(struct path_source *source, uint32_t first);
/* Adds path `number`, which is new. What the pointers point to is copied. */
int path_source_add(struct path_source *source, uint32_t number, const struct path_record *record, uint32_t site_count,
                    const uint32_t *site_op, struct error *error);
/* Returns the name of a path that was added, or NULL on an error. The name is valid until the next call of
 * path_source_begin or path_source_add. */
const struct path_name *path_source_name(struct path_source *source, uint32_t number, struct path_names *names,
                                         struct error *error);
void path_source_clear(struct path_source *source);

#endif
