#include "cli/explain/pair_print.h"

#include <inttypes.h>

#include "cli/explain/phrases.h"
#include "cli/explain/print.h"

#define MOST_LINKS 8
#define MOST_REMEDIES 5
#define TIME 14

static int64_t shorter(const gcast_pair *p)
{
    return p->earlier_ran_ns < p->later_ran_ns ? p->earlier_ran_ns : p->later_ran_ns;
}

bool pair_is_whole(const gcast_pair *p)
{
    return p->overlap_ns >= shorter(p);
}

static void put_ran(text *t, const gcast_run *run, size_t i, int64_t ran)
{
    bool whole = ran == run->ops[i].end_ns - run->ops[i].start_ns;
    words_op(t, run, i);
    text_str(t, " ran ");
    if (!whole) {
        text_str(t, "for ");
        words_time(t, ran, 0);
    }
    text_str(t, whole ? "from " : " between ");
    words_time(t, run->ops[i].start_ns, 0);
    text_str(t, whole ? " to " : " and ");
    words_time(t, run->ops[i].end_ns, 0);
}

/* "2ms, 50.0 % of the shorter's time" */
static void put_part(text *t, int64_t overlap, int64_t of)
{
    int64_t permille = of ? (int64_t)((unsigned __int128)(uint64_t)overlap * 1000 / (uint64_t)of) : 1000;
    words_time(t, overlap, 0);
    if (permille == 1000)
        text_str(t, ", all of the shorter's time");
    else
        text_printf(t, ", %" PRId64 ".%" PRId64 " %% of the shorter's time", permille / 10, permille % 10);
}

static void put_head(text *t, const paired *x)
{
    const gcast_pair *p = x->pair;
    put_ran(t, x->run, p->earlier, p->earlier_ran_ns);
    text_str(t, ", ");
    put_ran(t, x->run, p->later, p->later_ran_ns);
    if (p->overlap_ns) {
        text_str(t, ": they overlap by ");
        put_part(t, p->overlap_ns, shorter(p));
        text_char(t, '\n');
    } else {
        text_str(t, ": they do not overlap\n");
    }
}

static size_t count_waits(const gcast_pair *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->link_count; i++)
        n += p->links[i].depth == 0;
    return n;
}

static int64_t length(const gcast_link *l)
{
    return l->wait.to_ns - l->wait.from_ns;
}

/* Is it among the waits that are shown, the longest? */
static bool is_shown(const gcast_pair *p, size_t i)
{
    size_t longer = 0;
    for (size_t k = 0; k < p->link_count && longer < MOST_LINKS; k++)
        longer += p->links[k].depth == 0 && (length(&p->links[k]) > length(&p->links[i]) ||
                                             (length(&p->links[k]) == length(&p->links[i]) && k < i));
    return longer < MOST_LINKS;
}

static void put_links(text *t, const paired *x, bool all)
{
    const gcast_pair *p = x->pair;
    size_t hidden = 0;
    bool shown = true;
    text_str(t, "\nwhy ");
    words_op(t, x->run, p->later);
    text_str(t, " had not started while ");
    words_op(t, x->run, p->earlier);
    text_printf(t, " was there:\n%*s %*s  %-14s %s\n", TIME, "from", TIME, "for", "rule", "why");
    all = all || count_waits(p) <= MOST_LINKS + 1;
    for (size_t i = 0; i < p->link_count; i++) {
        const gcast_link *l = &p->links[i];
        if (l->depth == 0) {
            shown = all || is_shown(p, i);
            hidden += !shown;
        }
        if (!shown)
            continue;
        words_time(t, l->wait.from_ns, TIME);
        text_char(t, ' ');
        words_time(t, length(l), TIME);
        text_printf(t, "  %-14s %*s", gcast_wait_rule(l->wait.reason, l->wait.resources), 2 * l->depth, "");
        if (l->depth) {
            words_op(t, x->run, l->wait.run_op);
            text_str(t, ": ");
        }
        words_wait(t, x->run, &l->wait);
        text_char(t, '\n');
    }
    if (hidden)
        text_printf(t, "%*s and %zu shorter waits; --all shows each\n", 2 * TIME + 1, "", hidden);
}

