/* The name of the format, shared by its reader and its writer. */
#ifndef FILES_WORKLOAD_WRITE_WORKLOAD_H
#define FILES_WORKLOAD_WRITE_WORKLOAD_H

#define WORKLOAD_SCHEMA "gridcast.workload/1"

#endif
