/* A source that takes other branches where the device has or lacks something: each macro of an extension, a feature or
 * a version that it finds becomes a number in a buffer, which the emulation has to leave as OpenCL does. */
#include "program.h"

#define MAX_SOURCE 65536

/* Macros that some device defines, and the emulator's compiler, too. */
static const char *const macros[] = {
    "cl_khr_fp16",
    "cl_khr_fp64",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_global_int32_base_atomics",
    "cl_khr_byte_addressable_store",
    "cl_khr_3d_image_writes",
    "cl_khr_subgroups",
    "cl_khr_subgroup_ballot",
    "cl_khr_subgroup_shuffle",
    "cl_khr_subgroup_rotate",
    "cl_khr_integer_dot_product",
    "cl_khr_extended_bit_ops",
    "cl_khr_mipmap_image",
    "cl_khr_spir",
    "cl_khr_command_buffer",
    "cl_ext_float_atomics",
    "cl_arm_integer_dot_product_int8",
    "cl_intel_subgroups",
    "cl_amd_media_ops",
    "__opencl_c_fp64",
    "__opencl_c_images",
    "__opencl_c_int64",
    "__opencl_c_pipes",
    "__opencl_c_subgroups",
    "__opencl_c_generic_address_space",
    "__opencl_c_device_enqueue",
    "__opencl_c_atomic_scope_all_devices",
    "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_program_scope_global_variables",
    "__opencl_c_work_group_collective_functions",
    "__opencl_c_ext_fp32_global_atomic_add",
    "__opencl_c_integer_dot_product_input_4x8bit",
    "__IMAGE_SUPPORT__",
};
enum { MACROS = sizeof macros / sizeof *macros };

static void write_source(char *out) {
  out += sprintf(out, "__kernel void look(__global int *o) {\n");
  for (int i = 0; i < MACROS; i++)
    out += sprintf(out, "#ifdef %s\n  o[%d] = %d;\n#endif\n", macros[i], i, i + 1);
  sprintf(out, "  o[%d] = __OPENCL_VERSION__;\n  o[%d] = __OPENCL_C_VERSION__;\n  o[%d] = __LINE__;\n}\n", MACROS,
          MACROS + 1, MACROS + 2);
}

static void look(const char *options) {
  static char source[MAX_SOURCE];
  struct program p;
  int found[MACROS + 3] = {0};
  write_source(source);
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, options);
  const cl_kernel kernel = program_kernel(&p, "look");
  const cl_mem buffer = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof found, found);
  program_set(kernel, 0, sizeof buffer, &buffer);
  program_launch(&p, kernel, 1, 1);
  program_read(&p, buffer, sizeof found, found);
  program_close(&p);
}

int main(void) {
  look("");
  look("-cl-std=CL1.2");
  look("-cl-std=CL2.0");
  look("-cl-std=CL3.0");
  return 0;
}
