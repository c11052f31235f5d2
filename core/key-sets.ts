/** Sets of keys by number, for indexes: a number without keys takes no room. */
export type KeySets = Map<number, Set<string>>

export function addKey(sets: KeySets, number: number, key: string): void {
  const found = sets.get(number)
  if (found) found.add(key)
  else sets.set(number, new Set([key]))
}

export function removeKey(sets: KeySets, number: number, key: string): void {
  const found = sets.get(number)
  found?.delete(key)
  if (found?.size === 0) sets.delete(number)
}
