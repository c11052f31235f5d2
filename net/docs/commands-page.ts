/**
 * The page of commands: each with its addresses, kind, parameters, answer, errors and an example;
 * all of it from its definition.
 */
import { ADDITIONS } from '../../core/catalog/additions.ts'
import { VERSION } from '../../core/catalog/changelog.ts'
import { type CommandDef, isMutation, isOfOneKind } from '../../core/command.ts'
import {
  type CommandView,
  errorsOf,
  type ParameterView,
  sentence,
  signatureOf,
  type V2CommandView,
  v1Commands,
  v2Commands,
} from '../command-view.ts'
import { anchorOf, cell, code, type DocsPage, type DocsSources, table } from './page.ts'
import { boundsText, type NamedTypes, typeText } from './schema-text.ts'

/** What a definition is to a client, in the words of the introduction. */
function kindOf(def: CommandDef): string {
  if (!isOfOneKind(def)) return 'depends on the action'
  if (isMutation(def)) return 'mutation'
  const isImmediate = def.kind === 'immediate' || (def.kind === 'archive' && def.as === 'immediate')
  return def.kind === 'session' ? 'session' : isImmediate ? 'immediate' : 'query'
}

const isFiller = (value: unknown): boolean => typeof value === 'string' && /^x*$/.test(value)

/** An allowed value of a parameter: that of its schema, where that says more than a length. */
function exampleValue({ v1Name, schema }: ParameterView): unknown {
  const { examples = [], maxLength = 0 } = schema as { examples?: unknown[]; maxLength?: number }
  const [value = null] = examples
  if (!isFiller(value)) return value
  const said = v1Name.endsWith('_id') ? `${v1Name.slice(0, -3)}_1` : `some ${v1Name}`
  return said.length <= maxLength ? said.replaceAll('_', '-') : value
}

/** Parameters that an example shows: all that are needed, or the first where none is. */
function exampleParams(view: CommandView): Record<string, unknown> {
  const needed = view.params.filter((param) => param.required)
  const shown = needed.length > 0 ? needed : view.params.slice(0, 1)
  return Object.fromEntries(shown.map((param) => [param.name, exampleValue(param)]))
}

/** The frame that sends a command with example parameters. */
export function exampleFrame(view: CommandView): Record<string, unknown> {
  const { def } = view
  const params = exampleParams(view)
  const payload = Object.keys(params).length > 0 ? { payload: params } : {}
  if (!('tool' in view)) return { type: def.name, ...payload, request_id: '1' }
  const { tool, action } = view as V2CommandView
  return { tool, ...(action === '' ? {} : { action }), ...payload, request_id: '1' }
}

/** Every command once, in the order of categories: with its views on v1 and v2. */
export interface DocumentedCommand {
  readonly def: CommandDef
  readonly heading: string
  readonly v1?: CommandView
  readonly v2?: V2CommandView
}

export function documentedCommands({ registry }: Pick<DocsSources, 'registry'>) {
  const v2 = new Map(v2Commands(registry).map((view) => [view.def, view]))
  const v1 = v1Commands(registry).map((view): DocumentedCommand => {
    return { def: view.def, heading: view.address, v1: view, v2: v2.get(view.def) }
  })
  const only2 = [...v2.values()]
    .filter(({ def }) => def.v1 === false)
    .map((view): DocumentedCommand => ({ def: view.def, heading: view.address, v2: view }))
  return [...v1, ...only2]
}

/** A link to a command from another page. */
export function linkTo(command: DocumentedCommand): string {
  return `[${code(command.heading)}](commands.md#${anchorOf(command.heading)})`
}

function addressLine(command: DocumentedCommand, sources: DocsSources): string {
  const { v1, v2 } = command
  const tries: string[] = []
  const parts: string[] = []
  if (v1) {
    parts.push(`v1 ${code(v1.address)}`)
    tries.push(`[v1](/api/docs#${v1.address})`)
  }
  if (v2) {
    parts.push(`v2 ${code(v2.address)}`)
    tries.push(`[v2](/api/v2/docs#${v2.address})`)
  }
  if (!v1) parts.push('not on v1')
  if (!v2) parts.push('not on v2')
  return [...parts, ...(sources.isServed ? [`try it: ${tries.join(', ')}`] : [])].join(' · ')
}

