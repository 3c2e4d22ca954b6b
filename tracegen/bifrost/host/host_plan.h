/* The plan of an OpenCL program that the host program (bifrost_host.c) runs: a text file, a command on each line.
 *
 *   source PATH                     the file that holds the kernels
 *   options TEXT                    for clBuildProgram; may be empty
 *   buffer OFFSET BYTES             buffer number 0, 1, ...: its contents lie at OFFSET of the data file
 *   image OFFSET BYTES WIDTH HEIGHT ORDER TYPE   has a number among the buffers; OpenCL's numbers of the format
 *   launch DIMENSIONS GX GY GZ LX LY LZ OX OY OZ KERNEL
 *   null | local BYTES | value HEX  the next argument of the last launch
 *   pass NUMBER OFFSET SPAN         a buffer, or a part of one; SPAN 0: to its end
 *   picture NUMBER | sampler NORMALISED ADDRESS FILTER     OpenCL's numbers
 *
 * After all launches, the host program writes the contents of all buffers back to the data file. It ends with status 0,
 * or prints what failed and ends with 1. */
#ifndef TRACEGEN_BIFROST_HOST_HOST_PLAN_H
#define TRACEGEN_BIFROST_HOST_HOST_PLAN_H

#define PLAN_MAX_OBJECTS 1024

#endif
