/* Shaders that the executions of several frames share: the modules that SPIRV-Tools have accepted, their
 * translations, and the worker processes that have compiled them. A program's frames have the same shaders, and most of
 * a frame's cost is their compilation.
 *
 * Ownership: frame_execute borrows; kept_shaders_destroy ends the processes. Errors: memory; those of SPIRV-Tools.
 * Cost: a search through the kept modules, which compares bytes, for each shader of a frame. Threads: one. */
#ifndef GRAPHICS_KEPT_SHADERS_H
#define GRAPHICS_KEPT_SHADERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "graphics/spirv/shader_source.h"

struct kept_shaders;
struct worker_pool;

/* NULL: out of memory. */
struct kept_shaders *kept_shaders_create(void);
/* `kept` may be NULL. */
void kept_shaders_destroy(struct kept_shaders *kept);

/* Begins a frame. A pool writes traces into one folder (tracegen/process/worker_pool.h), so with traces each frame
 * has its own workers. false: out of memory. */
bool kept_shaders_begin_frame(struct kept_shaders *kept, bool traces);
struct worker_pool *kept_shaders_pool(struct kept_shaders *kept);
/* Gives the module as SPIRV-Tools wrote it; the words are valid until kept_shaders_destroy. */
int kept_shaders_prepare(struct kept_shaders *kept, const uint32_t *words, size_t count, const uint32_t **out,
                         size_t *out_count, struct error *error);
/* Translates a shader as shader_source_create does, or gives the translation of an earlier draw that has asked the
 * request's functions the same and got the same answers. The request's words are those of kept_shaders_prepare. */
int kept_shaders_translate(struct kept_shaders *kept, const struct shader_request *request, struct shader_source *out,
                           struct error *error);
/* Returns the file that has this text: the first one of the frames that share workers; NULL: none yet. */
const char *kept_shaders_source(const struct kept_shaders *kept, uint64_t digest);
/* Keeps the path of a file that has the text of this digest. */
int kept_shaders_add_source(struct kept_shaders *kept, uint64_t digest, const char *path, struct error *error);
/* Lets a small trace of a shader, whose text was added, have its code table in common with the first trace of this
 * shader in the frame: it would take most of each (trace/write/share_code.h). *bytes: the length of the trace
 * <folder>/<name>.rtrace. */
int kept_shaders_share_code(struct kept_shaders *kept, uint64_t digest, const char *folder, const char *name,
                            uint64_t *bytes, struct error *error);

/* The list of translations, which a struct kept_shaders owns (kept_translations.c). NULL: out of memory. */
struct kept_translations *kept_translations_create(void);
void kept_translations_destroy(struct kept_translations *translations);
int kept_translations_give(struct kept_translations *translations, const struct shader_request *request,
                           struct shader_source *out, struct error *error);

#endif
