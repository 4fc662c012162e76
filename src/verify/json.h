/* Scores as gridcast.verify/1 (docs/formats.md). */
#ifndef VERIFY_JSON_H
#define VERIFY_JSON_H

#include "base/text/text.h"
#include "verify/scores.h"

void verify_json(text *t, const verify_scores *s);

#endif
