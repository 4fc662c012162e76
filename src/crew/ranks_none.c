/* Ranks in builds without MPI: there is only one. */
#include "crew/ranks.h"

gcast_status ranks_start(ranks *r, launcher by, gcast_error *err)
{
    *r = (ranks){.count = 1, .local = 1};
    if (by.processes > 1)
        return gcast_error_set(err, GCAST_USAGE, NULL, "this build has no MPI: run it without mpirun");
    return GCAST_OK;
}

void ranks_end(const ranks *r)
{
    (void)r;
}

void ranks_abort(const ranks *r, gcast_status status)
{
    (void)r, (void)status;
}

void ranks_share(const ranks *r, uint64_t *word)
{
    (void)r, (void)word;
}

void ranks_share_bytes(const ranks *r, char **bytes, size_t *size)
{
    (void)r, (void)bytes, (void)size;
}

bool ranks_agree(const ranks *r, uint64_t word)
{
    (void)r, (void)word;
    return true;
}

void ranks_send(const ranks *r, int receiver, const uint64_t *words, size_t count)
{
    (void)r, (void)receiver, (void)words, (void)count;
}

bool ranks_receive(const ranks *r, int *sender, uint64_t *words, size_t *count)
{
    (void)r, (void)sender, (void)words, (void)count;
    return false;
}
