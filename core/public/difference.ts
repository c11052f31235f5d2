/**
 * Differences between two JSON values. Of an object: the members that are new or changed. Of a
 * list: runs of rows it had before, changed rows, and new ones. The archive keeps public frames of
 * single ticks in this form. No object may have a member that is null, since null marks a removed
 * one.
 */
export type Json =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Json[]
  | { readonly [key: string]: Json }

type Members = Readonly<Record<string, Json>>

/**
 * Rows that were in the list before, as [first, count]; one that has changed since, as [index, 1,
 * difference]; or a new one.
 */
type Run =
  | readonly [first: number, count: number]
  | readonly [index: number, count: 1, difference: Json]
  | readonly [row: Json]

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

const isObject = (value: Json): value is Members =>
  typeof value === 'object' && value !== null && !isList(value)

const memberOf = (members: Members, key: string): Json =>
  Object.hasOwn(members, key) ? members[key] : undefined

/**
 * Returns what `applyDifference` needs to turn `before` into `after`; undefined if they are equal.
 * O(size of both).
 */
export function differenceOf(before: Json, after: Json): Json {
  if (isObject(before) && isObject(after)) return memberDifference(before, after)
  if (isList(before) && isList(after)) return listDifference(before, after)
  return before === after ? undefined : after
}

function memberDifference(before: Members, after: Members): Json {
  const changed: [string, Json][] = []
  for (const [key, value] of Object.entries(after)) {
    const difference = differenceOf(memberOf(before, key), value)
    if (difference !== undefined) changed.push([key, difference])
  }
  for (const [key, value] of Object.entries(before)) {
    if (value !== undefined && memberOf(after, key) === undefined) changed.push([key, null])
  }
  return changed.length === 0 ? undefined : Object.fromEntries(changed)
}

/** Returns a row as its difference from the one at the same index before, if that is shorter. */
function changedRow(before: readonly Json[], index: number, row: Json, text: string): Run {
  if (!isObject(before[index]) || !isObject(row)) return [row]
  const difference = differenceOf(before[index], row)
  // The row differs only in the order of its members.
  if (difference === undefined) return [index, 1]
  return JSON.stringify(difference).length < text.length ? [index, 1, difference] : [row]
}

function listDifference(before: readonly Json[], after: readonly Json[]): Json {
  const texts = before.map((row) => JSON.stringify(row))
  const places = new Map<string, number>()
  for (const [index, text] of texts.entries()) if (!places.has(text)) places.set(text, index)
  const runs: Run[] = []
  /** The run that the next row may continue. */
  let open: [first: number, count: number] | undefined
  for (const [index, row] of after.entries()) {
    const text = JSON.stringify(row)
    if (open && texts[open[0] + open[1]] === text) {
      open[1] += 1
      continue
    }
    const place = places.get(text)
    open = place === undefined ? undefined : [place, 1]
    runs.push(open ?? changedRow(before, index, row, text))
  }
  const isSame = before.length === after.length && (open?.[1] ?? 0) === after.length
  return isSame ? undefined : runs
}

/** Returns the value that `before` becomes with a difference; does not change `before`. */
export function applyDifference(before: Json, difference: Json): Json {
  if (difference === undefined) return before
  if (isObject(before) && isObject(difference)) {
    const members = new Map(Object.entries(before))
    for (const [key, change] of Object.entries(difference)) {
      if (change === null) members.delete(key)
      else members.set(key, applyDifference(members.get(key), change))
    }
    return Object.fromEntries(members)
  }
  if (!isList(before) || !isList(difference)) return difference
  return (difference as readonly Run[]).flatMap((run) => {
    if (run.length === 1) return [run[0]]
    if (run.length === 3) return [applyDifference(before[run[0]], run[2])]
    return before.slice(run[0], run[0] + run[1])
  })
}
