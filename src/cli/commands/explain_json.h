/* What explain prints as JSON. */
#ifndef CLI_COMMANDS_EXPLAIN_JSON_H
#define CLI_COMMANDS_EXPLAIN_JSON_H

#include "base/fields.h"
#include "cli/commands/explain_print.h"

/* gridcast.explanation/1 */
void explain_json(text *t, const explained *x);
/* gridcast.pair/1 */
void pair_json(text *t, const paired *x);

extern const record explanation_schema[], pair_schema[];

#endif
