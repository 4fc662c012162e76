/* What test programs share: cmocka's headers in the order that it needs, and help with files and errors. */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gridcast/gridcast.h"

/* Fails the test with the error's message unless status is GCAST_OK. */
#define assert_ok(status, err) support_assert_ok((status), (err), __FILE__, __LINE__)
void support_assert_ok(gcast_status status, const gcast_error *err, const char *file, int line);

/* The contents of a file of the source tree, for the caller to free. */
char *support_read(const char *path, size_t *size);

/* A deterministic generator of random numbers. */
typedef struct support_random {
    uint64_t state;
} support_random;
uint64_t support_next(support_random *r);
/* Uniformly from lo to hi, both included. */
int64_t support_between(support_random *r, int64_t lo, int64_t hi);
/* The number in a variable of the environment, or else this. */
uint64_t support_number(const char *name, uint64_t otherwise);
/* How often a property is tried: GRIDCAST_PROPERTY_RUNS, or else this. */
uint64_t support_runs(uint64_t otherwise);

#endif
