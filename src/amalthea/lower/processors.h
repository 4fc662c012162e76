/* Finds the processing units of a model: cores and their kinds, and the GPU. */
#ifndef AMALTHEA_LOWER_PROCESSORS_H
#define AMALTHEA_LOWER_PROCESSORS_H

#include "amalthea/lower/lowering.h"

/* Fills in cores, kinds, GPU and clocks. */
gcast_status processors_find(lowering *l);
/* The type of a processing unit. */
am_pu_type processor_type(const am_model *m, int unit);
/* The definition of a processor, or NULL. */
const am_definition *processor_definition(const am_model *m, const processor *p);

#endif
