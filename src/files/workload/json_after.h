/* What ops of gridcast.workload/1 are after. */
#ifndef FILES_WORKLOAD_JSON_AFTER_H
#define FILES_WORKLOAD_JSON_AFTER_H

#include "files/workload/state.h"

/* Reads `after` of all ops. They have been read but for that, so that all labels are known. */
void native_dependencies(native_reader *r);

#endif
