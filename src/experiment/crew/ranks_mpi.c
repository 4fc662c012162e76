/* Ranks by MPI. It polls instead of waiting inside MPI, whose waits keep a core busy. */
#include <mpi.h>
#include <stdlib.h>

#include "cli/command.h"
#include "experiment/crew/ranks.h"

/* What the launchers of Open MPI, MPICH and Slurm set. */
static bool launched(void)
{
    static const char *const set[] = {"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMIX_RANK"};
    for (size_t i = 0; i < sizeof set / sizeof set[0]; i++)
        if (getenv(set[i]))
            return true;
    return false;
}

gcast_status ranks_start(ranks *r)
{
    int provided;
    MPI_Comm here;
    *r = (ranks){.count = 1, .local = 1};
    if (!launched())
        return GCAST_OK;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS || provided < MPI_THREAD_FUNNELED)
        return say(GCAST_RESOURCE, "MPI cannot be started");
    MPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r->count);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &r->local);
    MPI_Comm_free(&here);
    return GCAST_OK;
}

static bool started(void)
{
    int yes = 0;
    MPI_Initialized(&yes);
    return yes;
}

void ranks_end(const ranks *r)
{
    (void)r;
    if (started())
        MPI_Finalize();
}

void ranks_abort(const ranks *r, gcast_status status)
{
    if (r->count > 1)
        MPI_Abort(MPI_COMM_WORLD, (int)status);
    exit((int)status);
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
    uint64_t ends[2] = {word, ~word}, least[2] = {word, ~word};
    if (r->count > 1)
        MPI_Allreduce(ends, least, 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    return least[0] == ~least[1];
}

void ranks_send(const ranks *r, int to, const uint64_t *words, size_t count)
{
    if (r->count > 1)
        MPI_Send(words, (int)count, MPI_UINT64_T, to, 0, MPI_COMM_WORLD);
}

bool ranks_receive(const ranks *r, int *from, uint64_t *words, size_t *count)
{
    int there = 0, n;
    MPI_Status s;
    if (r->count == 1)
        return false;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &s);
    if (!there)
        return false;
    MPI_Recv(words, RANKS_MOST_WORDS, MPI_UINT64_T, s.MPI_SOURCE, 0, MPI_COMM_WORLD, &s);
    MPI_Get_count(&s, MPI_UINT64_T, &n);
    *from = s.MPI_SOURCE;
    *count = (size_t)n;
    return true;
}
