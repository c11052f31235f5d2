/**
 * /mcp/docs: the contract of the commands for people and models that write clients. It has six
 * tools, needs no account, and shows no data of the world. Source: WIRE 9.8.
 */
import { type FieldError, fail, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import {
  MCP_DOCS_COMMANDS_MAX,
  MCP_DOCS_TEXT_CHARACTERS_MAX,
  MCP_DOCS_TYPES_MAX,
} from '../../core/limits.ts'
import type { Registry } from '../../core/registry.ts'
import {
  type CommandView,
  errorsOf,
  publicEvents,
  sentence,
  signatureOf,
  v1Commands,
  v2Commands,
} from '../command-view.ts'
import type { JsonObject } from '../game-state.ts'
import { type ApiInfo, openapiV1, openapiV2 } from '../http/openapi.ts'
import { notificationName } from '../http/openapi-parts.ts'
import { PUBLIC_ROWS, shownPath } from '../public/table.ts'
import { renderText } from '../render.ts'
import { isObject } from '../validate.ts'
import { WEBSOCKET_PROTOCOL } from '../websocket-protocol.ts'
import { refusedResult, type ToolResult, textResult } from './calls.ts'
import type { McpTools } from './server.ts'
import type { McpTool, ToolSchema } from './tools.ts'

interface DocsSources {
  readonly registry: Registry
  readonly info: ApiInfo
  /** The query get_guide of the game. */
  guide(name: string | undefined): Promise<Outcome<unknown>>
}

/** The arguments of a call, by name. */
type Texts = Readonly<Partial<Record<string, string>>>
type DocsCall = (args: Texts) => Outcome<ToolResult> | Promise<Outcome<ToolResult>>

interface DocsTool {
  readonly tool: McpTool
  readonly parameters: readonly Argument[]
  readonly call: DocsCall
}

/** A parameter of a tool; all are texts. */
interface Argument {
  readonly name: string
  readonly description: string
  readonly optional?: true
  /** Alternative name. */
  readonly alias?: string
}

/** Returns the tools of /mcp/docs. */
export function docsTools(sources: DocsSources): McpTools {
  // Built at the first call: it contains two OpenAPI documents, and most servers get no call.
  let made: Book | undefined
  const book = (): Book => {
    made ??= makeBook(sources)
    return made
  }
  const tools: DocsTool[] = [
    defineTool('get_overview', 'What the service is and how a client talks to it.', [], () =>
      ok(textResult(book().overview)),
    ),
    defineTool(
      'search_commands',
      'Commands whose name, description or category has all the words; the best matches first.',
      [{ name: 'query', description: 'Words to search for.' }],
      ({ query = '' }) => searchCommands(book(), query),
    ),
    defineTool(
      'get_command',
      'Parameters, kind, errors and response type of one command.',
      [
        {
          name: 'action',
          description: 'Name on v1, action of v2, or tool/action.',
          alias: 'name',
        },
        { name: 'tool', description: 'Tool of the action, on v2.', optional: true },
      ],
      ({ action = '', tool }) => describeCommand(book(), action, tool),
    ),
    defineTool(
      'get_type',
      'JSON schema of a named type: V2GameState, an event payload, or <operation>Response.',
      [
        {
          name: 'name',
          description: 'Name of the type; for a part of a name, the matching names are listed.',
        },
      ],
      ({ name = '' }) => describeType(book(), name),
    ),
    defineTool('get_websocket_protocol', 'Frames, order, close codes of both WebSockets.', [], () =>
      ok(textResult(`${WEBSOCKET_PROTOCOL}\n\n${book().events}`)),
    ),
    defineTool(
      'get_guide',
      'A guide to playing; without a name, the list of guides.',
      [{ name: 'guide', description: 'Name of the guide.', optional: true, alias: 'id' }],
      ({ guide }) => readGuide(sources, guide),
    ),
  ]
  const byName = new Map(tools.map((definition) => [definition.tool.name, definition]))
  return {
    title: 'Game command contract',
    instructions:
      'Looks up commands, types and protocol for client builders. Start with get_overview, then search_commands.',
    list: () => tools.map(({ tool }) => tool),
    call: async (_query, { tool, args }) => {
      const found = byName.get(tool)
      if (!found) return undefined
      const texts = readArguments(found.parameters, args)
      const outcome = texts.ok ? await found.call(texts.result) : texts
      return outcome.ok ? outcome.result : refusedResult(outcome)
    },
  }
}

/**
 * Returns the texts of the parameters of a tool; refuses other types and texts that are too long.
 */
function readArguments(
  parameters: readonly Argument[],
  args: Record<string, unknown>,
): Outcome<Texts> {
  const texts: Record<string, string> = {}
  const wrong: FieldError[] = []
  for (const { name, alias = name, optional } of parameters) {
    const text = args[name] ?? args[alias]
    if (text === undefined && optional) continue
    if (typeof text === 'string' && text.length <= MCP_DOCS_TEXT_CHARACTERS_MAX) texts[name] = text
    else {
      const bounded = `a text of at most ${MCP_DOCS_TEXT_CHARACTERS_MAX} characters`
      wrong.push({ field: name, expected: text === undefined ? 'string (required)' : bounded })
    }
  }
  return wrong.length > 0 ? invalidFields(...wrong) : ok(texts)
}

function defineTool(
  name: string,
  description: string,
  parameters: readonly Argument[],
  call: DocsCall,
): DocsTool {
  const maxLength = MCP_DOCS_TEXT_CHARACTERS_MAX
  const required = parameters.filter(({ optional }) => !optional).map((argument) => argument.name)
  const inputSchema: ToolSchema = {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map((argument) => [
        argument.name,
        { type: 'string', description: argument.description, maxLength },
      ]),
    ),
    ...(required.length > 0 ? { required } : {}),
  }
  const title = name.replaceAll('_', ' ')
  return {
    tool: { name, title, description, inputSchema, annotations: { readOnlyHint: true } },
    parameters,
    call,
  }
}

