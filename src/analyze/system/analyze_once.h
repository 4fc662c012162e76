/* One analysis of a system, as it is. */
#ifndef ANALYZE_SYSTEM_ANALYZE_ONCE_H
#define ANALYZE_SYSTEM_ANALYZE_ONCE_H

#include "analyze/system/system_analysis.h"

/* As system_analyze, but nothing that is assumed of the GPU is tried otherwise. `any_phase`: the GPU is asked by bound
 * for any phase alone, whose times do not shrink where those of the GPU grow. */
gcast_status system_analyze_once(const sys_system *s, const sys_place *places, const sys_analyze_options *options,
                                 bool any_phase, sys_answer **out, gcast_error *err);

#endif
