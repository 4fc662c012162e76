#include "blocks.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define MOST (1 << 18) /* a power of two; of more blocks, some are not looked at */
#define FAR 64

static struct {
    const void *block, *caller;
} table[MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t slot(const void *block)
{
    return (size_t)(((uintptr_t)block >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (MOST - 1);
}

void blocks_add(const void *block, const void *caller)
{
    pthread_mutex_lock(&lock);
    for (size_t i = slot(block), n = 0; n < FAR; n++, i = (i + 1) & (MOST - 1))
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
    for (size_t i = slot(block), n = 0; n < FAR; n++, i = (i + 1) & (MOST - 1))
        if (table[i].block == block) {
            table[i].block = NULL;
            break;
        }
    pthread_mutex_unlock(&lock);
}

long blocks_left(const void **caller)
{
    long left = 0;
    for (size_t i = 0; i < MOST; i++)
        if (table[i].block) {
            *caller = table[i].caller;
            left++;
        }
    return left;
}