/** The data of all answers. */
interface Book {
  readonly v1: readonly CommandView[]
  readonly v2: readonly CommandView[]
  /** OpenAPI of v2, then of v1. */
  readonly documents: readonly JsonObject[]
  readonly overview: string
  readonly events: string
}

function makeBook({ registry, info }: DocsSources): Book {
  const v1 = v1Commands(registry)
  const v2 = v2Commands(registry)
  const documents = [openapiV2(registry, info), openapiV1(registry, info)]
  const events = publicEvents(registry).map(
    (event) =>
      `  ${event.type} — ${sentence(event.summary)} Type: ${notificationName(event.type)}.`,
  )
  return {
    v1,
    v2,
    documents,
    overview: overviewOf(info, v1.length, v2.length),
    events: ['Events:', ...events].join('\n'),
  }
}

const overviewOf = (info: ApiInfo, commands: number, actions: number): string =>
  [
    `A persistent multiplayer space game, release ${info.version}:`,
    `${commands} commands on v1, ${actions} actions on v2.`,
    'Time advances in ticks. Mutations change state, one per player and tick; queries answer at once.',
    '',
    'Channels:',
    '  WebSocket v2 /ws/v2 — frames {tool, action, payload, request_id}; events are pushed.',
    '  WebSocket v1 /ws — frames {type, payload, request_id}.',
    '  HTTP v2 POST /api/v2/{tool}/{action} — header X-Session-Id; result text and structuredContent.',
    '  HTTP v1 POST /api/v1/{command} — the same with result as an object.',
    '  MCP /mcp (one tool per command) and /mcp/v2 (grouped tools, ?preset=basic|standard|full).',
    '',
    'Descriptions: /api/v2/openapi.json, /api/openapi.json; catalogue: /api/catalog.json (once per version).',
    `Without a session: ${['/health', ...PUBLIC_ROWS.map(({ path }) => shownPath(path))].join(', ')}.`,
    'Create a session (POST /api/v2/session), register or log in with it, then play. A mutation over',
    'HTTP or MCP waits for its tick; allow 600 s for travel and jump.',
  ].join('\n')

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s_/]+/)
    .filter((word) => word !== '')

const NO_MATCH = 3

/**
 * Returns how well a command matches: 0 for its exact name, 1 for all words in its names, 2 for all
 * words in names, summary and category, otherwise NO_MATCH.
 */
function rankOf({ address, def }: CommandView, words: readonly string[]): number {
  const names = [address, def.name].map((name) => wordsOf(name).join(' '))
  if (names.includes(words.join(' '))) return 0
  const hasAll = (text: string): boolean => words.every((word) => text.includes(word))
  if (hasAll(names.join(' '))) return 1
  return hasAll(`${names.join(' ')} ${def.summary} ${def.category}`.toLowerCase()) ? 2 : NO_MATCH
}

function searchCommands(book: Book, query: string): Outcome<ToolResult> {
  const words = wordsOf(query)
  const ranks: CommandView[][] = [[], [], []]
  if (words.length > 0)
    for (const view of [...book.v2, ...book.v1.filter((view) => !view.def.v2)])
      ranks[rankOf(view, words)]?.push(view)
  const found = ranks.flat()
  if (found.length === 0) return fail('topic_not_found', { query })
  const shown = found.slice(0, MCP_DOCS_COMMANDS_MAX)
  const lines = shown.map((view) => `  ${signatureOf(view)} — ${sentence(view.def.summary)}`)
  const more = found.length - shown.length
  const commands = shown.map((view) => ({ address: view.address, v1: view.def.name }))
  const rest = more > 0 ? [`and ${more} more: search with more words`] : []
  return ok({
    ...textResult([`${found.length} found:`, ...lines, ...rest].join('\n')),
    structuredContent: { commands, total: found.length, more },
  })
}

