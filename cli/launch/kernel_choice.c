#include "cli/launch/kernel_choice.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "cli/launch/kernel_variants.h"
#include "cli/launch/launch_argument.h"
#include "cli/launch/wanted_arguments.h"
#include "tracegen/process/kernel_list.h"

#define TIMEOUT_S 600.0 /* for each kernel, as `trace` has */

struct choosing {
  const struct kernel_choice_request *request;
  const struct kernel_file *file; /* the present variant of the request's */
  struct kernel_list list;        /* empty where the source need not be compiled */
  struct kernel_choices *out;
  size_t capacity;
  struct error *error;
};

/* ---- what there is, for messages ---- */

/* "name(arguments), ..." The caller frees it; "" when memory has run out. */
static char *kernels_text(const struct kernel_list *list) {
  char *text = NULL;
  size_t size;
  FILE *out = text_stream_begin(&text, &size);
  if (!out)
    return strdup("");
  for (size_t i = 0; i < list->count; i++)
    fprintf(out, "%s%s(%.200s)", i > 0 ? ", " : "", list->kernels[i].name, list->kernels[i].arguments);
  return text_stream_end(out, &text) ? text : strdup("");
}

static int missing(const struct choosing *c, const char *what) {
  char *kernels = kernels_text(&c->list);
  error_set(c->error, ERROR_INPUT, "%.200s: %s; its kernels: %s", c->file->source, what, kernels);
  free(kernels);
  return -1;
}

/* ---- arguments by name ---- */

static bool is_named(const struct kernel_file *file) {
  for (size_t i = 0; i < file->arguments.count; i++) {
    struct launch_argument argument;
    struct error ignored = ERROR_INIT;
    if (launch_argument_parse(file->arguments.items[i], &argument, &ignored) == 0 && argument.name[0] != '\0')
      return true;
  }
  return false;
}

/* Returns the argument of this name, else the first one without a name that was not taken; NULL: there is none. */
static const char *argument_for(const struct option_list *given, const char *name, bool *taken) {
  for (int by_name = 1; by_name >= 0; by_name--)
    for (size_t i = 0; i < given->count; i++) {
      struct launch_argument argument;
      struct error ignored = ERROR_INIT;
      launch_argument_parse(given->items[i], &argument, &ignored);
      if (taken[i] || (by_name ? strcmp(argument.name, name) != 0 : argument.name[0] != '\0'))
        continue;
      taken[i] = true;
      return given->items[i];
    }
  return NULL;
}

/* Returns the name of an argument that is given by name where the kernel has no such parameter; "": there is none. */
static const char *unknown_name(const struct option_list *given, const char *signature, struct launch_argument *found) {
  for (size_t i = 0; i < given->count; i++) {
    struct error ignored = ERROR_INIT;
    char name[256];
    bool known = launch_argument_parse(given->items[i], found, &ignored) != 0 || found->name[0] == '\0';
    for (size_t p = 0; !known && wanted_parameter_name(signature, p, name, sizeof name); p++)
      known = strcmp(found->name, name) == 0;
    if (!known)
      return found->name;
  }
  return "";
}

/* Says what a parameter without an argument needs, and which argument may be meant for it. */
static int no_argument(const struct choosing *c, const struct kernel_summary *kernel, size_t number, const char *name) {
  struct launch_argument found;
  char *wanted = wanted_arguments(kernel->arguments, number);
  const char *unknown = unknown_name(&c->file->arguments, kernel->arguments, &found);
  error_set(c->error, ERROR_INPUT, "%.200s: no --arg for the parameter \"%s\" of %s(%.300s); add%s%s%s%s",
            c->file->source, name, kernel->name, kernel->arguments, wanted ? wanted : "",
            unknown[0] != '\0' ? " (it has no parameter \"" : "", unknown, unknown[0] != '\0' ? "\")" : "");
  free(wanted);
  return -1;
}

/* Refuses an argument that no parameter took: one without a name, or the second for a parameter. One that is named
 * otherwise is for another kernel of the file. */
static int check_taken(const struct choosing *c, const struct kernel_summary *kernel, const struct option_list *given,
                       const bool *taken) {
  char name[256];
  for (size_t i = 0; i < given->count; i++) {
    struct launch_argument argument;
    if (taken[i] || launch_argument_parse(given->items[i], &argument, c->error) != 0)
      continue;
    bool second = false;
    for (size_t p = 0; !second && wanted_parameter_name(kernel->arguments, p, name, sizeof name); p++)
      second = strcmp(argument.name, name) == 0;
    if (second || argument.name[0] == '\0')
      return error_set(c->error, ERROR_INPUT, "--arg \"%.200s\": %s of %s(%.300s)", given->items[i],
                       second ? "a second argument for one parameter" : "there is no further parameter", kernel->name,
                       kernel->arguments);
  }
  return 0;
}

/* Puts the arguments in the order of the kernel's parameters. A named one that the kernel does not have is for
 * others. */
