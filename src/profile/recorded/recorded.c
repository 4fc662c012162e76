#include "profile/recorded/recorded.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/recorded/recorded_process.h"

#define MAX_PROCESSES 4096
#define MAX_CLONES 64 /* an executable graph is a clone of a graph, which may be a clone, too */
#define FRAMES_BETWEEN_PROGRESS 4096

/* This allocates nothing: lack of memory is an error of the reading that follows. */
bool recorded_is_file(const char *path)
{
    char head[RECORDED_MAGIC_SIZE];
    struct stat st;
    bool is_regular = strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
    int fd = is_regular ? open(path, O_RDONLY | O_CLOEXEC) : -1; /* bytes read from a pipe would be lost */
    ssize_t size = fd < 0 ? 0 : read(fd, head, sizeof head);
    if (fd >= 0)
        close(fd);
    return size > 0 && frames_recognise(head, (size_t)size);
}

void recorded_process_free(recorded_process *p)
{
    vec_free(&p->texts);
    vec_free(&p->contexts);
    vec_free(&p->streams);
    vec_free(&p->calls);
    vec_free(&p->ops);
    vec_free(&p->records);
    vec_free(&p->syncs);
    vec_free(&p->markers);
    *p = (recorded_process){0};
}

static void recording_free(recording *r)
{
    recorded_process_free(&r->process);
    vec_free(&r->pids);
    vec_free(&r->devices);
    vec_free(&r->nodes);
    vec_free(&r->edges);
    vec_free(&r->removed);
    vec_free(&r->uses);
    vec_free(&r->launches);
}

/* Nodes and edges of graphs, and attributes of launches, are collected here over all processes. */

static int by_node(const void *a, const void *b)
{
    const recorded_node *x = a, *y = b;
    return compare_pairs(x->pid, y->pid, x->node, y->node);
}

static int by_edge(const void *a, const void *b)
{
    const recorded_edge *x = a, *y = b;
    int order = compare_pairs(x->pid, y->pid, x->node, y->node);
    return order ? order : compare_pairs(x->before, y->before, x->graph, y->graph);
}

static int by_removal(const void *a, const void *b)
{
    const recorded_removal *x = a, *y = b;
    return by_edge(&x->edge, &y->edge);
}

static int by_use(const void *a, const void *b)
{
    const recorded_use *x = a, *y = b;
    return x->is_graph != y->is_graph ? x->is_graph - y->is_graph : compare_pairs(x->pid, y->pid, x->number, y->number);
}

static int by_use_and_frame(const void *a, const void *b)
{
    const recorded_use *x = a, *y = b;
    int order = by_use(a, b);
    return order ? order : x->frame != y->frame ? (x->frame < y->frame ? -1 : 1) : 0;
}

/* If a node was recorded twice, the record with an origin comes first. */
static int by_node_and_origin(const void *a, const void *b)
{
    const recorded_node *x = a, *y = b;
    int order = by_node(a, b);
    return order ? order : x->origin != y->origin ? (x->origin > y->origin ? -1 : 1) : 0;
}

static int by_launch(const void *a, const void *b)
{
    const recorded_launch *x = a, *y = b;
    return compare_pairs(x->pid, y->pid, x->correlation, y->correlation);
}

static bool take_launch_frame(recording *r, const frame *f)
{
    int64_t priority = frame_field(f, LAUNCH_PRIORITY);
    recorded_launch l = {.pid = r->process.pid,
                         .correlation = recorded_number(f, LAUNCH_CORRELATION),
                         .is_cooperative = frame_field(f, LAUNCH_COOPERATIVE) > 0,
                         .is_programmatic = frame_field(f, LAUNCH_PROGRAMMATIC) > 0,
                         .has_event = frame_field(f, LAUNCH_PROGRAMMATIC_EVENT) > 0,
                         .has_priority = priority >= -64 && priority <= 64,
                         .priority = priority >= -64 && priority <= 64 ? (int)priority : 0};
    for (size_t i = 0; i < 3; i++) {
        int64_t n = frame_field(f, LAUNCH_CLUSTER_X + i);
        l.cluster[i] = n > 0 && n <= INT32_MAX ? (uint32_t)n : 0;
    }
    return vec_push(&r->launches, l);
}

