/**
 * Pages of the live game work against this server: every field they read exists, in a world that
 * has seen a battle, a trade and a forum thread. Also tests what our own page reads of the past.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client, Params } from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import { itemIndex, shipClassIndex } from '../../core/catalog/index.ts'
import type { World } from '../../core/types.ts'
import { playerById } from '../../systems/account/model.ts'
import { Player } from '../../systems/account/state.ts'
import { addMember, foundFaction } from '../../systems/faction/member-rules.ts'
import { createShip, recompute } from '../../systems/ship/rules.ts'
import { Ship } from '../../systems/ship/state.ts'
import { placeInSpace, removeFromMap } from '../../systems/travel/rules.ts'
import { editWorld } from '../edited-world.ts'
import { startTestServer, type TestServer } from '../servers.ts'
import { lawlessSystem, open } from '../unit/combat/scene.ts'
import { useTestDatabase } from '../used-server.ts'
import { missedInEvent, PAST_READERS } from './site-past-readers.ts'
import { WORLD_READERS } from './site-readers.ts'

const SCALE = { tickMs: 1_000, maxEntities: 20_000 }
const SETTINGS = {
  TICK_MS: String(SCALE.tickMs),
  MAX_ENTITIES: String(SCALE.maxEntities),
  SPECTATOR_DELAY: '0',
  CHECK_EVERY: '100',
  HASH_EVERY: '100',
}
/** The number of advances from the edge of a battle to its middle. */
const RINGS = 3
const NAMES = ['Duelist Dana', 'Prey Paul', 'Trader Tim'] as const
const [DUELIST, PREY, TRADER] = NAMES

const database = useTestDatabase()
let server: TestServer
const clients = new Map<string, Client>()
const ids = new Map<string, string>()
/** Values for the placeholders `{name}` in addresses. */
const given: Record<string, string> = { player: DUELIST, faction: 'DUEL' }

async function ask(address: string): Promise<{ status: number; body: Params }> {
  const filled = address.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(given[name]))
  const reply = await fetch(`${server.url}${filled}`)
  return { status: reply.status, body: (await reply.json()) as Params }
}

async function does(name: string, command: string, params: Params = {}): Promise<Params> {
  const reply = await server.play(clients.get(name) as Client, command, params)
  if (!reply.ok) throw new Error(`${name} ${command}: ${reply.code} ${reply.message}`)
  return reply.result
}

/** Steps ticks until an address answers as wanted, because the archive lags behind the world. */
async function tickUntil(address: string, isSo: (body: Params) => boolean): Promise<Params> {
  for (let tick = 0; tick < 200; tick++) {
    const { status, body } = await ask(address)
    if (status === 200 && isSo(body)) return body
    await server.link.step(1)
  }
  throw new Error(`${address} is not as wanted: ${JSON.stringify((await ask(address)).body)}`)
}

/** Places an armed pilot and a weak one in lawless space, and founds the armed pilot's faction. */
function setStage(world: World): void {
  const [place] = open(world, lawlessSystem(world))
  const ships = world.write(Ship)
  for (const name of [DUELIST, PREY]) {
    const player = playerById(world, name)
    const old = world.read(Player).ship[player]
    const modules = name === DUELIST ? ['blaster_ii', 'blaster_ii'].map(itemIndex) : []
    const shipClass = shipClassIndex(name === DUELIST ? 'marauder' : 'hornet')
    const ship = createShip(world, { owner: player, shipClass, modules })
    world.write(Player).ship[player] = ship
    removeFromMap(world, old)
    placeInSpace(world, ship, place)
    recompute(world, ship)
    if (name === PREY) ships.hull[ship] = 5
    if (name === PREY) ships.shield[ship] = 0
  }
  const faction = foundFaction(world, playerById(world, DUELIST), 'Duellists', 'DUEL')
  addMember(world, playerById(world, TRADER), faction)
  world.recycle()
}

/** Messages received from the feed so far. */
const received: { type: string; data: unknown; tick: number }[] = []

/** Reads the feed in the background; resolves with a function that stops reading. */
async function listen(): Promise<() => Promise<void>> {
  const end = new AbortController()
  const { body } = await fetch(`${server.url}/events`, { signal: end.signal })
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line.startsWith('data: ')) received.push(JSON.parse(line.slice(6)))
        expect(line).not.toMatch(/^event:/)
      }
    }
  }
  const reading = read().catch((error: unknown) => {
    if (!end.signal.aborted) throw error
  })
  return async () => {
    end.abort()
    await reading
  }
}

