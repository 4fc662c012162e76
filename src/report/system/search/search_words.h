/* What a search for a mapping tried, and what it changes: as text, HTML and JSON. */
#ifndef REPORT_SYSTEM_SEARCH_SEARCH_WORDS_H
#define REPORT_SYSTEM_SEARCH_SEARCH_WORDS_H

#include "model/system/system_search.h"
#include "report/system/grids/system_grids.h"

/* "60000 mappings tried, 50000 of them analyzed: ..." */
void search_title(const sys_search *s, text *out);
/* What is not met and the objective, before and after. Closed with grid_close(&t->g), as is the other. */
void grid_of_scores(sys_grid *t, const sys_search *s);
/* Tasks that have another place than in the model: which. */
void grid_of_changes(sys_grid *t, const sys_answer *a);
/* ,\n "search": {...} */
void search_json(const sys_answer *a, const sys_search *s, text *out);

#endif
