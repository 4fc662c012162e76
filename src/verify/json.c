#include "verify/json.h"

static void put_score(text *t, const gcast_score *s)
{
    text_printf(t, "\"scenarios\": %zu, \"score\": %.6f", s->scenarios, gcast_score_value(s));
    if (gcast_score_limit(s) >= 0)
        text_printf(t, ", \"limit\": %.6f", gcast_score_limit(s));
    if (gcast_score_ratio(s) >= 0)
        text_printf(t, ", \"ratio\": %.6f", gcast_score_ratio(s));
    text_printf(t, ", \"open\": %.6f", gcast_score_open(s));
    if (gcast_score_settled(s) >= 0)
        text_printf(t, ", \"settled\": %.6f", gcast_score_settled(s));
}

void verify_json(text *t, const verify_scores *s)
{
    text_str(t, "{\"schema\": \"gridcast.verify/1\", \"families\": [");
    for (size_t i = 0; i < s->families.count; i++) {
        text_str(t, i ? ",\n  {\"family\": " : "\n  {\"family\": ");
        text_json(t, s->families.at[i].name);
        text_str(t, ", ");
        put_score(t, &s->families.at[i].score);
        text_char(t, '}');
    }
    text_str(t, "],\n ");
    put_score(t, &s->all);
    text_str(t, "}\n");
}
