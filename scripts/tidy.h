/* For clang-tidy only, which looks at one file at a time: the status that functions of other files return. It is never
 * compiled into anything. */
#ifndef SCRIPTS_TIDY_H
#define SCRIPTS_TIDY_H

#include "gridcast/error.h"

#define RETURNS extern inline __attribute__((gnu_inline)) /* may be followed by the real definition */

RETURNS gcast_status gcast_error_set_memory(gcast_error *err)
{
    (void)err;
    return GCAST_RESOURCE;
}

#undef RETURNS
#endif
