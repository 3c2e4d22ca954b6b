/* Programs: their source and the options that they were built with. */
#include "tracegen/program/layer/wrappers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/opencl_status.h"
#include "base/text.h"
#include "tracegen/program/launch/log.h"
#include "tracegen/program/source_binary.h"

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

/* Takes the source, which was allocated. */
static cl_program create(cl_context context, char *source, cl_int *status) {
  const char *both[] = {may_contract ? "" : without_contraction, source};
  return remember(below->clCreateProgramWithSource(context, 2, both, NULL, status), source, NULL);
}

static CL_API_ENTRY cl_program CL_API_CALL create_with_source(cl_context context, cl_uint count, const char **parts,
                                                              const size_t *lengths, cl_int *status) {
  char *source = program_has_parts(count, parts) ? join(count, parts, lengths) : NULL;
  return source ? create(context, source, status)
                : below->clCreateProgramWithSource(context, count, parts, lengths, status);
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

/* Returns whether all devices get the same. */
static bool same_binary(cl_uint count, const size_t *lengths, const unsigned char **binaries) {
  for (cl_uint i = 0; i < count; i++)
    if (!binaries[i] || lengths[i] != lengths[0] || memcmp(binaries[i], binaries[0], lengths[0]) != 0)
      return false;
  return count > 0;
}

static CL_API_ENTRY cl_program CL_API_CALL create_with_binary(cl_context context, cl_uint count,
                                                              const cl_device_id *devices, const size_t *lengths,
                                                              const unsigned char **binaries, cl_int *each,
                                                              cl_int *status) {
  (void)devices;
  char *options, *source;
  const bool known = binaries && lengths && same_binary(count, lengths, binaries) &&
                     source_binary_read(binaries[0], lengths[0], &options, &source);
  for (cl_uint i = 0; each && i < count; i++)
    each[i] = known ? CL_SUCCESS : CL_INVALID_BINARY;
  if (!known)
    return refuse("clCreateProgramWithBinary", "a program binary", CL_INVALID_BINARY, status);
  const cl_program program = create(context, source, status);
  records_lock();
  struct program_record *r = program_find(program);
  if (r)
    r->binary_options = options;
  else
    free(options);
  records_unlock();
  return program;
}

static CL_API_ENTRY cl_program CL_API_CALL create_with_il(cl_context context, const void *il, size_t length,
                                                          cl_int *status) {
  (void)context, (void)il, (void)length;
  return refuse("clCreateProgramWithIL", "SPIR-V", CL_INVALID_OPERATION, status);
}

bool program_chooses_standard(const char *options) {
  return options && strstr(options, "-cl-std");
}

/* With the first option OpenCL tells the types and address spaces of a kernel's parameters. The second is the language
 * of programs that ask for none (OpenCL 3.0, section 5.8.6.5); PoCL 3.1 takes 3.0 then. The user of the layer may want
 * others, for OpenCL alone. */
char *program_options(const char *options, bool standard) {
  const char *more = getenv("REASSEMBLE_CAPTURE_OPTIONS");
  return text_format("%s -cl-kernel-arg-info %s%s", options ? options : "", standard ? "-cl-std=CL1.2 " : "",
                     more ? more : "");
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
  struct program_record *r = program_find(program);
  if (r && r->binary_options)
    options = r->binary_options; /* it was built with these, and lives as long as the record: as long as the process */
  program_set_options(r, options);
  records_unlock();
  const bool standard = !program_chooses_standard(options);
  char *all = program_options(options, standard), *without = program_options(options, false);
  cl_int status = below->clBuildProgram(program, count, devices, all ? all : options, standard ? NULL : notify, user);
  if (standard && status != CL_SUCCESS) /* it needs the language that this OpenCL takes unasked */
    status = below->clBuildProgram(program, count, devices, without ? without : options, notify, user);
  else if (standard && notify)
    notify(program, user);
  free(all);
  free(without);
  return status;
}

cl_int answer_text(const char *text, size_t size, void *value, size_t *needed) {
  const size_t length = strlen(text) + 1;
  if (value && size < length)
    return CL_INVALID_VALUE;
  if (value)
    memcpy(value, text, length);
  if (needed)
    *needed = length;
  return CL_SUCCESS;
}

/* The devices of a program. */
struct program_devices {
  cl_device_id *all;
  size_t count;
};

static cl_int list_devices(cl_program program, struct program_devices *out) {
  size_t bytes = 0;
  *out = (struct program_devices){0};
  cl_int status = below->clGetProgramInfo(program, CL_PROGRAM_DEVICES, 0, NULL, &bytes);
  if (status != CL_SUCCESS)
    return status;
  out->all = malloc(bytes + 1);
  out->count = bytes / sizeof *out->all;
  status =
      out->all ? below->clGetProgramInfo(program, CL_PROGRAM_DEVICES, bytes, out->all, NULL) : CL_OUT_OF_HOST_MEMORY;
  if (status != CL_SUCCESS)
    free(out->all);
  return status;
}

/* Returns the size of the binary that holds the source, 0 where the program was not built for the device. OpenCL is not
 * asked for the size of its own: PoCL would compile all kernels of the program for it, which takes seconds. */
static size_t binary_size(const struct program_record *r, cl_program program, cl_device_id device) {
  cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
  below->clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL);
  return type == CL_PROGRAM_BINARY_TYPE_NONE ? 0 : source_binary_size(r->options ? r->options : "", r->source);
}

/* Answers CL_PROGRAM_BINARY_SIZES, and CL_PROGRAM_BINARIES where `copies`. */
static cl_int answer_binaries(const struct program_record *r, cl_program program, bool copies, size_t size, void *value,
                              size_t *needed) {
  struct program_devices devices;
  const cl_int status = list_devices(program, &devices);
  if (status != CL_SUCCESS)
    return status;
  const size_t bytes = devices.count * (copies ? sizeof(unsigned char *) : sizeof(size_t));
  const bool fits = !value || size >= bytes;
  for (size_t i = 0; value && fits && i < devices.count; i++) {
    const size_t length = binary_size(r, program, devices.all[i]);
    if (!copies)
      ((size_t *)value)[i] = length;
    else if (length > 0 && ((unsigned char **)value)[i])
      source_binary_write(r->options ? r->options : "", r->source, ((unsigned char **)value)[i]);
  }
  if (needed)
    *needed = bytes;
  free(devices.all);
  return fits ? CL_SUCCESS : CL_INVALID_VALUE;
}

/* Answers with the source, and with binaries that hold it (source_binary.h). */
static CL_API_ENTRY cl_int CL_API_CALL get_info(cl_program program, cl_program_info what, size_t size, void *value,
                                                size_t *needed) {
  records_lock();
  const struct program_record *built = program_find(program);
  if (built && built->source && (what == CL_PROGRAM_BINARY_SIZES || what == CL_PROGRAM_BINARIES)) {
    const cl_int status = answer_binaries(built, program, what == CL_PROGRAM_BINARIES, size, value, needed);
    records_unlock();
    return status;
  }
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
