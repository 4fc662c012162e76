/* Advice as tables and sentences, each after an empty line. */
#ifndef CLI_ANALYZE_ADVICE_PRINT_H
#define CLI_ANALYZE_ADVICE_PRINT_H

#include "base/text/text.h"
#include "gridcast/advice.h"

/* False without memory. */
bool advice_print_sensitivity(text *t, bool color, const gcast_workload *w, const gcast_sensitivity *s);
void advice_print_orders(text *t, const gcast_workload *w, const gcast_orders *o);
/* False without memory. */
bool advice_print_levels(text *t, bool color, const gcast_workload *w, const gcast_levels *l);

#endif
