/* NVIDIA's device runtime, libcudadevrt.a, with which kernels launch kernels: where it is, and PTX linked with it. */
#ifndef MEASURE_DEVRT_DEVRT_LINK_H
#define MEASURE_DEVRT_DEVRT_LINK_H

#include "measure/driver/driver.h"

/* The path of the library: `given` where that is not NULL, else the first of the usual places; NULL: it is not there.
 */
const char *devrt_find(const char *given);
/* In the context that is current. An error has the first line of the linker's log; *module is NULL then. The driver
 * must have `linking`. */
gcast_status devrt_link(const driver *d, const char *ptx, const char *library, CUmodule *module, gcast_error *err);

#endif
