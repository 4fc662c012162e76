/* The method THESIS: algorithm 2 of the thesis, for workloads that fit its model. */
#ifndef ANALYZE_THESIS_THESIS_H
#define ANALYZE_THESIS_THESIS_H

#include "analyze/analysis.h"

/* `gpu` has been checked and reduced to the workload's partition. */
gcast_status analyze_thesis(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                            const gcast_analyze_options *options, gcast_error *err);

#endif
