/** The OpenAPI documents and the explorer pages, over a registry of a few definitions. */
import { describe, expect, test } from 'vitest'
import { explorerPage } from '../../../net/http/explorer.ts'
import { INTEL_ROWS } from '../../../net/http/intel-rows.ts'
import { openapiV1, openapiV2 } from '../../../net/http/openapi.ts'
import { nameShapes } from '../../../net/http/openapi-shapes.ts'
import { LIVE_ROWS } from '../../../net/public/live-table.ts'
import { PUBLIC_ROWS, shownPath } from '../../../net/public/table.ts'
import { fakeRegistry, INFO } from './fake-registry.ts'

interface Operation {
  operationId: string
  'x-is-mutation': boolean
  'x-state-sections'?: string[]
  security: unknown[]
  requestBody: { content: { 'application/json': { schema: Record<string, unknown> } } }
  responses: Record<string, { description: string; content: Record<string, { schema: unknown }> }>
}
type Document = {
  info: Record<string, unknown>
  paths: Record<string, { post: Operation; get: Operation }>
  components: { schemas: Record<string, Record<string, unknown>> }
}

const v1 = openapiV1(fakeRegistry(), INFO) as unknown as Document
const v2 = openapiV2(fakeRegistry(), INFO) as unknown as Document

const answerProperties = (operation: Operation): unknown =>
  (
    operation.responses['200'].content['application/json'].schema as {
      allOf: { properties: unknown }[]
    }
  ).allOf[1].properties

/** Returns the references of a document that have no target. */
function danglingRefs(document: object): string[] {
  const found = new Set<string>()
  JSON.stringify(document, (key, value) => {
    if (key === '$ref') found.add(value)
    return value
  })
  return [...found].filter(
    (ref) =>
      ref
        .split('/')
        .slice(1)
        .reduce<unknown>((part, step) => (part as Record<string, unknown>)?.[step], document) ===
      undefined,
  )
}

