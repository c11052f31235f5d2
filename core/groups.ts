/** Helpers for maps from a key to a list or a set of values, which most derived indexes are. */

/** Adds a value to the list of a key. O(1). */
export function addToList<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** Adds a value to the set of a key. O(1). */
export function addToSet<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key)
  if (set) set.add(value)
  else sets.set(key, new Set([value]))
}

/** Removes a value from the set of a key, and the key when its set is empty. O(1). */
export function removeFromSet<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key)
  set?.delete(value)
  if (set?.size === 0) sets.delete(key)
}

/** Removes a value from the list of a key, and the key when its list is empty. O(list). */
export function removeFromList<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const left = (lists.get(key) ?? []).filter((other) => other !== value)
  if (left.length === 0) lists.delete(key)
  else lists.set(key, left)
}

/** Adds an amount to the sum of a key. O(1). */
export function addToSum<K>(sums: Map<K, number>, key: K, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount)
}
