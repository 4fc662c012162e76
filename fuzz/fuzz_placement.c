/* Any bytes as a gridcast.run/1: a placement that reads is on SMs that there are, and starts every block once. */
#include <stdio.h>
#include <stdlib.h>

#include "gridcast/gridcast.h"
#include "model/launch_placement.h"

#define MAX_BLOCKS 4

static void check(bool ok, const char *message)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", message);
    abort();
}

static void try_read(const uint8_t *data, size_t size, const char *kernel, uint64_t blocks)
{
    uint32_t sms, sm[MAX_BLOCKS], order[MAX_BLOCKS], seen[MAX_BLOCKS] = {0};
    gcast_error err;
    if (gcast_placement_read((const char *)data, size, "fuzz", kernel, blocks, &sms, sm, order, &err) != GCAST_OK) {
        check(err.message[0] && err.code != GCAST_OK, "a failure without a message");
        return;
    }
    for (uint64_t i = 0; i < blocks; i++)
        check(sm[i] < sms && order[i] < blocks && !seen[order[i]]++, "no placement");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (uint64_t blocks = 1; blocks <= MAX_BLOCKS; blocks++) {
        try_read(data, size, NULL, blocks);
        try_read(data, size, "K", blocks);
        try_read(data, size, "K#1", blocks);
    }
    return 0;
}
