/* Small kernels, each of one instruction many times, from which the figures of the cost model come. */
#ifndef MEASURE_COST_PROBES_H
#define MEASURE_COST_PROBES_H

#include "base/text/text.h"

#define PROBE_CHAINS 8         /* that do not depend on each other, where a unit is to be busy */
#define PROBE_SPREAD (128 + 8) /* bytes of memory a thread: a line of its own, and a place beside its neighbours' */
#define PROBE_HEAD 256         /* bytes before: numbers the compiler cannot know */
#define PROBE_THREADS 1024

/* Steps in the short and the long kernel: what differs between their times is the steps. */
#define PROBE_SHORT 32
#define PROBE_LONG 96
#define PROBE_FIRST_SCALE 8 /* PROBE_FIRST has so many times more */

typedef enum {
    PROBE_ALONE, /* one warp, each step waits for the one before */
    PROBE_BUSY,  /* 32 warps with PROBE_CHAINS each */
    PROBE_FIRST, /* one warp with PROBE_CHAINS, the first time through the code */
    PROBE_MODES
} probe_mode;

typedef struct cost_probe {
    const char *name;
    int count;        /* of what is measured, in a step */
    const char *step; /* @ is the chain, # the step */
} cost_probe;

extern const cost_probe cost_probes[]; /* ends with a name of NULL */

/* All kernels as one module; probe_kernel is the name of one. */
void probe_ptx(text *out);
bool probe_has_first(size_t probe);
void probe_kernel(char *name, size_t size, size_t probe, probe_mode mode, int steps);

#endif
