/**
 * The tools that MCP lists, and the command that a call means: on /mcp each command is a tool; on
 * /mcp/v2 each tool of v2, with its actions as an enum. The order is fixed, and no description
 * contains text of players. Source: WIRE 9.1, 9.3, 9.6.
 */
import type { TSchema } from 'typebox'
import type { CommandDef, Tool } from '../../core/command.ts'
import { type Outcome, ok } from '../../core/errors.ts'
import type { Registry } from '../../core/registry.ts'
import type { Framing } from '../../core/types.ts'
import { type Addresses, wrongAction } from '../addresses.ts'
import {
  type CommandView,
  sentence,
  signatureOf,
  toolsOf,
  typeName,
  type V2CommandView,
  v1Commands,
  v2Commands,
} from '../command-view.ts'
import type { JsonObject } from '../game-state.ts'
import { type HelpResult, renderHelp, toolHelp } from '../help.ts'
import { hoist } from '../http/openapi-parts.ts'
import { namesOf } from '../names.ts'
import type { Params } from '../validate.ts'

export interface ToolSchema {
  readonly type: 'object'
  readonly properties: Record<string, JsonObject>
  readonly required?: string[]
}

export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ToolSchema
  readonly annotations: { readonly readOnlyHint: boolean }
}

/** The meaning of a call: a command to run, or a text to answer at once. */
export type Meaning =
  | { readonly def: CommandDef; readonly params: Params; readonly sessionId: string | undefined }
  | { readonly text: Outcome<string> }

export interface Toolset {
  readonly framing: Framing
  readonly tools: readonly McpTool[]
  /** How to call the tools that are not listed; empty if all are listed. */
  readonly unlisted: string
  /** Returns the meaning of a call; undefined if there is no such tool. */
  meaning(tool: string, args: Params): Meaning | undefined
}

const SESSION_ID: JsonObject = { type: 'string', description: 'From login or register.' }

/** Returns true for commands that open a session instead of needing one. */
const opensSession = (def: CommandDef): boolean => def.kind === 'session' && def.open === true

function splitArgs(args: Params): { params: Params; sessionId: string | undefined } {
  const { session_id, ...params } = args
  return { params, sessionId: typeof session_id === 'string' ? session_id : undefined }
}

interface Property {
  readonly schema: JsonObject
  /** The schema without its own description, as JSON: equal for parameters of the same form. */
  readonly shape: string
}

/** Cached by schema, since the schemas of definitions never change. */
const propertyCache = new WeakMap<TSchema, JsonObject>()
const leanCache = new WeakMap<TSchema, Property>()

function propertyOf(schema: TSchema): JsonObject {
  const made = propertyCache.get(schema) ?? (hoist(schema, {}, true) as JsonObject)
  propertyCache.set(schema, made)
  return made
}

/** Keywords that a model does not need: examples, and limits that are not exceeded by accident. */
const LEFT_OUT = new Set(['examples', 'minLength', 'maxLength', 'uniqueItems', 'minItems'])

function isKept(name: string, value: unknown): boolean {
  if (name === 'minimum') return Number(value) > 1
  if (name === 'maximum') return Number(value) <= 1_000
  return !LEFT_OUT.has(name)
}

/**
 * Copies a schema for a list of tools that has to be short. Nested fields keep only names and
 * types: the description of the parameter explains them.
 */
function lean(schema: unknown, isNested: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((part) => lean(part, true))
  if (typeof schema !== 'object' || schema === null) return schema
  const copy: JsonObject = {}
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'properties') copy[name] = leanMembers(value as JsonObject)
    else if (!(isNested && name === 'description') && isKept(name, value))
      copy[name] = lean(value, true)
  }
  return copy
}

/** Copies the fields of an object; their keys are names, even if they look like keywords. */
const leanMembers = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, lean(schema, true)]))

function leanOf(schema: TSchema): Property {
  let made = leanCache.get(schema)
  if (!made) {
    const short = lean(propertyOf(schema), false) as JsonObject
    const { description: _, ...shape } = short
    made = { schema: short, shape: JSON.stringify(shape) }
    leanCache.set(schema, made)
  }
  return made
}

