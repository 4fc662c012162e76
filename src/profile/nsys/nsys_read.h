/* Reads exports of Nsight Systems to SQLite, schemas 2.9 to 3.25. */
#ifndef PROFILE_NSYS_NSYS_READ_H
#define PROFILE_NSYS_NSYS_READ_H

#include "profile/reading.h"
#include "profile/trace.h"

/* *t is NULL where this fails. */
gcast_status nsys_read(const char *path, const prof_read_options *options, prof_trace **t, gcast_error *err);
/* Reads a database in memory. */
gcast_status nsys_read_memory(const char *name, const void *bytes, size_t size, prof_trace **t, gcast_error *err);

#endif
