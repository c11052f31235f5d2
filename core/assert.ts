/**
 * Assertions that stay on in production. A failed assertion is a bug: it ends the batch, and with
 * that the world thread (DESIGN 4); nothing catches it to carry on.
 */
export class AssertionError extends Error {
  override name = 'AssertionError'
}

/** Throws an AssertionError unless the condition holds. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message)
}
