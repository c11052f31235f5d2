/**
 * Every event of the interface reaches a client, over a socket and by polling over HTTP. The same
 * scenes are played on two real servers whose worlds were prepared for them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client, Params, Reply } from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import { editWorld } from '../edited-world.ts'
import { startTestServer, type TestServer } from '../servers.ts'
import { useTestDatabase } from '../used-server.ts'
import { CAST, type Role, setStage } from './stage.ts'

/**
 * Source: spec, "Combat and ships" and "Other events". Frames of a connection are tested in
 * websocket.test.ts, except `reconnected`, which only a socket receives.
 */
const EVENTS = [
  'battle_update',
  'battle_damage',
  'battle_left',
  'ship_captured',
  'prize_update',
  'personnel_update',
  'player_died',
  'player_kill',
  'pirate_destroyed',
  'pirate_radio',
  'scan_result',
  'scan_detected',
  'refueled_by',
  'repaired_by',
  'pilotless_ship',
  'arena_challenge',
  'arena_objective',
  'mining_yield',
  'chat_message',
  'trade_offer_received',
  'skill_level_up',
  'market_update',
] as const

const SCALE = { tickMs: 1_000, maxEntities: 80_000 }
const SETTINGS = { TICK_MS: String(SCALE.tickMs), MAX_ENTITIES: String(SCALE.maxEntities) }
const TICKS_MAX = 120
/** The number of advances from the edge of a battle to its middle. */
const RINGS = 3

const database = useTestDatabase()

interface Player {
  readonly name: string
  readonly id: string
  readonly password: string
}

/** Players of a server, each bound to a client, and the first event of each type they received. */
interface Cast {
  readonly server: TestServer
  readonly clients: Map<Role, Client>
  readonly received: Map<Role, Map<string, Params>>
  readonly players: Record<Role, Player>
  name(role: Role): string
  play(role: Role, command: string, params?: Params): Promise<Reply>
  /** Plays a command that must succeed. */
  does(role: Role, command: string, params?: Params): Promise<Params>
  /** Brings pilots of a battle to close quarters. */
  closeIn(...fighters: Role[]): Promise<void>
  /** Steps the clock until a role has received an event; returns its first payload. */
  receives(role: Role, type: string): Promise<Params>
  bind(role: Role): Promise<void>
  close(): Promise<void>
}

const roles = Object.keys(CAST) as Role[]

/** Registers a player for each role. */
async function enrol(server: TestServer, prefix: string): Promise<Record<Role, Player>> {
  const players = {} as Record<Role, Player>
  for (const role of roles) {
    const client = await connect(server.url, 'ws1')
    const name = `${prefix} ${role}`
    const answer = await client.call('register', {
      username: name,
      empire: 'outerrim',
      registration_code: 'any',
    })
    if (!answer.ok) throw new Error(`${name}: ${answer.message}`)
    const { player_id, password } = answer.result
    players[role] = { name, id: String(player_id), password: String(password) }
    await client.close()
  }
  return players
}

/** Registers the players, prepares their world, and logs each in on the channel. */
async function openCast(channel: Client['channel'], prefix: string): Promise<Cast> {
  const schema = database.schema()
  const first = await startTestServer(database, { schema, settings: SETTINGS })
  const players = await enrol(first, prefix)
  await first.stop()
  await editWorld(database, schema, SCALE, (world) => setStage(world, (role) => players[role].name))
  const server = await startTestServer(database, { schema, settings: SETTINGS })
  const clients = new Map<Role, Client>()
  const received = new Map<Role, Map<string, Params>>(roles.map((role) => [role, new Map()]))
  const bind = async (role: Role): Promise<void> => {
    const client = await connect(server.url, channel)
    client.onPush = ({ type, payload }) => {
      const firstPayloads = received.get(role)!
      if (!firstPayloads.has(type)) firstPayloads.set(type, payload)
    }
    const { name, password } = players[role]
    const answer = await client.call('login', { username: name, password })
    if (!answer.ok) throw new Error(`${name}: ${answer.message}`)
    clients.set(role, client)
  }
  for (const role of roles) await bind(role)
  const play = (role: Role, command: string, params?: Params): Promise<Reply> =>
    server.play(clients.get(role)!, command, params)
  return {
    server,
    clients,
    received,
    players,
    name: (role) => players[role].name,
    play,
    async does(role, command, params) {
      const reply = await play(role, command, params)
      if (!reply.ok) throw new Error(`${role} ${command}: ${reply.code} ${reply.message}`)
      return reply.result
    },
    async closeIn(...fighters) {
      for (let ring = 0; ring < RINGS; ring++) {
        for (const role of fighters) await clients.get(role)!.call('battle', { action: 'advance' })
        await server.link.step(1)
      }
    },
    async receives(role, type) {
      for (let tick = 0; tick < TICKS_MAX; tick++) {
        // An HTTP answer carries waiting events; on a socket, events sent before come before it.
        await clients.get(role)!.call('get_status')
        const payload = received.get(role)!.get(type)
        if (payload) return payload
        await server.link.step(1)
      }
      const types = [...received.get(role)!.keys()].join(', ')
      throw new Error(`${role} never received ${type}, only ${types}`)
    },
    bind,
    async close() {
      for (const client of clients.values()) await client.close()
      await server.stop()
    },
  }
}

/**
 * Scenes by name: who does what, and who must receive which event. Those that cannot wait come
 * first.
 */