interface Shapes {
  /** JSON schema of the request. */
  readonly parameters: unknown
  /** Name of the answer's type; null if the answer is text. */
  readonly response_type: string | null
}

/**
 * Returns the commands that a name may mean: a v1 name, a v2 address, or an action of any tool; if
 * `tool` is given, only of that tool.
 */
function commandsNamed(book: Book, name: string, tool: string | undefined): CommandView[] {
  const { v1, v2 } = book
  if (tool !== undefined)
    return v2.filter(({ address }) => address === `${tool}/${name}` || address === tool)
  const exact = [...v2, ...v1].find(({ address }) => address === name)
  return exact ? [exact] : v2.filter(({ address }) => address.endsWith(`/${name}`))
}

function describeCommand(book: Book, name: string, tool: string | undefined): Outcome<ToolResult> {
  const [view, ...others] = commandsNamed(book, name, tool)
  if (!view) return fail('unknown_command', { name: name.slice(0, 64) })
  if (others.length > 0) {
    const actions = [view, ...others].map(({ address }) => address)
    const text = `Several tools have the action ${name}: ask for one of ${actions.join(', ')}.`
    return fail('unknown_command', { name, actions }, text)
  }
  const { def } = view
  const v2 = book.v2.find((other) => other.def === def)
  const v1 = book.v1.find((other) => other.def === def)
  const v1Shapes = v1 && shapesOf(book, 1, v1)
  const v2Shapes = v2 && shapesOf(book, 0, v2)
  const contract = {
    summary: def.summary,
    category: def.category,
    is_mutation: view.mutation,
    requires_auth: def.open !== true,
    v1: v1 ? { command: v1.address, ...v1Shapes } : null,
    v2: v2 ? { address: v2.address, ...v2Shapes } : null,
    response_type: v2Shapes?.response_type ?? v1Shapes?.response_type ?? null,
    state_sections: 'changes' in def ? (def.changes ?? []) : [],
    errors: errorsOf(def),
  }
  return ok({ ...textResult(JSON.stringify(contract, null, 1)), structuredContent: contract })
}

const pathOf = (document: 0 | 1, view: CommandView): string =>
  document === 0 ? `/api/v2/${view.address}` : `/${view.address}`

/** Reads the shapes of a command from an OpenAPI document. */
function shapesOf(book: Book, document: 0 | 1, view: CommandView): Shapes {
  const parameters = at(book.documents[document], [
    'paths',
    pathOf(document, view),
    'post',
    'requestBody',
    'content',
    'application/json',
    'schema',
  ])
  const isTyped = answerOf(book, document, view) !== undefined
  return { parameters, response_type: isTyped ? `${view.operationId}Response` : null }
}

/** Returns the part of a document at a path; undefined if there is none. */
function at(value: unknown, path: readonly string[]): unknown {
  let part = value
  // A client may ask for `constructor` or `__proto__`, which every object inherits.
  for (const step of path)
    part = isObject(part) && Object.hasOwn(part, step) ? part[step] : undefined
  return part
}

function describeType(book: Book, name: string): Outcome<ToolResult> {
  const schema = namedType(book, name)
  if (!schema) {
    const all = book.documents.flatMap((document) =>
      Object.keys(at(document, ['components', 'schemas']) as JsonObject),
    )
    const like = all.filter((known) => known.toLowerCase().includes(name.toLowerCase()))
    const names = [...new Set(like.length > 0 ? like : all)].sort()
    const types = names.slice(0, MCP_DOCS_TYPES_MAX)
    return fail('not_found', { types, more: names.length - types.length })
  }
  return ok({ ...textResult(JSON.stringify(schema, null, 1)), structuredContent: { name, schema } })
}

function namedType(book: Book, name: string): unknown {
  for (const document of book.documents) {
    const component = at(document, ['components', 'schemas', name])
    if (component) return component
  }
  const id = name.endsWith('Response') ? name.slice(0, -'Response'.length) : name
  const views = [
    ...book.v2.map((view) => [view, 0] as const),
    ...book.v1.map((view) => [view, 1] as const),
  ]
  const found = views.find(([view]) => view.operationId === id || view.address === id)
  return found && answerOf(book, found[1], found[0])
}

/** Returns the schema of a command's answer; undefined if that is only text (help of v2). */
function answerOf(book: Book, document: 0 | 1, view: CommandView): unknown {
  const whole = at(book.documents[document], [
    'paths',
    pathOf(document, view),
    'post',
    'responses',
    '200',
    'content',
    'application/json',
    'schema',
    'allOf',
  ]) as JsonObject[]
  return at(whole[1], ['properties', document === 0 ? 'structuredContent' : 'result'])
}

async function readGuide(
  sources: DocsSources,
  name: string | undefined,
): Promise<Outcome<ToolResult>> {
  const outcome = await sources.guide(name)
  if (!outcome.ok) return outcome
  const def = sources.registry.commands.get('get_guide')
  return ok(textResult(def ? renderText(def, outcome.result) : JSON.stringify(outcome.result)))
}
