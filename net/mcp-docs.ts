/**
 * /mcp/docs: the contract of the commands for people and models that write clients. Six tools, no
 * account, nothing of the world but the guides. Source: WIRE 9.8.
 */
import { fail, type Outcome, ok } from '../core/errors.ts'
import type { Registry } from '../core/registry.ts'
import {
  type CommandView,
  errorsOf,
  publicEvents,
  sentence,
  signatureOf,
  v1Commands,
  v2Commands,
} from './command-view.ts'
import type { JsonObject } from './game-state.ts'
import { refusedResult, type ToolResult, textResult } from './mcp-calls.ts'
import type { McpTools } from './mcp-endpoint.ts'
import type { McpTool, ToolSchema } from './mcp-tools.ts'
import { type ApiInfo, openapiV1, openapiV2 } from './openapi.ts'
import { notificationName } from './openapi-parts.ts'
import { renderText } from './render.ts'
import { WEBSOCKET_PROTOCOL } from './websocket-protocol.ts'

const SEARCH_RESULTS_MAX = 30
const TYPES_NAMED_MAX = 200

export interface DocsSources {
  readonly registry: Registry
  readonly info: ApiInfo
  /** The query get_guide of the game. */
  guide(name: string | undefined): Promise<Outcome<unknown>>
}

type DocsCall = (
  args: Record<string, unknown>,
) => Outcome<ToolResult> | Promise<Outcome<ToolResult>>

interface DocsTool {
  readonly tool: McpTool
  readonly call: DocsCall
}

/** The tools of /mcp/docs. */
export function docsTools(sources: DocsSources): McpTools {
  const book = makeBook(sources)
  const tools: DocsTool[] = [
    define('get_overview', 'What the service is and how a client talks to it.', {}, () =>
      ok(textResult(book.overview)),
    ),
    define(
      'search_commands',
      'Commands whose name, description or category has all the words.',
      { query: text('Words to look for.') },
      ({ query }) => searchCommands(book, String(query ?? '')),
    ),
    define(
      'get_command',
      'Parameters, kind, errors and response type of one command.',
      { name: text('Name on v1, or tool/action of v2.') },
      ({ name }) => describeCommand(book, String(name ?? '')),
    ),
    define(
      'get_type',
      'JSON schema of a named type: V2GameState, an event payload, or <operation>Response.',
      { name: text('Name of the type.') },
      ({ name }) => describeType(book, String(name ?? '')),
    ),
    define('get_websocket_protocol', 'Frames, order, close codes of both WebSockets.', {}, () =>
      ok(textResult(`${WEBSOCKET_PROTOCOL}\n\n${book.events}`)),
    ),
    define(
      'get_guide',
      'A guide to playing; without a name, the list of guides.',
      { guide: text('Name of the guide.') },
      ({ guide }) => readGuide(sources, typeof guide === 'string' ? guide : undefined),
      [],
    ),
  ]
  const byName = new Map(tools.map((one) => [one.tool.name, one]))
  return {
    title: 'Game command contract',
    instructions:
      'Looks up commands, types and protocol for client builders. Start with get_overview, then search_commands.',
    list: () => tools.map(({ tool }) => tool),
    call: async (_query, { tool, args }) => {
      const outcome = await byName.get(tool)?.call(args)
      if (!outcome) return undefined
      return outcome.ok ? outcome.result : refusedResult(outcome)
    },
  }
}

const text = (description: string): JsonObject => ({ type: 'string', description, maxLength: 256 })

function define(
  name: string,
  description: string,
  properties: Record<string, JsonObject>,
  call: DocsCall,
  required: string[] = Object.keys(properties),
): DocsTool {
  const inputSchema: ToolSchema = {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
  }
  const title = name.replaceAll('_', ' ')
  return {
    tool: { name, title, description, inputSchema, annotations: { readOnlyHint: true } },
    call,
  }
}

