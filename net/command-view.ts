/**
 * Views of commands per channel: address, parameters under the names of the channel, error codes.
 * OpenAPI, help, MCP and the generated documents are derived from these views; dispatch does not
 * need them.
 */
import type { TSchema } from 'typebox'
import { type CommandDef, isMutation, isOfOneKind, TOOLS, type Tool } from '../core/command.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { EventDef } from '../core/event.ts'
import type { Registry } from '../core/registry.ts'
import { isInternal } from './addresses.ts'

export interface ParameterView {
  /** Name on this channel. */
  readonly name: string
  readonly v1Name: string
  readonly schema: TSchema
  readonly required: boolean
}

export interface CommandView {
  readonly def: CommandDef
  /** Command name (v1), `tool/action` (v2); a tool without actions is its own address. */
  readonly address: string
  /** Identifier in OpenAPI: the command name, or `tool_action`. */
  readonly operationId: string
  readonly params: readonly ParameterView[]
  readonly mutation: boolean
}

export interface V2CommandView extends CommandView {
  readonly tool: Tool
  readonly action: string
}

/** Returns the events that players are sent, without those between world and main. */
export function publicEvents(registry: Registry): EventDef[] {
  return [...registry.events.values()].filter((event) => !event.type.startsWith('internal:'))
}

function paramsOf(
  def: CommandDef,
  rename: Readonly<Record<string, string>>,
  omit: readonly string[],
): ParameterView[] {
  const required = new Set<string>(def.params.required ?? [])
  return Object.entries(def.params.properties as Record<string, TSchema>)
    .filter(([name]) => !omit.includes(name))
    .map(([v1Name, schema]) => ({
      name: rename[v1Name] ?? v1Name,
      v1Name,
      schema,
      required: required.has(v1Name),
    }))
}

/** Returns the commands of v1 in registry order. */
export function v1Commands(registry: Registry): CommandView[] {
  return [...registry.commands.values()]
    .filter((def) => !isInternal(def) && def.v1 !== false)
    .map((def) => ({
      def,
      address: def.name,
      operationId: def.name,
      params: paramsOf(def, {}, []),
      mutation: isMutation(def) && isOfOneKind(def),
    }))
}

/** Returns the commands of v2, tools in the order of `TOOLS`, actions in registry order. */
export function v2Commands(registry: Registry): V2CommandView[] {
  const views: V2CommandView[] = []
  for (const def of registry.commands.values()) {
    if (isInternal(def) || !def.v2) continue
    const { tool, action, rename = {}, omit = [] } = def.v2
    views.push({
      def,
      tool,
      action,
      address: action === '' ? tool : `${tool}/${action}`,
      operationId: action === '' ? tool : `${tool}_${action}`,
      params: paramsOf(def, rename, omit),
      mutation: isMutation(def),
    })
  }
  return views.sort((a, b) => TOOLS.indexOf(a.tool) - TOOLS.indexOf(b.tool))
}

/** Returns the tools that have at least one action, in the order of `TOOLS`. */
export function toolsOf(views: readonly V2CommandView[]): Tool[] {
  return TOOLS.filter((tool) => views.some((view) => view.tool === tool))
}

/** Returns all error codes of a command and of its needs, sorted; without those of the framing. */
export function errorsOf(def: CommandDef): ErrorCode[] {
  const codes = new Set<ErrorCode>(def.errors)
  if (def.kind !== 'session')
    for (const need of def.needs) for (const code of need.errors) codes.add(code)
  return [...codes].sort()
}

/**
 * Returns the signature of a command as the interface document writes it: `buy(item_id, quantity,
 * auto_list?)`.
 */
export function signatureOf(view: CommandView): string {
  const names = view.params.map((param) => (param.required ? param.name : `${param.name}?`))
  return `${view.address}(${names.join(', ')})`
}

/** Returns the type of a schema in one word, as help and documents print it. */
export function typeName(schema: TSchema): string {
  const part = schema as { type?: unknown; enum?: unknown; anyOf?: TSchema[]; items?: TSchema }
  const { type, items, anyOf } = part
  if (typeof type === 'string') return type === 'array' && items ? `${typeName(items)}[]` : type
  if (Array.isArray(type)) return type.join(' | ')
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map(typeName))].join(' | ')
  return Array.isArray(part.enum) ? 'string' : 'any'
}

/** Ends a summary with a full stop, unless it has one. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
