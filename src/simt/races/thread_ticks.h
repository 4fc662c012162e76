/* Ticks of threads, and what the lanes of a warp know together. */
#ifndef SIMT_RACES_THREAD_TICKS_H
#define SIMT_RACES_THREAD_TICKS_H

#include "simt/races/state.h"

/* Joins into *out what the lanes of m know in a view, including what they did themselves up to now. */
void order_gather(race_checker *k, const race_warp *w, uint32_t m, int view, race_view *out);
/* The lanes of m came to op o, which may order them: from now on they are a tick further. */
void order_tick(race_checker *k, const warp *w, uint32_t m, const op *o);
/* The cp.async of a lane in groups before `before_group` are complete. */
void copies_end(race_checker *k, race_memory *shared, race_warp *x, uint32_t lane, uint32_t before_group);

#endif
