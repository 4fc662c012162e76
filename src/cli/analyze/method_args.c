#include "cli/analyze/method_args.h"

#include <string.h>

#include "cli/analyze/latency_args.h"

/* What auto tries, in this order. Where exact applies it is enough; else the tighter of the other two counts, op by op.
 */
static const gcast_method automatic[] = {GCAST_METHOD_EXACT, GCAST_METHOD_BOUND, GCAST_METHOD_EXPLORE};

static const gcast_method all_methods[] = {
#define X(id, name, text) GCAST_METHOD_##id,
    GCAST_METHOD_TABLE(X)
#undef X
};

#define AUTO_MAX_STATES                                                                                                \
    100000 /* of explore with auto, which takes some seconds: without it there is still the bound                      \
            */

gcast_status methods_from_args(const args *a, const gcast_method **methods, size_t *count)
{
    int index = 0; /* of auto */
    gcast_status status = args_choice(a, "method", method_choices, &index);
    *methods = index ? &all_methods[index - 1] : automatic;
    *count = index ? 1 : sizeof automatic / sizeof automatic[0];
    return status;
}

gcast_status analyze_options_from_args(const args *a, gcast_analyze_options *o)
{
    int64_t limit = 0;
    const char *method = args_value(a, "method");
    *o = gcast_analyze_options_default();
    if (!method || strcmp(method, "auto") == 0)
        o->max_states = AUTO_MAX_STATES;
    o->any_order = args_has(a, "any-order");
    gcast_status status = args_span(a, "limit", &limit);
    if (status == GCAST_OK && limit)
        o->max_ms = (limit - 1) / 1000000 + 1;
    if (status == GCAST_OK)
        status = latency_from_args(a, o);
    return status == GCAST_OK ? args_span(a, "horizon", &o->horizon_ns) : status;
}
