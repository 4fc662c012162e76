/* The address space of a program: 64-bit generic addresses. Global memory
 * (buffers of the launch and variables of the module) is divided into sections
 * that hold one region each, so far apart that a wrong 32-bit index reaches no
 * other region. Shared, local and parameter memory have offsets from 0 in their
 * own spaces, and windows among the generic addresses. */
#ifndef SIMT_PROGRAM_ADDRESS_SPACE_H
#define SIMT_PROGRAM_ADDRESS_SPACE_H

#include "simt/program/program.h"

#define WINDOW_BYTES ((uint64_t)1 << 32)
#define SHARED_WINDOW ((uint64_t)1 << 32)
#define LOCAL_WINDOW ((uint64_t)2 << 32)
#define PARAM_WINDOW ((uint64_t)3 << 32)
#define FUNCTION_BASE ((uint64_t)4 << 32)           /* address of function 0; the others are FUNCTION_STEP apart */
#define FUNCTION_STEP 16                            /* bytes from one function's address to the next */
#define MEMORY_SECTION 38                           /* bits of an address within a section: 256 GiB */
#define MEMORY_BASE ((uint64_t)1 << MEMORY_SECTION) /* the first section holds the windows */
#define MIN_REGION_DISTANCE ((uint64_t)64 << 30)    /* minimum distance from a region to the next */
#define NULL_PAGE_BYTES ((uint64_t)1 << 20)         /* below this an address comes from a pointer that was not set */

/* Gives the regions their addresses. */
gcast_status memory_map(program *p, region *r, uint32_t count, gcast_error *err);

/* The region in whose section an address is; NULL: none. The caller checks its bounds. */
static inline region *memory_region(const program *p, uint64_t address)
{
    uint64_t section = address >> MEMORY_SECTION;
    uint32_t i = section < p->sections ? p->section[section] : 0;
    return i ? &p->region[i - 1] : NULL;
}

#endif
