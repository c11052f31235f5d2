/**
 * Finds commands by v1 name, or by v2 tool and action. Derived from the registry, without internal
 * definitions.
 */
import { type CommandDef, TOOLS, type Tool } from '../core/command.ts'
import { type Failure, fail } from '../core/errors.ts'
import { SUGGESTIONS_PER_SECOND_MAX } from '../core/limits.ts'
import type { Registry } from '../core/registry.ts'
import type { Framing } from '../core/types.ts'
import { type CommandNames, nearestV1, nearestV2 } from './nearest.ts'

export type Addresses = CommandNames

/** Returns true for a command of the server itself, which is never shown to clients. */
export const isInternal = (def: CommandDef): boolean => def.category === 'internal'

/** Indexes the commands of a registry by their v1 and v2 names. */
export function createAddresses(registry: Registry): Addresses {
  const v1 = new Map<string, CommandDef>()
  const v2 = new Map<string, CommandDef>()
  for (const def of registry.commands.values()) {
    if (isInternal(def)) continue
    if (def.v1 !== false) v1.set(def.name, def)
    if (def.v2) v2.set(`${def.v2.tool}/${def.v2.action}`, def)
  }
  return { v1, v2, suggestionsLeft: SUGGESTIONS_PER_SECOND_MAX }
}

export const isV2 = (framing: Framing): boolean =>
  framing === 'ws2' || framing === 'http2' || framing === 'mcp2'

/** Returns the name of a command in frames of this framing: the v1 name, or the action on v2. */
export function commandName(def: CommandDef, framing: Framing): string {
  return isV2(framing) && def.v2?.action ? def.v2.action : def.name
}

const suggested = (names: readonly string[]): { did_you_mean?: readonly string[] } =>
  names.length > 0 ? { did_you_mean: names } : {}

/** Returns the command of a v1 name. Refuses with unknown_command. */
export function findV1(addresses: Addresses, name: string): CommandDef | Failure {
  const def = addresses.v1.get(name)
  if (def) return def
  const near = suggested(nearestV1(addresses, name))
  return fail('unknown_command', { command: name.slice(0, 64), ...near })
}

/**
 * Returns the command of a v2 address. Refuses with unknown_tool, missing_action, invalid_action.
 */
export function findV2(addresses: Addresses, tool: string, action: string): CommandDef | Failure {
  if (!TOOLS.includes(tool as Tool)) {
    const near = suggested(nearestV2(addresses, tool, action))
    return fail('unknown_tool', { tool: tool.slice(0, 64), ...near })
  }
  const def = addresses.v2.get(`${tool}/${action}`) ?? addresses.v2.get(`${tool}/`)
  if (def && (action === '' || def.v2?.action === action)) return def
  return wrongAction(addresses, tool, action)
}

/**
 * Refuses an action that the tool does not have: missing_action, invalid_action. Suggests addresses
 * that may be called.
 */
export function wrongAction(
  addresses: Addresses,
  tool: string,
  action: unknown,
  isCallable: (address: string) => boolean = () => true,
): Failure {
  if (typeof action !== 'string' || action === '') return fail('missing_action', { tool })
  const near = suggested(nearestV2(addresses, tool, action).filter(isCallable))
  return fail('invalid_action', { tool, action: action.slice(0, 64), ...near })
}

export const isFailure = (found: CommandDef | Failure): found is Failure => 'ok' in found
