/* Ranks with MPI. Messages are polled, as waits inside MPI keep a core busy. */
#include <mpi.h>
#include <stdlib.h>

#include "crew/ranks.h"

gcast_status ranks_start(ranks *r, launcher by, gcast_error *err)
{
    int provided;
    MPI_Comm node;
    *r = (ranks){.count = 1, .local = 1};
    if (!by.is_present)
        return GCAST_OK;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS || provided < MPI_THREAD_FUNNELED)
        return gcast_error_set(err, GCAST_RESOURCE, NULL, "MPI cannot be started");
    MPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r->count);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &r->local);
    MPI_Comm_free(&node);
    return GCAST_OK;
}

static bool is_started(void)
{
    int started = 0;
    MPI_Initialized(&started);
    return started;
}

void ranks_end(const ranks *r)
{
    (void)r;
    if (is_started())
        MPI_Finalize();
}

void ranks_abort(const ranks *r, gcast_status status)
{
    if (r->count > 1)
        MPI_Abort(MPI_COMM_WORLD, (int)status);
}

void ranks_share(const ranks *r, uint64_t *word)
{
    if (r->count > 1)
        MPI_Bcast(word, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
}

void ranks_share_bytes(const ranks *r, char **bytes, size_t *size)
{
    if (r->count == 1)
        return;
    uint64_t n = *size;
    ranks_share(r, &n);
    *size = n;
    if (r->rank)
        *bytes = malloc(n + 1);
    if (*bytes)
        MPI_Bcast(*bytes, (int)n, MPI_BYTE, 0, MPI_COMM_WORLD);
}

bool ranks_agree(const ranks *r, uint64_t word)
{
    uint64_t own[2] = {word, ~word}, smallest[2] = {word, ~word};
    if (r->count > 1)
        MPI_Allreduce(own, smallest, 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    return smallest[0] == ~smallest[1];
}

void ranks_send(const ranks *r, int receiver, const uint64_t *words, size_t count)
{
    if (r->count > 1)
        MPI_Send(words, (int)count, MPI_UINT64_T, receiver, 0, MPI_COMM_WORLD);
}

bool ranks_receive(const ranks *r, int *sender, uint64_t *words, size_t *count)
{
    int found = 0, n;
    MPI_Status s;
    if (r->count == 1)
        return false;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &found, &s);
    if (!found)
        return false;
    MPI_Recv(words, RANKS_MAX_WORDS, MPI_UINT64_T, s.MPI_SOURCE, 0, MPI_COMM_WORLD, &s);
    MPI_Get_count(&s, MPI_UINT64_T, &n);
    *sender = s.MPI_SOURCE;
    *count = (size_t)n;
    return true;
}
