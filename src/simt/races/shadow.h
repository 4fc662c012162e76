/* Who touched which byte; see races/shadow.c. */
#ifndef SIMT_RACES_SHADOW_H
#define SIMT_RACES_SHADOW_H

#include "simt/races/state.h"

/* NULL without memory. What is closed is kept for the next that is opened. */
race_memory *shadow_open(race_checker *k);
void shadow_close(race_checker *k, race_memory *m);
void shadow_free(race_checker *k, race_memory *m);

/* The word at an address; NULL: there is none, or no memory. */
race_cell *shadow_cell(race_checker *k, const block *b, bool shared, uint64_t address);
/* Its four bytes, from now on apart. */
race_cell *shadow_bytes(race_checker *k, race_memory *m, race_cell *c);
/* The record of what a warp does at a tick. 0 without memory. */
uint32_t shadow_record(race_checker *k, race_memory *m, const race_record *r);
/* The list with an access more, by lanes that know this in the loose view. */
uint32_t shadow_add(race_checker *k, race_memory *m, uint32_t list, uint32_t record, uint32_t lanes,
                    const race_view *loose);
/* Does who has this view, in this block, come after what these lanes did? */
bool shadow_is_before(const race_checker *k, const race_clock *known, uint32_t me, const race_record *r,
                      uint32_t lanes);

#endif
