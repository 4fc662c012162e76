#include "property/generate_residency.h"

#include "base/text.h"
#include "property/generate.h"

#define MAX_OPS 9
#define MAX_STREAMS 4
#define MAX_HOSTS 3
#define LOOSE MAX_HOSTS /* the caller of ops without a host */

enum { KERNEL, COPY, MEMSET, SYNC, FREE, MALLOC, BARRIER };

typedef struct drawn_op {
    int kind, stream, caller;
    int graph; /* number of its launch, from 1; 0: none */
    int64_t release_ns;
} drawn_op;

typedef struct draft {
    support_random r;
    text out;
    int ops, streams, hosts, sms, graphs;
    bool chains, sizes;         /* many kernels are programmatic; SMs often have too little shared memory */
    bool nodes, meets;          /* many kernels are nodes that wait behind ports; hosts meet at barriers */
    bool tight;                 /* draw_tight */
    int caller_of[MAX_STREAMS]; /* who calls into a stream */
    drawn_op op[MAX_OPS];
} draft;

static int64_t draw_time(support_random *r)
{
    return one_of(r, 0, 0, 1, 5, 10, 50, 100, 100, 200, 500, 1000, 1000);
}

/* Its limits are those of compute capability 9.0: SMs of 2048 threads. */
static void put_gpu(draft *d)
{
    support_random *r = &d->r;
    static const char *const placements[] = {"most_room",     "round_robin", "most_threads",
                                             "fewest_blocks", "least_room",  "first_fit"};
    d->sms = (int)one_of(r, 1, 1, 2, 2, 3, 4);
    text_printf(&d->out,
                "\"gpu\": {\"schema\": \"gridcast.gpu/1\", \"name\": \"x\", \"cc\": \"9.0\", \"sms\": %d, "
                "\"register_quarters\": %s, \"priority_levels\": %d, \"copy_engines\": %d, \"connections\": %d, "
                "\"placement\": \"%s\"",
                d->sms, percent(r, 40) ? "true" : "false", (int)one_of(r, 1, 2, 3), (int)one_of(r, 1, 2),
                (int)one_of(r, 0, 0, 1, 1, 2, 2, 3, 8), placements[support_between(r, 0, 5)]);
    if (percent(r, 15))
        text_printf(&d->out, ", \"resident_grids\": %d", (int)one_of(r, 3, 4, 5));
    if (percent(r, 30))
        text_printf(&d->out, ", \"stream_gap_ns\": %d, \"launch_latency_ns\": %d, \"handover_ns\": %d",
                    (int)one_of(r, 0, 5, 50), (int)one_of(r, 0, 10, 100), (int)one_of(r, 0, 5));
    text_str(&d->out, "}");
}

static void put_streams(draft *d)
{
    bool one_priority = percent(&d->r, 40);
    text_str(&d->out, ", \"streams\": [");
    for (int s = 0; s < d->streams; s++)
        text_printf(&d->out, "%s{\"id\": %d, \"priority\": %d}", s ? ", " : "", s + 1,
                    one_priority ? 0 : (int)one_of(&d->r, 0, 0, -1, -2));
    text_str(&d->out, "]");
}

static int draw_kind(support_random *r, bool meets)
{
    return percent(r, meets ? 55 : 80) ? KERNEL
           : meets && percent(r, 70)
               ? BARRIER
               : (int)one_of(r, COPY, COPY, COPY, MEMSET, SYNC, SYNC, SYNC, FREE, FREE, MALLOC, BARRIER, BARRIER);
}