static void put_name(text *t, const gcast_workload *w, size_t op)
{
    text_terminal(t, w->ops[op].label);
}

/* The stream that an op is in, which may be new by a change before. */
static void put_stream(text *t, const gcast_workload *w, const gcast_remedy *r, size_t change)
{
    const gcast_op *op = &w->ops[r->changes[change].op];
    bool moved = false;
    for (size_t i = 0; i < change; i++) {
        const gcast_op *other = &w->ops[r->changes[i].op];
        moved = moved || (r->changes[i].kind == GCAST_CHANGE_OWN_STREAM &&
                          (other == op || (op->task != GCAST_ONCE && other->task == op->task)));
    }
    if (moved) {
        text_str(t, "that of ");
        text_terminal(t, op->label);
    } else {
        text_printf(t, "stream %d", w->streams[op->stream].id);
    }
}

static void put_change(text *t, const gcast_workload *w, const gcast_remedy *r, size_t change)
{
    const gcast_change *c = &r->changes[change];
    const gcast_op *op = &w->ops[c->op];
    switch (c->kind) {
    case GCAST_CHANGE_OWN_STREAM:
        text_str(t, op->task == GCAST_ONCE ? "" : "task ");
        text_terminal(t, op->task == GCAST_ONCE ? op->label : w->tasks[op->task].name);
        text_str(t, w->streams[op->stream].id ? " in a stream of its own" : " in a non-blocking stream of its own");
        break;
    case GCAST_CHANGE_NON_BLOCKING:
        put_stream(t, w, r, change);
        text_str(t, " non-blocking");
        break;
    case GCAST_CHANGE_PRIORITY:
        put_stream(t, w, r, change);
        text_printf(t, " at priority %" PRId64, c->value);
        break;
    case GCAST_CHANGE_CONNECTIONS:
        text_printf(t, "%" PRId64 " connections", c->value);
        break;
    case GCAST_CHANGE_CARVEOUT:
        put_name(t, w, c->op);
        text_str(t, "'s preferred carveout at 100");
        break;
    case GCAST_CHANGE_THREADS:
        put_name(t, w, c->op);
        text_printf(t, " in blocks of %" PRId64 " threads, %s of them that take as long", c->value,
                    c->value < op->shape.threads ? "more" : "fewer");
        break;
    case GCAST_CHANGE_REGISTERS:
        put_name(t, w, c->op);
        text_printf(t, " at %" PRId64 " registers a thread", c->value);
        break;
    case GCAST_CHANGE_SHARED_MEMORY:
        put_name(t, w, c->op);
        text_printf(t, " at %" PRId64 " bytes of shared memory a block", c->value);
        break;
    default:
        put_name(t, w, c->op);
        text_str(t, " called at ");
        words_time(t, c->value, 0);
    }
}

static void put_end(text *t, const gcast_run *run, size_t i, int64_t then)
{
    if (then == run->ops[i].end_ns)
        return;
    text_str(t, "; ");
    words_op(t, run, i);
    text_str(t, " then ends at ");
    words_time(t, then, 0);
    text_str(t, ", not ");
    words_time(t, run->ops[i].end_ns, 0);
}

/* Does it let one go on that had to wait for others to be complete? */
static bool frees(const gcast_remedy *r)
{
    bool yes = false;
    for (size_t i = 0; i < r->change_count; i++)
        yes = yes || r->changes[i].kind == GCAST_CHANGE_OWN_STREAM || r->changes[i].kind == GCAST_CHANGE_NON_BLOCKING ||
              r->changes[i].kind == GCAST_CHANGE_CALL;
    return yes;
}

