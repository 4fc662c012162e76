/* What a function of the CUDA runtime or driver does, by its name. */
#ifndef PROFILE_CALL_NAMES_H
#define PROFILE_CALL_NAMES_H

#include "profile/trace.h"

/* Versions behind the name, such as _v7000 and _ptsz, make no difference. */
prof_call_kind call_kind_of(const char *name);
/* Does the function return when its work is done, as cudaMemcpy does and cudaMemcpyAsync does not? */
bool call_is_synchronous(const char *name);

#endif
