/* What explain says as JSON. */
#ifndef CLI_EXPLAIN_JSON_H
#define CLI_EXPLAIN_JSON_H

#include "base/text/text.h"
#include "cli/explain/state.h"

/* gridcast.explanation/1 */
void explain_json(text *t, const explained *x);
/* gridcast.pair/1 */
void pair_json(text *t, const paired *x);

#endif
