/* Verdicts that are already known, in a file next to the output: one line per set, written as soon as the set is
 * judged, so that an experiment that was killed goes on where it was. */
#ifndef EXPERIMENT_CREW_PART_FILE_H
#define EXPERIMENT_CREW_PART_FILE_H

#include "base/vec.h"
#include "gridcast/experiment.h"

typedef struct part_file {
    int fd;            /* -1: there is no file */
    char path[4096];   /* its name */
    uint64_t hash;     /* of the experiment */
    VEC(char) lines;   /* that are not yet written */
    int64_t synced_ns; /* when it was written to the disk last */
} part_file;

/* Opens OUTPUT.part of this experiment, or creates it. Fills in verdicts[]; *found: how many. */
gcast_status part_open(part_file *p, const char *output, const gcast_experiment *e, uint32_t *verdicts, uint64_t *found,
                       gcast_error *err);
/* Adds a line. False without memory. */
bool part_add(part_file *p, uint64_t set, uint32_t verdicts);
/* Writes the lines that were added; now and then, down to the disk. */
gcast_status part_flush(part_file *p, gcast_error *err);
void part_close(part_file *p, bool remove);

#endif
