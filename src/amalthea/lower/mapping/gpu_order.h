/* How tasks on the GPU go before each other: by their streams. */
#ifndef AMALTHEA_LOWER_MAPPING_GPU_ORDER_H
#define AMALTHEA_LOWER_MAPPING_GPU_ORDER_H

#include "amalthea/lower/state.h"

/* The priority of a task's stream, as given: CUDA's lower numbers first become higher numbers first. */
int64_t stream_priority(const lowering *l, const sys_task *t);
/* Tells where the model has another order, or a scheduler of the GPU. */
gcast_status gpu_order_check(lowering *l);

#endif
