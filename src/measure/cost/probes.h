/* Small kernels that execute one instruction many times, from which the figures of the cost model come. */
#ifndef MEASURE_COST_PROBES_H
#define MEASURE_COST_PROBES_H

#include "base/text/text.h"

#define PROBE_CHAINS 8 /* of instructions that do not depend on each other, where a unit is to be busy */
#define PROBE_SPREAD                                                                                                   \
    (128 + 8)              /* bytes of memory per thread: a cache line, and 8 bytes beside those of other threads      \
                            */
#define PROBE_HEAD 256     /* bytes before these: numbers that the compiler cannot know */
#define PROBE_THREADS 1024 /* of a block */

/* Steps of the short and the long kernel, which differ in nothing else. */
#define PROBE_SHORT 32
#define PROBE_LONG 96
#define PROBE_FIRST_SCALE 8 /* PROBE_FIRST has so many times more steps */

typedef enum {
    PROBE_ALONE, /* one warp, where each step waits for the one before it */
    PROBE_BUSY,  /* 32 warps with PROBE_CHAINS chains each */
    PROBE_FIRST, /* one warp with PROBE_CHAINS chains, in the first pass through the code */
    PROBE_MODES
} probe_mode;

typedef struct cost_probe {
    const char *name; /* of the figure */
    int count;        /* of the measured instruction, in a step */
    const char *step; /* PTX; @ is the number of the chain, # that of the step */
} cost_probe;

extern const cost_probe cost_probes[]; /* ends with a name of NULL */

/* All kernels as one module. */
void probe_ptx(text *out);
/* Has the probe a kernel in mode PROBE_FIRST? */
bool probe_has_first(size_t probe);
/* The name of a kernel. */
void probe_kernel(char *name, size_t size, size_t probe, probe_mode mode, int steps);

#endif
