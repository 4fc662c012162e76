// bench/programs: runs one experiment and prints JSON lines.
#include "lab.h"
#include <cstdlib>
#include <cstring>

namespace
{
std::vector<Experiment> all()
{
    std::vector<Experiment> list;
    for (const auto *part : {&chain_experiments, &branch_experiments, &node_experiments, &pdl_experiments,
                             &cluster_experiments, &cooperative_experiments})
        list.insert(list.end(), part->begin(), part->end());
    return list;
}

void print_device(FILE *out, const Experiment &e)
{
    cudaDeviceProp d;
    int driver = 0, runtime = 0, least = 0, greatest = 0;
    MUST(cudaGetDeviceProperties(&d, 0));
    MUST(cudaDriverGetVersion(&driver));
    MUST(cudaRuntimeGetVersion(&runtime));
    MUST(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    const char *connections = getenv("CUDA_DEVICE_MAX_CONNECTIONS");
    fprintf(out,
            "{\"x\":\"%s\",\"question\":\"%s\",\"gpu\":\"%s\",\"sms\":%d,\"driver\":%d,\"runtime\":%d,\"priorities\":[%"
            "d,%d],"
            "\"copy_engines\":%d,\"connections\":\"%s\"}\n",
            e.name, e.question, d.name, d.multiProcessorCount, driver, runtime, least, greatest, d.asyncEngineCount,
            connections ? connections : "default");
}
} // namespace

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "list")) {
        for (const Experiment &e : all())
            printf("%s\n", e.name);
        return 0;
    }
    if (argc != 3) {
        fprintf(stderr, "usage: programs list | programs EXPERIMENT SECONDS\n");
        return 2;
    }
    for (const Experiment &e : all())
        if (!strcmp(e.name, argv[1])) {
            try {
                print_device(stdout, e);
                Lab lab(stdout, atof(argv[2]));
                uint64_t from = host_ns();
                e.run(lab);
                printf("{\"x\":\"%s\",\"done\":true,\"ms\":%llu}\n", e.name,
                       (unsigned long long)(host_ns() - from) / 1000000);
            } catch (const Failure &failure) {
                printf("{\"x\":\"%s\",\"fatal\":\"%.200s\"}\n", e.name, failure.what());
                fprintf(stderr, "%s: %s\n", e.name, failure.what());
                return 1;
            }
            return fflush(stdout) ? 1 : 0;
        }
    fprintf(stderr, "programs: no experiment %s\n", argv[1]);
    return 2;
}
