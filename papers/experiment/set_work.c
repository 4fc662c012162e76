#include "papers/experiment/set_work.h"

#include <stdio.h>

#include "papers/experiment/experiment.h"

static bool is_known(void *data, uint64_t set)
{
    const set_work *s = data;
    return s->verdicts[set] != 0;
}

static gcast_status judge(void *data, uint64_t set, const uint64_t *input, uint64_t *result, gcast_error *err)
{
    const set_work *s = data;
    uint32_t verdicts = 0;
    (void)input;
    gcast_status status = gcast_experiment_judge(s->experiment, set, &verdicts, err);
    if (status != GCAST_OK)
        snprintf(err->file, sizeof err->file, "set %llu", (unsigned long long)set);
    *result = verdicts;
    return status;
}

static void keep(void *data, uint64_t set, const uint64_t *result)
{
    set_work *s = data;
    s->verdicts[set] = (uint32_t)*result;
}

crew_work set_work_items(set_work *s)
{
    return (crew_work){.data = s,
                       .items = gcast_experiment_size(s->experiment),
                       .words = 1,
                       .ahead = 1,
                       .is_known = is_known,
                       .do_item = judge,
                       .keep = keep};
}

static bool take(void *data, uint64_t set, const uint64_t *words)
{
    set_work *s = data;
    bool is_new = s->verdicts[set] == 0 && *words != 0;
    if (*words)
        s->verdicts[set] = (uint32_t)*words;
    return is_new;
}

gcast_status set_work_open(set_work *s, part_file *p, const char *output, uint64_t *found, gcast_error *err)
{
    part_kind kind = {.what = "experiment",
                      .hash = s->experiment->hash,
                      .items = gcast_experiment_size(s->experiment),
                      .words = 1,
                      .digits = 8};
    return part_open(p, output, &kind, take, s, found, err);
}
