/**
 * Names of commands in texts (core/say.ts), by version: `view_storage` on v1, `game_storage/view`
 * on v2. Names are marked where a text is written and replaced when the whole answer is sent; a
 * text without a mark costs one search.
 */
import type { CommandDef } from '../core/command.ts'
import type { Registry } from '../core/registry.ts'
import { MARK } from '../core/say.ts'
import type { Framing } from '../core/types.ts'
import { isInternal, isV2 } from './addresses.ts'

export type Version = 1 | 2

/** Returns the version of a framing. */
export const versionOf = (framing: Framing): Version => (isV2(framing) ? 2 : 1)

interface Names {
  /** Replaces every marked name in a text with the name of the version. */
  text(version: Version, text: string): string
  /** Does the same in every text of a value; returns a value without marks as it is. */
  value<T>(version: Version, value: T): T
  /** Returns true for the name of a command, an action or a parameter. */
  isKnown(name: string): boolean
}

const MARKED = new RegExp(`${MARK.open}([^${MARK.open}${MARK.close}]*)${MARK.close}`, 'g')

const isMarked = (text: string): boolean => text.includes(MARK.open)

const addressOf = (def: CommandDef): string | undefined =>
  def.v2 && (def.v2.action === '' ? def.v2.tool : `${def.v2.tool}/${def.v2.action}`)

/**
 * Returns the commands by their v1 name (an action as `facility repair`), or by their own name if
 * they have none.
 */
function commandsByName(registry: Registry): Map<string, CommandDef> {
  const byName = new Map<string, CommandDef>()
  for (const def of registry.commands.values()) {
    if (!isInternal(def) && def.v1 !== false) byName.set(def.name, def)
  }
  for (const def of registry.commands.values()) {
    if (def.v1 !== false) continue
    const name = def.v1Name ?? def.name
    // A command with a v2 address of its own wins over an action of the same v1 name.
    if (byName.get(name)?.v2 === undefined) byName.set(name, def)
  }
  return byName
}

function createNames(registry: Registry): Names {
  const commands = commandsByName(registry)
  // A command whose actions have their own addresses has the name of their tool on v2.
  const tools = new Map<string, string>()
  for (const [name, { v2 }] of commands) {
    const [command, action] = name.split(' ', 2)
    if (action !== undefined && v2) tools.set(command, v2.tool)
  }

  const nameIn = (version: Version, name: string): string | undefined => {
    const [command, param] = name.split('.', 2)
    const def = commands.get(command)
    if (!def) return undefined
    if (param !== undefined) {
      if (!(param in (registry.commands.get(command) ?? def).params.properties)) return undefined
      return version === 2 ? (def.v2?.rename?.[param] ?? param) : param
    }
    return version === 2 ? (addressOf(def) ?? def.v2Name ?? tools.get(command) ?? command) : command
  }
  const text = (version: Version, source: string): string =>
    isMarked(source)
      ? source.replace(MARKED, (_, name: string) => nameIn(version, name) ?? name)
      : source
  const value = (version: Version, given: unknown): unknown => {
    if (typeof given === 'string') return text(version, given)
    if (typeof given !== 'object' || given === null) return given
    if (Array.isArray(given)) {
      const renamed = given.map((item) => value(version, item))
      return renamed.some((item, index) => item !== given[index]) ? renamed : given
    }
    let renamed: Record<string, unknown> | undefined
    for (const [key, item] of Object.entries(given)) {
      const renamedItem = value(version, item)
      if (renamedItem !== item) renamed ??= { ...given }
      if (renamed) renamed[key] = renamedItem
    }
    return renamed ?? given
  }
  return {
    text,
    value: <T>(version: Version, given: T) => value(version, given) as T,
    isKnown: (name) => nameIn(1, name) !== undefined,
  }
}

const known = new WeakMap<Registry, Names>()

/** Returns the names of a registry, made once. */
export function namesOf(registry: Registry): Names {
  let names = known.get(registry)
  if (!names) {
    names = createNames(registry)
    known.set(registry, names)
  }
  return names
}
