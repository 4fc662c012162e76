/* The sets of an experiment as work of a crew. */
#ifndef EXPERIMENT_CREW_SET_WORK_H
#define EXPERIMENT_CREW_SET_WORK_H

#include "experiment/crew/task.h"
#include "gridcast/experiment.h"

typedef struct set_work {
    const gcast_experiment *experiment; /* whose sets are judged */
    uint32_t *verdicts;                 /* rank 0: of every set; 0: the set is to be judged */
} set_work;

/* `s` must outlive the work. */
crew_work set_work_items(set_work *s);
/* Opens OUTPUT.part of this experiment, or creates it. Fills in verdicts; *found: how many. */
gcast_status set_work_open(set_work *s, part_file *p, const char *output, uint64_t *found, gcast_error *err);

#endif
