#include "tracegen/program/launch/device_macros.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* The macros that clang defines for the emulator's target, in some version of OpenCL C. */
static const char *const known[] = {
    "__opencl_c_3d_image_writes",
    "__opencl_c_atomic_order_acq_rel",
    "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_atomic_scope_all_devices",
    "__opencl_c_atomic_scope_device",
    "__opencl_c_device_enqueue",
    "__opencl_c_ext_fp16_global_atomic_add",
    "__opencl_c_ext_fp16_global_atomic_load_store",
    "__opencl_c_ext_fp16_global_atomic_min_max",
    "__opencl_c_ext_fp16_local_atomic_add",
    "__opencl_c_ext_fp16_local_atomic_load_store",
    "__opencl_c_ext_fp16_local_atomic_min_max",
    "__opencl_c_ext_fp32_global_atomic_add",
    "__opencl_c_ext_fp32_global_atomic_min_max",
    "__opencl_c_ext_fp32_local_atomic_add",
    "__opencl_c_ext_fp32_local_atomic_min_max",
    "__opencl_c_ext_fp64_global_atomic_add",
    "__opencl_c_ext_fp64_global_atomic_min_max",
    "__opencl_c_ext_fp64_local_atomic_add",
    "__opencl_c_ext_fp64_local_atomic_min_max",
    "__opencl_c_fp64",
    "__opencl_c_generic_address_space",
    "__opencl_c_images",
    "__opencl_c_int64",
    "__opencl_c_integer_dot_product_input_4x8bit",
    "__opencl_c_integer_dot_product_input_4x8bit_packed",
    "__opencl_c_pipes",
    "__opencl_c_program_scope_global_variables",
    "__opencl_c_read_write_images",
    "__opencl_c_subgroups",
    "__opencl_c_work_group_collective_functions",
    "cl_amd_media_ops",
    "cl_amd_media_ops2",
    "cl_arm_integer_dot_product_accumulate_int16",
    "cl_arm_integer_dot_product_accumulate_int8",
    "cl_arm_integer_dot_product_accumulate_saturate_int8",
    "cl_arm_integer_dot_product_int8",
    "cl_clang_storage_class_specifiers",
    "cl_ext_float_atomics",
    "cl_intel_device_side_avc_motion_estimation",
    "cl_intel_subgroups",
    "cl_intel_subgroups_short",
    "cl_khr_3d_image_writes",
    "cl_khr_byte_addressable_store",
    "cl_khr_depth_images",
    "cl_khr_extended_bit_ops",
    "cl_khr_fp16",
    "cl_khr_fp64",
    "cl_khr_gl_msaa_sharing",
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_integer_dot_product",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
    "cl_khr_mipmap_image",
    "cl_khr_mipmap_image_writes",
    "cl_khr_srgb_image_writes",
    "cl_khr_subgroup_ballot",
    "cl_khr_subgroup_clustered_reduce",
    "cl_khr_subgroup_extended_types",
    "cl_khr_subgroup_non_uniform_arithmetic",
    "cl_khr_subgroup_non_uniform_vote",
    "cl_khr_subgroup_rotate",
    "cl_khr_subgroup_shuffle",
    "cl_khr_subgroup_shuffle_relative",
    "cl_khr_subgroups",
};

static char *info_text(cl_device_id device, cl_device_info what) {
  size_t bytes = 0;
  if (below->clGetDeviceInfo(device, what, 0, NULL, &bytes) != CL_SUCCESS)
    return NULL;
  char *text = calloc(bytes + 1, 1);
  if (text && below->clGetDeviceInfo(device, what, bytes, text, NULL) == CL_SUCCESS)
    return text;
  free(text);
  return NULL;
}

/* Returns whether the list of words between spaces has this one. */
static bool has_word(const char *list, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
      return true;
  return false;
}

static bool is_known(const char *word, size_t length) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i]) == length && strncmp(known[i], word, length) == 0)
      return true;
  return false;
}

/* Appends the names of the device's features to its extensions. Devices before OpenCL 3.0 have no list of features. */
static char *with_features(cl_device_id device, char *extensions) {
  size_t bytes = 0;
  cl_name_version *features = NULL;
  if (below->clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, 0, NULL, &bytes) == CL_SUCCESS)
    features = malloc(bytes + 1);
  if (features && below->clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, bytes, features, NULL) == CL_SUCCESS)
    for (size_t i = 0; extensions && i < bytes / sizeof *features; i++) {
      char *more = text_format("%s %s", extensions, features[i].name);
      free(extensions);
      extensions = more;
    }
  free(features);
  return extensions;
}

/* The version of the device and not that of the language, which the build options choose. */
static void put_version(FILE *out, cl_device_id device) {
  char *text = info_text(device, CL_DEVICE_VERSION);
  unsigned major, minor;
  if (text && sscanf(text, "OpenCL %u.%u", &major, &minor) == 2)
    fprintf(out, "#undef __OPENCL_VERSION__\n#define __OPENCL_VERSION__ %u\n", major * 100 + minor * 10);
  free(text);
}

/* Returns whether the macro is that of an optional feature of OpenCL C 3.0, all of which OpenCL C 2.0 requires. */
static bool is_optional_feature(const char *macro) {
  return strncmp(macro, "__opencl_c_", 11) == 0 && strncmp(macro, "__opencl_c_ext_", 15) != 0 &&
         strncmp(macro, "__opencl_c_integer_dot", 22) != 0;
}

static void put_missing(FILE *out, const char *names, bool features) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!has_word(names, known[i]) && is_optional_feature(known[i]) == features)
      fprintf(out, "#undef %s\n", known[i]);
}

static void put_macros(FILE *out, const char *names) {
  put_missing(out, names, false);
  fputs("#if __OPENCL_C_VERSION__ >= 300\n", out);
  put_missing(out, names, true);
  fputs("#endif\n", out);
  for (const char *at = names; *at; at += strspn(at, " ")) {
    const size_t length = strcspn(at, " ");
    if (length > 0 && !is_known(at, length))
      fprintf(out, "#define %.*s 1\n", (int)length, at);
    at += length;
  }
}

/* Returns the first of the program's devices, for all of which it is built alike. */
static cl_device_id first_device(cl_program program) {
  cl_device_id devices[64] = {NULL};
  size_t bytes = 0;
  if (below->clGetProgramInfo(program, CL_PROGRAM_DEVICES, 0, NULL, &bytes) != CL_SUCCESS || bytes > sizeof devices ||
      below->clGetProgramInfo(program, CL_PROGRAM_DEVICES, bytes, devices, NULL) != CL_SUCCESS)
    return NULL;
  return devices[0];
}

char *device_macros(cl_program program) {
  const cl_device_id device = first_device(program);
  char *names = device ? info_text(device, CL_DEVICE_EXTENSIONS) : NULL, *text = NULL;
  size_t size;
  names = names ? with_features(device, names) : NULL;
  FILE *out = names ? text_stream_begin(&text, &size) : NULL;
  if (out) {
    put_macros(out, names);
    put_version(out, device);
    fputs("#line 1\n", out);
    if (!text_stream_end(out, &text))
      text = NULL;
  }
  free(names);
  return text;
}
