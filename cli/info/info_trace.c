/* Shows the header and the summary of a trace. */
#include "cli/info/info.h"

#include <stdio.h>

static const char *const direction_names[DIRECTION_COUNT] = {"load", "store", "atomic"};

static double share(uint64_t part, uint64_t whole) {
  return whole > 0 ? (double)part / (double)whole : 0;
}

/* ---- head ---- */

static struct view_value sizes(const uint64_t *values, uint32_t count) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(array, json_integer((json_int_t)values[i]));
  return view_json(array);
}

static void set_members(const char *file, const struct trace *trace, const struct trace_summary *summary,
                        struct view *view) {
  const struct trace_header *h = &trace->header;
  const uint64_t local[3] = {h->local[0], h->local[1], h->local[2]};
  const struct {
    const char *key;
    struct view_value value;
  } rows[] = {
      {"file", view_text(file)},
      {"kernel", view_text(h->kernel)},
      {"workload", view_text(h->workload)},
      {"launch", view_whole(h->launch)},
      {"source_file", view_text(h->source_file)},
      {"source_digest", view_text(h->source_digest)},
      {"options", view_text(h->options)},
      {"front_end", view_text(h->front_end)},
      {"global", sizes(h->global, h->dimensions)},
      {"local", sizes(local, h->dimensions)},
      {"sub_group", h->sub_group > 0 ? view_whole(h->sub_group) : view_absent()},
      {"seed", view_whole(h->seed)},
      {"local_bytes", view_whole(h->local_bytes)},
      {"private_bytes", view_whole(h->private_bytes)},
      {"registers", view_whole(h->registers)},
      {"blocks", view_whole(trace->code.block_count)},
      {"groups", view_whole(trace->group_count)},
      {"launch_groups", trace_is_sampled(h) ? view_whole(trace_launch_groups(h)) : view_absent()},
      {"outside_loads", h->reads_zero ? view_whole(trace->outside_loads) : view_absent()},
      {"work_item_instructions", view_whole(trace->work_item_instructions)},
      {"file_bytes", view_whole(trace->file_bytes)},
      {"bytes_per_instruction", view_real(share(trace->file_bytes, trace->work_item_instructions))},
      {"uniform_groups_ratio", view_real(share(summary->uniform_groups, trace->group_count))},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    view_member(view, rows[i].key, rows[i].value);
}

static void say_range(const struct trace *trace, struct view *view) {
  const struct trace_header *h = &trace->header;
  view_say(view, "  NDRange        global");
  for (uint32_t d = 0; d < h->dimensions; d++)
    view_say(view, " %s%llu", d > 0 ? "x " : "", (unsigned long long)h->global[d]);
  view_say(view, ", local");
  for (uint32_t d = 0; d < h->dimensions; d++)
    view_say(view, " %s%u", d > 0 ? "x " : "", h->local[d]);
  view_say(view, ", %u work-groups of %u work-items\n", trace_launch_groups(h), trace_local_size(h));
  if (h->sub_group > 0)
    view_say(view, "  sub-groups     of %u work-items\n", h->sub_group);
  if (trace_is_sampled(h))
    view_say(view, "  sampled        %u of the work-groups are in the trace; all numbers below are of these\n",
             trace->group_count);
}

static void say_regularity(const struct trace *trace, const struct trace_summary *summary, struct view *view) {
  const uint64_t accesses =
      summary->streams[STREAM_AFFINE] + summary->streams[STREAM_ITEM] + summary->streams[STREAM_RAW];
  view_say(view,
           "  regularity     %u paths, %u shapes; %.1f %% of the work-groups have one path; of the accesses %.1f %% "
           "affine,\n                 %.1f %% affine per work-item, %.1f %% irregular\n\n",
           trace->path_count, trace->shape_count, 100 * share(summary->uniform_groups, trace->group_count),
           100 * share(summary->streams[STREAM_AFFINE], accesses), 100 * share(summary->streams[STREAM_ITEM], accesses),
           100 * share(summary->streams[STREAM_RAW], accesses));
}

static void say_head(const char *file, const struct trace *trace, const struct trace_summary *summary,
                     struct view *view) {
  const struct trace_header *h = &trace->header;
  view_say(view, "%s\n", file);
  view_say(view, "  kernel         %s of %s (workload %s, launch %u)\n", h->kernel, h->source_file, h->workload,
           h->launch);
  view_say(view, "  options        %s\n", h->options[0] != '\0' ? h->options : "none");
  view_say(view, "  source digest  %s\n", h->source_digest);
  view_say(view, "  front end      %s\n", h->front_end);
  say_range(trace, view);
  view_say(view, "  memory         local %u bytes a work-group, private %u bytes a work-item\n", h->local_bytes,
           h->private_bytes);
  if (h->registers > 0)
    view_say(view, "  registers      about %u of 32 bits a work-item\n", h->registers);
  view_say(view, "  instructions   %llu of all work-items, %u basic blocks\n",
           (unsigned long long)trace->work_item_instructions, trace->code.block_count);
  if (h->reads_zero)
    view_say(view, "  out of bounds  %llu loads lay outside of their buffers and gave 0\n",
             (unsigned long long)trace->outside_loads);
  view_say(view, "  file           %llu bytes, %.2g bytes per instruction\n", (unsigned long long)trace->file_bytes,
           share(trace->file_bytes, trace->work_item_instructions));
  say_regularity(trace, summary, view);
}

/* ---- tables ---- */

static void show_mix(const struct trace *trace, const struct trace_summary *summary, struct view *view) {
  static const struct view_column columns[] = {{.title = "operation"},
                                               {.title = "executed", .format = "%d"},
                                               {.title = "share %", .format = "%.1f", .scale = 100}};
  struct view_list list;
  view_object_begin(view, "operations");
  view_list_begin(view, NULL, columns, 3, &list);
  for (int c = 0; c < OP_CLASS_COUNT; c++) {
    const uint64_t executed = summary->operations[c];
    if (executed == 0)
      continue;
    view_member(view, trace_op_class_name(c), view_whole(executed));
    VIEW_ROW(&list, view_text(trace_op_class_name(c)), view_whole(executed),
             c == OP_MOVE ? view_text("not counted") : view_real(share(executed, trace->work_item_instructions)));
  }
  view_list_end(&list);
  view_object_end(view);
}

static void show_traffic(const struct trace_summary *summary, struct view *view) {
  static const struct view_column columns[] = {{.key = "space", .title = "space"},
                                               {.key = "direction", .title = "access"},
                                               {.key = "accesses", .title = "count", .format = "%d"},
                                               {.key = "bytes", .title = "bytes", .format = "%d"}};
  struct view_list list;
  view_list_begin(view, "traffic", columns, 4, &list);
  for (int s = 0; s < SPACE_COUNT; s++)
    for (int d = 0; d < DIRECTION_COUNT; d++)
      if (summary->traffic[s][d].accesses > 0)
        VIEW_ROW(&list, view_text(trace_space_name(s)), view_text(direction_names[d]),
                 view_whole(summary->traffic[s][d].accesses), view_whole(summary->traffic[s][d].bytes));
  view_list_end(&list);
}

static void show_buffers(const struct trace *trace, const struct trace_summary *summary, struct view *view) {
  static const struct view_column columns[] = {{.key = "name", .title = "buffer"},
                                               {.key = "space", .title = "space"},
                                               {.key = "bytes", .title = "bytes", .format = "%d"},
                                               {.key = "touched_bytes", .title = "touched", .format = "%d"}};
  struct view_list list;
  view_list_begin(view, "buffers", columns, 4, &list);
  for (uint32_t b = 0; b < trace->header.buffer_count; b++)
    VIEW_ROW(&list, view_text(trace->header.buffers[b].name),
             view_text(trace_space_name(trace->header.buffers[b].space)), view_whole(trace->header.buffers[b].bytes),
             view_whole(summary->footprint[b]));
  view_list_end(&list);
}

void info_trace_show(const char *file, const struct trace *trace, const struct trace_summary *summary,
                     uint32_t warp_size, bool head_alone, struct view *view) {
  struct statistics statistics;
  set_members(file, trace, summary, view);
  say_head(file, trace, summary, view);
  if (head_alone && !view_is_json(view))
    return;
  statistics_compute(trace, summary, warp_size, &statistics);
  show_mix(trace, summary, view);
  view_say(view, "\n");
  show_traffic(summary, view);
  view_say(view, "\n");
  show_buffers(trace, summary, view);
  view_say(view, "\n");
  info_statistics_show(&statistics, view);
}