function kindLine({ def }: DocumentedCommand): string {
  const needs = def.kind === 'session' ? [] : def.needs.map(({ name }) => name.replaceAll('_', ' '))
  const changes = isMutation(def) && 'changes' in def ? (def.changes ?? []) : []
  const inBattle = def.kind === 'mutation' && def.inBattle === true
  return [
    `**${kindOf(def)}**`,
    def.open ? 'before login too' : '',
    needs.length > 0 ? `needs: ${needs.join(', ')}` : '',
    changes.length > 0 ? `changes ${changes.map(code).join(', ')}` : '',
    inBattle ? 'during a battle too' : '',
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

/** A parameter under its names: v1, and after the arrow v2 where that is another. */
function nameCell(param: ParameterView, { def, v1 }: DocumentedCommand): string {
  const renamed = def.v2?.rename?.[param.v1Name]
  const isOmitted = def.v2?.omit?.includes(param.v1Name) === true
  if (!v1) return code(param.name)
  return `${code(param.name)}${renamed ? ` → ${code(renamed)}` : ''}${isOmitted ? ' (v1)' : ''}`
}

function paramsTable(command: DocumentedCommand): string {
  const params = (command.v1 ?? command.v2)?.params ?? []
  if (params.length === 0) return 'No parameters.'
  const rows = params.map((param) => {
    const { description = '' } = param.schema as { description?: string }
    const need = param.required ? '**yes**' : 'no'
    return [nameCell(param, command), cell(boundsText(param.schema)), need, cell(description)]
  })
  return table(['Parameter', 'Type', 'Needed', 'Meaning'], rows)
}

const typeLinks = (named: NamedTypes): string =>
  named.size === 0
    ? ''
    : `Types: ${[...named.keys()].map((name) => `[${name}](types.md#${anchorOf(name)})`).join(', ')}.`

/** The answer: what v1 has as its result, and v2 as structuredContent or under `details`. */
function answerPart({ def, v2 }: DocumentedCommand): string {
  const named: NamedTypes = new Map()
  const text = typeText(def.result, named)
  const isState = (def.result as { $id?: string }).$id === 'V2GameState'
  const where = v2?.mutation ? 'Answer (on v2 under `details`)' : 'Answer'
  if (isState) return `${where}: the whole state, [V2GameState](types.md#v2gamestate).`
  if (text === '{}' || text === 'object' || text === 'any')
    return `${where}: an object; its fields depend on what was asked.`
  return [
    `<details><summary>${where.replaceAll('`', '')}</summary>`,
    `\`\`\`ts\n${text}\n\`\`\``,
    typeLinks(named),
    '</details>',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function errorsLine({ def }: DocumentedCommand): string {
  const codes = errorsOf(def)
  const links = codes.map((name) => `[${name}](errors.md#${name})`)
  return links.length > 0 ? `Errors: ${links.join(', ')}` : 'Errors: only those of every command.'
}

function commandPiece(command: DocumentedCommand, sources: DocsSources): string {
  const { def, v1, v2, heading } = command
  const views = [v1, v2].filter((view) => view !== undefined)
  const examples = views.map((view) => JSON.stringify(exampleFrame(view)))
  return [
    `### ${heading}`,
    sentence(def.summary),
    code(signatureOf(views[0])),
    `${addressLine(command, sources)}  \n${kindLine(command)}`,
    paramsTable(command),
    `\`\`\`json\n${examples.join('\n')}\n\`\`\``,
    answerPart(command),
    errorsLine(command),
  ].join('\n\n')
}

function intro(commands: readonly DocumentedCommand[]): string {
  const v1 = commands.filter((command) => command.v1).length
  const v2 = commands.filter((command) => command.v2).length
  return [
    `${v1} commands on v1, ${v2} actions on v2. A WebSocket frame of type T with payload P is`,
    'POST /api/v1/T with body P; a tool and its action are POST /api/v2/tool/action. Both take the',
    'same parameters; where v2 calls one differently, its name stands after the arrow, and v2 takes',
    'both. Parameters that are not named here are ignored.',
  ].join('\n')
}

const KINDS = table(
  ['Kind', 'Meaning'],
  [
    ['mutation', 'Takes your one slot of a tick; its outcome comes when the tick has run.'],
    ['immediate', 'Writes without a slot, within milliseconds; a query on the wire.'],
    ['query', 'Only looks; answered at once, as often as you like.'],
    ['session', 'Logs in or out, or tells of the connection itself.'],
    [
      'depends on the action',
      'Some values of `action` are mutations, others are not; the actions of v2 say which.',
    ],
  ],
)

const NEEDS = [
  '*needs: docked* or *undocked*: a mutation docks or undocks the ship by itself where the rules',
  'allow it, and says so by `auto_docked` or `auto_undocked`; a query is refused. *changes*: the',
  'sections of the state that the v2 answer of a mutation may carry, beside `details`. Besides the',
  'errors named with a command every command may answer those of',
  '[every command](errors.md#of-every-command).',
].join('\n')

const addedTable = (): string =>
  table(
    ['Since', 'What'],
    ADDITIONS.map(({ release, what }) => [release, cell(what)]),
  )

const ADDED = [
  `The interface is that of release ${VERSION}, and what it says comes first. Besides, these of later`,
  'releases, or of earlier ones that it does not speak of; [get_version](#get_version) lists them as',
  '`also_speaks`.',
].join('\n')

function* pieces(sources: DocsSources): Iterable<string> {
  const commands = documentedCommands(sources)
  yield '# Commands'
  yield* [intro(commands), KINDS, NEEDS]
  for (const category of new Set(commands.map(({ def }) => def.category))) {
    // Some categories are called as one of their commands is.
    yield `## ${category[0].toUpperCase()}${category.slice(1)} commands`
    for (const command of commands)
      if (command.def.category === category) yield commandPiece(command, sources)
  }
  yield '## Of later releases'
  yield ADDED
  yield addedTable()
}

export const COMMANDS_PAGE: DocsPage = {
  name: 'commands',
  title: 'Commands',
  summary: 'Every command: addresses, kind, parameters with bounds, answer, errors, an example.',
  pieces,
}
