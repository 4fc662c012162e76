/* Chains of graphs against what an H200 did: how many nodes of a launch share a connection, and how many copies of one
 * direction a channel (tests/data/chains). */
#include "model/workload/workload.h"
#include "support/builders.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NODES 32
#define COPY_DIRECTIONS 2
#define QUEUES 64 /* more than chains, so that each has its own */

/* How many operations each queue has; the largest first. */
typedef struct counts {
    int of[QUEUES];
} counts;

static int larger_first(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

static counts counts_of(const int *queue, size_t n)
{
    counts c = {{0}};
    for (size_t i = 0; i < n; i++)
        if (queue[i] >= 0)
            c.of[queue[i]]++;
    qsort(c.of, QUEUES, sizeof c.of[0], larger_first);
    return c;
}

static counts read_counts(const char *text)
{
    counts c = {{0}};
    char *rest = (char *)text;
    for (int i = 0; i < QUEUES && *rest && *rest != '|'; i++) {
        c.of[i] = (int)strtol(rest, &rest, 10);
        rest += strspn(rest, " ");
    }
    return c;
}

/* "h2d:65536<0,1": a node, and what it is after. */
static void add_node(gcast_workload *w, const char *text)
{
    gcast_error err;
    uint32_t after[MAX_NODES];
    size_t n = 0, place = w->op_count;
    bool is_memset = text[0] == 'm', is_kernel = text[0] == 'k';
    gcast_op op = gcast_op_default(is_kernel ? GCAST_KIND_KERNEL : is_memset ? GCAST_KIND_MEMSET : GCAST_KIND_COPY);
    op.label = "node";
    op.stream = support_get_stream(w, 1, &err);
    op.graph = 0;
    op.grid[0] = 1;
    op.block[0] = 32;
    op.min_ns = op.max_ns = is_kernel ? 1000 : GCAST_UNKNOWN_NS;
    if (!is_kernel)
        op.bytes = strtoll(strchr(text, ':') + 1, NULL, 10);
    op.direction = strncmp(text, "h2d", 3) == 0 ? GCAST_H2D : strncmp(text, "d2h", 3) == 0 ? GCAST_D2H : GCAST_D2D;
    assert_true(support_add_op(w, &op, &err) >= 0);
    for (char *at = strchr(text, '<'); at && (*at == '<' || *at == ',');)
        after[n++] = (uint32_t)strtoul(at + 1, &at, 10);
    assert_true(workload_set_after(w, place, after, n));
}

static gcast_workload *make_graph(char *nodes)
{
    gcast_error err;
    gcast_workload *w;
    char *rest;
    int graph;
    assert_ok(gcast_workload_create("graph", &w, &err), &err);
    assert_ok(gcast_workload_add_graph(w, "g", &graph, &err), &err);
    for (char *node = strtok_r(nodes, " ", &rest); node; node = strtok_r(NULL, " ", &rest))
        add_node(w, node);
    return w;
}

static gcast_run *simulate(const gcast_workload *w)
{
    gcast_error err;
    gcast_run *run;
    gcast_gpu *gpu;
    gcast_simulate_options options = gcast_simulate_options_default();
    assert_ok(gcast_gpu_preset("h200", &gpu, &err), &err);
    gpu->connections = gpu->copy_channels = QUEUES / COPY_DIRECTIONS;
    assert_ok(gcast_workload_simulate(w, gpu, &options, &run, &err), &err);
    gcast_gpu_free(gpu);
    return run;
}

/* How many graphs there are, and how many of them have the right connections and the right channels. */
typedef struct tally {
    int graphs, connections, channels;
} tally;

/* A line of the data, which is cut into pieces. */
static void compare(char *line, tally *t)
{
    int connection[MAX_NODES], channel[MAX_NODES];
    char *pieces = strchr(line, '|'), *copies = pieces ? strchr(pieces + 1, '|') : NULL;
    assert_non_null(copies);
    *pieces = 0;
    gcast_workload *w = make_graph(line);
    gcast_run *run = simulate(w);
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        connection[i] = r->connection;
        channel[i] = r->engine == 0 || r->engine == 1 ? 2 * r->channel + r->engine : -1; /* not on the device */
    }
    counts c = counts_of(connection, run->op_count), seen = read_counts(pieces + 2);
    t->connections += memcmp(&c, &seen, sizeof c) == 0;
    c = counts_of(channel, run->op_count);
    seen = read_counts(copies + 2);
    t->channels += memcmp(&c, &seen, sizeof c) == 0;
    t->graphs++;
    gcast_run_free(run);
    gcast_workload_free(w);
}

static tally compare_all(const char *path)
{
    tally t = {0};
    size_t bytes;
    char *data = support_read(path, &bytes), *rest;
    for (char *line = strtok_r(data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        if (line[0] != '#')
            compare(line, &t);
    free(data);
    return t;
}

static void test_found_on(void **state)
{
    (void)state;
    tally t = compare_all("tests/data/chains/h200.txt");
    assert_int_equal(t.graphs, 320);
    assert_int_equal(t.connections, 320);
    assert_int_equal(t.channels, 318);
}

static void test_drawn_afterwards(void **state)
{
    (void)state;
    tally t = compare_all("tests/data/chains/h200-new.txt");
    assert_int_equal(t.graphs, 300);
    assert_int_equal(t.connections, 299);
    assert_int_equal(t.channels, 299);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_found_on), cmocka_unit_test(test_drawn_afterwards)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
