/**
 * Help for every channel: the list of commands, help by topic, help by tool. All of it is derived
 * from the registry, once per registry. Source: social.md 9, spec (Client-side help), WIRE 4.13.
 */
import Type from 'typebox'
import { GUIDES } from '../core/catalog/guides.ts'
import { type CommandDef, type SessionDef, TOOLS, type Tool } from '../core/command.ts'
import { fail, type Outcome, ok } from '../core/errors.ts'
import type { Registry } from '../core/registry.ts'
import { listed, marked, say } from '../core/say.ts'
import { isV2 } from './addresses.ts'
import {
  type CommandView,
  errorsOf,
  sentence,
  signatureOf,
  toolsOf,
  typeName,
  type V2CommandView,
  v1Commands,
  v2Commands,
} from './command-view.ts'
import { namesOf } from './names.ts'
import type { MainHandler } from './session/types.ts'
import { createValidators, type Params, validate } from './validate.ts'

const validators = createValidators()

interface HelpParam {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly description?: string
  /** Its name on v1, which guides use; v2 accepts this name too. */
  readonly v1_name?: string
}

/** One command as `get_commands` of v1 lists it. */
interface CommandInfo {
  readonly name: string
  readonly description: string
  readonly format: string
  readonly category: string
  readonly notes: string
  readonly is_mutation: boolean
  readonly requires_auth: boolean
  /** Its name on v2. */
  readonly v2_name?: string
}

interface HelpCommand extends CommandInfo {
  readonly params: readonly HelpParam[]
}

export type HelpResult = {
  readonly description: string
  readonly topic?: string
  readonly commands: readonly HelpCommand[]
}

interface ActionEntry {
  readonly tool: string
  readonly action: string
  readonly description: string
  readonly endpoint: string
  readonly is_mutation: boolean
  /** Its name on v1. */
  readonly v1_name: string
}

/** Largest number of results of a search. */
const SEARCH_RESULTS_MAX = 40
/** Largest number of guides that an answer points to. */
const GUIDES_MAX = 3

const ABOUT = 'Register or log in, then play. Mutations take one tick each; queries answer at once.'

/** Definition that renders help answers if the registry has none. */
const HELP: SessionDef = {
  kind: 'session',
  name: 'help',
  v2: { tool: 'game', action: 'help' },
  summary: 'Explains commands.',
  category: 'Player settings and help',
  params: Type.Object({ topic: Type.Optional(Type.String()) }),
  result: Type.Object({}),
  errors: ['topic_not_found'],
  open: true,
}

/** Returns the definition with which help answers are rendered. */
export const helpDef = (registry: Registry): CommandDef => registry.commands.get('help') ?? HELP

interface HelpIndex {
  readonly v1: readonly HelpCommand[]
  readonly v2: readonly { readonly view: V2CommandView; readonly entry: HelpCommand }[]
  readonly tools: readonly Tool[]
  readonly commands: readonly CommandInfo[]
  readonly actions: readonly ActionEntry[]
}

const INDEXES = new WeakMap<Registry, HelpIndex>()

function helpIndex(registry: Registry): HelpIndex {
  let index = INDEXES.get(registry)
  if (!index) {
    const v1 = v1Commands(registry).map(entryOf)
    const nameOnV2 = (name: string): string => namesOf(registry).text(2, marked(`{${name}}`))
    const views = v2Commands(registry)
    index = {
      v1,
      v2: views.map((view) => ({ view, entry: entryOf(view) })),
      tools: toolsOf(views),
      commands: v1.map(({ params: _, ...info }) => ({ ...info, v2_name: nameOnV2(info.name) })),
      actions: views.map(actionEntry),
    }
    INDEXES.set(registry, index)
  }
  return index
}

/** Answers `get_commands`: the flat list on v1, every tool and action pair on v2. */
export function listCommands(
  registry: Registry,
  isV2: boolean,
): { readonly commands: readonly CommandInfo[] } | { readonly actions: readonly ActionEntry[] } {
  const index = helpIndex(registry)
  return isV2 ? { actions: index.actions } : { commands: index.commands }
}

/**
 * Returns the help on a command, a category or search words; without a topic, on all. Refuses with
 * topic_not_found.
 */
