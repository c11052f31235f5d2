/**
 * Suggests corrections of a wrong name: the name of the command in the other version, the same
 * action of another tool, or similar names.
 */
import type { CommandDef } from '../core/command.ts'
import { SUGGESTIONS_PER_SECOND_MAX } from '../core/limits.ts'

/** Commands by their names, and the number of searches for suggestions left this second. */
export interface CommandNames {
  readonly v1: ReadonlyMap<string, CommandDef>
  /** Key `tool/action`; the action is empty for a tool that takes none. */
  readonly v2: ReadonlyMap<string, CommandDef>
  suggestionsLeft: number
}

/**
 * Refills the searches of a second, which are limited because one costs a hundred times as much as
 * a refusal.
 */
export function refillSuggestions(names: CommandNames): void {
  names.suggestionsLeft = SUGGESTIONS_PER_SECOND_MAX
}

const SUGGESTED_MAX = 3
/** Longer names are compared only by their beginning. */
const COMPARED_MAX = 64
const LETTERS_MAX = 3

/** Returns the edit distance of two names; anything above `max` is `max` + 1. */
function distance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = above[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(changed, above[j] + 1, row[j - 1] + 1))
    }
    if (Math.min(...row) > max) return max + 1
    above = row
  }
  return above[b.length]
}

const wordsOf = (name: string): Set<string> => new Set(name.split(/[_/ ]+/))

/**
 * Returns names within a small edit distance, then those that share most words; the nearest first.
 */
function similar(wanted: string, names: Iterable<string>): string[] {
  const max = Math.min(LETTERS_MAX, Math.max(1, Math.floor(wanted.length / 4)))
  const words = wordsOf(wanted)
  const found: { name: string; distance: number }[] = []
  for (const name of names) {
    const letters = distance(wanted, name, max)
    if (letters <= max) {
      found.push({ name, distance: letters })
      continue
    }
    const own = wordsOf(name)
    const shared = [...own].filter((word) => word.length > 2 && words.has(word)).length
    if (shared > 0) found.push({ name, distance: max + 1 + words.size + own.size - 2 * shared })
  }
  return found
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, SUGGESTED_MAX)
    .map(({ name }) => name)
}

/** Returns the names on v1 that a wrong name may mean. */
export function nearestV1(addresses: CommandNames, name: string): string[] {
  if (addresses.suggestionsLeft <= 0) return []
  addresses.suggestionsLeft -= 1
  const wanted = name.slice(0, COMPARED_MAX)
  const def = addresses.v2.get(wanted)
  if (def) return [def.v1Name ?? def.name]
  const actions = [...addresses.v2].filter(([address]) => address.endsWith(`/${wanted}`))
  if (actions.length > 0)
    return actions.slice(0, SUGGESTED_MAX).map(([, { v1Name, name: own }]) => v1Name ?? own)
  return similar(wanted, addresses.v1.keys())
}

/** Returns the addresses on v2 that a wrong tool or a wrong action may mean. */
export function nearestV2(addresses: CommandNames, tool: string, action: string): string[] {
  if (addresses.suggestionsLeft <= 0) return []
  addresses.suggestionsLeft -= 1
  const wanted = (action === '' ? tool : action).slice(0, COMPARED_MAX)
  const named = [...addresses.v2].filter(
    ([address, { name, v1Name }]) =>
      address.endsWith(`/${wanted}`) || name === wanted || v1Name === wanted,
  )
  if (named.length > 0) return plain(named.slice(0, SUGGESTED_MAX).map(([address]) => address))
  const own = [...addresses.v2.keys()].filter((address) => address.startsWith(`${tool}/`))
  const near = similar(
    wanted,
    own.map((address) => address.slice(tool.length + 1)),
  )
  if (near.length > 0) return plain(near.map((name) => `${tool}/${name}`))
  // The tool is right; comparing whole addresses would match all of its actions.
  if (own.length > 0) return elsewhere(addresses, wanted)
  return plain(similar(`${tool}/${action}`, addresses.v2.keys()))
}

/** Returns addresses of any tool whose action resembles the wrong one. */
function elsewhere(addresses: CommandNames, action: string): string[] {
  const byAction = new Map<string, string>()
  for (const address of addresses.v2.keys()) {
    const name = address.slice(address.indexOf('/') + 1)
    if (!byAction.has(name)) byAction.set(name, address)
  }
  return plain(similar(action, byAction.keys()).map((name) => byAction.get(name) ?? name))
}

/** Returns addresses as clients write them: a tool without actions is its own address. */
const plain = (addresses: readonly string[]): string[] =>
  addresses.map((address) => address.replace(/\/$/, ''))
