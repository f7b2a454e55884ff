/* Minimises the Rosenbrock function by gradient descent with momentum, from C.
 *
 *   wengert build rosenbrock.mlir --grad 0 -o rosenbrock.o --header rosenbrock.h
 *   cc -O2 main.c rosenbrock.o -lm -o rosenbrock && ./rosenbrock
 */
#include <stdio.h>
#include <stdlib.h>
#include "rosenbrock.h"

int main(void) {
    double x[8] = {0}, speed[8] = {0}, value, gradient[8];
    /* Where the program needs no scratch memory, NULL will do. */
    void *scratch = ROSENBROCK_SCRATCH_BYTES ? aligned_alloc(64, ROSENBROCK_SCRATCH_BYTES) : NULL;
    for (int step = 0; step <= 20000; step++) {
        if (rosenbrock(x, &value, gradient, scratch) != 0) return 1;
        if (step % 5000 == 0) printf("step %5d  f = %.3e\n", step, value);
        for (int i = 0; i < 8; i++) {
            speed[i] = 0.9 * speed[i] - 2e-4 * gradient[i];
            x[i] += speed[i];
        }
    }
    free(scratch);
    printf("x = %.6f .. %.6f\n", x[0], x[7]);
    return value < 1e-10 ? 0 : 1;
}
