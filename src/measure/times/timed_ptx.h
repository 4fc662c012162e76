/* A kernel that also says when its blocks ran: the program with one parameter more. */
#ifndef MEASURE_TIMES_TIMED_PTX_H
#define MEASURE_TIMES_TIMED_PTX_H

#include "gridcast/ptx.h"

/* What a block of the timed kernel leaves in the buffer that is its last argument. */
typedef struct timed_block {
    uint64_t first_clock, first_timer; /* the earliest of its warps; all ones before */
    uint64_t last_clock, last_timer;   /* the latest; 0 before */
    uint64_t sm;
} timed_block;

/* As PTX text, for the caller to free. */
gcast_status timed_ptx(const gcast_ptx *p, const char *kernel, char **out, gcast_error *err);

#endif
