/**
 * Describes the addresses without a session in the OpenAPI document of v2: GET, a body without an
 * envelope, flat errors. Account addresses need the account's bearer token.
 */
import type { Registry } from '../../core/registry.ts'
import type { JsonObject } from '../game-state.ts'
import { LIVE_ROWS, type LiveRow } from '../public/live-table.ts'
import { type PublicRow, pathParams, type QueryParam } from '../public/row.ts'
import { PUBLIC_ROWS, shownPath } from '../public/table.ts'
import { CATALOG_QUERY } from './catalog-json.ts'
import { type AccountRow, INTEL_ROWS } from './intel-rows.ts'
import { type Components, hoist, ref } from './openapi-parts.ts'

const TEXT = { type: 'string' } as const
const JSON_TYPE = 'application/json'
const json = (schema: unknown): JsonObject => ({ [JSON_TYPE]: { schema } })

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
      description: 'Absent while the world is down.',
    },
    version: TEXT,
  },
}

const FLAT_ERROR: JsonObject = {
  type: 'object',
  required: ['error', 'message'],
  properties: {
    error: { ...TEXT, description: 'An error code.' },
    code: { ...TEXT, description: 'The same code.' },
    message: TEXT,
    retry_after: { type: 'integer', description: 'Seconds; only of rate_limited.' },
  },
}

interface PublicOperation {
  readonly operationId: string
  readonly summary: string
  readonly schema: unknown
  /** Content type of the body; absent: JSON. */
  readonly type?: LiveRow['type']
  readonly parameters?: readonly JsonObject[]
  /** True if it needs the bearer token of an account. */
  readonly isOfAccount?: boolean
  /** Error codes by status. */
  readonly refusals: Readonly<Record<string, string>>
}

/** Name of the security scheme of account endpoints. */
export const ACCOUNT_BEARER = 'AccountBearer'

const REFUSALS = { 429: 'rate_limited', 503: 'restarting or persist_timeout' } as const

function operation(about: PublicOperation): JsonObject {
  const { operationId, summary, schema, type = JSON_TYPE } = about
  const { parameters, refusals, isOfAccount = false } = about
  const flat = Object.entries(refusals).map(([status, codes]) => [
    status,
    { description: `Refused: ${codes}.`, content: json(ref('PublicError')) },
  ])
  return {
    operationId,
    summary,
    tags: [isOfAccount ? 'account' : 'public'],
    'x-is-mutation': false,
    security: isOfAccount ? [{ [ACCOUNT_BEARER]: [] }] : [],
    ...(parameters ? { parameters } : {}),
    responses: {
      '200': { description: 'Done.', content: { [type]: { schema } } },
      ...Object.fromEntries(flat),
    },
  }
}

const queryParam = (param: QueryParam): JsonObject => ({
  name: param.name,
  in: 'query',
  description: param.about,
  schema:
    param.kind === 'int'
      ? { type: 'integer', minimum: param.min, maximum: param.max, default: param.fallback }
      : param.kind === 'choice'
        ? { ...TEXT, enum: param.values, default: param.fallback }
        : { ...TEXT, maxLength: param.max },
})

function rowOperation(
  row: PublicRow | AccountRow,
  away: string,
  components: Components,
): JsonObject {
  const { operationId, about, query = [], schema, errors = [] } = row
  const isOfAccount = 'handler' in row
  const inPath = pathParams(row).map(({ name, about, example }) => ({
    name,
    in: 'path',
    required: true,
    schema: TEXT,
    description: about,
    example,
  }))
  const parameters = [...inPath, ...query.map(queryParam)]
  const codes = [...(inPath.length > 0 ? ['not_found'] : []), ...errors]
  return operation({
    operationId,
    summary: about,
    schema: hoist(schema, components),
    ...(parameters.length === 0 ? {} : { parameters }),
    isOfAccount,
    refusals: {
      ...(isOfAccount ? { 401: 'unauthorized' } : {}),
      ...(codes.length === 0 ? {} : { 404: codes.join(', ') }),
      429: 'rate_limited',
      503: away,
    },
  })
}

function liveOperation(row: LiveRow, components: Components): JsonObject {
  const { operationId, about, query = [], schema, type, refusals } = row
  return operation({
    operationId,
    summary: about,
    schema: hoist(schema, components),
    type,
    ...(query.length === 0 ? {} : { parameters: query.map(queryParam) }),
    refusals,
  })
}

/** Returns the paths by address, without those whose query the registry lacks. */
export function publicPaths(registry: Registry, components: Components): JsonObject {
  components.PublicError = FLAT_ERROR
  const summary = 'Reports that the server is running, its tick, and when the next is expected.'
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
    const summary = 'The whole catalogue, changed by releases only: fetch it once per version.'
    paths['/api/catalog.json'] = {
      get: operation({ operationId: 'getCatalogFile', summary, schema, refusals: REFUSALS }),
    }
  }
  for (const row of PUBLIC_ROWS) {
    const away = row.source === 'frame' ? 'not_ready' : 'not_ready or persist_timeout'
    paths[shownPath(row.path)] = { get: rowOperation(row, away, components) }
  }
  for (const row of INTEL_ROWS) {
    paths[shownPath(row.path)] = { get: rowOperation(row, REFUSALS[503], components) }
  }
  for (const row of LIVE_ROWS) paths[row.path] = { get: liveOperation(row, components) }
  return paths
}
