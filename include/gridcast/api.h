/* What the library exports: GCAST_API marks every public function, all other symbols are hidden. C++ programs see C
 * linkage.
 *
 * Every function checks what it is given. NULL for an argument whose comment does not say that it may be, an index out
 * of range, a number that an enum does not have, or an object of another run or workload is refused: GCAST_USAGE
 * (values that files have, too: GCAST_INPUT); false, NULL or 0 where there is no status. Freed memory, and counts
 * larger than their arrays, cannot be seen.
 *
 * A call that makes something gives it back through a pointer to a pointer, which is NULL if the call fails. The caller
 * frees it: a struct with the function that has its name (gcast_run with gcast_run_free), text and arrays with
 * gcast_memory_free. */
#ifndef GRIDCAST_API_H
#define GRIDCAST_API_H

#if defined(__GNUC__)
#define GCAST_API __attribute__((visibility("default")))
#else
#define GCAST_API
#endif

#ifdef __cplusplus
#define GCAST_BEGIN_DECLS extern "C" {
#define GCAST_END_DECLS }
#else
#define GCAST_BEGIN_DECLS
#define GCAST_END_DECLS
#endif

#endif
