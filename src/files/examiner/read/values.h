/* Values of the examiner that several plugins read. */
#ifndef FILES_EXAMINER_READ_VALUES_H
#define FILES_EXAMINER_READ_VALUES_H

#include "files/examiner/read/state.h"

/* sm_mask: the index of the mask; GCAST_ALL_SMS where the key is missing or 0. */
int examiner_mask(examiner *x, const node *object);
/* shared_memory_size in bytes; it must be one of the sizes that the examiner has. */
int64_t examiner_shared_memory(const node *object, bool required);
/* A whole number of nanoseconds that a block spins. */
int64_t examiner_spin_ns(const node *n);
/* thread_count or block_count, read as d, in one dimension; an error at `n` where it has more. */
uint32_t examiner_one_dimension(const node *n, const char *key, const uint32_t d[3]);

#endif
