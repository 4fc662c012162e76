# examples/smc_launch.c needs cuda.h and libcuda. Where they are not there it is compiled with a stand-in, in the tests.
find_path(CUDA_H_DIR cuda.h HINTS $ENV{CUDA_HOME}/include PATHS /usr/local/cuda/include /opt/cuda/include)
find_library(CUDA_LIBRARY cuda HINTS $ENV{CUDA_HOME}/lib64 PATHS /usr/local/cuda/lib64 /opt/cuda/lib64 PATH_SUFFIXES stubs)
if(CUDA_H_DIR AND CUDA_LIBRARY AND NOT CMAKE_CROSSCOMPILING)
  add_executable(smc_launch examples/smc_launch.c)
  target_include_directories(smc_launch SYSTEM PRIVATE ${CUDA_H_DIR})
  get_filename_component(CUDA_LIBRARY_DIR ${CUDA_LIBRARY} DIRECTORY)
  target_link_directories(smc_launch PRIVATE ${CUDA_LIBRARY_DIR}) # by name: no stub of the toolkit may come into its path
  target_link_libraries(smc_launch PRIVATE gridcast_shared cuda)
else()
  message(STATUS "no cuda.h or no libcuda: examples/smc_launch.c is not built for GPUs")
endif()
