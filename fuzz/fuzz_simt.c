/* Any PTX on the SIMT machine: whatever it does ends, in a report or in an error
 * with a message, and counts add up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gridcast/gridcast.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_PARAMS 16

static void check(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void run(const gcast_ptx *p, uint32_t kernel, int model)
{
    static uint32_t words[MOST_PARAMS][64];
    static uint8_t value[MOST_PARAMS][512];
    gcast_buffer buffer[MOST_PARAMS];
    gcast_argument argument[MOST_PARAMS];
    gcast_launch l = {
        .kernel = gcast_ptx_kernel(p, kernel), .grid = {2, 1, 1}, .block = {33, 1, 1}, .shared_bytes = 64};
    l.argument = argument;
    l.buffer = buffer;
    l.arguments = gcast_ptx_params(p, kernel);
    if (l.arguments > MOST_PARAMS)
        return;
    for (uint32_t i = 0; i < l.arguments; i++) {
        uint64_t bytes = gcast_ptx_param_bytes(p, kernel, i);
        if (bytes > sizeof value[i])
            return;
        memset(words[i], (int)i, sizeof words[i]);
        memset(value[i], (int)i + 3, sizeof value[i]);
        argument[i] = (gcast_argument){-1, value[i], bytes};
        if (bytes == 8) {
            buffer[l.buffers] = (gcast_buffer){"buffer", words[i], sizeof words[i]};
            argument[i].buffer = (int)l.buffers++;
        }
    }
    gcast_simt_options o = gcast_simt_defaults();
    o.model = model ? GCAST_SIMT_STACK : GCAST_SIMT_THREADS;
    o.cores = 1;
    o.most_instructions = 3000;
    o.profile = o.check_races = true;
    o.most_masks = 10;
    gcast_simt_report *r;
    gcast_error err = {0};
    if (gcast_simt_run(p, &l, &o, &r, &err) != GCAST_OK) {
        check(!r && err.message[0], "a failure without a message");
        return;
    }
    const gcast_simt_counts *n = &r->counts;
    check(n->instructions * 32 == n->thread_instructions + n->lost_divergence + n->lost_block, "lanes are lost");
    gcast_simt_report_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gcast_ptx *p;
    gcast_error err;
    if (gcast_ptx_parse((const char *)data, size, "fuzz", &p, &err) != GCAST_OK)
        return 0;
    for (uint32_t i = 0; i < gcast_ptx_kernels(p); i++)
        for (int model = 0; model < 2; model++)
            run(p, i, model);
    gcast_ptx_free(p);
    return 0;
}
