/* What exec knows before it runs anything: instructions, kernels, programs. */
#ifndef CLI_EXEC_LIST_H
#define CLI_EXEC_LIST_H

#include "cli/command.h"

/* Each instruction that can be executed here, with its forms. */
gcast_status exec_list_instructions(void);
/* The kernels of a program and the types of their parameters. */
gcast_status exec_list_kernels(const gcast_ptx *p);
/* A program as text that reads the same. */
gcast_status exec_print_program(const gcast_ptx *p);

#endif
