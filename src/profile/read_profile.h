/* Reads a profile of any supported profiler. */
#ifndef PROFILE_READ_PROFILE_H
#define PROFILE_READ_PROFILE_H

#include "profile/reading.h"
#include "profile/trace.h"

/* Reads an export of Nsight Systems (SQLite) or a trace of Kineto (JSON, plain or gzip; "-": from standard input). The
 * first bytes of the file decide which. options may be NULL. *t is NULL where this fails. */
gcast_status prof_read(const char *path, const prof_read_options *options, prof_trace **t, gcast_error *err);

#endif
