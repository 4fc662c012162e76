/* Do deadlines that are met rest on what the workload leaves open? On registers, which may be any number, all do. */
#ifndef ANALYZE_ASSUMED_OPEN_CHOICES_H
#define ANALYZE_ASSUMED_OPEN_CHOICES_H

#include "analyze/answer.h"

/* Analyses the workload with each other choice; what is not shown to be met then is met on a condition. */
gcast_status open_choices_try(owned_answer *o, const gcast_gpu *gpu, const gcast_analyze_options *options,
                              gcast_error *err);

/* The same where no analysis can be asked: all that are met may rest on it. */
void open_choices_rest(owned_answer *o, const gcast_gpu *gpu);

#endif
