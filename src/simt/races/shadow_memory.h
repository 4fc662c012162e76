/* Shadow memory: the accesses to each byte. */
#ifndef SIMT_RACES_SHADOW_MEMORY_H
#define SIMT_RACES_SHADOW_MEMORY_H

#include "simt/races/race_checker.h"

/* NULL without memory. A closed memory is kept, and the next shadow_open uses it. */
race_memory *shadow_open(race_checker *checker);
void shadow_close(race_checker *checker, race_memory *m);
void shadow_free(race_checker *checker, race_memory *m);

/* The cell of the word at an address; NULL: there is none, or memory ran out. */
race_cell *shadow_cell(race_checker *checker, const block *b, bool shared, uint64_t address);
/* The cells of its four bytes, which are separate from now on. */
race_cell *shadow_bytes(race_checker *checker, race_memory *m, race_cell *c);
/* The number of a new record; 0 without memory. */
uint32_t shadow_record(race_checker *checker, race_memory *m, const race_record *r);
/* The list with one more access, by lanes that know `view` (VIEW_GPU). */
uint32_t shadow_add(race_checker *checker, race_memory *m, uint32_t list, uint32_t record, uint32_t lanes,
                    const race_view *view);
/* Does this record of these lanes happen before the next access of warp `own_warp`, which knows `known`? */
bool shadow_is_before(const race_checker *checker, const race_clock *known, uint32_t own_warp, const race_record *r,
                      uint32_t lanes);

#endif
