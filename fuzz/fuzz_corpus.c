/* Any bytes as a corpus: every scenario that reads is scored. */
#include <stdint.h>
#include <stdlib.h>

#include "gridcast/gridcast.h"
#include "model/scenario.h"
#include "paths.h"
#include "verify/score.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Too much for one input of a fuzzer, not for the simulator. */
static bool is_small(const gcast_workload *w)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < w->op_count; i++)
        blocks += w->ops[i].blocks < 5000 ? w->ops[i].blocks : 5000;
    return blocks < 5000;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gcast_corpus *corpus;
    gcast_scenario *s;
    gcast_error err;
    if (names_a_root_path(data, size) ||
        gcast_corpus_read((const char *)data, size, FUZZ_FILE, &corpus, &err) != GCAST_OK)
        return 0;
    while (gcast_corpus_next(corpus, &s, &err) == GCAST_OK && s) {
        gcast_score score;
        gcast_agreement worst;
        if (is_small(s->workload) &&
            gcast_scenario_score(s, NULL, &(gcast_score_options){.size = sizeof(gcast_score_options), .trials = 2},
                                 &score, &worst, &err) == GCAST_INTERNAL)
            abort();
        gcast_scenario_free(s);
    }
    gcast_corpus_close(corpus);
    return 0;
}
