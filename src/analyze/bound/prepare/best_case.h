/* The shortest responses and times to entry, lemma 7 of docs/bound.md. */
#ifndef ANALYZE_BOUND_PREPARE_BEST_CASE_H
#define ANALYZE_BOUND_PREPARE_BEST_CASE_H

#include "analyze/bound/state.h"

void bound_find_best_cases(bound *b);

#endif
