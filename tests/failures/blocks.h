/* Blocks of memory that the command has made and not given back. */
#ifndef TESTS_FAILURES_BLOCKS_H
#define TESTS_FAILURES_BLOCKS_H

/* `caller` is where the call came from. */
void blocks_add(const void *block, const void *caller);
void blocks_remove(const void *block);
/* How many are left, and where one of them was made. */
long blocks_left(const void **caller);

#endif
