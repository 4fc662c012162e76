/* What the components in papers/ do for the command: reproductions of papers, which nothing else includes. A build
 * without them (GRIDCAST_PAPERS) says where they are asked for that it does not have them. */
#ifndef CLI_COMPONENTS_H
#define CLI_COMPONENTS_H

#include "cli/args.h"
#include "cli/component_names.h"

/* Does --method of `analyze` name COMPONENT_METHOD? */
bool component_method_wanted(const args *a);
/* Refuses options that go with it only. Errors are printed, here and below. */
gcast_status component_method_refuse(const args *a);
/* The whole of `analyze` by it. */
gcast_status component_method_run(const args *a);

#endif
