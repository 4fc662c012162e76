/* What the library exports: GCAST_API marks every public function, all other symbols are hidden. C++ programs see C
 * linkage. */
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