const SCENES: Record<string, (cast: Cast) => Promise<void>> = {
  async 'a fight with a pirate'({ does, receives, closeIn }) {
    const { pirates } = (await does('hunter', 'get_nearby')) as { pirates: Params[] }
    await does('hunter', 'attack', { target_id: pirates[0].pirate_id })
    await closeIn('hunter')
    await receives('hunter', 'pirate_destroyed')
    await receives('hunter', 'pirate_radio')
  },
  async 'the capture of a ship'({ does, receives, closeIn, players, clients }) {
    await does('captor', 'attack', { target_id: players.owner.id })
    await receives('owner', 'battle_update')
    await closeIn('captor', 'owner')
    const order = { action: 'stance', stance: 'board', target_id: players.owner.id, marines: 20 }
    expect(await clients.get('captor')!.call('battle', order)).toMatchObject({ ok: true })
    const taken = await receives('owner', 'ship_captured')
    expect(taken).toMatchObject({
      captor_id: players.captor.id,
      former_owner_id: players.owner.id,
    })
    const { pois } = ((await does('captor', 'get_system')) as { system: { pois: Params[] } }).system
    await does('captor', 'claim_prize', {
      prize_id: taken.prize_id,
      destination_base_id: pois.find(({ has_base }) => has_base)?.base_id,
    })
    expect(await receives('captor', 'prize_update')).toMatchObject({ ship_id: taken.ship_id })
  },
  async 'a meeting at a station'({ does, receives, name, players }) {
    await does('friend', 'subscribe_market')
    await does('medic', 'create_buy_order', { item_id: 'iron_ore', quantity: 1, price_each: 1 })
    expect(await receives('friend', 'market_update')).toMatchObject({
      items: [{ item_id: 'iron_ore' }],
    })
    await does('medic', 'chat', { channel: 'local', content: 'Anyone hurt?' })
    expect(await receives('friend', 'chat_message')).toMatchObject({
      sender: name('medic'),
      content: 'Anyone hurt?',
    })
    await does('medic', 'trade_offer', { target_id: players.friend.id, offer_credits: 1 })
    expect(await receives('friend', 'trade_offer_received')).toMatchObject({
      offerer_name: name('medic'),
      offer_credits: 1,
    })
    await does('medic', 'refuel', { target: name('friend'), quantity: 2 })
    expect(await receives('friend', 'refueled_by')).toMatchObject({
      source_username: name('medic'),
      fuel: 2,
    })
    await does('medic', 'repair', { target: name('friend') })
    expect(await receives('friend', 'repaired_by')).toMatchObject({
      source_username: name('medic'),
    })
    await does('medic', 'transfer_personnel', { target: players.friend.id, fit_crew: 1 })
    expect(await receives('friend', 'personnel_update')).toMatchObject({ counts: { fit_crew: 1 } })
  },
  async 'mining at a belt'({ does, receives }) {
    await does('miner', 'mine')
    expect(await receives('miner', 'mining_yield')).toMatchObject({
      resource_id: expect.any(String),
    })
    expect(await receives('miner', 'skill_level_up')).toMatchObject({ skill_id: 'mining' })
  },
  async 'a scan of another player'({ does, receives, name, players }) {
    await does('scout', 'scan', { target_id: players.prey.id })
    expect(await receives('scout', 'scan_result')).toMatchObject({ target_id: players.prey.id })
    expect(await receives('prey', 'scan_detected')).toMatchObject({
      scanner_username: name('scout'),
    })
  },
  async 'the destruction of a player'({ does, receives, closeIn, players, name, clients, bind }) {
    await does('duelist', 'attack', { target_id: players.prey.id })
    await receives('duelist', 'battle_update')
    await closeIn('duelist', 'prey')
    expect(await receives('duelist', 'battle_damage')).toMatchObject({
      attacker_id: players.duelist.id,
      target_id: players.prey.id,
    })
    await does('prey', 'logout')
    await clients.get('prey')!.close()
    expect(await receives('scout', 'pilotless_ship')).toMatchObject({ player_id: players.prey.id })
    await bind('prey')
    expect(await receives('duelist', 'player_kill')).toMatchObject({ victim: name('prey') })
    expect(await receives('duelist', 'battle_left')).toMatchObject({
      player_id: players.prey.id,
      reason: 'destroyed',
    })
    expect(await receives('prey', 'player_died')).toMatchObject({ killer_name: name('duelist') })
  },
  async 'an arena challenge'({ does, receives, players, name }) {
    const challenge = await does('gladiator', 'arena', {
      action: 'challenge',
      player_id: players.rival.id,
      max_side_size: 1,
    })
    expect(await receives('rival', 'arena_challenge')).toMatchObject({
      event: 'received',
      challenge_id: challenge.challenge_id,
      challenger_name: name('gladiator'),
    })
    await does('gladiator', 'arena', { action: 'cancel', challenge_id: challenge.challenge_id })
    await does('gladiator', 'arena', { action: 'fight', challenge_id: 'first_bout' })
    expect(await receives('gladiator', 'arena_objective')).toMatchObject({
      challenge_id: 'first_bout',
    })
  },
}

describe.each([
  ['ws1', 'Loud', ['reconnected']],
  ['http1', 'Quiet', []],
] as const)('a client on %s', (channel, prefix, connectionEvents) => {
  let cast: Cast
  beforeAll(async () => {
    cast = await openCast(channel, prefix)
  }, 120_000)
  afterAll(() => cast.close())

  test.each(Object.keys(SCENES))('receives the events of %s', async (scene) => {
    await SCENES[scene](cast)
  })

  test('has received every event of the interface', () => {
    const types = new Set([...cast.received.values()].flatMap((events) => [...events.keys()]))
    const expected = [...EVENTS, ...connectionEvents]
    expect(expected.filter((type) => !types.has(type))).toEqual([])
  })
})
