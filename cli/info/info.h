/* Parts of `reassemble info`: each shows one view of a trace. */
#ifndef CLI_INFO_H
#define CLI_INFO_H

#include <stdio.h>

#include "base/error.h"
#include "cli/core/command.h"
#include "cli/core/view.h"
#include "model/isa/isa.h"
#include "trace/statistics/statistics.h"
#include "trace/statistics/summary.h"
#include "trace/trace.h"

/* Members of the current object and, for people, its head and tables; with `head_alone` no tables. */
void info_trace_show(const char *file, const struct trace *trace, const struct trace_summary *summary,
                     uint32_t warp_size, bool head_alone, struct view *view);

/* Functional statistics: the object "statistics". */
void info_statistics_show(const struct statistics *statistics, struct view *view);

/* Shows a traced program by its manifest or folder: an element of "programs" with a row for each kernel. */
int info_program_show(const char *input, struct view *view, struct error *error);

/* Returns whether the input is a folder that `reassemble draw` wrote for a frame. */
bool info_frame_is(const char *input);
/* Shows what each draw of the frame did, and the frame's totals: an element of "frames". A lane is a work-item of a
 * shader, those that fill up a work-group and helper lanes included; footprints are of the draw alone. `tile_pixels` is
 * the side of the tiles in which primitives are counted. Cost: that of reading all of its traces. */
int info_frame_show(const char *folder, uint32_t tile_pixels, const struct options *options, struct view *view,
                    struct error *error);

/* The control-flow graph in Graphviz' language: blocks with their executions, ways with how often they were taken. */
void info_dot_print(const struct trace *trace, const struct trace_summary *summary, FILE *out);

/* The code table, block by block, priced by a profile: members "isa", "blocks" and "rules". An operation without a rule
 * is an error. `summary`: NULL for code that did not run; then only its code and the header's IR are looked at. */
int info_blocks_show(const struct trace *trace, const struct trace_summary *summary, const struct isa_profile *isa,
                     struct view *view, struct error *error);
/* Returns 0 if the profile has a rule for every operation: before anything is printed. */
int info_blocks_check(const struct trace *trace, const struct isa_profile *isa, struct error *error);

/* The list "paths": issue slots by pipe of all of the code, of the path that needs fewest and of the one that needs
 * most, every loop run once. Cost: linear in the blocks, for loops without an end of their own times their blocks. */
int info_paths_show(const struct trace_code *code, const struct isa_profile *isa, struct view *view,
                    struct error *error);

/* Shows which kernels the source files among the arguments have, which of them are refused, what their code
 * costs by the profile, and with `blocks` their code tables. */
int info_kernels_show(const struct options *options, const char *build_options, const struct isa_profile *isa,
                      bool blocks, struct error *error);

#endif
