#include "cli/verify/print.h"

#include "base/text/units.h"

static void put_fraction(text *t, double v, int width)
{
    if (v < 0)
        text_printf(t, "%*s", width, "-");
    else
        text_printf(t, "%*.3f", width, v);
}

static void put_row(text *t, const char *name, const gcast_score *s)
{
    text_terminal(t, name);
    for (size_t n = text_width(name); n < 14; n++)
        text_char(t, ' ');
    text_printf(t, "%11zu", s->scenarios);
    put_fraction(t, gcast_score_value(s), 8);
    put_fraction(t, gcast_score_limit(s), 8);
    put_fraction(t, gcast_score_ratio(s), 8);
    put_fraction(t, gcast_score_open(s), 8);
    put_fraction(t, gcast_score_settled(s), 9);
    text_char(t, '\n');
}

const legend_entry verify_legend[] = {
    {"score", "predictions with every end within 1 % of the makespan or 20 us"},
    {"limit", "the same of the runs of a scenario with each other: the GPU with itself"},
    {"ratio", "score over limit"},
    {"open", "predictions with a race: less than the GPU's scatter decides an order"},
    {"settled", "the score of all other predictions"},
    {NULL, NULL},
};

void verify_legend_print(text *t)
{
    text_char(t, '\n');
    for (const legend_entry *l = verify_legend; l->word; l++)
        text_printf(t, "%-8s %s\n", l->word, l->text);
}

void verify_table(text *t, const verdict *v)
{
    text_printf(t, "%-14s%11s%8s%8s%8s%8s%9s\n", "family", "scenarios", "score", "limit", "ratio", "open", "settled");
    for (size_t i = 0; i < v->families.count; i++)
        put_row(t, v->families.at[i].name, &v->families.at[i].score);
    put_row(t, "all", &v->all);
    if (v->offenders.count && v->worst)
        text_str(t, "\nfarthest off:\n");
    for (size_t i = 0; i < v->offenders.count && i < (size_t)v->worst; i++) {
        const offender *o = &v->offenders.at[i];
        char error[40], tolerance[40];
        units_format_time(o->worst.error_ns, error, sizeof error);
        units_format_time(o->worst.tolerance_ns, tolerance, sizeof tolerance);
        text_str(t, "  ");
        text_terminal(t, o->scenario);
        text_str(t, ", ");
        text_terminal(t, o->op);
        text_printf(t, ": %s off, %s allowed\n", error, tolerance);
    }
}

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

void verify_json(text *t, const verdict *v)
{
    text_str(t, "{\"schema\": \"gridcast.verify/1\", \"families\": [");
    for (size_t i = 0; i < v->families.count; i++) {
        text_str(t, i ? ",\n  {\"family\": " : "\n  {\"family\": ");
        text_json(t, v->families.at[i].name);
        text_str(t, ", ");
        put_score(t, &v->families.at[i].score);
        text_char(t, '}');
    }
    text_str(t, "],\n ");
    put_score(t, &v->all);
    text_str(t, "}\n");
}
