/**
 * What the document of v2 says of the addresses that need no session: GET, a body without an
 * envelope, flat errors.
 */
import type { Registry } from '../../core/registry.ts'
import type { JsonObject } from '../game-state.ts'
import { CATALOG_QUERY } from './catalog-json.ts'
import { type Components, hoist, ref } from './openapi-parts.ts'
import { PUBLIC_DATA, type PublicData, shownPath } from './public-data.ts'

const TEXT = { type: 'string' } as const
const json = (schema: unknown): JsonObject => ({ 'application/json': { schema } })

/** The body of GET /health. */
const HEALTH: JsonObject = {
  type: 'object',
  required: ['status', 'tick', 'version'],
  properties: {
    status: { ...TEXT, const: 'ok' },
    tick: { type: 'integer' },
    estimated_next_tick: {
      ...TEXT,
      format: 'date-time',
      description: 'Absent while the world is away.',
    },
    version: TEXT,
  },
}

const FLAT_ERROR: JsonObject = {
  type: 'object',
  required: ['error', 'message'],
  properties: {
    error: { ...TEXT, description: 'A code of the table.' },
    code: { ...TEXT, description: 'The same.' },
    message: TEXT,
    retry_after: { type: 'integer', description: 'Seconds; of rate_limited.' },
  },
}

interface PublicOperation {
  readonly operationId: string
  readonly summary: string
  readonly schema: unknown
  readonly parameters?: readonly JsonObject[]
  /** Statuses of refusals, each with its code. */
  readonly refusals: Readonly<Record<string, string>>
}

const REFUSALS = { 429: 'rate_limited', 503: 'restarting or persist_timeout' } as const

function operation(about: PublicOperation): JsonObject {
  const { operationId, summary, schema, parameters, refusals } = about
  const flat = Object.entries(refusals).map(([status, codes]) => [
    status,
    { description: `Refused: ${codes}.`, content: json(ref('PublicError')) },
  ])
  return {
    operationId,
    summary,
    tags: ['public'],
    'x-is-mutation': false,
    security: [],
    ...(parameters ? { parameters } : {}),
    responses: {
      '200': { description: 'Done.', content: json(schema) },
      ...Object.fromEntries(flat),
    },
  }
}

const paramOf = ({ param }: PublicData): Pick<PublicOperation, 'parameters' | 'refusals'> =>
  param === undefined
    ? { refusals: REFUSALS }
    : {
        refusals: { 404: 'not_found', ...REFUSALS },
        parameters: [
          {
            name: param.name,
            in: 'path',
            required: true,
            schema: TEXT,
            description: param.about,
            example: param.example,
          },
        ],
      }

/** Paths by address; those whose query the registry lacks are left out. */
export function publicPaths(registry: Registry, components: Components): JsonObject {
  components.PublicError = FLAT_ERROR
  const summary = 'Tells that the server runs, at which tick, and when the next one is expected.'
  const paths: JsonObject = {
    '/health': {
      get: operation({ operationId: 'getHealth', summary, schema: HEALTH, refusals: {} }),
    },
  }
  const bodyOf = (query: string): unknown => {
    const def = registry.commands.get(query)
    return def && hoist(def.result, components)
  }
  const file = bodyOf(CATALOG_QUERY) as JsonObject | undefined
  if (file) {
    const properties = { version: TEXT, ...(file.properties as JsonObject) }
    const schema = { ...file, properties }
    const summary = 'The whole catalogue, changed by releases only: fetch it once a version.'
    paths['/api/catalog.json'] = {
      get: operation({ operationId: 'getCatalogFile', summary, schema, refusals: REFUSALS }),
    }
  }
  for (const data of PUBLIC_DATA) {
    const schema = bodyOf(data.query)
    if (schema === undefined) continue
    const { operationId, about } = data
    paths[shownPath(data.path)] = {
      get: operation({ operationId, summary: about, schema, ...paramOf(data) }),
    }
  }
  return paths
}
