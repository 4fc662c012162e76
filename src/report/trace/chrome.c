#include "report/trace/chrome.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/trace/host_calls.h"
#include "report/trace/job_deadlines.h"
#include "report/trace/sms.h"
#include "report/trace/state.h"
#include "report/trace/streams.h"

static bool prepare(chrome *c)
{
    const gcast_workload *w = c->run->workload;
    c->head = calloc(w->op_count + 1, sizeof *c->head);
    c->first_block = malloc((c->run->op_count + 1) * sizeof *c->first_block);
    c->first_start = malloc((c->run->op_count + 1) * sizeof *c->first_start);
    bool ok = waits_make(&c->waits, c->run) && c->head && c->first_block && c->first_start;
    for (size_t i = 0; ok && i < w->op_count; i++) {
        char stream[32] = "host";
        if (w->ops[i].stream >= 0)
            snprintf(stream, sizeof stream, "stream %d", w->streams[w->ops[i].stream].id);
        c->head[i] = chrome_head(w->ops[i].label, stream);
        ok = c->head[i] != NULL;
    }
    for (size_t i = 0; ok && i < c->run->op_count; i++)
        c->first_block[i] = CHROME_NO_BLOCK;
    return ok;
}

static void release(chrome *c)
{
    for (size_t i = 0; c->head && i < c->run->workload->op_count; i++)
        free(c->head[i]);
    free(c->head);
    waits_free(&c->waits);
    free(c->first_block);
    free(c->first_start);
}

gcast_status chrome_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err)
{
    chrome c = {.run = run};
    gcast_status status = view_make(&c.shown, run, options, err);
    if (status)
        return status;
    if (!prepare(&c)) {
        release(&c);
        return gcast_error_set_memory(err);
    }
    chrome_open(&c.events, out);
    if (c.shown.blocks)
        status = chrome_sms(&c, err);
    if (!status && !(chrome_calls(&c) && chrome_deadlines(&c) && chrome_streams(&c) && chrome_engines(&c)))
        status = gcast_error_set_memory(err);
    chrome_close(&c.events);
    release(&c);
    return status;
}
