/**
 * The pages of commands: each with its addresses, kind, parameters, answer, errors and an example,
 * all from its definition. In Markdown they are on one page; served, each has its own page.
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

/** Returns the kind of a command for clients, as the introduction names it. */
function kindOf(def: CommandDef): string {
  if (!isOfOneKind(def)) return 'depends on the action'
  if (isMutation(def)) return 'mutation'
  const isImmediate = def.kind === 'immediate' || (def.kind === 'archive' && def.as === 'immediate')
  return def.kind === 'session' ? 'session' : isImmediate ? 'immediate' : 'query'
}

const isFiller = (value: unknown): boolean => typeof value === 'string' && /^x*$/.test(value)

/**
 * Returns a valid value of a parameter: the example of its schema, or a readable one if that is
 * only a filler.
 */
function exampleValue({ v1Name, schema }: ParameterView): unknown {
  const { examples = [], maxLength = 0 } = schema as { examples?: unknown[]; maxLength?: number }
  const [value = null] = examples
  if (!isFiller(value)) return value
  const example = v1Name.endsWith('_id') ? `${v1Name.slice(0, -3)}_1` : `some ${v1Name}`
  return example.length <= maxLength ? example.replaceAll('_', '-') : value
}

/**
 * Returns the parameters that an example shows: all required ones, or the first if none is
 * required.
 */
export function exampleParams(view: CommandView): Record<string, unknown> {
  const needed = view.params.filter((param) => param.required)
  const shown = needed.length > 0 ? needed : view.params.slice(0, 1)
  return Object.fromEntries(shown.map((param) => [param.name, exampleValue(param)]))
}

/** Returns the frame that sends a command with example parameters. */
export function exampleFrame(view: CommandView): Record<string, unknown> {
  const { def } = view
  const params = exampleParams(view)
  const payload = Object.keys(params).length > 0 ? { payload: params } : {}
  if (!('tool' in view)) return { type: def.name, ...payload, request_id: '1' }
  const { tool, action } = view as V2CommandView
  return { tool, ...(action === '' ? {} : { action }), ...payload, request_id: '1' }
}

/** A command with its views on v1 and v2. */
export interface DocumentedCommand {
  readonly def: CommandDef
  readonly heading: string
  /** Last part of the path of its page. */
  readonly page: string
  readonly v1?: CommandView
  readonly v2?: V2CommandView
  /** Headings of equivalent commands in a version that lacks this one. */
  readonly others: readonly string[]
}

/** Returns the v1 name of a definition, without the action. */
const v1NameOf = (def: CommandDef): string => (def.v1Name ?? def.name).split(' ', 1)[0]

/** Returns every command once, in the order of categories. */
export function documentedCommands({
  registry,
}: Pick<DocsSources, 'registry'>): DocumentedCommand[] {
  const v1 = v1Commands(registry)
  const v2 = v2Commands(registry)
  const byDef = new Map(v2.map((view) => [view.def, view]))
  const only2 = v2.filter(({ def }) => def.v1 === false)
  const only1 = new Set(v1.filter(({ def }) => !byDef.has(def)).map(({ address }) => address))
  const documented = (
    view: CommandView,
    views: Pick<DocumentedCommand, 'v1' | 'v2'>,
    others: readonly string[],
  ): DocumentedCommand => {
    const { def, address: heading, operationId: page } = view
    return { def, heading, page, ...views, others }
  }
  return [
    ...v1.map((view) => {
      const others = only1.has(view.address)
        ? only2.filter(({ def }) => v1NameOf(def) === view.address)
        : []
      const views = { v1: view, v2: byDef.get(view.def) }
      return documented(
        view,
        views,
        others.map(({ address }) => address),
      )
    }),
    ...only2.map((view) => {
      const name = v1NameOf(view.def)
      return documented(view, { v2: view }, only1.has(name) ? [name] : [])
    }),
  ]
}

/** Returns a link to a command for use on any page. */
export const linkTo = ({ heading }: Pick<DocumentedCommand, 'heading'>): string =>
  `[${code(heading)}](commands.md#${anchorOf(heading)})`

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
  const others = command.others.map((heading) => linkTo({ heading })).join(', ')
  if (!v1) parts.push(others === '' ? 'not on v1' : `v1 ${others}`)
  if (!v2) parts.push(others === '' ? 'not on v2' : `v2 ${others}`)
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

/** Returns the names of a parameter: v1, and after an arrow v2 if that differs. */
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

/** Returns the answer: the result on v1, and on v2 structuredContent or its `details`. */
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

const viewsOf = ({ v1, v2 }: DocumentedCommand): CommandView[] =>
  [v1, v2].filter((view) => view !== undefined)

