#include "blocks.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define TABLE_SIZE (1 << 18) /* a power of two; further blocks are not tracked */
#define MAX_PROBES 64        /* slots that are tried for a block */

static struct {
    const void *block, *caller;
} table[TABLE_SIZE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t slot(const void *block)
{
    return (size_t)(((uintptr_t)block >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (TABLE_SIZE - 1);
}

void blocks_add(const void *block, const void *caller)
{
    pthread_mutex_lock(&lock);
    for (size_t i = slot(block), n = 0; n < MAX_PROBES; n++, i = (i + 1) & (TABLE_SIZE - 1))
        if (!table[i].block) {
            table[i].block = block;
            table[i].caller = caller;
            break;
        }
    pthread_mutex_unlock(&lock);
}

void blocks_remove(const void *block)
{
    pthread_mutex_lock(&lock);
    for (size_t i = slot(block), n = 0; n < MAX_PROBES; n++, i = (i + 1) & (TABLE_SIZE - 1))
        if (table[i].block == block) {
            table[i].block = NULL;
            break;
        }
    pthread_mutex_unlock(&lock);
}

long blocks_leaked(const void **caller)
{
    long count = 0;
    for (size_t i = 0; i < TABLE_SIZE; i++)
        if (table[i].block) {
            *caller = table[i].caller;
            count++;
        }
    return count;
}
