/** The six tools of /mcp/docs. */
import { describe, expect, test } from 'vitest'
import { fail, ok } from '../../../core/errors.ts'
import { docsTools } from '../../../net/mcp/docs.ts'
import { createMcpEndpoint } from '../../../net/mcp/endpoint.ts'
import { connect } from './fake-net.ts'
import { fakeRegistry, INFO } from './fake-registry.ts'

const client = await connect(
  createMcpEndpoint({
    config: { ...INFO, limits: true, allowedHosts: [], allowedOrigins: [] },
    tools: docsTools({
      registry: fakeRegistry(),
      info: INFO,
      guide: async (name) => (name === 'x' ? fail('guide_not_found') : ok({ guides: ['miner'] })),
    }),
    monoMs: () => 0,
    endLogin: () => undefined,
    withNames: (text) => text,
    onBug: (error) => {
      throw error
    },
  }),
)
const text = async (name: string, args: object = {}): Promise<string> =>
  (await client.call(name, args)).result.content[0].text

describe('/mcp/docs', () => {
  test('has six tools', async () => {
    const { tools } = (await client.request('tools/list')).json.result
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual([
      'get_overview',
      'search_commands',
      'get_command',
      'get_type',
      'get_websocket_protocol',
      'get_guide',
    ])
  })

  test('finds and describes commands by either name', async () => {
    expect(await text('search_commands', { query: 'buys' })).toContain('game/buy(id, quantity)')
    expect(await text('search_commands', { query: 'zzz' })).toMatch(/^Error: topic_not_found/)
    const { structuredContent } = (await client.call('get_command', { name: 'buy' })).result
    expect(structuredContent).toMatchObject({
      is_mutation: true,
      v1: { command: 'buy', parameters: { required: ['item_id', 'quantity'] } },
      v2: { address: 'game/buy', parameters: { required: ['id', 'quantity'] } },
      response_type: 'game_buyResponse',
      errors: ['no_base', 'no_credits', 'not_docked'],
    })
    for (const args of [{ action: 'buy' }, { action: 'game/buy' }, { action: 'buy', tool: 'game' }])
      expect((await client.call('get_command', args)).result.structuredContent).toEqual(
        structuredContent,
      )
    for (const args of [{ name: 'nope' }, { action: 'buy', tool: 'game_social' }])
      expect(await text('get_command', args)).toMatch(/^Error: unknown_command/)
  })

  test('knows types by name and by operation', async () => {
    expect(await text('get_type', { name: 'NotificationMiningYield' })).toContain('drone_id')
    expect(await text('get_type', { name: 'game_buyResponse' })).toContain('details')
    expect(await text('get_type', { name: 'buyResponse' })).toContain('item_id')
    for (const name of ['nope', 'constructor', '__proto__', 'toString'])
      expect(await text('get_type', { name })).toMatch(/^Error: not_found/)
    expect(await text('get_type', {})).toContain('name must be string (required)')
  })

  test('explains the protocol, the events and the guides', async () => {
    expect(await text('get_websocket_protocol')).toContain('mining_yield')
    expect(await text('get_overview')).toContain('release 0.599.5')
    expect(await text('get_overview')).toContain('/health, /api/stats, /api/map, /api/map/activity')
    expect(await text('get_guide')).toContain('miner')
    for (const args of [{ guide: 'x' }, { id: 'x' }])
      expect(await text('get_guide', args)).toMatch(/^Error: guide_not_found/)
  })
})