interface Book {
  readonly v1: readonly CommandView[]
  readonly v2: readonly CommandView[]
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
    'Time advances in ticks. Mutations change state, one a player and tick; queries answer at once.',
    '',
    'Channels:',
    '  WebSocket v2 /ws/v2 — frames {tool, action, payload, request_id}; events are pushed.',
    '  WebSocket v1 /ws — frames {type, payload, request_id}.',
    '  HTTP v2 POST /api/v2/{tool}/{action} — header X-Session-Id; result text and structuredContent.',
    '  HTTP v1 POST /api/v1/{command} — the same with result as an object.',
    '  MCP /mcp (one tool a command) and /mcp/v2 (grouped tools, ?preset=basic|standard|full).',
    '',
    'Descriptions: /api/v2/openapi.json, /api/openapi.json; catalogue: /api/catalog.json (once a version).',
    'Make a session (POST /api/v2/session), register or login with it, then play. A mutation over',
    'HTTP or MCP waits for its tick; allow 600 s for travel and jump.',
  ].join('\n')

function searchCommands(book: Book, query: string): Outcome<ToolResult> {
  const words = query
    .toLowerCase()
    .split(/[\s_/]+/)
    .filter((word) => word !== '')
  const found = [...book.v2, ...book.v1.filter((view) => !view.def.v2)].filter((view) => {
    const said = `${view.address} ${view.def.name} ${view.def.summary} ${view.def.category}`
    return words.every((word) => said.toLowerCase().includes(word))
  })
  if (words.length === 0 || found.length === 0) return fail('topic_not_found', { query })
  const shown = found.slice(0, SEARCH_RESULTS_MAX)
  const lines = shown.map((view) => `  ${signatureOf(view)} — ${sentence(view.def.summary)}`)
  const more = found.length - shown.length
  const commands = shown.map((view) => ({ address: view.address, v1: view.def.name }))
  return ok({
    ...textResult(
      [`${found.length} found:`, ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    ),
    structuredContent: { commands },
  })
}

function describeCommand(book: Book, name: string): Outcome<ToolResult> {
  const v2 = book.v2.find((view) => view.address === name || view.def.name === name)
  const v1 = book.v1.find((view) => view.address === name || view.def === v2?.def)
  const view = v2 ?? v1
  if (!view) return fail('unknown_command', { name: name.slice(0, 64) })
  const { def } = view
  const contract = {
    summary: def.summary,
    category: def.category,
    is_mutation: view.mutation,
    requires_auth: def.open !== true,
    v1: v1 ? { command: v1.address, parameters: operationOf(book, 1, `/${v1.address}`) } : null,
    v2: v2
      ? { address: v2.address, parameters: operationOf(book, 0, `/api/v2/${v2.address}`) }
      : null,
    response_type: `${view.operationId}Response`,
    state_sections: 'changes' in def ? (def.changes ?? []) : [],
    errors: errorsOf(def),
  }
  return ok({ ...textResult(JSON.stringify(contract, null, 1)), structuredContent: contract })
}

/** The request schema that an OpenAPI document has for a path. */
function operationOf(book: Book, document: number, path: string): unknown {
  return at(book.documents[document], [
    'paths',
    path,
    'post',
    'requestBody',
    'content',
    'application/json',
    'schema',
  ])
}

function at(value: unknown, path: readonly string[]): unknown {
  let part = value
  for (const step of path) part = (part as Record<string, unknown> | undefined)?.[step]
  return part
}

function describeType(book: Book, name: string): Outcome<ToolResult> {
  const schema = namedType(book, name)
  if (!schema) {
    const names = Object.keys(at(book.documents[0], ['components', 'schemas']) as JsonObject)
    return fail('not_found', { types: names.slice(0, TYPES_NAMED_MAX) })
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
    ...book.v2.map((view) => [view, 0, `/api/v2/${view.address}`] as const),
    ...book.v1.map((view) => [view, 1, `/${view.address}`] as const),
  ]
  const found = views.find(([view]) => view.operationId === id || view.address === id)
  if (!found) return undefined
  const [, document, path] = found
  const whole = at(book.documents[document], [
    'paths',
    path,
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
  const said = def ? renderText(def, outcome.result) : JSON.stringify(outcome.result)
  return ok(textResult(said))
}
