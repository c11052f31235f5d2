/** Presence over nodes: which of them hold a channel of a player. Source: SCALE 5. */
import { beforeEach, expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { BOUND, Player, PRESENCE } from '../../../systems/account/state.ts'
import { follow } from '../../../systems/market/rules.ts'
import { MarketFeed } from '../../../systems/market/state.ts'
import { startWatch } from '../../../systems/sensing/rules.ts'
import { Watch } from '../../../systems/sensing/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

const [WEST, EAST] = [8_388_609, 8_388_610]

let small: SmallWorld
let ada: Eid
let ben: Eid
beforeEach(async () => {
  small = await smallWorld({ players: 2 })
  ;[ada, ben] = small.players
  small.ask(0, 'internal:unbind_all')
})

type Channel = keyof typeof BOUND
const ask = (command: string, params: object): void =>
  expect(small.ask(0, `internal:${command}`, params).ok).toBe(true)
const bindingOf = (player: Eid, channel: Channel, node?: number) => ({
  player: small.world.read(Player).seq[player],
  channel,
  ...(node === undefined ? {} : { node }),
})
const bind = (player: Eid, channel: Channel, node?: number): void =>
  ask('bind', bindingOf(player, channel, node))
const unbind = (player: Eid, channel: Channel, node?: number): void =>
  ask('unbind', bindingOf(player, channel, node))
const boundOf = (player: Eid): number => small.world.read(Player).bound[player]

test('the end of a socket that was replaced on another node does not count', () => {
  bind(ada, 'ws', WEST)
  bind(ada, 'ws', EAST)
  unbind(ada, 'ws', WEST)
  expect(boundOf(ada)).toBe(BOUND.ws)
  unbind(ada, 'ws', EAST)
  expect(boundOf(ada)).toBe(0)
})

test('a binding without a node is replaced and ended like one of any other node', () => {
  bind(ada, 'ws')
  bind(ada, 'ws', WEST)
  unbind(ada, 'ws')
  expect(boundOf(ada)).toBe(BOUND.ws)
  bind(ada, 'ws', 0)
  unbind(ada, 'ws', WEST)
  expect(boundOf(ada)).toBe(BOUND.ws)
  unbind(ada, 'ws')
  expect(boundOf(ada)).toBe(0)
})

test('sessions on two nodes keep a channel until both have ended', () => {
  bind(ada, 'http', WEST)
  bind(ada, 'http', EAST)
  unbind(ada, 'http', EAST)
  expect(boundOf(ada)).toBe(BOUND.http)
  unbind(ada, 'http', WEST)
  expect(boundOf(ada)).toBe(0)
})

test('a feed requested on a channel continues while any node holds the channel', () => {
  bind(ada, 'http', WEST)
  bind(ada, 'http', EAST)
  bind(ada, 'ws', WEST)
  expect(small.ask(ada, 'subscribe_market').ok).toBe(true)
  small.world.write(MarketFeed).channel[ada] = BOUND.http
  const { base } = small.world.read(MarketFeed)
  unbind(ada, 'http', EAST)
  expect(base[ada]).not.toBe(0)
  unbind(ada, 'http', WEST)
  expect(base[ada]).toBe(0)
})

test('a feed requested on two channels ends with the last of them', () => {
  bind(ada, 'ws')
  bind(ada, 'http')
  expect(small.ask(ada, 'subscribe_market').ok).toBe(true)
  const { base } = small.world.read(MarketFeed)
  follow(small.world, ada, base[ada], 'http2')
  unbind(ada, 'http')
  expect(base[ada]).not.toBe(0)
  unbind(ada, 'ws')
  expect(base[ada]).toBe(0)
})

test('a watch requested on two channels ends with the last of them', () => {
  bind(ada, 'ws')
  bind(ada, 'http')
  expect(small.ask(ada, 'subscribe_observation').ok).toBe(true)
  const { poi } = small.world.read(Watch)
  const watch = { poi: poi[ada], channel: BOUND.http, isActive: false, hasSignature: false }
  startWatch(small.world, ada, watch)
  unbind(ada, 'http')
  expect(poi[ada]).not.toBe(0)
  unbind(ada, 'ws')
  expect(poi[ada]).toBe(0)
})

test('a subscription that arrives after its channel was unbound is refused, since nothing would end it', () => {
  bind(ada, 'http', WEST)
  for (const command of ['subscribe_market', 'subscribe_observation']) {
    expect(small.ask(ada, command)).toMatchObject({ ok: false, code: 'restarting' })
  }
  bind(ada, 'ws', EAST)
  for (const command of ['subscribe_market', 'subscribe_observation']) {
    expect(small.ask(ada, command).ok).toBe(true)
  }
})

test('unbinding a node leaves the channels of other nodes bound', () => {
  bind(ada, 'ws', WEST)
  bind(ada, 'mcp', EAST)
  bind(ben, 'ws', WEST)
  ask('unbind_node', { node: WEST })
  expect([boundOf(ada), boundOf(ben)]).toEqual([BOUND.mcp, 0])
  ask('unbind_node', { node: 0 })
  expect(boundOf(ada)).toBe(BOUND.mcp)
})

test('a repeated binding does not replace a newer socket on another node', () => {
  const repeated = { ...bindingOf(ada, 'ws', WEST), again: true }
  bind(ada, 'ws', EAST)
  expect(small.ask(0, 'internal:bind', repeated)).toMatchObject({ code: 'session_invalid' })
  unbind(ada, 'ws', WEST)
  expect(boundOf(ada)).toBe(BOUND.ws)
  unbind(ada, 'ws', EAST)
  ask('bind', repeated)
  expect(boundOf(ada)).toBe(BOUND.ws)
  unbind(ada, 'ws', WEST)
  expect(boundOf(ada)).toBe(0)
})

test('a repeated binding keeps the feeds of the player', () => {
  bind(ada, 'ws', WEST)
  expect(small.ask(ada, 'subscribe_market').ok).toBe(true)
  const { base } = small.world.read(MarketFeed)
  ask('bind', { ...bindingOf(ada, 'ws', WEST), again: true })
  expect(base[ada]).not.toBe(0)
  bind(ada, 'http', EAST)
  ask('bind', { ...bindingOf(ada, 'http', WEST), again: true })
  unbind(ada, 'http', EAST)
  unbind(ada, 'ws', WEST)
  expect(boundOf(ada)).toBe(BOUND.http)
})

test('end_logins and unbind_all end the logins on all nodes', () => {
  for (const command of ['end_logins', 'unbind_all']) {
    bind(ada, 'ws', WEST)
    bind(ada, 'http', EAST)
    bind(ada, 'mcp')
    ask(command, command === 'end_logins' ? { player: bindingOf(ada, 'ws').player } : {})
    expect([boundOf(ada), small.world.records(PRESENCE).size]).toEqual([0, 0])
  }
  expect(small.ask(0, 'internal:end_logins', { player: 999 })).toMatchObject({
    code: 'player_not_found',
  })
})

test('the oldest node of a player with more than sixteen nodes is dropped', () => {
  for (let node = 1; node <= 17; node++) bind(ada, 'http', WEST + node)
  for (let node = 2; node <= 17; node++) unbind(ada, 'http', WEST + node)
  expect(boundOf(ada)).toBe(0)
})

test('a world has its former hash once all nodes are unbound', async () => {
  const before = small.hash()
  const { lastLoginMs } = small.world.read(Player)
  const loginBefore = lastLoginMs[ada]
  bind(ada, 'ws', WEST)
  const held = small.hash()
  const restored = await small.reload()
  expect(restored.hash()).toBe(held)
  restored.ask(0, 'internal:unbind', bindingOf(ada, 'ws'))
  expect(restored.world.read(Player).bound[ada]).toBe(BOUND.ws)
  ask('unbind_node', { node: WEST })
  small.world.write(Player).lastLoginMs[ada] = loginBefore
  expect(small.hash()).toBe(before)
})
