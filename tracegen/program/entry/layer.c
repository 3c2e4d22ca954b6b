/* The entry points of an OpenCL layer (cl_khr_layers, CL/cl_layer.h). The loader hands every call of the program to the
 * table that clInitLayer returns. */
#include "tracegen/program/layer/wrappers.h"

#include <string.h>

#include "tracegen/program/board/virtual_board.h"
#include "tracegen/program/launch/log.h"

#define EXPORT __attribute__((visibility("default")))

const cl_icd_dispatch *below;

EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *needed) {
  static const char layer_name[] = "reassemble";
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  const bool is_version = name == CL_LAYER_API_VERSION;
  const void *answer = is_version ? (const void *)&version : layer_name;
  const size_t bytes = is_version ? sizeof version : sizeof layer_name;
  if (!is_version && name != CL_LAYER_NAME)
    return CL_INVALID_VALUE;
  if (value && size < bytes)
    return CL_INVALID_VALUE;
  if (value)
    memcpy(value, answer, bytes);
  if (needed)
    *needed = bytes;
  return CL_SUCCESS;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch *target, cl_uint *entries_ret,
                                                   const cl_icd_dispatch **layer) {
  static cl_icd_dispatch table;
  if (!target || !layer || !entries_ret || entries < sizeof table / sizeof(void *))
    return CL_INVALID_VALUE;
  below = target;
  table = *target;
  if (log_open()) {
    launch_settings();
    wrap_devices(&table);
    wrap_memory(&table);
    wrap_writes(&table);
    wrap_images(&table);
    wrap_programs(&table);
    wrap_linking(&table);
    wrap_kernels(&table);
    wrap_shared_memory(&table);
    wrap_queues(&table);
    virtual_board_wrap(&table);
  }
  *entries_ret = sizeof table / sizeof(void *);
  *layer = &table;
  return CL_SUCCESS;
}
