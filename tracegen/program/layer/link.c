/* Programs from several sources: clCompileProgram and clLinkProgram. The emulator compiles one source per program, so
 * the parts of a linked program become one text, in their order, in which the headers that were given to OpenCL stand
 * in place of the lines that include them. Parts that define the same name do not compile then; the launch says so. */
#include "base/text.h"
#include "tracegen/program/layer/wrappers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 200 /* of headers that include each other; compilers have the same limit */

struct headers {
  cl_uint count;
  const cl_program *programs;
  const char **names;
};

/* Returns the text of the header that this line includes, or NULL. */
static const char *included(const char *line, size_t length, const struct headers *headers) {
  char text[512];
  if (length >= sizeof text)
    return NULL;
  memcpy(text, line, length);
  text[length] = '\0';
  int at = 0;
  char open = 0;
  if (sscanf(text, " # include %c%n", &open, &at) != 1 || (open != '"' && open != '<'))
    return NULL;
  const size_t size = strcspn(text + at, "\">");
  for (cl_uint i = 0; i < headers->count; i++)
    if (strlen(headers->names[i]) == size && strncmp(headers->names[i], text + at, size) == 0) {
      const struct program_record *r = program_find(headers->programs[i]);
      return r ? r->source : NULL;
    }
  return NULL;
}

static void put_text(FILE *out, const char *text, const struct headers *headers, unsigned depth) {
  while (*text) {
    const size_t length = strcspn(text, "\n");
    const char *header = depth < MAX_DEPTH ? included(text, length, headers) : NULL;
    if (header)
      put_text(out, header, headers, depth + 1);
    else
      fwrite(text, 1, length, out);
    putc('\n', out);
    text += length + (text[length] == '\n');
  }
}

static char *expand(const char *source, const struct headers *headers) {
  char *text = NULL;
  size_t size;
  FILE *out = text_stream_begin(&text, &size);
  if (!out)
    return NULL;
  put_text(out, source, headers, 0);
  return text_stream_end(out, &text) ? text : NULL;
}

static CL_API_ENTRY cl_int CL_API_CALL compile(cl_program program, cl_uint device_count, const cl_device_id *devices,
                                               const char *options, cl_uint header_count, const cl_program *programs,
                                               const char **names, void(CL_CALLBACK *notify)(cl_program, void *),
                                               void *user) {
  const struct headers headers = {programs && names ? header_count : 0, programs, names};
  records_lock();
  struct program_record *r = program_find(program);
  if (r && r->source) {
    free(r->unit);
    r->unit = expand(r->source, &headers);
  }
  program_set_options(r, options);
  records_unlock();
  const bool standard = !program_chooses_standard(options);
  char *all = program_options(options, standard), *without = program_options(options, false);
  cl_int status = below->clCompileProgram(program, device_count, devices, all ? all : options, header_count, programs,
                                          names, standard ? NULL : notify, user);
  if (standard && status != CL_SUCCESS) /* it needs the language that this OpenCL takes unasked */
    status = below->clCompileProgram(program, device_count, devices, without ? without : options, header_count,
                                     programs, names, notify, user);
  else if (standard && notify)
    notify(program, user);
  free(all);
  free(without);
  return status;
}

/* Returns why the parts cannot become one text; NULL: they can. */
static const char *obstacle(cl_uint count, const cl_program *programs) {
  const struct program_record *first = count ? program_find(programs[0]) : NULL;
  for (cl_uint i = 0; i < count; i++) {
    const struct program_record *r = program_find(programs[i]);
    if (!r || !r->unit || !r->options)
      return "its program was linked from parts without a source";
    if (strcmp(r->options, first->options) != 0)
      return "its program was linked from parts that were compiled with different options, which is not supported";
  }
  return first ? NULL : "its program was linked from nothing";
}

static char *join_units(cl_uint count, const cl_program *programs) {
  size_t length = 1;
  for (cl_uint i = 0; i < count; i++)
    length += strlen(program_find(programs[i])->unit);
  char *text = calloc(length, 1), *end = text;
  for (cl_uint i = 0; text && i < count; i++)
    end = stpcpy(end, program_find(programs[i])->unit);
  return text;
}

static void remember_linked(cl_program program, cl_uint count, const cl_program *programs) {
  records_lock();
  const char *reason = programs ? obstacle(count, programs) : "its program was linked from nothing";
  char *text = reason ? NULL : join_units(count, programs);
  struct program_record *r = program_add(program, text, reason ? reason : "out of memory");
  if (r && text) {
    r->linked = true;
    r->unit = strdup(text); /* a library, which may be linked again */
    program_set_options(r, program_find(programs[0])->options);
    free(r->folder);
    r->folder = program_find(programs[0])->folder ? strdup(program_find(programs[0])->folder) : NULL;
  } else if (!r)
    free(text);
  records_unlock();
}

static CL_API_ENTRY cl_program CL_API_CALL link_program(cl_context context, cl_uint device_count,
                                                        const cl_device_id *devices, const char *options, cl_uint count,
                                                        const cl_program *programs,
                                                        void(CL_CALLBACK *notify)(cl_program, void *), void *user,
                                                        cl_int *status) {
  const cl_program program =
      below->clLinkProgram(context, device_count, devices, options, count, programs, notify, user, status);
  if (program)
    remember_linked(program, count, programs);
  return program;
}

void wrap_linking(cl_icd_dispatch *table) {
  table->clCompileProgram = compile;
  table->clLinkProgram = link_program;
}
