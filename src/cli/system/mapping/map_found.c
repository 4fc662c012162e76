#include "cli/system/mapping/map_found.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/mapping/mapping_changes.h"
#include "analyze/mapping/score/mapping_analysis.h"
#include "base/text/text.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "cli/system/mapping/map_write.h"
#include "cli/system/system_verdict.h"

static const struct {
    const char *name, *value;
} objectives[] = {
#define X(id, name, text) {name, text},
    MAP_OBJECTIVE_TABLE(X)
#undef X
};

/* Which mappings were tried. */
static char *say_how(const map_search *s)
{
    static const char *const orders[] = {
#define X(id, words) words,
        MAP_ORDERS_TABLE(X)
#undef X
    };
    text t;
    text_open(&t, NULL, NULL);
    if (s->walks && s->size > 1)
        text_printf(&t, "all %llu that differ, with %s%s", (unsigned long long)s->size, orders[s->orders],
                    s->segments ? ", then " : "");
    else if (s->walks)
        text_printf(&t, "%s%s", orders[s->orders], s->segments ? ", then " : "");
    if (s->segments)
        text_printf(&t, "by small changes from %u %s (seed %llu)", s->options.islands,
                    s->walks ? "times the best of them" : "of them", (unsigned long long)s->options.seed);
    if (!s->walks)
        text_printf(&t, ", of up to %.1e without orders of priorities", map_space_size(&s->space, false));
    return text_take(&t, NULL);
}

static sys_search_score told_score(map_score score, bool is_time)
{
    bool late = score.late_ns >= MAP_UNBOUNDED_NS;
    bool unbounded =
        is_time ? score.value >= MAP_UNBOUNDED_NS : score.value >= -MAP_LEAST_SLACK || score.value == INT64_MIN;
    return (sys_search_score){score.missed / MAP_BROKEN, score.missed % MAP_BROKEN,
                              late ? SYS_UNBOUNDED : score.late_ns, unbounded ? SYS_UNBOUNDED : score.value};
}

/* The best mapping, as it is to be written. */
static gcast_status find_places(const opened_system *o, const map_search *s, const sys_analyze_options *quick,
                                sys_place *places)
{
    gcast_error err;
    map_analysis analysis;
    map_score score;
    map_search_best(s, places, &score);
    if (map_score_compare(&score, &s->own_score) >= 0)
        return GCAST_OK;
    gcast_status status = map_analysis_make(&analysis, o->s, quick, s->options.objective, true, &err);
    if (status == GCAST_OK) {
        status = map_fewest_changes(&s->space, map_analysis_evaluator(&analysis), places, &score, &err);
        map_analysis_free(&analysis);
    }
    return status == GCAST_OK ? GCAST_OK : say_system_error(o->s, &err);
}

static gcast_status analyze_in_full(const opened_system *o, const sys_place *places, const sys_analyze_options *options,
                                    progress *shown, sys_answer **answer)
{
    gcast_error err;
    sys_analyze_options own = *options;
    own.gpu.progress = progress_show;
    own.gpu.progress_data = shown;
    gcast_status status = system_analyze(o->s, places, &own, answer, &err);
    if (status == GCAST_OK)
        return GCAST_OK;
    progress_end(shown);
    return say_system_error(o->s, &err);
}

/* Of the system's own mapping and the one that was found, the better one; the other answer is freed. */
static sys_answer *choose(sys_answer *own, sys_answer *found, sys_search *told, map_objective objective)
{
    map_score before = map_score_answer(own, objective), after = map_score_answer(found, objective);
    told->is_better = map_score_compare(&after, &before) < 0;
    told->before = told_score(before, told->is_time);
    told->after = told->is_better ? told_score(after, told->is_time) : told->before;
    system_answer_free(told->is_better ? own : found);
    return told->is_better ? found : own;
}

static gcast_status analyze_both(const opened_system *o, const map_search *s, const sys_place *places,
                                 const sys_analyze_options *options, sys_search *told, sys_answer **answer)
{
    progress shown;
    sys_answer *own, *found;
    progress_start(&shown, "analysing");
    gcast_status status = analyze_in_full(o, NULL, options, &shown, &own);
    if (status != GCAST_OK)
        return status;
    status = analyze_in_full(o, places, options, &shown, &found);
    if (status != GCAST_OK) {
        system_answer_free(own);
        return status;
    }
    progress_end(&shown);
    *answer = choose(own, found, told, s->options.objective);
    return GCAST_OK;
}

/* The report comes first: a model that cannot be written is no reason to lose it. */
static gcast_status tell_answer(const args *a, const opened_system *o, sys_answer *answer, const sys_search *told,
                                const char *model)
{
    gcast_status status = system_tell(a, answer, told);
    bool is_told = status == GCAST_OK || status == GCAST_NO || status == GCAST_CONDITION;
    gcast_status written = is_told && model ? map_write_model(a, o, answer->places, model) : GCAST_OK;
    return written == GCAST_OK ? status : written;
}

gcast_status map_found_tell(const args *a, const opened_system *o, map_search *s, const map_found_options *f)
{
    map_counts counts = map_search_counts(s);
    map_objective_kind kind = s->options.objective.kind;
    sys_place *places = calloc(o->s->task_count + 1, sizeof *places);
    char *how = say_how(s);
    sys_search told = {.how = how,
                       .objective = objectives[kind].name,
                       .value = objectives[kind].value,
                       .is_time = kind != MAP_SLACK,
                       .tried = counts.tried,
                       .analyzed = counts.analyzed,
                       .seed = s->options.seed,
                       .is_complete = f->is_complete};
    sys_answer *answer = NULL;
    gcast_status status = places && how ? GCAST_OK : say(GCAST_RESOURCE, "not enough memory");
    if (status == GCAST_OK)
        status = find_places(o, s, f->quick, places);
    if (status == GCAST_OK)
        status = analyze_both(o, s, places, f->options, &told, &answer);
    if (status == GCAST_OK)
        status = tell_answer(a, o, answer, &told, f->model);
    system_answer_free(answer);
    free(places);
    free(how);
    return status;
}
