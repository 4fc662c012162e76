/* PTX compiled by the driver. */
#ifndef MEASURE_DRIVER_LOAD_PTX_H
#define MEASURE_DRIVER_LOAD_PTX_H

#include "measure/driver/driver.h"

/* In the context that is current. An error has the first line of the compiler's log; *module is NULL then. */
gcast_status load_ptx(const driver *d, const char *ptx, CUmodule *module, gcast_error *err);

#endif
