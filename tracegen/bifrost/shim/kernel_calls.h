/* The kernel driver's answers (panfrost 1.2), without a GPU. */
#ifndef TRACEGEN_BIFROST_SHIM_KERNEL_CALLS_H
#define TRACEGEN_BIFROST_SHIM_KERNEL_CALLS_H

/* Answers an ioctl of the device whose node is open as `node`. Returns 0, or -1 with errno. */
int kernel_call(int node, unsigned long request, void *argument);

#endif
