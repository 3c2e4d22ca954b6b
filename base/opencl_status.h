/* Names of the codes with which OpenCL's calls fail.
 *
 * Source: the OpenCL specification, appendix F, and CL/cl.h of its headers. Threads: any. */
#ifndef BASE_OPENCL_STATUS_H
#define BASE_OPENCL_STATUS_H

enum { OPENCL_STATUS_BYTES = 64 };

/* Writes the name and the number into `text`, "CL_INVALID_WORK_GROUP_SIZE (-54)", or "OpenCL error -9999" for a code
 * without a name. Returns `text`. */
const char *opencl_status_text(int status, char text[OPENCL_STATUS_BYTES]);
/* Returns the text of the code in memory of the enclosing block. */
#define OPENCL_STATUS(status) opencl_status_text(status, (char[OPENCL_STATUS_BYTES]){0})

#endif
