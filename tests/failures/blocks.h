/* Blocks of memory that the command has allocated and not freed. */
#ifndef TESTS_FAILURES_BLOCKS_H
#define TESTS_FAILURES_BLOCKS_H

/* `caller` is where the call came from. */
void blocks_add(const void *block, const void *caller);
void blocks_remove(const void *block);
/* How many there are, and where one of them was allocated. */
long blocks_leaked(const void **caller);

#endif