export function helpFor(registry: Registry, topic: string, isV2: boolean): Outcome<HelpResult> {
  const index = helpIndex(registry)
  const commands = isV2 ? index.v2.map(({ entry }) => entry) : index.v1
  if (topic === '') {
    const categories = [...new Set(commands.map((command) => command.category))].join(', ')
    return ok({
      description: `${ABOUT} A topic is a command, one of these categories, or words to search for: ${categories}.`,
      commands,
    })
  }
  const exact = isV2
    ? index.v2.filter(({ view }) => isNamedV2(view, topic)).map(({ entry }) => entry)
    : namedV1(index, topic)
  return answered(topic, exact.length > 0 ? exact : search(commands, topic))
}

/**
 * Returns true for an action that the topic names, by its name on v2 or v1. The name of a v1
 * command with actions matches all of them.
 */
function isNamedV2({ address, action, def }: V2CommandView, topic: string): boolean {
  const { name, v1Name = name } = def
  return [address, action, name, v1Name, v1Name.split(' ', 1)[0]].includes(topic)
}

/** Returns the commands of v1 that the topic names, by their name on v1 or v2. */
function namedV1({ v1, v2 }: HelpIndex, topic: string): HelpCommand[] {
  const own = v1.filter(({ name }) => name === topic || topic.startsWith(`${name} `))
  if (own.length > 0) return own
  const theirs = v2
    .filter(({ view: { address, action, tool } }) => [address, action, tool].includes(topic))
    .map(({ view: { def } }) => (def.v1Name ?? def.name).split(' ', 1)[0])
  return v1.filter(({ name }) => theirs.includes(name))
}

/**
 * Returns the help on one v2 tool. A topic that names none of its actions is searched in all tools,
 * its own first. Leaves out what may not be called. Refuses with unknown_tool, topic_not_found.
 */
export function toolHelp(
  registry: Registry,
  tool: string,
  params: Params,
  isCallable: (address: string) => boolean = () => true,
): Outcome<HelpResult> {
  const checked = validate(validators, helpDef(registry), params, true)
  if (!checked.ok) return checked
  const topic = typeof checked.params.topic === 'string' ? checked.params.topic : ''
  const index = helpIndex(registry)
  if (!(TOOLS as readonly string[]).includes(tool) || !index.tools.includes(tool as Tool))
    return fail('unknown_tool', { tool: tool.slice(0, 64), tools: index.tools })
  const own = index.v2.filter(({ view }) => view.tool === tool && isCallable(view.address))
  const entries = own.map(({ entry }) => entry)
  if (topic === '') return ok({ description: `Actions of ${tool}.`, commands: entries })
  const exact = own.filter(({ view }) => view.action === topic).map(({ entry }) => entry)
  if (exact.length > 0) return answered(topic, exact)
  const everywhere = helpFor(registry, topic, true)
  const others = everywhere.ok
    ? everywhere.result.commands.filter(({ name }) => isCallable(name))
    : []
  const found = [...new Set([...search(entries, topic), ...others])]
  return answered(topic, found.slice(0, SEARCH_RESULTS_MAX))
}

function answered(topic: string, found: readonly HelpCommand[]): Outcome<HelpResult> {
  const guides = guidesOn(topic)
  if (found.length === 0 && guides.length === 0) {
    return fail('topic_not_found', { topic: topic.slice(0, 64) })
  }
  const description = found.length === 1 ? found[0].description : `${found.length} found.`
  const reading = say`{get_guide} with {get_guide.guide} ${listed(guides, 'or')} tells more.`
  const text = guides.length === 0 ? description : `${description} ${reading}`
  return ok({ description: text, topic, commands: found })
}

/** Returns the ids of the guides that use a word, or whose description has several of them. */
function guidesOn(topic: string): string[] {
  const words = wordsOf(topic)
  if (words.length === 0) return []
  return GUIDES.map(({ id, title, description, content }) => {
    const head = `${id} ${title} ${description}`.toLowerCase()
    const text = words.length === 1 ? `${head} ${content.toLowerCase()}` : head
    return { id, uses: Math.min(...words.map((word) => text.split(word).length - 1)) }
  })
    .filter(({ uses }) => uses > 0)
    .sort((a, b) => b.uses - a.uses)
    .slice(0, GUIDES_MAX)
    .map(({ id }) => id)
}

