/* Shared by the readers of profiles: options, errors of files, kinds of calls by name, and helpers for numbers. */
#ifndef PROFILE_READING_H
#define PROFILE_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gridcast/error.h"
#include "profile/trace.h"

/* Compares (a1, a2) with (b1, b2), for orders by two numbers. */
static inline int compare_pairs(int64_t a1, int64_t b1, int64_t a2, int64_t b2)
{
    return a1 != b1 ? (a1 < b1 ? -1 : 1) : (a2 > b2) - (a2 < b2);
}

/* CUPTI writes the number of an unknown stream or event as -1, or as -1 without a sign. */
static inline int64_t id_or_unknown(int64_t id)
{
    return id < 0 || id == UINT32_MAX ? PROF_UNKNOWN : id;
}

typedef struct prof_read_options {
    bool (*progress)(void *data, double fraction); /* may be NULL; returns false to stop the reading */
    void *progress_data;                           /* `data` of `progress` */
} prof_read_options;

/* Sets an error of the file. Returns `code`. */
gcast_status prof_file_error(const char *file, gcast_status code, gcast_error *err, const char *format, ...)
    GCAST_PRINTF(4, 5);
/* Sets an error of the file from an errno; GCAST_RESOURCE if the process lacks memory or descriptors. */
gcast_status prof_system_error(const char *file, int error_number, gcast_error *err);

/* The kind of a CUDA runtime or driver function. Suffixes of the name, such as _v7000 and _ptsz, make no difference. */
prof_call_kind call_kind_of(const char *name);
/* Does the function return only when its work is done? cudaMemcpy does, cudaMemcpyAsync does not. */
bool call_is_synchronous(const char *name);

#define DECIMAL_MAX (INT64_MAX / 4)

/* A JSON number times 10^digits, exactly and without fraction: 12.345 us with 3 digits are 12345 ns. False beyond
 * DECIMAL_MAX. *is_whole: all digits behind the point are 0. */
bool decimal_parse(const char *text, size_t size, int digits, int64_t *value, bool *is_whole);

#endif