static bool take_node_frame(recording *r, const frame *f)
{
    recorded_node n = {.pid = r->process.pid,
                       .node = recorded_number(f, NODE_NODE),
                       .graph = recorded_number(f, NODE_GRAPH),
                       .type = recorded_number(f, NODE_TYPE),
                       .origin = recorded_number(f, NODE_ORIGIN)};
    n.graph = n.graph == PROF_UNKNOWN ? 0 : n.graph;
    n.origin = n.origin == PROF_UNKNOWN ? 0 : n.origin;
    recorded_use use = {.pid = n.pid, .number = n.origin, .frame = r->frame_count};
    return vec_push(&r->nodes, n) && (!n.origin || vec_push(&r->uses, use));
}

static bool take_exec_frame(recording *r, const frame *f)
{
    recorded_use use = {
        .pid = r->process.pid, .number = recorded_number(f, EXEC_GRAPH), .is_graph = true, .frame = r->frame_count};
    return vec_push(&r->uses, use);
}

static bool take_edge_frame(recording *r, const frame *f)
{
    recorded_edge e = {.pid = r->process.pid,
                       .graph = recorded_number(f, EDGE_GRAPH),
                       .before = recorded_number(f, EDGE_BEFORE),
                       .node = recorded_number(f, EDGE_NODE),
                       .port = recorded_number(f, EDGE_PORT)};
    e.port = e.port == PROF_UNKNOWN ? 0 : e.port;
    e.graph = e.graph == PROF_UNKNOWN ? 0 : e.graph;
    recorded_removal removal = {.edge = e, .frame = r->frame_count};
    return frame_field(f, EDGE_REMOVED) > 0 ? vec_push(&r->removed, removal) : vec_push(&r->edges, e);
}

static bool take_graph_frame(recording *r, const frame *f)
{
    return f->kind == RECORDED_LAUNCH ? take_launch_frame(r, f)
           : f->kind == RECORDED_NODE ? take_node_frame(r, f)
           : f->kind == RECORDED_EDGE ? take_edge_frame(r, f)
                                      : take_exec_frame(r, f);
}