/* Kinds, streams and callers, and runs of ops that are launches of graphs. */
static void draw_ops(draft *d)
{
    support_random *r = &d->r;
    int64_t release = 0;
    bool frees = percent(r, 25);
    d->ops = (int)support_between(r, 2, percent(r, 50) ? 4 : MAX_OPS);
    d->chains = percent(r, 25);
    d->sizes = percent(r, 25);
    d->nodes = percent(r, 12);
    d->meets = percent(r, 12);
    d->streams = (int)support_between(r, 1, MAX_STREAMS);
    d->hosts = !d->meets && percent(r, 35) ? 0 : (int)support_between(r, 1, MAX_HOSTS);
    for (int s = 0; s < d->streams; s++)
        d->caller_of[s] = d->hosts && percent(r, 75) ? (int)support_between(r, 0, d->hosts - 1) : LOOSE;
    for (int i = 0; i < d->ops; i++) {
        drawn_op *op = &d->op[i];
        release += percent(r, 50) ? 0 : draw_time(r);
        *op = (drawn_op){.kind = draw_kind(r, d->meets),
                         .stream = (int)support_between(r, 0, d->streams - 1),
                         .release_ns = release};
        op->caller = d->caller_of[op->stream];
        if (op->kind >= SYNC)
            op->caller = d->hosts && percent(r, 90) ? (int)support_between(r, 0, d->hosts - 1) : LOOSE;
        if (op->kind == FREE && !frees)
            op->kind = SYNC;
        if (op->caller == LOOSE && op->kind == BARRIER)
            op->kind = MALLOC;
        if (op->caller != LOOSE && percent(r, 60))
            op->release_ns = percent(r, 50) ? 0 : draw_time(r);
        if (percent(r, 3))
            op->caller = LOOSE; /* mostly refused */
    }
    for (int i = 0; i + 1 < d->ops && percent(r, d->nodes ? 90 : 25); i++)
        if (percent(r, 50)) {
            int last = (int)support_between(r, i, i + 3);
            d->graphs++;
            for (; i <= last && i < d->ops && d->op[i].kind <= MEMSET; i++) {
                drawn_op *op = &d->op[i], *before = i ? &d->op[i - 1] : op;
                bool further = before->graph == d->graphs;
                op->graph = d->graphs;
                op->stream = further ? before->stream : op->stream;
                op->caller = further ? before->caller : op->caller;
                op->release_ns = further ? before->release_ns : op->release_ns;
            }
        }
}

/* What an op is after: mostly ops that were called before it; of a launch, edges with ports. */
static void put_after(draft *d, int i)
{
    if (d->tight) {
        text_str(&d->out, i == 1 && d->graphs ? ", \"after\": [{\"op\": \"k0\", \"port\": \"programmatic\"}]" : "");
        return;
    }
    support_random *r = &d->r;
    const drawn_op *op = &d->op[i];
    bool further = i && op->graph && d->op[i - 1].graph == op->graph;
    const char *comma = "";
    for (int k = 0; k < d->ops; k++) {
        const drawn_op *other = &d->op[k];
        bool inside = op->graph && other->graph == op->graph;
        bool known = other->caller == op->caller;
        if (k == i || other->kind > MEMSET || (inside ? k > i || !percent(r, 60) : further || !percent(r, 10)) ||
            (known && k > i))
            continue;
        text_printf(&d->out, "%s", *comma ? comma : ", \"after\": [");
        comma = ", ";
        if (inside && op->kind == KERNEL && other->kind == KERNEL && percent(r, d->nodes ? 90 : 60))
            text_printf(&d->out, "{\"op\": \"k%d\", \"port\": \"%s\"}", k,
                        percent(r, 50) ? "programmatic" : "launch_completion");
        else
            text_printf(&d->out, "\"k%d\"", k);
    }
    text_str(&d->out, *comma ? "]" : "");
}

static void put_tight_waits(draft *d, int i)
{
    if (i == 0)
        text_str(&d->out, ", \"waits_for\": [\"k2\"], \"trigger_ns\": 0");
    else if (i == 1)
        text_printf(&d->out, ", \"wait_ns\": 0%s", d->graphs ? "" : ", \"programmatic\": true");
}

static void put_waits(draft *d, int i)
{
    if (d->tight) {
        put_tight_waits(d, i);
        return;
    }
    support_random *r = &d->r;
    const char *comma = "";
    bool programmatic = !d->op[i].graph && percent(r, d->chains ? 60 : 25);
    bool first = d->op[i].graph && (!i || d->op[i - 1].graph != d->op[i].graph);
    bool waits = percent(r, !d->nodes ? 55 : first ? 80 : 10);
    if (programmatic)
        text_str(&d->out, ", \"programmatic\": true");
    if (percent(r, d->chains ? 90 : 40))
        text_printf(&d->out, ", \"trigger_ns\": %d", (int)one_of(r, 0, 0, 5, 100));
    for (int k = 0; k < d->ops && waits; k++) {
        if (d->op[k].kind != KERNEL || !percent(r, k == i ? 40 : 20))
            continue;
        text_printf(&d->out, "%s\"k%d\"", *comma ? comma : ", \"waits_for\": [", k);
        comma = ", ";
    }
    text_str(&d->out, *comma ? "]" : "");
    if (*comma ? percent(r, 30) : (programmatic || d->op[i].graph) && percent(r, d->nodes ? 90 : 70))
        text_str(&d->out, ", \"wait_ns\": 0");
}

