/* What a workload has that numbers of a GPU are about. */
#ifndef ANALYZE_ASSUMED_WHAT_COUNTS_H
#define ANALYZE_ASSUMED_WHAT_COUNTS_H

#include "gridcast/workload.h"

enum {
    NEEDS_NOTHING = 0,
    NEEDS_KERNELS = 1,
    NEEDS_STREAMS = 2,         /* kernels in several streams */
    NEEDS_EVENTS = 4,          /* operations that are after others */
    NEEDS_COPIES = 8,          /* copies and memsets */
    NEEDS_H2D = 16,            /* copies to the device */
    NEEDS_D2H = 32,            /* copies to the host */
    NEEDS_H2D_BYTES = 64,      /* copies to the device without a duration */
    NEEDS_D2H_BYTES = 128,     /* copies to the host without a duration */
    NEEDS_D2D_BYTES = 256,     /* copies on the device without a duration */
    NEEDS_MEMSET_BYTES = 512,  /* memsets without a duration */
    NEEDS_LEVELS = 1024,       /* kernels of different priorities, or cooperative ones beside others */
    NEEDS_COPY_STREAMS = 2048, /* copies and memsets in several streams */
    NEEDS_SPINS = 4096,        /* kernels whose threads spin */
    NEEDS_CONNECTIONS = 8192,  /* kernels in several streams, and connections are as the GPU has them */
    NEEDS_INSIDE = 16384,      /* copies on the device, or memsets */
    NEEDS_ENGINES = 32768      /* copies that may have different engines: to the device, to the host, on the device */
};

/* All that the workload has. */
unsigned needs_of(const gcast_workload *w);

#endif
