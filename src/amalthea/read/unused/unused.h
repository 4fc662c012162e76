/* What nobody asked for: listed once, never dropped in silence. */
#ifndef AMALTHEA_READ_UNUSED_UNUSED_H
#define AMALTHEA_READ_UNUSED_UNUSED_H

#include "amalthea/read/reader.h"

/* Fills the list of the model. */
bool list_unused(am_reader *r);

#endif
