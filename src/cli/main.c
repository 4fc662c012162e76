/* gridcast COMMAND: finds the command, runs it, and exits with its status. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/args.h"
#include "cli/command_table.h"
#include "cli/completion/complete.h"
#include "cli/completion/completion_scripts.h"
#include "cli/say.h"
#include "cli/schema.h"
#include "cli/suggest.h"
#include "cli/welcome.h"

static gcast_status say_unknown(const char *name)
{
    suggestion suggested = suggest_for(name);
    for (size_t i = 0; i < command_count; i++)
        suggest_consider(&suggested, commands[i]->name);
    if (suggested.nearest)
        return say(GCAST_USAGE, "unknown command %s; did you mean %s?", name, suggested.nearest);
    return say(GCAST_USAGE, "unknown command %s; gridcast --help lists them", name);
}

/* gridcast help [COMMAND] */
static gcast_status help(const char *name)
{
    const command *cmd = name ? command_find(name) : NULL;
    if (name && !cmd)
        return say_unknown(name);
    if (cmd)
        print_command_help(cmd, stdout);
    else
        print_help(stdout);
    return GCAST_OK;
}

static gcast_status run(int argc, char **argv)
{
    if (argc < 2) {
        print_welcome(argc ? argv[0] : NULL, stderr);
        return GCAST_USAGE;
    }
    const char *first = argv[1];
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0)
        return help(argc > 2 ? argv[2] : NULL);
    if (strcmp(first, "--version") == 0) {
        printf("gridcast %s\n", gcast_version());
        return GCAST_OK;
    }
    if (strcmp(first, "--complete") == 0)
        return complete_words(argc - 2, argv + 2);
    if (strcmp(first, "--completion") == 0)
        return print_completion(argc > 2 ? argv[2] : "");
    if (strcmp(first, "--schema") == 0)
        return print_schema(argc > 2 ? argv[2] : NULL);
    const command *cmd = command_find(first);
    if (!cmd)
        return say_unknown(first);
    if (!cmd->options) /* it is not in this build, as it says */
        return cmd->run(&(args){.cmd = cmd});
    args a;
    gcast_status status = args_parse(cmd, argc - 1, argv + 1, &a);
    if (status != GCAST_OK)
        return status;
    if (args_has(&a, "help")) {
        bool for_models = cmd->system_options && a.operand_count && strcmp(a.operands[0], "amalthea") == 0;
        (for_models ? print_system_help : print_command_help)(cmd, stdout);
        return GCAST_OK;
    }
    return cmd->run(&a);
}

/* If a standard descriptor is closed, the next file that is opened gets its number, and what is printed goes into that
 * file. So /dev/null takes the number, opened such that reading stdin and writing the others still fail. */
static void occupy_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    occupy_standard_descriptors();
    gcast_status status = run(argc, argv);
    errno = 0;
    bool failed = ferror(stdout);
    if ((fclose(stdout) != 0 || failed) && (status == GCAST_OK || status == GCAST_NO))
        status = say(GCAST_RESOURCE, "standard output: %s", strerror(errno ? errno : EIO));
    return (int)status;
}
