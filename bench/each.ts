/** Runs many pieces of work of a load, such as logins, some at a time. */

/** Runs `work` on 0 … count-1, `atOnce` at a time; resolves with the results in order. */
export async function each<T>(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const runNext = async (): Promise<void> => {
    while (next < count) {
      const index = next++
      results[index] = await work(index)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, runNext))
  return results
}