/** Marks mutations in the description of a tool; the legend explains the mark once. */
const MUTATION_MARK = '[M]'
const MUTATION_LEGEND = `${MUTATION_MARK} takes one tick; the answer comes when it has run.`

const isReadOnly = ({ def }: CommandView): boolean =>
  def.kind === 'query' || (def.kind === 'archive' && def.as === 'query')

const descriptionOf = (view: CommandView): string =>
  view.mutation
    ? `${sentence(view.def.summary)} Takes one tick; the answer comes when it has run.`
    : sentence(view.def.summary)

/** Returns the tools of /mcp: one for each command, under its v1 name. */
export function commandTools(registry: Registry): Toolset {
  const views = v1Commands(registry)
  const byName = new Map(views.map((view) => [view.address, view]))
  return {
    framing: 'mcp1',
    tools: namesOf(registry).value(
      1,
      views.map((view): McpTool => {
        const properties: Record<string, JsonObject> = {}
        for (const param of view.params) properties[param.name] = propertyOf(param.schema)
        if (!opensSession(view.def)) properties.session_id = SESSION_ID
        const required = requiredOf(view)
        return {
          name: view.address,
          title: titleOf(view.address),
          description: descriptionOf(view),
          inputSchema: { type: 'object', properties, ...(required.length > 0 ? { required } : {}) },
          annotations: { readOnlyHint: isReadOnly(view) },
        }
      }),
    ),
    unlisted: '',
    meaning: (tool, args) => {
      const view = byName.get(tool)
      return view && { def: view.def, ...splitArgs(args) }
    },
  }
}

/** Returns a name as words, the first with a capital letter. */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const PRESETS = ['basic', 'standard', 'full'] as const

const BASIC: readonly Tool[] = [
  'game',
  'game_auth',
  'game_ship',
  'game_storage',
  'game_market',
  'game_social',
  'game_catalog',
]
/**
 * Tools that few players need; the standard preset leaves them out (ours: the sources have no such
 * list).
 */
const RARE: readonly Tool[] = [
  'game_faction',
  'game_faction_commerce',
  'game_faction_admin',
  'game_intel',
  'game_arena',
  'game_fleet',
  'game_citizenship',
  'game_shipping',
]

interface ToolChoice {
  /** Used to suggest actions for misspelt ones. */
  readonly names: Addresses
  /** One of PRESETS; any other counts as standard. */
  readonly preset: string
  /** Tools or `tool/action` addresses to leave out, separated by commas. */
  readonly exclude: string
}

/** Returns how to call the tools that a preset leaves out. */
export function unlistedText(tools: readonly Tool[], preset: string): string {
  const others = tools.filter((tool) => !inPreset(tool, preset)).join(', ')
  if (others === '') return ''
  return (
    `Not listed in preset ${preset}, but callable all the same: ${others}; action help of each explains it. ` +
    'The address with ?preset=full lists every tool.'
  )
}

/**
 * Returns the tools of /mcp/v2, with their actions as an enum. A preset limits only the list;
 * excluded tools cannot be called either.
 */
export function groupedTools(registry: Registry, choice: ToolChoice): Toolset {
  const excluded = new Set(choice.exclude.split(',').map((name) => name.trim()))
  const isCallable = (address: string): boolean =>
    !excluded.has(address) && !excluded.has(address.split('/')[0])
  const callable = v2Commands(registry).filter(({ address }) => isCallable(address))
  const views = callable.filter((view) => inPreset(view.tool, choice.preset))
  const tools = toolsOf(views)
  const known = toolsOf(callable)
  const unlisted = unlistedText(known, choice.preset)
  const byAddress = new Map(callable.map((view) => [`${view.tool}/${view.action}`, view]))
  let listed: McpTool[] | undefined
  return {
    framing: 'mcp2',
    // Built when first listed: most requests are calls, and exclusions vary without limit.
    get tools() {
      listed ??= namesOf(registry).value(
        2,
        tools.map((tool) => groupedTool(tool, views)),
      )
      return listed
    },
    unlisted,
    meaning: (tool, args) => {
      if (!known.includes(tool as Tool)) return undefined
      const { params, sessionId } = splitArgs(args)
      const { action, ...rest } = params
      if (action === 'help') {
        return { text: helpText(toolHelp(registry, tool, rest, isCallable), unlisted) }
      }
      const view = byAddress.get(`${tool}/${typeof action === 'string' ? action : ''}`)
      if (view) return { def: view.def, params: rest, sessionId }
      // A tool without actions is called directly, whatever `action` is.
      const direct = byAddress.get(`${tool}/`)
      if (direct) return { def: direct.def, params: rest, sessionId }
      return { text: wrongAction(choice.names, tool, action, isCallable) }
    },
  }
}

