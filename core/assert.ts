/**
 * Assertions that stay on in production. A failed one is a bug of ours: it ends the batch, and with
 * it the world thread (DESIGN 4); nothing catches it to go on.
 */
export class AssertionError extends Error {
  override name = 'AssertionError'
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message)
}
