/* The name of the format, for its reader and its writer. */
#ifndef FILES_WORKLOAD_SCHEMA_H
#define FILES_WORKLOAD_SCHEMA_H

#define WORKLOAD_SCHEMA "gridcast.workload/1"

#endif