/** Registers the players; returns their passwords by name. */
async function enrol(first: TestServer): Promise<Map<string, string>> {
  const passwords = new Map<string, string>()
  for (const username of NAMES) {
    const client = await connect(first.url, 'ws1')
    const answer = await client.call('register', {
      username,
      empire: 'outerrim',
      registration_code: 'any',
    })
    if (!answer.ok) throw new Error(`${username}: ${answer.message}`)
    passwords.set(username, String(answer.result.password))
    ids.set(username, String(answer.result.player_id))
    await client.close()
  }
  return passwords
}

/** Buys one of what the trader's station sells cheapest. */
async function trade(): Promise<void> {
  given.station = String((await does(TRADER, 'view_market')).base_id)
  const { items } = await tickUntil('/api/market/station/{station}', () => true)
  const offered = (items as Params[]).filter(({ best_ask }) => Number(best_ask) > 0)
  offered.sort((a, b) => Number(a.best_ask) - Number(b.best_ask))
  given.item = String(offered[0].item_id)
  await does(TRADER, 'buy', { item_id: given.item, quantity: 1 })
  await tickUntil('/api/market/fills?item={item}', ({ fills }) => (fills as []).length > 0)
}

/** Starts the battle and returns its public summary. */
async function fight(): Promise<Params> {
  await does(DUELIST, 'attack', { target_id: ids.get(PREY) })
  const { battles } = await tickUntil('/api/battles?status=active', ({ total }) => total === 1)
  for (let ring = 0; ring < RINGS; ring++) {
    for (const name of [DUELIST, PREY]) {
      await clients.get(name)?.call('battle', { action: 'advance' })
    }
    await server.link.step(1)
  }
  return (battles as Params[])[0]
}

let fought: Params
let hangUp: () => Promise<void>

beforeAll(async () => {
  const schema = database.schema()
  const first = await startTestServer(database, { schema, settings: SETTINGS })
  const passwords = await enrol(first)
  await first.stop()
  await editWorld(database, schema, SCALE, setStage)
  server = await startTestServer(database, { schema, settings: SETTINGS })
  for (const [username, password] of passwords) {
    const client = await connect(server.url, 'ws1')
    clients.set(username, client)
    const answer = await client.call('login', { username, password })
    if (!answer.ok) throw new Error(`${username}: ${answer.message}`)
  }
  await server.link.step(1)
  hangUp = await listen()
  fought = await fight()
  given.battle = String(fought.battle_id)
  given.system = String(fought.system_id)
  await tickUntil('/api/battle/summary?battle_id={battle}', ({ status }) => status === 'completed')
  await trade()
  const opened = await does(TRADER, 'forum_create_thread', {
    title: 'Iron',
    content: 'Who hauls it?',
    category: 'trading',
  })
  given.thread = String(opened.thread_id)
  await does(DUELIST, 'forum_reply', { thread_id: given.thread, content: 'Nobody.' })
  // Long enough for an hour of prices and some frames of the past.
  await server.link.step(365)
  await tickUntil('/api/market/vwap-history/{item}', ({ history }) => (history as []).length > 0)
  await tickUntil('/api/history?from=1', ({ ticks }) => (ticks as []).length > 3)
})
afterAll(async () => {
  await hangUp?.()
  for (const client of clients.values()) await client.close()
  await server?.stop()
})

describe('a page of the live game reads', () => {
  test.each(Object.entries({ ...WORLD_READERS, ...PAST_READERS }))('%s', async (address, read) => {
    const { status, body } = await ask(address)
    expect({ status, missed: read(body, '') }).toEqual({ status: 200, missed: [] })
  })
})

describe('the feed', () => {
  test('reports events under names that pages know', () => {
    expect(received.flatMap(missedInEvent)).toEqual([])
    const types = new Set(received.map(({ type }) => type))
    expect([...types]).toEqual(
      expect.arrayContaining([
        'connected',
        'tick',
        'combat',
        'player_destroyed',
        'exchange_fill',
        'forum_post',
        'forum_reply',
      ]),
    )
  })

  test('publishes a trade with the figures of the archive', async () => {
    const { body } = await ask('/api/market/fills?item={item}')
    const [{ quantity, price_each, total, order_type, seller_name, buyer_name }] =
      body.fills as Params[]
    const fills = received.filter(({ type }) => type === 'exchange_fill').map(({ data }) => data)
    expect(fills).toContainEqual(
      expect.objectContaining({
        quantity,
        price_each,
        total,
        order_type,
        seller: seller_name,
        buyer: buyer_name,
      }),
    )
  })
})