const helpText = (outcome: Outcome<HelpResult>, unlisted: string): Outcome<string> =>
  outcome.ok ? ok([renderHelp(outcome.result), unlisted].filter(Boolean).join('\n\n')) : outcome

function inPreset(tool: Tool, preset: string): boolean {
  if (preset === 'full') return true
  return preset === 'basic' ? BASIC.includes(tool) : !RARE.includes(tool)
}

function groupedTool(tool: Tool, all: readonly V2CommandView[]): McpTool {
  const views = all.filter((view) => view.tool === tool)
  const actions = views.map((view) => view.action).filter((action) => action !== '')
  const properties: Record<string, JsonObject> = {}
  if (actions.length > 0)
    properties.action = {
      type: 'string',
      enum: actions.includes('help') ? actions : [...actions, 'help'],
    }
  if (views.some((view) => !opensSession(view.def))) properties.session_id = SESSION_ID
  for (const [name, uses] of usesOf(views)) properties[name] ??= mergedProperty(uses)
  const lines = views.map((view) => {
    const form = signatureOf(view).slice(view.tool.length).replace(/^\//, '')
    const mark = view.mutation ? `${MUTATION_MARK} ` : ''
    const label = view.action === '' ? `${tool}${form}` : form
    return `  ${label} — ${mark}${sentence(view.def.summary)}`
  })
  const legend = views.some((view) => view.mutation) ? ` ${MUTATION_LEGEND}` : ''
  return {
    name: tool,
    title: titleOf(tool),
    description: [`${titleOf(tool)}. Actions and their parameters:${legend}`, ...lines].join('\n'),
    inputSchema: {
      type: 'object',
      properties,
      ...(actions.length > 0 ? { required: ['action'] } : { required: requiredOf(views[0]) }),
    },
    annotations: { readOnlyHint: views.every(isReadOnly) },
  }
}

const requiredOf = (view: CommandView): string[] =>
  view.params.filter((param) => param.required).map((param) => param.name)

interface Use {
  readonly action: string
  readonly schema: TSchema
}

/** Returns the uses of each parameter name, in order of first use. */
function usesOf(views: readonly V2CommandView[]): Map<string, Use[]> {
  const uses = new Map<string, Use[]>()
  for (const view of views)
    for (const param of view.params) {
      const found = uses.get(param.name) ?? []
      found.push({ action: view.action, schema: param.schema })
      uses.set(param.name, found)
    }
  return uses
}

/**
 * Merges the uses of one parameter name by several actions into one property: their schema if all
 * agree; their common shape or type with the meaning of each; otherwise every shape (`anyOf`).
 */
function mergedProperty(uses: readonly Use[]): JsonObject {
  const shapes = new Map(uses.map(({ schema }) => [leanOf(schema).shape, leanOf(schema).schema]))
  const meanings = new Map<string, string[]>()
  for (const use of uses) {
    const meaning = (use.schema as { description?: string }).description ?? ''
    meanings.set(meaning, [...(meanings.get(meaning) ?? []), use.action])
  }
  const [first] = shapes.values()
  if (shapes.size === 1 && meanings.size === 1) return first
  const description = [...meanings]
    .map(([meaning, actions]) => `${actions.join(', ')}: ${sentence(meaning)}`)
    .join(' ')
  if (shapes.size === 1) return { ...first, description }
  const types = [...new Set(uses.map((use) => typeName(use.schema)))]
  const isPlain = types.length === 1 && /^(string|integer|number|boolean)$/.test(types[0])
  if (isPlain) return { type: types[0], description }
  const anyOf = [...shapes.values()].map(({ description: _, ...shape }) => shape)
  return { description, anyOf }
}
