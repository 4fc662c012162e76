/* What a search for a mapping tried, and what it changes: as text, HTML and JSON. */
#ifndef REPORT_SYSTEM_SEARCH_REPORT_H
#define REPORT_SYSTEM_SEARCH_REPORT_H

#include "base/fields.h"
#include "model/system_answer.h"
#include "report/system/system_grids.h"

/* "60000 mappings tried, 50000 of them analyzed: ..." */
void search_title(const sys_search *s, text *out);
/* What is not met and the objective, before and after. Both grids are closed with grid_close(&t->g). */
void grid_of_scores(sys_grid *t, const sys_search *s);
/* The tasks that have another core, priority or way of waiting than in the model. */
void grid_of_changes(sys_grid *t, const sys_answer *a);
/* The fields of the search, and of what is in it. */
void search_json(const sys_answer *a, const sys_search *s, json_out *j);
extern const field search_fields[], search_score_fields[], search_change_fields[], search_place_fields[];

#endif
