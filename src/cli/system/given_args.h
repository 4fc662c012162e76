/* What the command line says about a model: --kernels, --core, --wait, --chain and the like. */
#ifndef CLI_SYSTEM_GIVEN_ARGS_H
#define CLI_SYSTEM_GIVEN_ARGS_H

#include "amalthea/model.h"
#include "cli/args.h"
#include "model/system/given.h"

/* What the file of --kernels says, changed by the other options. Errors are printed. Free it with given_free. */
gcast_status given_from_args(const args *a, const am_model *m, sys_given **g);

#endif
