/* Verdicts that are already known, next to the output: a line a set, written as soon
 * as the set is judged, so that a killed experiment goes on where it was. */
#ifndef EXPERIMENT_CREW_PART_FILE_H
#define EXPERIMENT_CREW_PART_FILE_H

#include "base/vec.h"
#include "cli/command.h"

typedef struct part_file {
    int fd; /* -1: there is none */
    char path[4096];
    uint64_t hash;
    VEC(char) lines; /* not yet written */
    int64_t synced;  /* seconds */
} part_file;

/* OUTPUT.part of this experiment, made where it is not there. Fills in verdicts[]; *found of them. */
gcast_status part_open(part_file *p, const char *output, const gcast_experiment *e, uint32_t *verdicts,
                       uint64_t *found);
bool part_add(part_file *p, uint64_t set, uint32_t verdicts);
/* Write what was added; now and then, down to the disk. */
gcast_status part_flush(part_file *p);
void part_close(part_file *p, bool remove);

#endif
