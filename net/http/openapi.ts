/**
 * The OpenAPI 3.1 documents of HTTP v1 and v2, derived from the registry. Clients generate their
 * routing from them, so paths, operation ids and the place of the typed part are fixed. Source:
 * WIRE 6.2-6.4, spec Endpoints.
 */
import type { Registry } from '../../core/registry.ts'
import {
  type CommandView,
  errorsOf,
  toolsOf,
  type V2CommandView,
  v1Commands,
  v2Commands,
} from '../command-view.ts'
import { GAME_STATE, gameStateSchema, type JsonObject } from '../game-state.ts'
import { namesOf, type Version } from '../names.ts'
import { POLL_ENTRIES } from '../session/get-notifications.ts'
import {
  type Components,
  envelopeName,
  envelopes,
  hoist,
  ref,
  refusals,
  sharedResponses,
} from './openapi-parts.ts'
import { ACCOUNT_BEARER, publicPaths } from './openapi-public.ts'
import { nameShapes } from './openapi-shapes.ts'

export interface ApiInfo {
  /** Release of the interface, without a leading v. */
  readonly version: string
}

const SESSION_SECURITY = [{ SessionId: [] }]
const OPEN_SECURITY: unknown[] = []

/** Returns the document of HTTP v1: one path per command, below /api/v1. */
export function openapiV1(registry: Registry, info: ApiInfo): JsonObject {
  const components: Components = {}
  envelopes(registry, 1, components)
  const paths: JsonObject = { '/session': { post: createSession(1) } }
  for (const view of v1Commands(registry)) {
    const result = hoist(view.def.result, components)
    paths[`/${view.address}`] = { post: operation(view, 1, { result }, components) }
  }
  // On v1 the state is a component only if the result of a command refers to it.
  if (GAME_STATE in components)
    components[GAME_STATE] = hoist(gameStateSchema(registry), components)
  return namesOf(registry).value(1, document({ info, version: 1, paths, components }))
}

/** Returns the document of HTTP v2: one path per action. */
export function openapiV2(registry: Registry, info: ApiInfo): JsonObject {
  const components: Components = {}
  components[GAME_STATE] = {}
  envelopes(registry, 2, components)
  components[GAME_STATE] = hoist(gameStateSchema(registry), components)
  const views = v2Commands(registry)
  const paths: JsonObject = {
    '/api/v2/session': { post: createSession(2) },
    '/api/v2/notifications': { get: getNotifications() },
  }
  for (const view of views) {
    const structuredContent = structured(view, components)
    paths[`/api/v2/${view.address}`] = {
      post: operation(view, 2, { structuredContent }, components),
    }
  }
  for (const tool of toolsOf(views)) {
    // Includes the tool game: its help is answered by the framing, not by the command help.
    const path = `/api/v2/${tool}/help`
    paths[path] = { post: toolHelp(tool, 'post'), get: toolHelp(tool, 'get') }
  }
  Object.assign(paths, publicPaths(registry, components))
  return namesOf(registry).value(2, document({ info, version: 2, paths, components }))
}

/**
 * Returns the schema of an answer: a mutation answers with state and its own result under
 * `details`, anything else with its result.
 */
function structured(view: V2CommandView, components: Components): unknown {
  const result = hoist(view.def.result, components)
  if (!view.mutation) return result
  return { allOf: [ref(GAME_STATE), { type: 'object', properties: { details: result } }] }
}

function requestSchema(view: CommandView, components: Components): JsonObject {
  const properties: JsonObject = {}
  view.params.forEach((param, index) => {
    // Parameters stay inline: clients read types and positions from here.
    const schema = hoist(param.schema, components, true) as JsonObject
    properties[param.name] = { ...schema, 'x-positional-index': index }
  })
  const required = view.params.filter((param) => param.required).map((param) => param.name)
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) }
}