describe('OpenAPI documents', () => {
  test('v2 has a path for each action, v1 for each command, and neither for internal ones', () => {
    expect(Object.keys(v2.paths)).toEqual([
      '/api/v2/session',
      '/api/v2/notifications',
      '/api/v2/game/get_status',
      '/api/v2/game/buy',
      '/api/v2/game_auth/login',
      '/api/v2/game_auth/logout',
      '/api/v2/game_social/set_status',
      '/api/v2/game_catalog',
      '/api/v2/game/help',
      '/api/v2/game_auth/help',
      '/api/v2/game_social/help',
      '/api/v2/game_catalog/help',
      '/health',
      ...PUBLIC_ROWS.map(({ path }) => shownPath(path)),
      ...INTEL_ROWS.map(({ path }) => shownPath(path)),
      ...LIVE_ROWS.map(({ path }) => path),
    ])
    expect(Object.keys(v1.paths)).toContain('/get_status')
    expect(JSON.stringify([v1, v2])).not.toContain('internal:')
  })

  test('addresses of an account require its bearer token', () => {
    expect(v2.paths['/api/intel-map'].get.security).toEqual([{ AccountBearer: [] }])
    expect(v2.paths['/api/map'].get.security).toEqual([])
  })

  test('operation ids are tool_action on v2 and the command name on v1', () => {
    expect(v2.paths['/api/v2/game/buy'].post.operationId).toBe('game_buy')
    expect(v2.paths['/api/v2/game_catalog'].post.operationId).toBe('game_catalog')
    expect(v1.paths['/buy'].post.operationId).toBe('buy')
    expect(v2.paths['/api/v2/session'].post.operationId).toBe('createSession')
  })

  test('a mutation is marked, names its sections and answers with state and details', () => {
    const operation = v2.paths['/api/v2/game/buy'].post
    expect(operation['x-is-mutation']).toBe(true)
    expect(operation['x-state-sections']).toEqual(['player', 'cargo'])
    expect(answerProperties(operation)).toMatchObject({
      structuredContent: {
        allOf: [
          { $ref: '#/components/schemas/V2GameState' },
          { properties: { details: { properties: { item_id: { type: 'string' } } } } },
        ],
      },
    })
    expect(v2.paths['/api/v2/game_social/set_status'].post['x-is-mutation']).toBe(false)
  })

  test('v2 shows its own parameter names, with positions and without omitted ones', () => {
    const { schema } = v2.paths['/api/v2/game/buy'].post.requestBody.content['application/json']
    expect(schema).toMatchObject({
      required: ['id', 'quantity'],
      properties: {
        id: { type: 'string', 'x-positional-index': 0 },
        quantity: { type: 'integer', 'x-positional-index': 1 },
      },
    })
    expect(Object.keys(schema.properties as object)).toEqual(['id', 'quantity'])
  })

  test('a result with the schema V2GameState refers to the assembled state', () => {
    expect(answerProperties(v2.paths['/api/v2/game/get_status'].post)).toEqual({
      structuredContent: { $ref: '#/components/schemas/V2GameState' },
    })
    const state = v2.components.schemas.V2GameState.properties as Record<string, unknown>
    expect(state.cargo).toMatchObject({ type: 'array' })
    for (const name of ['player', 'ship', 'details', 'credits', 'hints', 'riding'])
      expect(state).toHaveProperty(name)
  })

  test('a schema with an id is one component', () => {
    expect(v1.components.schemas.Player).toMatchObject({ properties: { username: {} } })
    expect(answerProperties(v1.paths['/get_status'].post)).toMatchObject({
      result: { properties: { player: { $ref: '#/components/schemas/Player' } } },
    })
    expect(JSON.stringify(v1)).not.toContain('$id')
  })

  test('every reference has a target', () => {
    expect(danglingRefs(v1)).toEqual([])
    expect(danglingRefs(v2)).toEqual([])
  })

  test('a shape used in several places is one component; parameters stay inline', () => {
    const shape = (about: string) => ({
      type: 'object',
      properties: { item_id: { type: 'string' }, about: { type: 'string', description: about } },
    })
    const long = 'Long enough to be worth a name of its own.'
    const components: Record<string, unknown> = {}
    const paths = nameShapes(
      {
        '/a': { post: { operationId: 'list_a', properties: { orders: { items: shape(long) } } } },
        '/b': {
          post: { properties: { same: shape(long), other: shape(`${long} Not the same.`) } },
        },
      },
      components,
    ) as Record<string, { post: { properties: Record<string, Record<string, unknown>> } }>
    const ref = { $ref: '#/components/schemas/Order' }
    expect(paths['/a'].post.properties.orders.items).toEqual(ref)
    expect(paths['/b'].post.properties.same).toEqual(ref)
    expect(paths['/b'].post.properties.other).toHaveProperty('properties')
    expect(components).toEqual({ Order: shape(long) })
  })

  test('errors of the command and of its needs are named; open commands need no session', () => {
    const operation = v2.paths['/api/v2/game/buy'].post
    expect(operation.responses['400'].description).toContain('no_base, no_credits, not_docked')
    expect(operation.security).toEqual([{ SessionId: [] }])
    expect(v2.paths['/api/v2/game_auth/login'].post.security).toEqual([])
  })

  test('the version that clients check is in info', () => {
    expect(v2.info['x-gameserver-version']).toBe('v0.599.5')
  })

  test('events are components of the notifications', () => {
    expect(v2.components.schemas.NotificationMiningYield).toMatchObject({
      required: ['resource_id'],
    })
  })
})

describe('explorer pages', () => {
  test('embed their operations and load nothing from elsewhere', () => {
    const page = explorerPage(fakeRegistry(), INFO, 2)
    const data = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? ''
    const { operations } = JSON.parse(data) as { operations: { path: string }[] }
    expect(operations.map(({ path }) => path)).toContain('/api/v2/game/buy')
    expect(page).not.toMatch(/(src|href)="?(?!\/(docs|api|favicon\.svg)\b|#content"|")/)
    // The content security policy allows no inline scripts and styles.
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script>/)
  })
})
