/**
 * What a wrong name may have meant: the name the other version has for a command, the same action
 * of another tool, or the names a few letters away.
 */
import type { CommandDef } from '../core/command.ts'
import { SUGGESTIONS_PER_SECOND_MAX } from '../core/limits.ts'

/** Commands by their names, and what may still be suggested for wrong ones this second. */
export interface CommandNames {
  readonly v1: ReadonlyMap<string, CommandDef>
  /** Key `tool/action`; the action is empty for a tool that takes none. */
  readonly v2: ReadonlyMap<string, CommandDef>
  suggestionsLeft: number
}

/** Refills the searches of a second: one costs a hundred times what a refusal costs. */
export function refillSuggestions(names: CommandNames): void {
  names.suggestionsLeft = SUGGESTIONS_PER_SECOND_MAX
}

const SUGGESTED_MAX = 3
/** Longer names are compared by their beginning. */
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
 * Returns the names a few letters away, then those that share most of its words; the nearest first.
 */
function similar(wanted: string, names: Iterable<string>): string[] {
  const max = Math.min(LETTERS_MAX, Math.max(1, Math.floor(wanted.length / 4)))
  const words = wordsOf(wanted)
  const found: { name: string; far: number }[] = []
  for (const name of names) {
    const letters = distance(wanted, name, max)
    if (letters <= max) {
      found.push({ name, far: letters })
      continue
    }
    const own = wordsOf(name)
    const shared = [...own].filter((word) => word.length > 2 && words.has(word)).length
    if (shared > 0) found.push({ name, far: max + 1 + words.size + own.size - 2 * shared })
  }
  return found
    .sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1))
    .slice(0, SUGGESTED_MAX)
    .map(({ name }) => name)
}

/** Returns the v1 commands that a wrong one may mean. */
export function nearestV1(addresses: CommandNames, name: string): string[] {
  if (addresses.suggestionsLeft <= 0) return []
  addresses.suggestionsLeft -= 1
  const wanted = name.slice(0, COMPARED_MAX)
  const def = addresses.v2.get(wanted)
  if (def) return [def.v1Name ?? def.name]
  const acts = [...addresses.v2].filter(([address]) => address.endsWith(`/${wanted}`))
  if (acts.length > 0)
    return acts.slice(0, SUGGESTED_MAX).map(([, { v1Name, name: own }]) => v1Name ?? own)
  return similar(wanted, addresses.v1.keys())
}

/** Addresses on v2 that a wrong tool, or a wrong action of a tool, may mean. */
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
  if (near.length > 0) return near.map((name) => `${tool}/${name}`)
  // The tool is right, and every address of it would share that word.
  if (own.length > 0) return elsewhere(addresses, wanted)
  return plain(similar(`${tool}/${action}`, addresses.v2.keys()))
}

/** Addresses of any tool whose action resembles the wrong one. */
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