/** Returns the frames that send a command over a WebSocket, for v1 and v2. */
export const exampleFrames = (command: DocumentedCommand): string[] =>
  viewsOf(command).map((view) => JSON.stringify(exampleFrame(view)))

const introOf = (command: DocumentedCommand, sources: DocsSources): string[] => [
  sentence(command.def.summary),
  code(signatureOf(viewsOf(command)[0])),
  `${addressLine(command, sources)}  \n${kindLine(command)}`,
]

function commandPiece(command: DocumentedCommand, sources: DocsSources): string {
  return [
    `### ${command.heading}`,
    ...introOf(command, sources),
    paramsTable(command),
    `\`\`\`json\n${exampleFrames(command).join('\n')}\n\`\`\``,
    answerPart(command),
    errorsLine(command),
  ].join('\n\n')
}

/** Returns the pieces of the page of a command; examples go between the two parts. */
export const commandPagePieces = (command: DocumentedCommand, sources: DocsSources) => ({
  head: [
    `# ${command.heading}`,
    ...introOf(command, sources),
    `## Parameters\n\n${paramsTable(command)}`,
  ],
  tail: [`## Answer\n\n${answerPart(command)}`, `## Errors\n\n${errorsLine(command)}`],
})

function intro(commands: readonly DocumentedCommand[]): string {
  const v1 = commands.filter((command) => command.v1).length
  const v2 = commands.filter((command) => command.v2).length
  return [
    `${v1} commands on v1, ${v2} actions on v2. A WebSocket frame of type T with payload P is`,
    'POST /api/v1/T with body P; a tool and its action are POST /api/v2/tool/action. Both take the',
    'same parameters; where v2 has another name, it follows the arrow, and v2 accepts',
    'both. Parameters that are not named here are ignored.',
  ].join('\n')
}

const KINDS = table(
  ['Kind', 'Meaning'],
  [
    ['mutation', 'Takes your one slot of a tick; its outcome comes when the tick has run.'],
    ['immediate', 'Writes without a slot, within milliseconds; a query on the wire.'],
    ['query', 'Only reads; answered at once, as often as you like.'],
    ['session', 'Logs in or out, or reports on the connection itself.'],
    [
      'depends on the action',
      'Some values of `action` are mutations, others are not; the actions of v2 say which.',
    ],
  ],
)

const NEEDS = [
  '*needs: docked* or *undocked*: a mutation docks or undocks the ship automatically if the rules',
  'allow it, and reports `auto_docked` or `auto_undocked`; a query is refused. *changes*: the',
  'sections of the state that the v2 answer of a mutation may carry, beside `details`. Besides the',
  'errors listed with a command, every command may answer with those of',
  '[every command](errors.md#of-every-command).',
].join('\n')

/**
 * Returns a table with a row per command. The anchors are those in the Markdown of all commands.
 */
const listTable = (commands: readonly DocumentedCommand[]): string =>
  table(
    ['Command', 'Kind', 'What'],
    commands.map((command) => {
      const anchor = `<a id="${anchorOf(command.heading)}"></a>`
      return [
        `${anchor}${linkTo(command)}`,
        kindOf(command.def),
        cell(sentence(command.def.summary)),
      ]
    }),
  )

const addedTable = (): string =>
  table(
    ['Since', 'What'],
    ADDITIONS.map(({ release, what }) => [release, cell(what)]),
  )

const ADDED = [
  `The interface is that of release ${VERSION}, which takes precedence. These additions of later`,
  'releases, or of earlier ones that it does not mention, exist too; [get_version](#get_version) lists them as',
  '`also_speaks`.',
].join('\n')

/** Returns the pieces of the page; `show` renders a category from its heading and commands. */
function* pieces(
  sources: DocsSources,
  show: (heading: string, commands: readonly DocumentedCommand[]) => readonly string[],
): Iterable<string> {
  const commands = documentedCommands(sources)
  yield '# Commands'
  yield* [intro(commands), KINDS, NEEDS]
  for (const category of new Set(commands.map(({ def }) => def.category))) {
    // The suffix avoids the anchor of a command with the same name as its category.
    const heading = `## ${category[0].toUpperCase()}${category.slice(1)} commands`
    const ofCategory = commands.filter(({ def }) => def.category === category)
    yield* show(heading, ofCategory)
  }
  yield '## Of later releases'
  yield ADDED
  yield addedTable()
}

export const COMMANDS_PAGE: DocsPage = {
  name: 'commands',
  title: 'Commands',
  summary: 'Every command: addresses, kind, parameters with bounds, answer, errors, examples.',
  pieces: (sources) =>
    pieces(sources, (heading, commands) => [
      heading,
      ...commands.map((command) => commandPiece(command, sources)),
    ]),
  listing: (sources) =>
    pieces(sources, (heading, commands) => [`${heading}\n\n${listTable(commands)}`]),
}
