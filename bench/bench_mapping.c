/* How many mappings of a model a second the search tries, on one core, and what takes the time: changes and comparisons
 * alone (a stand-in that knows every score at once), and with the analysis of the system.
 *   bench_mapping [MODEL.amxmi [GPU]]   the model of the examples, on the TX2 */
#include <stdio.h>
#include <stdlib.h>

#include "amalthea/amalthea.h"
#include "analyze/mapping/mapping_evaluate.h"
#include "analyze/mapping/mapping_search.h"
#include "base/clock.h"
#include "gridcast/read.h"

static void check(gcast_status status, const gcast_error *err)
{
    if (status == GCAST_OK)
        return;
    fprintf(stderr, "%s:%d: %s\n", err->file, err->line, err->message);
    exit(1);
}

/* Scores by a number that is as good as drawn: the search is as long as ever, the analysis takes no time. */
static gcast_status no_analysis(void *data, const sys_place *places, map_score *score, gcast_error *err)
{
    const sys_system *s = data;
    uint64_t number = 1;
    (void)err;
    for (size_t i = 0; i < s->task_count; i++)
        number = (number ^ (uint64_t)(places[i].core + 2) ^ (uint64_t)places[i].busy << 9) * 0x100000001b3u;
    *score = (map_score){INT64_MAX / 4, INT64_MAX / 4, (int64_t)(number >> 2)};
    return GCAST_OK;
}

static void row(const char *what, const sys_system *s, map_evaluator evaluator, uint64_t tries)
{
    gcast_error err;
    map_options o = map_options_default();
    map_search search;
    map_trier trier;
    map_score best;
    o.tries = tries;
    o.islands = 4;
    check(map_search_make(&search, s, &o, &err), &err);
    check(map_search_trier(&search, evaluator, &trier, &err), &err);
    uint64_t *words = calloc(2 * search.words, sizeof *words);
    sys_place *places = calloc(s->task_count, sizeof *places);
    if (!words || !places)
        exit(1);
    int64_t start_ns = clock_now_ns();
    check(map_search_begin(&search, &trier, &err), &err);
    for (uint64_t i = 0; i < search.items; i++) {
        check(map_search_input(&search, i, words, &err), &err);
        check(map_search_do(&search, &trier, i, words, words + search.words, &err), &err);
        map_search_keep(&search, i, words + search.words);
    }
    double seconds = (double)(clock_now_ns() - start_ns) / 1e9;
    map_counts c = map_search_counts(&search);
    map_search_best(&search, places, &best);
    printf("%-12s %9llu %9llu %9llu %12.0f %8lld %14.3f\n", what, (unsigned long long)c.tried,
           (unsigned long long)c.analyzed, (unsigned long long)c.repeated, (double)c.tried / seconds,
           (long long)best.missed, (double)best.value / 1e6);
    map_trier_free(&trier);
    map_search_free(&search);
    free(words);
    free(places);
}

int main(int argc, char **argv)
{
    gcast_error err;
    gcast_gpu *gpu = NULL;
    am_model *model = NULL;
    sys_system *s = NULL;
    map_analysis analysis;
    sys_given given = {.file = "", .fill = true, .switch_ns = -1};
    sys_analyze_options options = system_analyze_options_default();
    map_objective objective = map_options_default().objective;
    const char *file = argc > 1 ? argv[1] : SOURCE_DIR "/examples/12-car.amxmi";
    check(gcast_gpu_load(argc > 2 ? argv[2] : "tx2", &gpu, &err), &err);
    check(amalthea_read(&file, 1, &model, &err), &err);
    check(amalthea_system(model, gpu, &given, &s, &err), &err);
    printf("%-12s %9s %9s %9s %12s %8s %14s\n", "", "tried", "analyzed", "repeated", "tried/s", "not met",
           "responses, ms");
    row("no analysis", s, (map_evaluator){no_analysis, s}, 400000);
    check(map_analysis_make(&analysis, s, &options, objective, true, &err), &err);
    row("analysis", s, map_analysis_evaluator(&analysis), 40000);
    map_analysis_free(&analysis);
    system_free(s);
    amalthea_free(model);
    gcast_gpu_free(gpu);
    return 0;
}
