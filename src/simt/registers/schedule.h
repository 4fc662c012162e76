/* Schedules of steps, and the registers that they need. */
#ifndef SIMT_REGISTERS_SCHEDULE_H
#define SIMT_REGISTERS_SCHEDULE_H

#include "simt/registers/state.h"

/* An order in which no instruction waits unless all must: order[] has room for all steps. False without memory. */
bool registers_schedule(const register_steps *s, uint32_t *order);
/* The maximum of 32-bit registers that are live at once, and, in *across, across calls. order NULL: that of the text.
 * UINT32_MAX without memory. */
uint32_t registers_peak(const register_steps *s, const uint32_t *order, uint32_t *across);

#endif
