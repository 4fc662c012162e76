/* Short names of kernels. */
#ifndef PROFILE_MAKE_KERNEL_LABELS_H
#define PROFILE_MAKE_KERNEL_LABELS_H

#define SHORT_NAME_SIZE 80 /* with NUL */

/* "void at::native::(anonymous namespace)::layer_norm<float, 4>(int, float*)" becomes "layer_norm". Never empty. */
void short_name(const char *name, char out[SHORT_NAME_SIZE]);

#endif
