#include "report/exec/races.h"

#include <string.h>

#define MAX_SHOWN 20 /* races of a kind in the table; .json has all */

typedef unsigned long long ull;

/* "3", "(3,0)" or "(3,0,0)": the index n in as many numbers as the launch has dimensions. */
static void put_index(text *t, uint64_t n, const uint32_t size[3])
{
    if (size[1] == 1 && size[2] == 1)
        text_printf(t, "%llu", (ull)n);
    else if (size[2] == 1)
        text_printf(t, "(%llu,%llu)", (ull)(n % size[0]), (ull)(n / size[0]));
    else
        text_printf(t, "(%llu,%llu,%llu)", (ull)(n % size[0]), (ull)(n / size[0] % size[1]),
                    (ull)(n / size[0] / size[1]));
}

static void put_access(text *t, const gcast_exec *e, const gcast_simt_access *a)
{
    const char *slash = a->file ? strrchr(a->file, '/') : NULL;
    text_str(t, "      block ");
    put_index(t, a->block, e->launch->grid);
    text_str(t, " thread ");
    put_index(t, a->thread, e->launch->block);
    text_str(t, a->writes ? " writes " : " reads ");
    if (a->instruction[0]) {
        text_str(t, "by ");
        text_terminal(t, a->instruction);
        text_char(t, ' ');
    }
    text_str(t, "at ");
    if (a->file) {
        text_terminal(t, slash ? slash + 1 : a->file);
        text_printf(t, ":%u, ", a->line);
    }
    text_printf(t, "PTX line %u\n", a->ptx_line);
}

static void put_race(text *t, const gcast_exec *e, const gcast_simt_race *r)
{
    if (r->shared) {
        text_printf(t, "  shared memory, byte %llu", (ull)r->address);
    } else {
        text_str(t, "  ");
        text_terminal(t, r->buffer ? r->buffer : "global memory");
        text_printf(t, ", byte %llu", (ull)r->address);
    }
    text_printf(t, ", %llu time%s\n", (ull)r->times, r->times == 1 ? "" : "s");
    put_access(t, e, &r->first);
    put_access(t, e, &r->second);
    text_str(t, "      ");
    text_terminal(t, r->why);
    text_char(t, '\n');
}

/* The races of one kind. */
static void put_kind(text *t, const gcast_exec *e, gcast_race_kind kind, const char *singular, const char *plural)
{
    const gcast_simt_report *r = e->report;
    uint32_t count = 0, shown = 0;
    for (uint32_t i = 0; i < r->races + r->race_notes; i++)
        count += r->race[i].kind == kind;
    if (!count && kind != GCAST_RACE_UNORDERED)
        return;
    text_printf(t, "\n%u %s\n", count, count == 1 ? singular : plural);
    for (uint32_t i = 0; i < r->races + r->race_notes; i++)
        if (r->race[i].kind == kind && shown++ < MAX_SHOWN)
            put_race(t, e, &r->race[i]);
    if (count > MAX_SHOWN)
        text_printf(t, "  %u more; .json has all\n", count - MAX_SHOWN);
}

void exec_races_table(const gcast_exec *e, text *t)
{
    put_kind(t, e, GCAST_RACE_UNORDERED, "race", "races");
    put_kind(t, e, GCAST_RACE_NOT_PROMISED, "pair of accesses in an order that CUDA does not promise",
             "pairs of accesses in an order that CUDA does not promise");
    put_kind(t, e, GCAST_RACE_SAME_VALUE, "pair of writes in no order, of the same value",
             "pairs of writes in no order, of the same value");
    if (e->report->races_cut)
        text_str(t, "some bytes were touched by so many warps that not all pairs were compared\n");
}

/* A JSON string, or null. */
static void put_string(text *t, const char *s)
{
    if (s && *s)
        text_json(t, s);
    else
        text_str(t, "null");
}

static void put_race_json(text *t, const gcast_simt_race *r)
{
    static const char *const kinds[] = {"unordered", "not promised", "same value"};
    const gcast_simt_access *a = &r->first, *b = &r->second;
    text_printf(t, "{\"kind\": \"%s\", \"block\": %llu, \"blocks\": [%llu, %llu], \"threads\": [%u, %u]",
                kinds[r->kind], (ull)a->block, (ull)a->block, (ull)b->block, a->thread, b->thread);
    text_printf(t, ", \"ptx_lines\": [%u, %u], \"writes\": [%s, %s]", a->ptx_line, b->ptx_line,
                a->writes ? "true" : "false", b->writes ? "true" : "false");
    text_str(t, ", \"instructions\": [");
    put_string(t, a->instruction);
    text_str(t, ", ");
    put_string(t, b->instruction);
    text_printf(t, "], \"memory\": \"%s\", \"buffer\": ", r->shared ? "shared" : "global");
    put_string(t, r->buffer);
    text_printf(t, ", \"address\": %llu, \"times\": %llu, \"why\": ", (ull)r->address, (ull)r->times);
    put_string(t, r->why);
    if (a->file || b->file) {
        text_str(t, ", \"files\": [");
        put_string(t, a->file);
        text_str(t, ", ");
        put_string(t, b->file);
        text_printf(t, "], \"lines\": [%u, %u]", a->line, b->line);
    }
    text_char(t, '}');
}

static void put_list(text *t, const char *name, const gcast_simt_race *race, uint32_t first, uint32_t count)
{
    text_printf(t, ",\n \"%s\": [", name);
    for (uint32_t i = first; i < first + count; i++) {
        text_str(t, i > first ? ",\n  " : "\n  ");
        put_race_json(t, &race[i]);
    }
    text_char(t, ']');
}

void exec_races_json(const gcast_simt_report *r, text *t)
{
    put_list(t, "races", r->race, 0, r->races);
    put_list(t, "race_notes", r->race, r->races, r->race_notes);
    text_printf(t, ",\n \"races_cut\": %s", r->races_cut ? "true" : "false");
}
