/* Makes a kernel that also writes when its blocks ran, to a buffer that is one more parameter. */
#ifndef MEASURE_TIMED_RUN_H
#define MEASURE_TIMED_RUN_H

#include "gridcast/ptx.h"

/* What a block of the timed kernel writes to the buffer that is its last argument. */
typedef struct timed_block {
    uint64_t first_clock, first_timer; /* minimum over its threads; every bit is set before the launch */
    uint64_t last_clock, last_timer;   /* maximum over its threads; 0 before the launch */
    uint64_t sm;                       /* on which it ran */
} timed_block;

/* The program with such a kernel as PTX text, for the caller to free. */
gcast_status timed_ptx(const gcast_ptx *p, const char *kernel, char **out, gcast_error *err);

#endif