const wordsOf = (topic: string): string[] =>
  topic
    .trim()
    .toLowerCase()
    .split(/[\s_/]+/)
    .filter((word) => word !== '')

/**
 * Returns the commands of a category of this name; otherwise the commands that one of the words
 * names, then those with every word in name, description or category.
 */
function search(commands: readonly HelpCommand[], topic: string): HelpCommand[] {
  const wanted = topic.trim().toLowerCase()
  const category = commands.filter((command) => command.category.toLowerCase() === wanted)
  if (category.length > 0) return category
  const words = wordsOf(topic)
  if (words.length === 0) return []
  const named = commands.filter(({ name }) =>
    words.includes(name.slice(name.lastIndexOf('/') + 1).toLowerCase()),
  )
  const found = commands.filter((command) => {
    const text = `${command.name} ${command.description} ${command.category}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return [...new Set([...named, ...found])].slice(0, SEARCH_RESULTS_MAX)
}

/** Longest list of choices that is written out. */
const VALUES_MAX = 16

/** Describes a parameter, with the values of a choice where the sentence does not name them. */
function describeParam(schema: unknown): string {
  const { description = '', enum: values = [] } = schema as {
    description?: string
    enum?: readonly unknown[]
  }
  const isNamed = values.every((value) => description.includes(String(value)))
  if (isNamed || values.length > VALUES_MAX) return description
  return `${description} One of ${values.join(', ')}.`.trim()
}

function entryOf(view: CommandView): HelpCommand {
  const { def } = view
  const codes = errorsOf(def)
  const notes = [
    view.mutation ? 'Mutation: one per tick.' : '',
    codes.length > 0 ? `Errors: ${codes.join(', ')}.` : '',
  ]
  return {
    name: view.address,
    description: sentence(def.summary),
    format: signatureOf(view),
    category: def.category,
    notes: notes.filter((note) => note !== '').join(' '),
    params: view.params.map(({ name, v1Name, schema, required }) => {
      const description = describeParam(schema)
      return {
        name,
        type: typeName(schema),
        required,
        ...(description ? { description } : {}),
        ...(v1Name === name ? {} : { v1_name: v1Name }),
      }
    }),
    is_mutation: view.mutation,
    requires_auth: def.open !== true,
  }
}

function actionEntry(view: V2CommandView): ActionEntry {
  return {
    tool: view.tool,
    action: view.action,
    description: sentence(view.def.summary),
    endpoint: `/api/v2/${view.address}`,
    is_mutation: view.mutation,
    v1_name: view.def.v1Name ?? view.def.name,
  }
}

/** Returns the handlers of `help` and `get_commands`, which run on the main thread. */
export function helpHandlers(registry: Registry): Map<string, MainHandler> {
  return new Map<string, MainHandler>([
    [
      'help',
      // On v2 help is an action of every tool and is answered by the framing.
      async (_, { topic }) => ({
        outcome: helpFor(registry, typeof topic === 'string' ? topic : '', false),
      }),
    ],
    [
      'get_commands',
      async ({ framing }) => ({ outcome: ok(listCommands(registry, isV2(framing))) }),
    ],
  ])
}

/** Up to this many commands are shown with their parameters; more are listed one per line. */
const EXPLAINED_MAX = 3

/**
 * Returns the help as text. Lines of commands start with two spaces, which clients look for (WIRE
 * 9.6).
 */
export function renderHelp(help: HelpResult): string {
  const isExplained = help.commands.length <= EXPLAINED_MAX
  const lines = [help.description, '']
  for (const command of help.commands) {
    lines.push(`  ${command.format} — ${command.description}`)
    if (!isExplained) continue
    if (command.notes) lines.push(`    ${command.notes}`)
    for (const param of command.params) {
      const need = param.required ? 'required' : 'optional'
      const alias = param.v1_name === undefined ? '' : `; or ${param.v1_name}`
      const description = param.description ? `: ${param.description}` : ''
      lines.push(`    ${param.name} (${param.type}, ${need}${alias})${description}`)
    }
  }
  return lines.join('\n')
}