static void put_kernel(draft *d, int i)
{
    support_random *r = &d->r;
    int threads = (int)one_of(r, 32, 256, 512, 512, 768, 1024, 1024);
    text_printf(&d->out, "\"kernel\", \"grid\": %d, \"block\": %d, \"duration_ns\": %d",
                (int)support_between(r, 1, percent(r, 70) ? 3 : 8), threads, (int)(draw_time(r) + 1));
    if (percent(r, d->sizes ? 70 : 20))
        text_printf(&d->out, ", \"dynamic_smem\": %d", (int)one_of(r, 1000, 10000, 60000, 100000, 150000, 200000));
    if (percent(r, d->sizes ? 80 : 20))
        text_str(&d->out, percent(r, 70) ? ", \"carveout\": \"driver\"" : ", \"carveout\": \"most\"");
    if (percent(r, 25))
        text_printf(&d->out, ", \"registers\": %d", (int)one_of(r, 16, 32, 64));
    if (percent(r, 8))
        text_printf(&d->out, ", \"allowed_sms\": [%d]", (int)support_between(r, 0, d->sms - 1));
    if (percent(r, 12))
        text_str(&d->out, ", \"cooperative\": true");
    if (percent(r, 1))
        text_str(&d->out, ", \"cluster\": 2");
    put_waits(d, i);
}

static void put_op(draft *d, int i)
{
    static const char *const names[] = {"kernel", "copy", "memset", "sync", "free", "malloc", "barrier"};
    support_random *r = &d->r;
    const drawn_op *op = &d->op[i];
    bool on_gpu = op->kind <= MEMSET, further = i && op->graph && d->op[i - 1].graph == op->graph;
    text_printf(&d->out, "%s{\"label\": \"k%d\", \"kind\": ", i ? ",\n" : "", i);
    if (op->kind == KERNEL)
        put_kernel(d, i);
    else
        text_printf(&d->out, "\"%s\"", names[op->kind]);
    if (op->kind == COPY)
        text_printf(&d->out, ", \"direction\": \"%s\", \"duration_ns\": %d", percent(r, 50) ? "h2d" : "d2h",
                    (int)(draw_time(r) + 1));
    if (op->kind == MEMSET)
        text_printf(&d->out, ", \"bytes\": %d, \"duration_ns\": %d", (int)one_of(r, 4, 100000),
                    (int)(draw_time(r) + 1));
    if (op->kind == MALLOC)
        text_str(&d->out, ", \"bytes\": 100");
    if (op->kind == BARRIER)
        text_printf(&d->out, ", \"barrier\": %d", (int)one_of(r, 1, 1, 1, 2));
    bool by_stream = op->kind == SYNC && percent(r, 60);
    if (op->kind == SYNC)
        text_printf(&d->out, ", \"scope\": \"%s\"", by_stream ? "stream" : "device");
    if (on_gpu || by_stream)
        text_printf(&d->out, ", \"stream\": %d", op->stream + 1);
    if (op->caller != LOOSE)
        text_printf(&d->out, ", \"host\": \"h%d\"", op->caller);
    if (op->graph)
        text_printf(&d->out, ", \"graph\": \"g%d\"", op->graph);
    text_printf(&d->out, ", \"release_ns\": %d", (int)op->release_ns);
    if (!further && percent(r, 6))
        text_printf(&d->out, ", \"skip_ns\": %d", (int)one_of(r, 50, 100, 1000, 1000, 100000));
    if (on_gpu && !op->graph && op->caller != LOOSE && percent(r, 10))
        text_str(&d->out, ", \"host_waits\": true");
    if (on_gpu)
        put_after(d, i);
    text_str(&d->out, "}");
}

/* The first kernel waits for one of another stream; the second one is programmatically behind the first, or its node by
 * a port, and waits with it. Whether there is room for the third hangs on what both hold. */
static void draw_tight(draft *d)
{
    support_random *r = &d->r;
    d->tight = true;
    d->ops = 3;
    d->streams = 2;
    d->graphs = percent(r, 50);
    for (int i = 0; i < d->ops; i++)
        d->op[i] = (drawn_op){.kind = KERNEL,
                              .caller = LOOSE,
                              .stream = i == 2,
                              .graph = i < 2 ? d->graphs : 0,
                              .release_ns = i == 2 ? draw_time(r) : 0};
}

char *generate_residency(uint64_t seed)
{
    draft d = {.r = {seed * 977}};
    text_open(&d.out, NULL, NULL);
    if (percent(&d.r, 3))
        draw_tight(&d);
    else
        draw_ops(&d);
    text_str(&d.out, "{\"schema\": \"gridcast.workload/1\", ");
    put_gpu(&d);
    put_streams(&d);
    text_str(&d.out, ",\n\"ops\": [\n");
    for (int i = 0; i < d.ops; i++)
        put_op(&d, i);
    text_str(&d.out, "]}\n");
    return text_take(&d.out, NULL);
}
