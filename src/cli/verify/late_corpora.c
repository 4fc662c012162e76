#include "cli/verify/late_corpora.h"

#include <string.h>

#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/verify/late.h"
#include "cli/verify/late_print.h"

#define MAX_QUANTILE 1000000000

static bool is_wanted(const args *a, const gcast_scenario *s)
{
    const char *family = args_value(a, "family"), *name = args_value(a, "scenario");
    return (!family || strcmp(family, s->family) == 0) && (!name || strcmp(name, s->workload->name) == 0);
}

static gcast_status add_corpus(const args *a, size_t index, late_counts *c, progress *shown, gcast_error *err)
{
    gcast_corpus *corpus;
    gcast_scenario *s;
    gcast_status status = gcast_corpus_open(a->operands[index], &corpus, err);
    if (status != GCAST_OK)
        return status;
    while ((status = gcast_corpus_next(corpus, &s, err)) == GCAST_OK && s) {
        progress_show(shown, ((double)index + gcast_corpus_done(corpus)) / (double)a->operand_count);
        status = is_wanted(a, s) ? late_add(c, s, err) : GCAST_OK;
        gcast_scenario_free(s);
        if (status != GCAST_OK)
            break;
    }
    gcast_corpus_close(corpus);
    return status;
}

static gcast_status add_all(const args *a, late_counts *c)
{
    progress shown;
    gcast_error err;
    gcast_status status = GCAST_OK;
    progress_start(&shown, "bounding");
    for (size_t i = 0; i < a->operand_count && status == GCAST_OK; i++)
        status = add_corpus(a, i, c, &shown, &err);
    progress_end(&shown);
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

static gcast_status print_all(const args *a, late_counts *c, size_t max_late)
{
    output out;
    if (!c->all.runs)
        return say(GCAST_INPUT, "there is no recorded run to bound");
    late_sort(c);
    gcast_status status = output_open(&out, "-", false);
    if (status != GCAST_OK)
        return status;
    late_table(&out.words, c, max_late);
    if (!args_has(a, "quiet"))
        late_legend(&out.words, c);
    status = output_finish(&out, GCAST_OK, NULL);
    size_t late = c->all.kernels.late + c->all.copies.late;
    if (status == GCAST_OK && late)
        return say(GCAST_NO, "%zu of %zu operations ended after their bound", late,
                   c->all.kernels.operations + c->all.copies.operations);
    return status;
}

gcast_status late_command(const args *a, const gcast_gpu *gpu)
{
    static const char *const allowed[] = {"bound", "quantile", "gpu",   "family", "scenario",
                                          "worst", "quiet",    "color", "help",   NULL};
    int64_t max_late = 5;
    late_counts c = {.gpu = gpu, .quantile = 1000};
    gcast_status status = args_only(a, "bound", allowed);
    if (status == GCAST_OK)
        status = args_int(a, "quantile", 2, MAX_QUANTILE, &c.quantile);
    if (status == GCAST_OK)
        status = args_int(a, "worst", 0, 100000, &max_late);
    if (status == GCAST_OK)
        status = add_all(a, &c);
    if (status == GCAST_OK)
        status = print_all(a, &c, (size_t)max_late);
    late_free(&c);
    return status;
}
