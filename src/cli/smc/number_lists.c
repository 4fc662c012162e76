#include "cli/smc/number_lists.h"

#include "base/text/number.h"
#include "cli/digits.h"
#include "cli/say.h"
#include "gridcast/plan.h"

static gcast_status bad_sms(const char *option, const char *value)
{
    return say(GCAST_USAGE, "--%s is a list of SMs below %d such as 0-15,20, not %s", option, GCAST_PLAN_MAX_SMS,
               value);
}

gcast_status sm_list_read(const char *option, const char *value, sm_list *out)
{
    const char *at = value;
    do {
        uint64_t first, last;
        at += out->count > 0; /* behind the comma */
        if (!read_digits(&at, &first))
            return bad_sms(option, value);
        last = first;
        if (*at == '-' && (at++, !read_digits(&at, &last)))
            return bad_sms(option, value);
        if (last < first || last >= GCAST_PLAN_MAX_SMS || (*at && *at != ','))
            return bad_sms(option, value);
        for (uint64_t sm = first; sm <= last; sm++)
            if (out->count > GCAST_PLAN_MAX_SMS)
                return say(GCAST_USAGE, "--%s %s: an SM is listed twice", option, value);
            else if (!vec_push(out, (uint32_t)sm))
                return say_no_memory();
    } while (*at);
    return GCAST_OK;
}

gcast_status weight_list_read(const char *option, const char *value, weight_list *out)
{
    const char *at = value;
    do {
        char *end;
        at += out->count > 0; /* behind the comma */
        double weight = number_parse(at, &end);
        if (end == at || (*end && *end != ','))
            return say(GCAST_USAGE, "--%s is a list of numbers such as 1,2.5,1, not %s", option, value);
        if (out->count == GCAST_PLAN_MAX_SMS)
            return say(GCAST_USAGE, "--%s has more than %d weights", option, GCAST_PLAN_MAX_SMS);
        if (!vec_push(out, weight))
            return say_no_memory();
        at = end;
    } while (*at);
    return GCAST_OK;
}
