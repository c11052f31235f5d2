/** Work that is done in steps, by a generator, so that other work can run in between. */

/** Runs all steps at once, and returns their result. `between` is called after each but the last. */
export function runSteps<T>(steps: Generator<unknown, T>, between?: () => void): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    between?.()
  }
}
