/* Any PTX on the SIMT machine: whatever it does ends, in a report or in an error
 * with a message, and counts add up. Besides bytes, lines are mutated: programs
 * that still parse come of lines that are moved, repeated and left out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gridcast/gridcast.h"
#include "lines.h"
#include "ptx/public.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_PARAMS 16

static void check(bool ok, const char *message)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", message);
    abort();
}

static void run(const gcast_ptx *p, uint32_t kernel, int model, uint32_t choice)
{
    static uint32_t words[MAX_PARAMS][1024];
    static uint8_t value[MAX_PARAMS][512];
    gcast_buffer buffer[MAX_PARAMS];
    gcast_argument argument[MAX_PARAMS];
    gcast_launch l = {.kernel = gcast_ptx_kernel(p, kernel),
                      .grid = {1 + choice % 2, 1, 1},
                      .block = {1 + choice % 40, 1, 1},
                      .shared_bytes = 64};
    l.argument = argument;
    l.buffer = buffer;
    l.arguments = gcast_ptx_params(p, kernel);
    if (l.arguments > MAX_PARAMS)
        return;
    for (uint32_t i = 0; i < l.arguments; i++) {
        uint64_t bytes = gcast_ptx_param_bytes(p, kernel, i);
        if (bytes > sizeof value[i])
            return;
        memset(words[i], (int)i, sizeof words[i]);
        memset(value[i], choice / 320 % 2 ? (int)i + 3 : 0, sizeof value[i]);
        value[i][0] = (uint8_t)(i + 3);
        argument[i] = (gcast_argument){-1, value[i], bytes};
        if (bytes == 8) {
            buffer[l.buffers] = (gcast_buffer){"buffer", words[i], sizeof words[i]};
            argument[i].buffer = (int)l.buffers++;
        }
    }
    gcast_simt_options o = gcast_simt_options_default();
    o.model = model ? GCAST_SIMT_STACK : GCAST_SIMT_THREADS;
    o.cores = 1;
    o.max_instructions = 5000;
    o.profile = choice / 80 % 2;
    o.check_races = choice / 160 % 2;
    o.max_masks = choice % 10;
    gcast_simt_report *r;
    gcast_error err = {0};
    if (gcast_simt_run(p, &l, &o, &r, &err) != GCAST_OK) {
        check(!r && err.message[0], "a failure without a message");
        return;
    }
    const gcast_simt_counts *n = &r->counts;
    check(n->instructions * 32 == n->thread_instructions + n->lost_divergence + n->lost_return + n->lost_block,
          "lanes are lost");
    gcast_simt_report_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gcast_ptx *p;
    gcast_error err;
    if (gcast_ptx_parse((const char *)data, size, "fuzz", &p, &err) != GCAST_OK)
        return 0;
    uint32_t choice = (uint32_t)size;
    for (size_t i = 0; i < size; i += 7)
        choice = choice * 31 + data[i];
    for (uint32_t i = 0; i < gcast_ptx_kernels(p); i++)
        for (int model = 0; model < 2; model++)
            run(p, i, model, choice);
    gcast_ptx_free(p);
    return 0;
}
