/* Lists of numbers in options: SMs such as 0-15,20, and weights such as 1,2.5,1. */
#ifndef CLI_SMC_NUMBER_LISTS_H
#define CLI_SMC_NUMBER_LISTS_H

#include "base/vec.h"
#include "gridcast/error.h"

typedef VEC(uint32_t) sm_list;
typedef VEC(double) weight_list;

/* `option` is for messages. Errors are printed. */
gcast_status sm_list_read(const char *option, const char *value, sm_list *out);
gcast_status weight_list_read(const char *option, const char *value, weight_list *out);

#endif