static void put_remedies(text *t, const paired *x)
{
    const gcast_remedies *all = x->remedies;
    bool freed = false;
    if (!all)
        return;
    if (!all->runs)
        text_str(t, "\nno change is known here that would let them overlap more\n");
    else if (!all->count)
        text_str(t, "\nsimulated again with other streams, priorities, calls or blocks, they do not overlap more\n");
    else
        text_str(t, "\nsimulated again, they overlap more\n");
    for (size_t i = 0; i < all->count && i < MOST_REMEDIES; i++) {
        const gcast_remedy *r = &all->list[i];
        for (size_t c = 0; c < r->change_count; c++) {
            text_str(t, c ? " and " : "  with ");
            put_change(t, x->run->workload, r, c);
        }
        text_str(t, ": by ");
        put_part(t, r->overlap_ns, r->shorter_ns);
        put_end(t, x->run, x->pair->earlier, r->earlier_end_ns);
        put_end(t, x->run, x->pair->later, r->later_end_ns);
        text_char(t, '\n');
        freed = freed || frees(r);
    }
    if (freed)
        text_str(t, "whether one of them needs what another has done before it is not known here\n");
}

void pair_print(text *t, const paired *x, bool all)
{
    put_head(t, x);
    if (pair_is_whole(x->pair))
        return;
    if (x->pair->link_count)
        put_links(t, x, all);
    else
        text_str(t, "they start together; explain of one of them says why its last blocks came later\n");
    put_remedies(t, x);
}

static void put_json_op(text *t, const gcast_run *run, const char *key, size_t i, int64_t ran)
{
    const gcast_run_op *r = &run->ops[i];
    text_printf(t, ",\"%s\":{\"label\":", key);
    text_json(t, run->workload->ops[r->op].label);
    text_printf(t, ",\"job\":%u,\"start_ns\":%" PRId64 ",\"end_ns\":%" PRId64 ",\"ran_ns\":%" PRId64 "}", r->job,
                r->start_ns, r->end_ns, ran);
}

static void put_json_change(text *t, const gcast_workload *w, const gcast_change *c)
{
    text_printf(t, "{\"change\":\"%s\"", gcast_change_name(c->kind));
    if (c->kind != GCAST_CHANGE_CONNECTIONS) {
        text_str(t, ",\"label\":");
        text_json(t, w->ops[c->op].label);
    }
    if (c->kind != GCAST_CHANGE_OWN_STREAM && c->kind != GCAST_CHANGE_NON_BLOCKING && c->kind != GCAST_CHANGE_CARVEOUT)
        text_printf(t, ",\"value\":%" PRId64, c->value);
    text_char(t, '}');
}

void pair_json(text *t, const paired *x)
{
    const gcast_pair *p = x->pair;
    text_str(t, "{\"schema\":\"gridcast.pair/1\"");
    put_json_op(t, x->run, "earlier", p->earlier, p->earlier_ran_ns);
    put_json_op(t, x->run, "later", p->later, p->later_ran_ns);
    text_printf(t, ",\"overlap_ns\":%" PRId64 ",\"chain\":[", p->overlap_ns);
    for (size_t i = 0; i < p->link_count; i++) {
        const gcast_wait *w = &p->links[i].wait;
        text_printf(t, "%s\n{\"depth\":%d,\"label\":", i ? "," : "", p->links[i].depth);
        text_json(t, x->run->workload->ops[x->run->ops[w->run_op].op].label);
        text_printf(t, ",\"job\":%u,", x->run->ops[w->run_op].job);
        explain_json_wait(t, x->run, w);
        text_char(t, '}');
    }
    text_str(t, "],\"remedies\":");
    if (!x->remedies)
        text_str(t, "null");
    for (size_t i = 0; x->remedies && i < x->remedies->count; i++) {
        const gcast_remedy *r = &x->remedies->list[i];
        text_str(t, i ? ",\n{\"changes\":[" : "[\n{\"changes\":[");
        for (size_t c = 0; c < r->change_count; c++) {
            text_str(t, c ? "," : "");
            put_json_change(t, x->run->workload, &r->changes[c]);
        }
        text_printf(t,
                    "],\"overlap_ns\":%" PRId64 ",\"shorter_ns\":%" PRId64 ",\"earlier_end_ns\":%" PRId64
                    ",\"later_end_ns\":%" PRId64 "}",
                    r->overlap_ns, r->shorter_ns, r->earlier_end_ns, r->later_end_ns);
    }
    if (x->remedies)
        text_str(t, x->remedies->count ? "]" : "[]");
    text_str(t, "}\n");
}
