#include "cli/completion/file_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "amalthea/amalthea.h"
#include "gridcast/gridcast.h"

/* Nothing is read from pipes and devices, which may never end, or which somebody else is to read. */
static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

void offer_labels(const completion_line *l, const char *end, bool tasks)
{
    gcast_workload *w = NULL;
    gcast_error err;
    gcast_read_options options = gcast_read_options_default();
    options.iterations = 1;
    if (!l->operand_count || !is_file(l->operands[0]) ||
        gcast_workload_load(l->operands[0], &options, &w, &err) != GCAST_OK)
        return;
    for (size_t i = 0; i < w->op_count; i++)
        offer_with(l, w->ops[i].label, end);
    for (size_t i = 0; tasks && i < w->task_count; i++)
        offer(l, w->tasks[i].name);
    gcast_workload_free(w);
}

/* Scenarios of one family follow each other, so that a family is printed once. */
void offer_recorded(const completion_line *l, bool families)
{
    char last[256] = "";
    for (int i = 0; i < l->operand_count; i++) {
        gcast_corpus *corpus;
        gcast_scenario *s;
        gcast_error err;
        if (!is_file(l->operands[i]) || gcast_corpus_open(l->operands[i], &corpus, &err) != GCAST_OK)
            continue;
        while (gcast_corpus_next(corpus, &s, &err) == GCAST_OK && s) {
            const char *name = families ? s->family : s->workload->name;
            if (!families || strcmp(name, last) != 0)
                offer(l, name);
            snprintf(last, sizeof last, "%s", name);
            gcast_scenario_free(s);
        }
        gcast_corpus_close(corpus);
    }
}

void offer_kernels(const completion_line *l)
{
    gcast_ptx *ptx;
    gcast_error err;
    char *text;
    size_t size;
    if (!l->operand_count || !is_file(l->operands[0]) ||
        gcast_file_read(l->operands[0], &text, &size, &err) != GCAST_OK)
        return;
    if (gcast_ptx_parse(text, size, l->operands[0], &ptx, &err) == GCAST_OK) {
        for (uint32_t i = 0; i < gcast_ptx_kernels(ptx); i++)
            offer(l, gcast_ptx_kernel(ptx, i));
        gcast_ptx_free(ptx);
    }
    free(text);
}

/* The model of the operands; NULL: there is none. */
static am_model *read_model(const completion_line *l)
{
    am_model *m = NULL;
    gcast_error err;
    struct stat st;
    for (int i = 0; i < l->operand_count; i++)
        if (stat(l->operands[i], &st) != 0 || !(S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
            return NULL;
    if (!l->operand_count || amalthea_read(l->operands, (size_t)l->operand_count, &m, &err) != GCAST_OK)
        return NULL;
    return m;
}

void offer_model_tasks(const completion_line *l, const char *end)
{
    am_model *m = read_model(l);
    for (size_t i = 0; m && i < m->task_count; i++)
        offer_with(l, m->tasks[i].name, end);
    if (m)
        amalthea_free(m);
}

void offer_model_cores(const completion_line *l)
{
    am_model *m = read_model(l);
    for (size_t i = 0; m && i < m->unit_count; i++)
        if (m->units[i].kind == AM_UNIT_PROCESSOR)
            offer(l, m->units[i].name);
    if (m)
        amalthea_free(m);
}

void offer_model_chains(const completion_line *l)
{
    am_model *m = read_model(l);
    for (size_t i = 0; m && i < m->chain_count; i++)
        offer(l, m->chains[i].name);
    for (size_t i = 0; m && i < m->process_chain_count; i++)
        offer(l, m->process_chains[i].name);
    if (m)
        amalthea_free(m);
}