function operation(
  view: CommandView,
  version: Version,
  typed: JsonObject,
  components: Components,
): JsonObject {
  const { def } = view
  const sections = version === 2 && view.mutation && 'changes' in def ? def.changes : undefined
  return {
    operationId: view.operationId,
    summary: def.summary,
    tags: [version === 2 && def.v2 ? def.v2.tool : def.category],
    ...(view.mutation
      ? {
          'x-is-mutation': true,
          description: 'A mutation: takes the slot of a tick; the request waits for its outcome.',
        }
      : { 'x-is-mutation': false }),
    ...(sections ? { 'x-state-sections': sections } : {}),
    security: def.open ? OPEN_SECURITY : SESSION_SECURITY,
    requestBody: {
      required: view.params.some((param) => param.required),
      content: { 'application/json': { schema: requestSchema(view, components) } },
    },
    responses: responses(
      { allOf: [ref(envelopeName(version)), { type: 'object', properties: typed }] },
      errorsOf(def),
    ),
  }
}

function responses(schema: JsonObject, codes: readonly string[]): JsonObject {
  const shared = (name: string): JsonObject => ({ $ref: `#/components/responses/${name}` })
  return {
    '200': { description: 'Done.', content: { 'application/json': { schema } } },
    '400': refusals(codes),
    '401': shared('Unauthorized'),
    '413': shared('TooLarge'),
    '429': shared('RateLimited'),
    '500': shared('Failed'),
    '503': shared('Unavailable'),
  }
}

function createSession(version: Version): JsonObject {
  const result =
    version === 1 ? { result: { type: 'object', properties: { message: { type: 'string' } } } } : {}
  return {
    operationId: 'createSession',
    summary: 'Creates a session; send its id in X-Session-Id from then on.',
    tags: ['session'],
    'x-is-mutation': false,
    security: OPEN_SECURITY,
    responses: responses(
      { allOf: [ref(envelopeName(version)), { type: 'object', properties: result }] },
      [],
    ),
  }
}

function getNotifications(): JsonObject {
  const query = (name: string, schema: JsonObject, description: string): JsonObject => ({
    name,
    in: 'query',
    required: false,
    schema,
    description,
  })
  return {
    operationId: 'getNotifications',
    summary: 'Reads the queue of events.',
    tags: ['notifications'],
    'x-is-mutation': false,
    security: SESSION_SECURITY,
    parameters: [
      query(
        'limit',
        {
          type: 'integer',
          minimum: 1,
          maximum: POLL_ENTRIES.max,
          default: POLL_ENTRIES.default,
        },
        'Entries read.',
      ),
      query('clear', { type: 'boolean', default: true }, 'False leaves the entries queued.'),
      query('types', { type: 'array', items: { type: 'string' } }, 'Only these categories.'),
    ],
    responses: responses({ allOf: [ref(envelopeName(2))] }, ['rate_limited']),
  }
}

function toolHelp(tool: string, method: 'get' | 'post'): JsonObject {
  const topic = { type: 'string', description: 'An action, a category or words to search for.' }
  const input =
    method === 'get'
      ? { parameters: [{ name: 'topic', in: 'query', required: false, schema: topic }] }
      : {
          requestBody: {
            required: false,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { topic: { ...topic, 'x-positional-index': 0 } },
                },
              },
            },
          },
        }
  return {
    operationId: method === 'get' ? `${tool}_help_get` : `${tool}_help`,
    summary: `Lists the actions of ${tool}.`,
    tags: [tool],
    'x-is-mutation': false,
    security: OPEN_SECURITY,
    ...input,
    responses: responses({ allOf: [ref(envelopeName(2))] }, ['topic_not_found']),
  }
}

interface DocumentParts {
  readonly info: ApiInfo
  readonly version: Version
  readonly paths: JsonObject
  readonly components: Components
}

function document({ info, version, paths, components }: DocumentParts): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: `Game server HTTP API v${version}`,
      version: info.version,
      'x-gameserver-version': `v${info.version}`,
      description:
        'Every command is a POST with a JSON object. Create a session, log in, then play; ' +
        'mutations wait for their tick.',
    },
    servers: [{ url: version === 1 ? '/api/v1' : '/' }],
    security: SESSION_SECURITY,
    paths: nameShapes(paths, components),
    components: {
      schemas: components,
      responses: sharedResponses(version),
      securitySchemes: {
        SessionId: { type: 'apiKey', in: 'header', name: 'X-Session-Id' },
        ...(version === 1 ? {} : { [ACCOUNT_BEARER]: { type: 'http', scheme: 'bearer' } }),
      },
    },
  }
}
