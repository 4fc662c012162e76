#include "cli/system/system_options.h"

#include <string.h>
#include <sys/stat.h>

#include "cli/output/extension.h"
#include "cli/say.h"

bool system_wanted(const args *a)
{
    struct stat st;
    const char *path = a->operand_count ? a->operands[0] : "";
    return path_ends_with(path, ".amxmi") || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

static bool is_in(const option_spec *options, const char *name)
{
    for (; options && options->name; options++)
        if (strcmp(options->name, name) == 0)
            return true;
    return false;
}

gcast_status system_options_check(const args *a)
{
    bool wanted = system_wanted(a);
    if (!wanted && a->operand_count > 1)
        return say(GCAST_USAGE, "%s takes one workload; several files or a folder are an AMALTHEA model", a->cmd->name);
    for (size_t i = 0; i < a->given_count; i++) {
        const char *name = a->given[i].spec->name;
        bool of_system = is_in(a->cmd->system_options, name);
        if (of_system && !wanted)
            return say(GCAST_USAGE, "--%s goes with an AMALTHEA model", name);
        if (wanted && !of_system && is_in(a->cmd->options, name) && !command_shared(a->cmd, name))
            return say(GCAST_USAGE, "--%s goes with a workload, not with an AMALTHEA model", name);
    }
    return GCAST_OK;
}
