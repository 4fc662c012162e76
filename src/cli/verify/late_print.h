/* What is late, as a table. */
#ifndef CLI_VERIFY_LATE_PRINT_H
#define CLI_VERIFY_LATE_PRINT_H

#include "base/text/text.h"
#include "cli/verify/late.h"

/* Families, and at most so many of the operations that are late, which are sorted already. */
void late_table(text *t, const late_counts *c, size_t max_late);
void late_legend(text *t, const late_counts *c);

#endif
