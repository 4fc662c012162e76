/* What gridcast whatif prints: where the time goes, and a line for each change. */
#ifndef CLI_WHATIF_WHATIF_PRINT_H
#define CLI_WHATIF_WHATIF_PRINT_H

#include "cli/whatif/whatif_rows.h"

/* `all`: also changes that bring nothing. `parts`: the way back from the end, part by part. */
void whatif_print(text *t, const whatif_rows *r, bool all, bool parts);
/* As gridcast.whatif/1. */
void whatif_json(text *t, const whatif_rows *r);

#endif