static int order_arguments(const struct choosing *c, const struct kernel_summary *kernel, struct option_list *ordered) {
  const struct option_list *given = &c->file->arguments;
  bool *taken = calloc(given->count, sizeof *taken);
  ordered->items = calloc(given->count, sizeof *ordered->items);
  int status = taken && ordered->items ? 0 : error_no_memory(c->error);
  char name[256];
  for (ordered->count = 0;
       status == 0 && wanted_parameter_name(kernel->arguments, ordered->count, name, sizeof name);) {
    const char *argument = ordered->count < given->count ? argument_for(given, name, taken) : NULL;
    if (!argument) {
      status = no_argument(c, kernel, ordered->count, name);
      break;
    }
    ordered->items[ordered->count++] = argument;
  }
  if (status == 0)
    status = check_taken(c, kernel, given, taken);
  free(taken);
  return status;
}

/* Says which arguments a kernel takes that was given none. */
static int no_arguments(const struct choosing *c, const struct kernel_summary *kernel) {
  char *wanted = wanted_arguments(kernel->arguments, WANTED_ALL);
  error_set(c->error, ERROR_INPUT, "%.200s: no --arg for %s(%.300s); it takes%.600s", c->file->source, kernel->name,
            kernel->arguments, wanted ? wanted : "");
  free(wanted);
  return -1;
}

/* ---- launches ---- */

static int add(struct choosing *c, const struct kernel_file *launch, const char *suffix) {
  char *text, *stem = text_stem(launch->source);
  if (kernel_file_yaml(launch, &text, c->error) != 0) {
    free(stem);
    return -1;
  }
  const char *variant = launch->suffix ? launch->suffix : "";
  char *name = stem ? text_format("%s.%s%s%s", stem, launch->kernel, variant, suffix) : NULL;
  free(stem);
  if (!name || !array_room(&c->out->items, &c->capacity, c->out->count + 1, sizeof *c->out->items)) {
    free(name);
    free(text);
    return error_no_memory(c->error);
  }
  c->out->items[c->out->count++] = (struct kernel_choice){name, text};
  return 0;
}

static int add_size(struct choosing *c, const struct kernel_file *launch, const uint64_t local[3], bool named) {
  char text[64], suffix[64] = "";
  snprintf(text, sizeof text, "%" PRIu64 ",%" PRIu64 ",%" PRIu64, local[0], local[1], local[2]);
  if (named && local[2] > 1)
    snprintf(suffix, sizeof suffix, ".%" PRIu64 "x%" PRIu64 "x%" PRIu64, local[0], local[1], local[2]);
  else if (named)
    snprintf(suffix, sizeof suffix, ".%" PRIu64 "x%" PRIu64, local[0], local[1]);
  struct kernel_file sized = *launch;
  uint64_t global[3];
  const int dimensions = kernel_file_sizes("global", launch->global, global, c->error);
  if (dimensions < 0)
    return -1;
  for (int d = 3; d > dimensions; d--) /* as many sizes as the global size has */
    *strrchr(text, ',') = '\0';
  sized.local = text;
  return add(c, &sized, suffix);
}

/* All sizes that divide the global size. */
static int add_all_sizes(struct choosing *c, const struct kernel_file *launch) {
  const uint64_t most = c->request->sweep_local;
  uint64_t global[3], local[3];
  if (kernel_file_sizes("global", launch->global, global, c->error) < 0)
    return -1;
  const size_t before = c->out->count;
  for (local[2] = 1; local[2] <= global[2] && local[2] <= most; local[2]++)
    for (local[1] = 1; local[1] <= global[1] && local[1] * local[2] <= most; local[1]++)
      for (local[0] = 1; local[0] <= global[0] && local[0] * local[1] * local[2] <= most; local[0]++) {
        if (global[0] % local[0] || global[1] % local[1] || global[2] % local[2])
          continue;
        if (c->out->count - before >= SWEEP_LOCAL_MOST)
          return error_set(c->error, ERROR_INPUT,
                           "--sweep-local: more than %d work-group sizes divide the global size %.60s; take a global "
                           "size with fewer divisors",
                           SWEEP_LOCAL_MOST, launch->global);
        if (add_size(c, launch, local, true) != 0)
          return -1;
      }
  return 0;
}

/* Adds the launch with the work-group size that the kernel requires, or with the default size. */
static int add_chosen_size(struct choosing *c, const struct kernel_file *launch, const struct kernel_summary *kernel) {
  struct kernel_file sized = *launch;
  char text[64];
  if (kernel && kernel->required_local[0] > 0) {
    const uint64_t local[3] = {kernel->required_local[0], kernel->required_local[1], kernel->required_local[2]};
    return add_size(c, launch, local, false);
  }
  if (kernel_file_default_local(launch->global, text, sizeof text, c->error) != 0)
    return -1;
  sized.local = text;
  return add(c, &sized, "");
}

