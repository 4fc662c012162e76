// Clusters: which SMs share a GPC, when and where clusters start, and who waits for them.
#include "lab.h"
#include <algorithm>

namespace
{
constexpr size_t WHOLE = 200 * KIB; // shared memory of a block that leaves no room for another such block on its SM

Kernel &add_clusters(Trial &t, const char *name, int clusters, int size, int threads, size_t shared, double us)
{
    Kernel &k = t.add(name, clusters * size, threads, us);
    k.function = F3; // may have clusters of 16
    k.cluster = size;
    k.shared = shared;
    return k;
}

// A block on every SM; those outside the mask end soon.
Kernel &add_holder(Trial &t, double us)
{
    Kernel &k = t.add("holder", t.lab.sms, 64, us);
    k.shared = WHOLE;
    k.body().masked = 1;
    return k;
}

void hold(Kernel &holder, int sm)
{
    holder.body().mask[sm / 32] |= 1u << sm % 32;
}

int max_clusters(Kernel &k)
{
    std::vector<cudaLaunchAttribute> attributes = k.attributes();
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(k.blocks);
    config.blockDim = dim3(k.threads);
    config.dynamicSmemBytes = k.shared;
    config.attrs = attributes.data();
    config.numAttrs = (unsigned)attributes.size();
    int n = 0;
    MUST(cudaOccupancyMaxActiveClusters(&n, function_of(k.function), &config));
    return n;
}

struct Groups { // SMs that were seen in one cluster are in one group
    std::vector<int> parent;
    explicit Groups(int n) : parent(n)
    {
        for (int i = 0; i < n; i++)
            parent[i] = i;
    }
    int find(int a)
    {
        return parent[a] == a ? a : parent[a] = find(parent[a]);
    }
    void take(const std::vector<Record> &got, const Kernel &k)
    {
        for (int i = 0; i < k.blocks; i++) {
            const Record &r = got[k.base + i], &head = got[k.base + i / k.cluster * k.cluster];
            if (r.end && head.end && r.sm < parent.size() && head.sm < parent.size())
                parent[find((int)r.sm)] = find((int)head.sm);
        }
    }
};

// Launches clusters of one block per SM while some SMs, drawn anew each time, are held.
void draw_clusters(Lab &lab, Groups &groups, int size, int held, int reps, const char *experiment)
{
    Trial t(lab, experiment);
    t.p("size", size).p("held", held);
    attempt(t, [&] {
        Stream a, b;
        Kernel &holder = add_holder(t, 400);
        holder.function = F3;
        Kernel &k = add_clusters(t, "C", std::max(1, (lab.sms - held) / size), size, 64, WHOLE, 30);
        uint32_t draw = 12345u + 977u * size + held;
        t.repeat(reps, [&] {
            if (!t.got.empty())
                groups.take(t.got, k); // of the last repetition
            std::vector<int> sms(lab.sms);
            for (int i = 0; i < lab.sms; i++)
                sms[i] = i;
            for (int i = lab.sms - 1; i > 0; i--)
                std::swap(sms[i], sms[(draw = draw * 1664525u + 1013904223u) / 65536 % (i + 1)]);
            std::fill(holder.body().mask, holder.body().mask + 8, 0);
            for (int i = 0; i < held; i++)
                hold(holder, sms[i]);
            if (held)
                t.launch(holder, a);
            t.pace(80);
            t.launch(k, b);
        });
        groups.take(t.got, k);
    });
}

void cluster_map(Lab &lab)
{
    Groups groups(lab.sms);
    for (int size : {16, 8, 4, 2, 12, 10, 6, 3, 5, 7})
        for (int held : {0, 20, 50, 90})
            draw_clusters(lab, groups, size, held, size >= 8 ? 12 : 6, "cluster-map");
}

// The GPC of every SM, as clusters of 16 and 8 show it now.
std::vector<int> map_gpcs(Lab &lab)
{
    Groups groups(lab.sms);
    for (int i = 0; i < 12; i++)
        for (int size : {16, 8})
            draw_clusters(lab, groups, size, i * 9 % 70, 1, "cluster-map-short");
    std::vector<int> gpc(lab.sms);
    for (int i = 0; i < lab.sms; i++)
        gpc[i] = groups.find(i);
    return gpc;
}

struct Shape {
    const char *name;
    int threads;
    size_t shared;
};

// As many clusters as fit once and a half: how many run at a time, where, and in which order.
void cluster_fit(Lab &lab)
{
    for (Shape shape :
         {Shape{"1024 threads", 1024, 0}, Shape{"one to an SM", 128, WHOLE}, Shape{"two to an SM", 256, 100 * KIB},
          Shape{"256 threads", 256, 0}, Shape{"64 threads", 64, 0}})
        for (int size : {1, 2, 4, 8, 16, 3, 6, 12})
            for (int policy : {0, 1, 2}) {
                if (shape.threads == 64 && shape.shared == 0 && policy)
                    continue;
                Trial t(lab, "cluster-fit");
                t.p("shape", shape.name).p("size", size).p("policy", policy);
                attempt(t, [&] {
                    Stream stream;
                    Trial probe(lab, "probe");
                    Kernel &p = add_clusters(probe, "p", 1, size, shape.threads, shape.shared, 1);
                    p.policy = policy;
                    int most = max_clusters(p);
                    t.p("occupancy", most);
                    Kernel &k = add_clusters(t, "C", most + most / 2 + 1, size, shape.threads, shape.shared, 150);
                    k.policy = policy;
                    t.repeat(2, [&] { t.launch(k, stream); });
                });
            }
}

// A few clusters on an idle GPU: which GPCs and SMs come first.
void cluster_place(Lab &lab)
{
    for (int size : {1, 2, 4, 8, 16})
        for (int clusters : {1, 2, 3, 5, 8, 16, 33})
            for (int policy : {0, 1, 2}) {
                if (size * clusters > 264)
                    continue;
                Trial t(lab, "cluster-place");
                t.p("size", size).p("clusters", clusters).p("policy", policy);
                attempt(t, [&] {
                    Stream stream;
                    Kernel &k = add_clusters(t, "C", clusters, size, 256, 0, 40);
                    k.policy = policy;
                    t.repeat(4, [&] { t.launch(k, stream); });
                });
            }
}

// A block on every SM ends at a time of its own: each cluster should start as soon as a GPC has room for all of it.
void cluster_room(Lab &lab)
{
    map_gpcs(lab); // its records go before these
    for (int size : {1, 2, 4, 8, 16})
        for (const char *order : {"staggered", "staggered-slow"}) {
            Trial t(lab, "cluster-room");
            std::string o = order;
            t.p("size", size).p("order", o);
            attempt(t, [&] {
                Stream a, b;
                Kernel &holder = t.add("holder", lab.sms, 64, 200);
                holder.function = F3;
                holder.shared = WHOLE;
                holder.body().step = o == "staggered" ? 3000 : 12000;
                Kernel &k = add_clusters(t, "C", std::max(1, lab.sms / size - 1), size, 64, WHOLE, 2500);
                t.repeat(4, [&] {
                    t.launch(holder, a);
                    t.pace(100);
                    t.launch(k, b);
                });
            });
        }
}

// SMs are held so that every GPC has just `free` SMs left, and one GPC has `more`. Does a cluster start before the
// holder ends; does a kernel of single blocks behind it, which fits?
void cluster_head(Lab &lab)
{
    std::vector<int> gpc = map_gpcs(lab);
    for (int size : {2, 4, 8, 16})
        for (int more : {-1, 0})
            for (int probe_priority : {0, -5})
                for (const char *kind : {"single", "cluster-2"}) {
                    Trial t(lab, "cluster-head");
                    std::string probes = kind;
                    t.p("size", size).p("free", size - 1).p("one_gpc", size + more).p("probe_priority", probe_priority);
                    t.p("probe", probes);
                    attempt(t, [&] {
                        Stream a, b, c(probe_priority);
                        Kernel &holder = add_holder(t, 800);
                        holder.function = F3;
                        std::vector<int> seen(lab.sms, 0), members(lab.sms, 0);
                        for (int sm = 0; sm < lab.sms; sm++)
                            members[gpc[sm]]++;
                        int special = (int)(std::max_element(members.begin(), members.end()) - members.begin());
                        for (int sm = 0; sm < lab.sms; sm++)
                            if (seen[gpc[sm]]++ >= (gpc[sm] == special ? size + more : size - 1))
                                hold(holder, sm);
                        Kernel &k = add_clusters(t, "C", 3, size, 64, WHOLE, 100);
                        Kernel &q = t.add("probe", 2, 64, 50);
                        q.function = F3;
                        q.shared = WHOLE;
                        q.cluster = probes == "single" ? 0 : 2;
                        k.stream = 1, q.stream = 2;
                        t.repeat(4, [&] {
                            t.launch(holder, a);
                            t.pace(150);
                            t.launch(k, b);
                            t.pace(300);
                            t.launch(q, c);
                        });
                    });
                }
}

// Patterns of free SMs: one of each TPC (even SMs held), one TPC of two, SMs partly filled.
void cluster_fragments(Lab &lab)
{
    for (const char *pattern : {"even SMs held", "odd SMs held", "every second TPC held", "nothing held"})
        for (int size : {2, 4, 8, 16})
            for (const char *needs : {"whole", "half"}) {
                Trial t(lab, "cluster-fragments");
                std::string p = pattern, n = needs;
                t.p("pattern", p).p("size", size).p("needs", n);
                attempt(t, [&] {
                    Stream a, b;
                    Kernel &holder = add_holder(t, 600);
                    holder.function = F3;
                    for (int sm = 0; sm < lab.sms; sm++)
                        if ((p == "even SMs held" && sm % 2 == 0) || (p == "odd SMs held" && sm % 2) ||
                            (p == "every second TPC held" && sm / 2 % 2))
                            hold(holder, sm);
                    Kernel &k =
                        add_clusters(t, "C", std::max(1, 48 / size), size, 64, n == "whole" ? WHOLE : 100 * KIB, 40);
                    k.stream = 1;
                    t.repeat(4, [&] {
                        t.launch(holder, a);
                        t.pace(120);
                        t.launch(k, b);
                    });
                });
            }
}

// A kernel of clusters and one of single blocks, both of many waves, from two streams: who starts blocks when?
void cluster_mixed(Lab &lab)
{
    for (int size : {2, 8, 16})
        for (int first : {0, 1}) // the clusters come first
            for (int priority : {0, -5}) {
                Trial t(lab, "cluster-mixed");
                t.p("size", size).p("clusters_first", first).p("second_priority", priority);
                attempt(t, [&] {
                    Stream a, b(priority);
                    Kernel &k = add_clusters(t, "C", 3 * lab.sms / size, size, 64, WHOLE, 60);
                    Kernel &s = t.add("S", 2 * lab.sms, 64, 45);
                    s.function = F3;
                    s.shared = WHOLE;
                    k.body().step = 150; // blocks of a cluster end at different times
                    (first ? s : k).stream = 1;
                    t.repeat(3, [&] {
                        t.launch(first ? k : s, a);
                        t.pace(50);
                        t.launch(first ? s : k, b);
                    });
                });
            }
}
} // namespace

const std::vector<Experiment> cluster_experiments = {
    {"cluster-map", "which SMs share a GPC; which sizes are possible", cluster_map},
    {"cluster-fit", "how many clusters run at a time against the occupancy calculation; do their blocks start together",
     cluster_fit},
    {"cluster-place", "the order of GPCs and SMs on an idle GPU, by policy", cluster_place},
    {"cluster-room", "does a cluster start as soon as one GPC has room for all of it, and not before", cluster_room},
    {"cluster-head", "do kernels behind a cluster kernel that waits for room wait too (X1, A2)", cluster_head},
    {"cluster-fragments", "does a cluster need whole TPCs", cluster_fragments},
    {"cluster-mixed", "clusters and single blocks of two kernels that both wait", cluster_mixed},
};