/* Was the node or graph used before frame key->frame? */
static bool was_used(const recording *r, const recorded_use *key)
{
    size_t low = 0, high = r->uses.count;
    while (low < high) { /* finds the first entry that is not below the key: its first use */
        size_t middle = low + (high - low) / 2;
        if (by_use(&r->uses.at[middle], key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->uses.count && by_use(&r->uses.at[low], key) == 0 && r->uses.at[low].frame < key->frame;
}

/* Destroying a graph removes its edges one by one. That does not affect executable graphs made of it before. */
static bool is_effective(const recording *r, const recorded_removal *removal)
{
    recorded_use node = {.pid = removal->edge.pid, .number = removal->edge.node, .frame = removal->frame};
    recorded_use graph = {
        .pid = removal->edge.pid, .number = removal->edge.graph, .is_graph = true, .frame = removal->frame};
    return !was_used(r, &node) && !was_used(r, &graph);
}

/* Drops removed edges and duplicates. Both lists are sorted. */
static void remove_edges(recording *r)
{
    size_t kept = 0, k = 0;
    for (size_t i = 0; i < r->edges.count; i++) {
        recorded_edge e = r->edges.at[i];
        while (k < r->removed.count && by_edge(&r->removed.at[k].edge, &e) < 0)
            k++;
        bool is_removed = false;
        for (size_t m = k; m < r->removed.count && by_edge(&r->removed.at[m].edge, &e) == 0 && !is_removed; m++)
            is_removed = is_effective(r, &r->removed.at[m]);
        bool is_repeated = kept && by_edge(&r->edges.at[kept - 1], &e) == 0;
        if (!is_removed && !is_repeated)
            r->edges.at[kept++] = e;
    }
    r->edges.count = kept;
}

static void keep_each_node_once(recording *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->nodes.count; i++)
        if (!kept || by_node(&r->nodes.at[kept - 1], &r->nodes.at[i]) != 0)
            r->nodes.at[kept++] = r->nodes.at[i];
    r->nodes.count = kept;
}

#define SORT(list, order)                                                                                              \
    do {                                                                                                               \
        if ((list)->count)                                                                                             \
            qsort((list)->at, (list)->count, sizeof *(list)->at, order);                                               \
    } while (0)

/* Sorts nodes, edges and launches of all processes, and drops duplicates and removed edges. */
static void sort_graphs(recording *r)
{
    SORT(&r->nodes, by_node_and_origin);
    SORT(&r->edges, by_edge);
    SORT(&r->removed, by_removal);
    SORT(&r->uses, by_use_and_frame);
    SORT(&r->launches, by_launch);
    keep_each_node_once(r);
    remove_edges(r);
}

/* Moves nodes, edges and launches to *e. */
static void take_extras(recording *r, recorded_extras *e)
{
    *e = (recorded_extras){.nodes = r->nodes.at,
                           .node_count = r->nodes.count,
                           .edges = r->edges.at,
                           .edge_count = r->edges.count,
                           .launches = r->launches.at,
                           .launch_count = r->launches.count};
    r->nodes.at = NULL;
    r->edges.at = NULL;
    r->launches.at = NULL;
}

/* Adds nodes and edges to the trace. */
static bool tell_graphs(recording *r)
{
    enum { GRAPH_NODE = 4 };
    bool ok = true;
    for (size_t i = 0; i < r->nodes.count && ok; i++) {
        const recorded_node *n = &r->nodes.at[i];
        prof_node node = {.pid = n->pid,
                          .number = n->node,
                          .graph = n->graph,
                          .origin = n->origin,
                          .is_graph = n->type == GRAPH_NODE};
        ok = prof_add_node(r->trace, &node);
    }
    for (size_t i = 0; i < r->edges.count && ok; i++) {
        const recorded_edge *e = &r->edges.at[i];
        prof_edge edge = {.pid = e->pid, .before = e->before, .node = e->node};
        edge.port = e->port == 1   ? GCAST_PORT_PROGRAMMATIC
                    : e->port == 2 ? GCAST_PORT_LAUNCH_COMPLETION
                                   : GCAST_PORT_FULL;
        ok = prof_add_edge(r->trace, &edge);
    }
    return ok;
}

void recorded_extras_free(recorded_extras *e)
{
    free(e->nodes);
    free(e->edges);
    free(e->launches);
    *e = (recorded_extras){0};
}

int64_t recorded_origin(const recorded_extras *e, int64_t pid, int64_t node)
{
    for (int i = 0; i < MAX_CLONES; i++) {
        const recorded_node key = {.pid = pid, .node = node};
        const recorded_node *found =
            e->node_count ? bsearch(&key, e->nodes, e->node_count, sizeof *e->nodes, by_node) : NULL;
        if (!found || !found->origin)
            break;
        node = found->origin;
    }
    return node;
}

/* A process that executes another program keeps its pid, but correlations begin again: its pid is made unique. */
static bool begin_process(recording *r, const frame *f)
{
    int64_t pid = frame_field(f, PROCESS_PID), repeated = 0;
    if (!recorded_process_end(r))
        return false;
    pid = pid < 0 || pid > INT32_MAX ? 0 : pid;
    for (size_t i = 0; i < r->pids.count; i++)
        repeated += r->pids.at[i] == pid;
    r->in_process = true;
    r->process.pid = pid + (repeated << 32);
    r->process.first_launch = r->launches.count;
    return vec_push(&r->pids, pid);
}

static bool take_text(recording *r, const frame *f)
{
    int64_t id = frame_field(f, TEXT_ID);
    const char *words = prof_trace_text(r->trace, f->text, strlen(f->text));
    if (id != (int64_t)r->process.texts.count + 1) /* they come in order */
        return words != NULL;
    return words && vec_push(&r->process.texts, words);
}

static bool take_note(recording *r, const frame *f)
{
    const char *words = prof_trace_text(r->trace, f->text, strlen(f->text));
    int64_t code = frame_field(f, NOTE_CODE), number = frame_field(f, NOTE_NUMBER);
    if (!words)
        return false;
    switch (code) {
    case RECORDED_NOTE_NO_CUPTI:
    case RECORDED_NOTE_FAILED:
    case RECORDED_NOTE_OLDER:
        r->note = r->note ? r->note : code;
        r->note_text = r->note_text ? r->note_text : words;
        return true;
    case RECORDED_NOTE_WITHOUT:
        return prof_find(r->trace, "{part} of CUPTI that could not be used: their records are missing", words, 1);
    case RECORDED_NOTE_NEWER:
        return prof_find(r->trace, "this CUPTI is newer than the ones that gridcast knows: new fields are not read",
                         words, 1);
    case RECORDED_NOTE_DROPPED:
        return prof_find(r->trace, "{record} dropped by CUPTI", NULL, number > 0 ? (uint64_t)number : 1);
    default:
        return true;
    }
}

static bool take_frame(recording *r, const frame *f)
{
    switch (f->kind) {
    case RECORDED_PROCESS:
        return begin_process(r, f);
    case RECORDED_TEXT:
        return take_text(r, f);
    case RECORDED_KERNEL:
    case RECORDED_COPY:
    case RECORDED_MEMSET:
        return take_op_frame(r, f);
    case RECORDED_DEVICE:
    case RECORDED_CONTEXT:
    case RECORDED_STREAM:
    case RECORDED_CALL:
    case RECORDED_EVENT:
    case RECORDED_SYNC:
    case RECORDED_MARKER:
    case RECORDED_THREAD:
        return take_host_frame(r, f);
    case RECORDED_LAUNCH:
    case RECORDED_NODE:
    case RECORDED_EDGE:
    case RECORDED_EXEC:
        return take_graph_frame(r, f);
    case RECORDED_NOTE:
        return take_note(r, f);
    case RECORDED_CUPTI:
        r->version = frame_field(f, CUPTI_VERSION);
        return true;
    case RECORDED_END:
        r->process.has_ended = true;
        return true;
    default:
        return true;
    }
}

static bool show(const prof_read_options *options, const frame_reader *in)
{
    double fraction = in->size ? (double)in->at / (double)in->size : 0;
    return !options || !options->progress || options->progress(options->progress_data, fraction);
}

static gcast_status read_frames(recording *r, frame_reader *in, const prof_read_options *options, gcast_error *err)
{
    frame f;
    frame_result result;
    while ((result = frames_next(in, &f, err)) == FRAME_READ) {
        if (f.kind != RECORDED_PROCESS && !r->in_process)
            return prof_file_error(in->file, GCAST_INPUT, err, "has frames before those of a process");
        if (f.kind == RECORDED_PROCESS && r->pids.count == MAX_PROCESSES)
            return prof_file_error(in->file, GCAST_INPUT, err, "has more than %d processes", MAX_PROCESSES);
        if (!take_frame(r, &f))
            return gcast_error_set_memory(err);
        if (++r->frame_count % FRAMES_BETWEEN_PROGRESS == 0 && !show(options, in))
            return prof_file_error(in->file, GCAST_RESOURCE, err, "was not read to its end");
    }
    if (result == FRAME_FAILED)
        return err->code;
    return recorded_process_end(r) ? GCAST_OK : gcast_error_set_memory(err);
}

/* Sets the error for a recording without operations. */
static gcast_status explain_nothing(const recording *r, const char *source, gcast_error *err)
{
    switch (r->note) {
    case RECORDED_NOTE_NO_CUPTI:
        return prof_file_error(source, GCAST_GPU, err,
                               "libcupti %s%swas not found: install a package such as cuda-cupti-13-0, libcupti-dev or "
                               "nvidia-cuda-cupti (pip)",
                               r->note_text, *r->note_text ? " " : "");
    case RECORDED_NOTE_OLDER:
        return prof_file_error(source, GCAST_GPU, err, "%s is older than that of CUDA 11.0", r->note_text);
    case RECORDED_NOTE_FAILED:
        return prof_file_error(source, GCAST_GPU, err, "nothing was recorded: %s", r->note_text);
    default:
        return prof_file_error(source, GCAST_INPUT, err, "has no kernel, copy or memset");
    }
}

static gcast_status finish(recording *r, const char *source, gcast_error *err)
{
    char writer[64] = "gridcast record";
    if (!r->op_count)
        return explain_nothing(r, source, err);
    sort_graphs(r);
    if (!tell_graphs(r))
        return gcast_error_set_memory(err);
    if (r->note && !prof_find(r->trace, "processes that could not be recorded", r->note_text, 1))
        return gcast_error_set_memory(err);
    if (r->version != RECORDED_UNKNOWN)
        snprintf(writer, sizeof writer, "gridcast record, CUPTI %lld", (long long)r->version);
    const char *kept = prof_trace_text(r->trace, writer, strlen(writer));
    if (!kept)
        return gcast_error_set_memory(err);
    prof_trace_set_writer(r->trace, kept);
    prof_trace_set_zero(r->trace, r->first_ns);
    return prof_trace_finish(r->trace, err);
}

/* Reads one file, or `bytes`. */
static gcast_status read_one(recording *r, const char *path, const void *bytes, size_t size,
                             const prof_read_options *options, gcast_error *err)
{
    frame_reader in;
    gcast_status status = frames_open(&in, path, bytes, size, err);
    if (status != GCAST_OK)
        return status;
    status = read_frames(r, &in, options, err);
    frames_close(&in);
    return status;
}

static gcast_status hand_over(recording *r, gcast_status status, prof_trace **t, recorded_extras *extras)
{
    if (status == GCAST_OK) {
        *t = r->trace;
        if (extras)
            take_extras(r, extras);
    } else {
        prof_trace_free(r->trace);
    }
    recording_free(r);
    return status;
}

gcast_status recorded_read_files(const char *source, const char *const *paths, size_t count,
                                 const prof_read_options *options, prof_trace **t, recorded_extras *extras,
                                 gcast_error *err)
{
    gcast_error own;
    recording r = {.version = RECORDED_UNKNOWN};
    err = err ? err : &own;
    *t = NULL;
    if (extras)
        *extras = (recorded_extras){0};
    gcast_status status = prof_trace_create(source, &r.trace, err);
    for (size_t i = 0; i < count && status == GCAST_OK; i++)
        status = read_one(&r, paths[i], NULL, 0, options, err);
    if (status == GCAST_OK)
        status = finish(&r, source, err);
    return hand_over(&r, status, t, extras);
}

gcast_status recorded_read(const char *path, const prof_read_options *options, prof_trace **t, gcast_error *err)
{
    return recorded_read_files(path, &path, 1, options, t, NULL, err);
}

gcast_status recorded_read_memory(const char *name, const void *bytes, size_t size, prof_trace **t,
                                  recorded_extras *extras, gcast_error *err)
{
    gcast_error own;
    recording r = {.version = RECORDED_UNKNOWN};
    err = err ? err : &own;
    *t = NULL;
    if (extras)
        *extras = (recorded_extras){0};
    gcast_status status = prof_trace_create(name, &r.trace, err);
    if (status == GCAST_OK)
        status = read_one(&r, name, bytes, size, NULL, err);
    if (status == GCAST_OK)
        status = finish(&r, name, err);
    return hand_over(&r, status, t, extras);
}