/* `kernel` is NULL where the source was not compiled, because nothing is to be chosen. */
static int add_kernel(struct choosing *c, const char *name, const struct kernel_summary *kernel) {
  struct kernel_file launch = *c->file;
  char sizes[SIZES_TEXT_BYTES];
  launch.kernel = name;
  if (kernel_file_apply_sizes(&launch, sizes, c->error) != 0)
    return -1;
  if (!launch.global)
    return missing(c, "--global is missing");
  struct option_list ordered = {0};
  char first[256];
  if (kernel && launch.arguments.count == 0 && wanted_parameter_name(kernel->arguments, 0, first, sizeof first))
    return no_arguments(c, kernel);
  if (kernel && is_named(c->file)) {
    if (order_arguments(c, kernel, &ordered) != 0) {
      free(ordered.items);
      return -1;
    }
    launch.arguments = ordered;
  }
  const bool one = launch.local || (kernel && kernel->required_local[0] > 0);
  const int status = launch.local                          ? add(c, &launch, "")
                     : c->request->sweep_local > 0 && !one ? add_all_sizes(c, &launch)
                                                           : add_chosen_size(c, &launch, kernel);
  free(ordered.items);
  return status;
}

/* ---- kernels ---- */

static const struct kernel_summary *find(const struct kernel_list *list, const char *name) {
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->kernels[i].name, name) == 0)
      return &list->kernels[i];
  return NULL;
}

static int add_all_kernels(struct choosing *c) {
  for (size_t i = 0; i < c->list.count; i++)
    if (add_kernel(c, c->list.kernels[i].name, &c->list.kernels[i]) != 0)
      return -1;
  return 0;
}

/* "a,b,c" */
static int add_named_kernels(struct choosing *c, char *names) {
  char *rest = NULL;
  for (char *name = strtok_r(names, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
    const struct kernel_summary *kernel = find(&c->list, name);
    char what[320];
    snprintf(what, sizeof what, "no kernel is named \"%.256s\"", name);
    if (c->list.count > 0 && !kernel)
      return missing(c, what);
    if (add_kernel(c, name, kernel) != 0)
      return -1;
  }
  return 0;
}

static int choose(struct choosing *c) {
  const struct kernel_choice_request *r = c->request;
  const char *asked = c->file->kernel;
  if (c->list.count == 0 && !asked)
    return error_set(c->error, ERROR_INPUT, "%.200s: no kernel in it; expected a function \"__kernel void NAME(...)\"",
                     c->file->source);
  if (!asked ? r->all || c->list.count == 1 : strcmp(asked, "all") == 0)
    return add_all_kernels(c);
  if (!asked)
    return missing(c, "--kernel is missing (--kernel all takes all)");
  char *names = strdup(asked);
  if (!names)
    return error_no_memory(c->error);
  const int status = add_named_kernels(c, names);
  free(names);
  return status;
}

/* The kernels of --sizes have to exist, since a slip would give a kernel the sizes of all others. */
static int check_sizes(const struct choosing *c) {
  for (size_t i = 0; i < c->file->sizes.count; i++)
    for (const char *at = c->file->sizes.items[i];; at++) {
      char name[256], what[320];
      const size_t length = strcspn(at, ",=");
      snprintf(name, sizeof name, "%.*s", (int)length, at);
      snprintf(what, sizeof what, "--sizes: no kernel is named \"%s\"", name);
      if (!find(&c->list, name))
        return missing(c, what);
      at += length;
      if (*at != ',')
        break;
    }
  return 0;
}

/* A macro of --vary may have the name of a variable, which no message of the compiler says. */
static void name_build_options(const struct kernel_file *file, struct error *error) {
  const size_t used = strlen(error->text);
  snprintf(error->text + used, sizeof error->text - used, "\n--vary compiles it with %s", file->build_options);
}

static int choose_variant(struct choosing *c) {
  const struct kernel_file *file = c->file;
  int status = 0;
  c->list = (struct kernel_list){0};
  if (!file->kernel || strcmp(file->kernel, "all") == 0 || !file->global || !file->local || file->sizes.count > 0 ||
      is_named(file))
    status = kernel_list_read(c->request->front_end, file->source, file->build_options ? file->build_options : "",
                              TIMEOUT_S, NULL, NULL, &c->list, c->error);
  if (status != 0 && file->suffix && file->suffix[0] != '\0')
    name_build_options(file, c->error);
  if (status == 0)
    status = check_sizes(c);
  if (status == 0)
    status = choose(c);
  kernel_list_clear(&c->list);
  return status;
}

int kernel_choices_make(const struct kernel_choice_request *request, struct kernel_choices *out, struct error *error) {
  struct choosing c = {.request = request, .out = out, .error = error};
  struct kernel_variants *variants;
  *out = (struct kernel_choices){0};
  if (kernel_variants_make(request->file, &variants, error) != 0)
    return -1;
  int status = 0;
  for (size_t i = 0; i < variants->count && status == 0; i++) {
    c.file = &variants->items[i];
    status = choose_variant(&c);
  }
  kernel_variants_destroy(variants);
  if (status != 0)
    kernel_choices_clear(out);
  return status;
}

void kernel_choices_clear(struct kernel_choices *choices) {
  for (size_t i = 0; i < choices->count; i++) {
    free(choices->items[i].name);
    free(choices->items[i].text);
  }
  free(choices->items);
  *choices = (struct kernel_choices){0};
}
