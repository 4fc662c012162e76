/* Scores as tables. */
#ifndef CLI_VERIFY_PRINT_H
#define CLI_VERIFY_PRINT_H

#include "base/text/text.h"
#include "cli/command.h"
#include "verify/scores.h"

extern const legend_entry verify_legend[];

/* Families, and at most so many of the misses, which are sorted already. */
void verify_table(text *t, const verify_scores *s, size_t max_misses);
void verify_legend_print(text *t);

#endif
