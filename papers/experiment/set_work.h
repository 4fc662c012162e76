/* The sets of an experiment, as work of a crew. */
#ifndef PAPERS_EXPERIMENT_SET_WORK_H
#define PAPERS_EXPERIMENT_SET_WORK_H

#include "crew/crew.h"
#include "papers/experiment/experiment.h"

typedef struct set_work {
    const gcast_experiment *experiment;
    uint32_t *verdicts; /* rank 0: by set; 0: not judged yet */
} set_work;

/* `s` must outlive the work. */
crew_work set_work_items(set_work *s);
/* Opens or creates OUTPUT.part of this experiment, and fills in the verdicts in it. *found is their number. */
gcast_status set_work_open(set_work *s, part_file *p, const char *output, uint64_t *found, gcast_error *err);

#endif
