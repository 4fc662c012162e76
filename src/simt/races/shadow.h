/* Shadow memory: who accessed which byte; see races/shadow.c. */
#ifndef SIMT_RACES_SHADOW_H
#define SIMT_RACES_SHADOW_H

#include "simt/races/state.h"

/* NULL without memory. One that is closed is kept for the next that is opened. */
race_memory *shadow_open(race_checker *k);
void shadow_close(race_checker *k, race_memory *m);
void shadow_free(race_checker *k, race_memory *m);

/* The cell of the word at an address; NULL: there is none, or memory ran out. */
race_cell *shadow_cell(race_checker *k, const block *b, bool shared, uint64_t address);
/* The cells of its four bytes, which are separate from now on. */
race_cell *shadow_bytes(race_checker *k, race_memory *m, race_cell *c);
/* The number of a new record; 0 without memory. */
uint32_t shadow_record(race_checker *k, race_memory *m, const race_record *r);
/* The list with one more access, by lanes that know `view` (VIEW_GPU). */
uint32_t shadow_add(race_checker *k, race_memory *m, uint32_t list, uint32_t record, uint32_t lanes,
                    const race_view *view);
/* Does what these lanes did happen before the next access of warp `own_warp`, which knows this? */
bool shadow_is_before(const race_checker *k, const race_clock *known, uint32_t own_warp, const race_record *r,
                      uint32_t lanes);

#endif
