#include "cli/launcher.h"

#include <stdlib.h>
#include <unistd.h>

#include "cli/say.h"

/* Open MPI, MPICH and Slurm set variables for the processes that they start; nothing else shows them. */
launcher launched_by(void)
{
    const char *count = getenv("OMPI_COMM_WORLD_SIZE");
    launcher found = {.is_present = count || getenv("PMI_RANK") || getenv("PMIX_RANK")};
    count = count ? count : getenv("PMI_SIZE");
    found.processes = count ? atoi(count) : 0;
    return found;
}

void launched_end_all(const ranks *r, gcast_status status)
{
    ranks_abort(r, status);
    exit((int)status);
}

void launched_cannot_start(void)
{
    _exit(say(GCAST_RESOURCE, "not enough memory or threads for --threads; fewer may do"));
}
