/* The parts of variant_make: each makes changes of some kinds. */
#ifndef CHANGE_CHANGE_PARTS_H
#define CHANGE_CHANGE_PARTS_H

#include "change/variant.h"

/* Changes of blocks, durations, carveouts and SMs of kernels. */
gcast_status change_kernels(variant *v, const change *c, gcast_error *err);
/* CHANGE_ON_SMS: refused where the op has SMs of its own. */
gcast_status change_on_sms(gcast_workload *w, const change *c, gcast_error *err);
/* Changes of one op or task: when it is called, and what its blocks take. */
gcast_status change_op(variant *v, const change *c, gcast_error *err);
/* Changes of streams: which ops they have, their priorities, and whether they are blocking. */
gcast_status change_streams(variant *v, const change *c, gcast_error *err);
/* Between graphs and launches. */
gcast_status change_to_graphs(variant *v, gcast_error *err);
gcast_status change_to_launches(variant *v, const change *c, gcast_error *err);

#endif
