/* Runs blocks on the cores of this computer. */
#ifndef SIMT_MACHINE_HOST_CORES_H
#define SIMT_MACHINE_HOST_CORES_H

#include "simt/machine/machine.h"

/* Runs all blocks. GCAST_NO: they exchange data, and must run again in turn. */
gcast_status blocks_run(machine *m, core *cores, uint32_t count);

#endif