describe('the past', () => {
  test('lists a battle during and after the fight, with an outcome only after it', async () => {
    expect(fought).toMatchObject({ status: 'active', category: 'pvp', participant_count: 2 })
    expect(fought).not.toHaveProperty('outcome')
    const { body } = await ask('/api/battle/summary?battle_id={battle}')
    expect(body).toMatchObject({
      battle_id: given.battle,
      status: 'completed',
      outcome: 'victory',
      winning_side: 1,
      destroyed_names: [PREY],
      start_tick: fought.start_tick,
    })
  })

  test.each([
    ['search=du', 1],
    ['search=prey%20p', 1],
    ['search=paul', 0],
    ['search=trader', 0],
    ['category=pirate', 0],
    ['category=pvp&status=completed', 1],
    ['status=active', 0],
  ])('filters battles by %s', async (query, count) => {
    const { body } = await ask(`/api/battles?${query}`)
    const battles = (body.battles as Params[]).filter(({ battle_id }) => battle_id === given.battle)
    expect(battles).toHaveLength(count)
  })

  test('serves all pages of a battle log but the last as immutable', async () => {
    const page = await fetch(`${server.url}/api/battle/log?battle_id=${given.battle}&limit=1`)
    expect(page.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await page.json()).toMatchObject({ has_more: true, status: 'completed' })
    const rest = await fetch(`${server.url}/api/battle/log?battle_id=${given.battle}&limit=200`)
    const { entries, total_ticks } = (await rest.json()) as {
      entries: Params[]
      total_ticks: number
    }
    expect(rest.headers.get('cache-control')).toBe('public, max-age=60')
    expect(entries).toHaveLength(total_ticks)
    expect(entries.at(-1)).toMatchObject({ kills: [{ victim_username: PREY }] })
  })

  test('a trade with a station names the station but not the player', async () => {
    const { body } = await ask('/api/market/fills?item={item}&station={station}')
    const [fill] = body.fills as Params[]
    expect(fill).toMatchObject({ buyer_name: '', order_type: 'buy', is_npc: true, quantity: 1 })
    expect(fill.seller_name).toBe(fill.station_name)
    expect(fill.station_name).not.toBe(fill.station_id)
    expect(JSON.stringify(body)).not.toContain(TRADER)
  })

  test('a frame of the past is immutable and found by any tick that it covers', async () => {
    const { body } = await ask('/api/history?from=1')
    const ticks = body.ticks as Params[]
    expect(ticks.reduce((sum, { kills }) => sum + Number(kills), 0)).toBe(1)
    expect(ticks.reduce((sum, { fills }) => sum + Number(fills), 0)).toBeGreaterThan(0)
    const tick = Number(ticks[1].tick) + 5
    const reply = await fetch(`${server.url}/api/history/${tick}`)
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await reply.json()).toMatchObject({
      tick,
      activity: { current_tick: tick },
      battles: [],
      territory: { wars: [] },
    })
    const { steps } = (await ask(`/api/history/${tick}/steps`)).body as { steps: Params[] }
    expect(steps.map((step) => step.tick)).toEqual(steps.map((_, index) => tick - 5 + index))
    expect(steps[5]).toMatchObject({ changes: { tick, activity: { current_tick: tick } } })
    expect(await ask('/api/history/999999')).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    })
  })

  test.each([
    ['/api/battle/summary?battle_id=nonsense', 404, 'battle_not_found'],
    ['/api/battle/log?battle_id=00000000-0000-4000-8000-000000000000', 404, 'battle_not_found'],
    ['/api/battle/summary', 400, 'invalid_payload'],
    ['/api/forum/thread/9999', 404, 'thread_not_found'],
    ['/api/forum?date_from=soon', 400, 'invalid_payload'],
    ['/api/market/vwap-history/nothing', 404, 'not_found'],
  ])('%s is %i %s', async (address, status, error) => {
    const found = await ask(address)
    expect([found.status, found.body.error]).toEqual([status, error])
  })
})
