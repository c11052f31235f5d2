/** Lists and sets by key: what derived indexes are made of. */

/** Adds to the list of a key. O(1). */
export function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** Adds to the set of a key. O(1). */
export function include<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key)
  if (set) set.add(value)
  else sets.set(key, new Set([value]))
}

/** Takes out of the set of a key; an empty set goes. O(1). */
export function exclude<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key)
  set?.delete(value)
  if (set?.size === 0) sets.delete(key)
}

/** Takes out of the list of a key; an empty list goes. O(list). */
export function drop<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const left = (lists.get(key) ?? []).filter((other) => other !== value)
  if (left.length === 0) lists.delete(key)
  else lists.set(key, left)
}
