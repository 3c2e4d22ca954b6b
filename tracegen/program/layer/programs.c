/* Programs: their source and the options that they were built with. */
#include "tracegen/program/layer/wrappers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/opencl_status.h"
#include "tracegen/program/layer/log.h"

/* OpenCL may contract a multiplication and an addition where the device can; the emulator does not. With these lines
 * the two agree to the last bit. #line keeps the lines of the program's own messages. */
static const char without_contraction[] = "#pragma OPENCL FP_CONTRACT OFF\n#line 1\n";
static bool may_contract;

void programs_may_contract(void) {
  may_contract = true;
}

static char *join(cl_uint count, const char **parts, const size_t *lengths) {
  size_t total = 0, at = 0;
  for (cl_uint i = 0; i < count; i++)
    total += lengths && lengths[i] ? lengths[i] : strlen(parts[i]);
  char *text = malloc(total + 1);
  for (cl_uint i = 0; text && i < count; i++) {
    const size_t length = lengths && lengths[i] ? lengths[i] : strlen(parts[i]);
    memcpy(text + at, parts[i], length);
    at += length;
  }
  if (text)
    text[total] = '\0';
  return text;
}

static cl_program remember(cl_program handle, char *source, const char *reason) {
  records_lock();
  if (!handle || !program_add(handle, source, reason))
    free(source);
  records_unlock();
  return handle;
}

bool program_has_parts(cl_uint count, const char **parts) {
  for (cl_uint i = 0; parts && i < count; i++)
    if (!parts[i])
      return false;
  return parts && count > 0;
}

static CL_API_ENTRY cl_program CL_API_CALL create_with_source(cl_context context, cl_uint count, const char **parts,
                                                              const size_t *lengths, cl_int *status) {
  char *source = program_has_parts(count, parts) ? join(count, parts, lengths) : NULL;
  if (!source)
    return below->clCreateProgramWithSource(context, count, parts, lengths, status);
  const char *both[] = {may_contract ? "" : without_contraction, source};
  const cl_program program = below->clCreateProgramWithSource(context, 2, both, NULL, status);
  return remember(program, source, NULL);
}

static cl_program refuse(const char *call, const char *what, cl_int error, cl_int *status) {
  fprintf(stderr,
          "reassemble: %s: %s holds no OpenCL C to emulate; the call was answered with %s. Let the "
          "program build its kernels from source\n",
          call, what, OPENCL_STATUS(error));
  log_line(json_pack("{s:s, s:s, s:s}", "event", "refused", "call", call, "what", what));
  if (status)
    *status = error;
  return NULL;
}

static CL_API_ENTRY cl_program CL_API_CALL create_with_binary(cl_context context, cl_uint count,
                                                              const cl_device_id *devices, const size_t *lengths,
                                                              const unsigned char **binaries, cl_int *each,
                                                              cl_int *status) {
  (void)context, (void)devices, (void)lengths, (void)binaries;
  for (cl_uint i = 0; each && i < count; i++)
    each[i] = CL_INVALID_BINARY;
  return refuse("clCreateProgramWithBinary", "a program binary", CL_INVALID_BINARY, status);
}

static CL_API_ENTRY cl_program CL_API_CALL create_with_il(cl_context context, const void *il, size_t length,
                                                          cl_int *status) {
  (void)context, (void)il, (void)length;
  return refuse("clCreateProgramWithIL", "SPIR-V", CL_INVALID_OPERATION, status);
}

/* With this option OpenCL tells the types and address spaces of a kernel's parameters. The user of the layer may want
 * others, for OpenCL alone. */
char *program_options(const char *options) {
  static const char wish[] = " -cl-kernel-arg-info ";
  const char *more = getenv("REASSEMBLE_CAPTURE_OPTIONS");
  char *all = malloc((options ? strlen(options) : 0) + sizeof wish + (more ? strlen(more) : 0));
  if (all)
    strcat(strcat(strcpy(all, options ? options : ""), wish), more ? more : "");
  return all;
}

void program_set_options(struct program_record *r, const char *options) {
  char *copy = r ? strdup(options ? options : "") : NULL;
  if (!copy)
    return;
  free(r->options);
  r->options = copy;
  free(r->folder);
  r->folder = getcwd(NULL, 0);
}

static CL_API_ENTRY cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id *devices,
                                             const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                                             void *user) {
  records_lock();
  program_set_options(program_find(program), options);
  records_unlock();
  char *both = program_options(options);
  const cl_int status = below->clBuildProgram(program, count, devices, both ? both : options, notify, user);
  free(both);
  return status;
}

static cl_int answer_text(const char *text, size_t size, void *value, size_t *needed) {
  const size_t length = strlen(text) + 1;
  if (value && size < length)
    return CL_INVALID_VALUE;
  if (value)
    memcpy(value, text, length);
  if (needed)
    *needed = length;
  return CL_SUCCESS;
}

/* Answers with the source and, below, the options that the program gave. */
static CL_API_ENTRY cl_int CL_API_CALL get_info(cl_program program, cl_program_info what, size_t size, void *value,
                                                size_t *needed) {
  records_lock();
  const struct program_record *r = what == CL_PROGRAM_SOURCE ? program_find(program) : NULL;
  const bool answered = r && r->source && !r->linked;
  const cl_int status = answered ? answer_text(r->source, size, value, needed) : CL_INVALID_PROGRAM;
  records_unlock();
  return answered ? status : below->clGetProgramInfo(program, what, size, value, needed);
}

static CL_API_ENTRY cl_int CL_API_CALL get_build_info(cl_program program, cl_device_id device,
                                                      cl_program_build_info what, size_t size, void *value,
                                                      size_t *needed) {
  records_lock();
  const struct program_record *r = what == CL_PROGRAM_BUILD_OPTIONS ? program_find(program) : NULL;
  const cl_int status = r && r->options ? answer_text(r->options, size, value, needed) : CL_INVALID_PROGRAM;
  const bool answered = r && r->options;
  records_unlock();
  return answered ? status : below->clGetProgramBuildInfo(program, device, what, size, value, needed);
}

void wrap_programs(cl_icd_dispatch *table) {
  table->clCreateProgramWithSource = create_with_source;
  table->clCreateProgramWithBinary = create_with_binary;
  table->clCreateProgramWithIL = create_with_il;
  table->clBuildProgram = build;
  table->clGetProgramInfo = get_info;
  table->clGetProgramBuildInfo = get_build_info;
}
