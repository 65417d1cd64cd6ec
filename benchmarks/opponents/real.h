/* The number type of the floors: double, or another by -DREAL=... */

#include <tgmath.h>

#ifndef REAL
#define REAL double
#endif
#ifndef GAP_RESOLUTION
#define GAP_RESOLUTION 2e-16
#endif
typedef REAL real;
#define INLINE static inline __attribute__((always_inline))
