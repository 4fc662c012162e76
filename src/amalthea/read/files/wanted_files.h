/* Files that references lead to. */
#ifndef AMALTHEA_READ_FILES_WANTED_FILES_H
#define AMALTHEA_READ_FILES_WANTED_FILES_H

#include "amalthea/read/reader.h"

/* Where references to other files cannot be resolved: reads those of the same folder that define what is wanted. */
bool files_add_wanted(am_reader *r);

#endif
