/**
 * Returns a function that makes copies of a record; values are copied by reference. Use it for
 * records of more than a dozen names: V8 makes a hash table of an object whose fields are added one
 * by one under names it does not know, and takes ten times as long to build it and to write it as
 * JSON. What JSON.parse has made is none, and neither are its copies.
 */
export function copierOf<T extends object>(record: T): () => T {
  const parsed = JSON.parse(JSON.stringify(record)) as T
  return () => ({ ...parsed })
}

/** Returns a function that makes records in which each of the names has the value 0. */
export const zeroesOf = <Name extends string>(
  names: readonly Name[],
): (() => Record<Name, number>) =>
  copierOf(Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>)
