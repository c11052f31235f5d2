/** Feed events of a tick: what strangers may know, and nothing that is hidden. */
import { describe, expect, test } from 'vitest'
import type { ArchivedAction } from '../../../core/archive-calls.ts'
import { FEED_EVENTS, type FeedMessage, playerInfo } from '../../../core/public/events.ts'
import type { PublicChart, PublicFrame } from '../../../core/public/frame.ts'
import { TOPIC_EVENTS } from '../../../core/public/topics.ts'
import type { Emission, Outbox } from '../../../core/types.ts'
import { usernameOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseId, baseName } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { setCloak } from '../../../systems/sensing/rules.ts'
import { createEvents, type Events } from '../../../systems/spectator/events-views.ts'
import { systemId, systemName } from '../../../systems/travel/model.ts'
import { Poi } from '../../../systems/travel/state.ts'
import { differsFrom } from '../../exact-schema.ts'
import { onSmallMap } from '../../small-world.ts'
import { meeting, type Scene } from '../combat/scene.ts'

onSmallMap()

const NONE = new Int32Array()
const NOBODY: PublicFrame['presence'] = {
  online: NONE,
  onlineBySystem: NONE,
  named: NONE,
  namedFlying: NONE,
  bound: NONE,
  npcs: NONE,
}
const EMPTY: PublicChart = { systems: [], pois: [], empires: [] }

/** Takes the events of a tick, which must have exactly the fields of their schemas. */
function takeEvents(scene: Scene, events: Events, presence = NOBODY, chart = EMPTY) {
  const { events: messages, turns } = events.take(scene.world, chart, presence)
  for (const message of messages) {
    expect(differsFrom(FEED_EVENTS[message.type], message.data)).toEqual([])
    if (message.player_info) expect(differsFrom(playerInfo, message.player_info)).toEqual([])
    expect(message.tick).toBe(scene.world.tick)
  }
  for (const turn of turns) expect(differsFrom(TOPIC_EVENTS.battle, turn)).toEqual([])
  return { messages, turns }
}

/** Runs a tick, which the events observe. */
function step(scene: Scene, events: Events): void {
  scene.small.ticks(1)
  events.observe(scene.world, scene.world.outbox)
}

/** Lets the events observe a batch with these log rows and emissions. */
function observeBatch(
  scene: Scene,
  events: Events,
  batch: { rows?: readonly ArchivedAction[]; emissions?: Emission[] },
): void {
  const outbox: Outbox = {
    emissions: batch.emissions ?? [],
    writes: batch.rows ? [{ method: 'logActions', args: { rows: batch.rows } }] : [],
    settled: [],
  }
  events.observe(scene.world, outbox)
}

const ofType = (messages: readonly FeedMessage[], type: FeedMessage['type']) =>
  messages.filter((message) => message.type === type)

const nameOf = ({ world, players }: Scene, n: number): string => usernameOf(world, players[n])
const numberOf = ({ world, players }: Scene, n: number): number =>
  world.read(Player).seq[players[n]]

interface Duel {
  /** Hides something before the duel. */
  readonly hides?: (scene: Scene) => void
  /** Hides something during the duel. */
  readonly hidesLater?: (scene: Scene) => void
}

/** Makes a duel that the second player loses, and returns the events of its two ticks. */
async function duel({ hides, hidesLater }: Duel = {}) {
  const scene = await meeting(2)
  hides?.(scene)
  const events = createEvents()
  scene.small.act(scene.players[0], 'attack', { target_id: scene.id(scene.players[1]) })
  events.observe(scene.world, scene.world.outbox)
  const start = takeEvents(scene, events)
  hidesLater?.(scene)
  scene.doom(scene.players[1], 'destroyed', scene.players[0])
  step(scene, events)
  return { scene, start, end: takeEvents(scene, events) }
}

describe('a battle on the chart', () => {
  test('is reported when it begins, and so are its losses', async () => {
    const { scene, start, end } = await duel()
    const [attacker, defender] = [nameOf(scene, 0), nameOf(scene, 1)]
    expect(ofType(start.messages, 'combat')).toMatchObject([
      { data: { attacker, defender }, player_info: { [attacker]: {}, [defender]: {} } },
    ])
    expect(start.messages[0].data).not.toHaveProperty('winner')
    const [lost] = ofType(end.messages, 'player_destroyed')
    expect(lost).toMatchObject({
      data: { victim: defender, killer: attacker, cause: 'player' },
      player_info: { [attacker]: {}, [defender]: {} },
    })
    expect(lost.data).toMatchObject({ system_name: systemName(scene.world, scene.system) })
  })

  test('has turns with both ships, their state and the losses', async () => {
    const { scene, start, end } = await duel()
    const [turn] = start.turns
    expect(turn.ships.map(({ name }) => name)).toEqual([nameOf(scene, 0), nameOf(scene, 1)])
    expect(turn.states.length).toBe(2 * 8)
    expect(['outer', 'mid']).toContain(turn.zones[turn.states[1]])
    expect(end.turns.at(-1)?.kills).toEqual([
      { killer: nameOf(scene, 0), victim: nameOf(scene, 1), cause: 'player' },
    ])
    expect(JSON.stringify(turn)).not.toMatch(/fuel|modules|"x"/)
  })

  test('names no anonymous pilot', async () => {
    const { scene, end } = await duel({
      hidesLater: ({ world, players }) => {
        world.write(Player).anonymous[players[1]] = 1
      },
    })
    expect(JSON.stringify(end)).not.toContain(nameOf(scene, 1))
    const killer = nameOf(scene, 0)
    expect(ofType(end.messages, 'player_destroyed')).toMatchObject([
      { data: { victim: 'an unknown pilot', killer }, player_info: { [killer]: {} } },
    ])
  })
})

test('nothing is reported of a battle off the chart', async () => {
  const { start, end } = await duel({
    hides: ({ world, poi }) => {
      world.write(Poi).hidden[poi] = 1
    },
  })
  expect([start, end]).toEqual([
    { messages: [], turns: [] },
    { messages: [], turns: [] },
  ])
})

describe('jumps', () => {
  const jump = (scene: Scene, n: number): ArchivedAction => ({
    player: numberOf(scene, n),
    category: 'navigation',
    eventType: 'navigation.jumped',
    summary: 'Jumped.',
    data: { system_id: systemId(scene.world, scene.system), first_visit: false },
  })

  test('are reported of players who are visible to strangers at a charted place', async () => {
    const scene = await meeting(2)
    const events = createEvents()
    observeBatch(scene, events, { rows: [jump(scene, 0)] })
    const player = nameOf(scene, 0)
    expect(takeEvents(scene, events).messages).toMatchObject([
      {
        type: 'jump',
        data: { player, to_system_name: systemName(scene.world, scene.system) },
        player_info: { [player]: {} },
      },
    ])
  })

  test.each<[string, (scene: Scene) => void]>([
    ['cloaked', ({ world, players }) => setCloak(world, players[0], true)],
    [
      'anonymous',
      ({ world, players }) => {
        world.write(Player).anonymous[players[0]] = 1
      },
    ],
    [
      'off the chart',
      ({ world, poi }) => {
        world.write(Poi).hidden[poi] = 1
      },
    ],
  ])('are not reported of a player who is %s', async (_, hide) => {
    const scene = await meeting(2)
    hide(scene)
    const events = createEvents()
    observeBatch(scene, events, { rows: [jump(scene, 0)] })
    expect(takeEvents(scene, events).messages).toEqual([])
  })

  test('are reported up to a bound', async () => {
    const scene = await meeting(2)
    const events = createEvents()
    observeBatch(scene, events, { rows: Array(50).fill(jump(scene, 0)) })
    expect(takeEvents(scene, events).messages.length).toBe(20)
  })
})

describe('summaries', () => {
  const yieldRow = (scene: Scene, n: number): ArchivedAction => ({
    player: numberOf(scene, n),
    category: 'mining',
    eventType: 'mining.yield',
    summary: 'Mined.',
    data: { item_id: 'iron_ore', quantity: 10 },
  })

  /** Returns the summary of 60 ticks in which these players mined. */
  async function summaryOf(mined: readonly number[], hide: (scene: Scene) => void = () => {}) {
    const scene = await meeting(4)
    hide(scene)
    const events = createEvents()
    takeEvents(scene, events)
    observeBatch(scene, events, { rows: mined.map((n) => yieldRow(scene, n)) })
    scene.world.tick += 59
    expect(takeEvents(scene, events).messages).toEqual([])
    scene.world.tick += 1
    return takeEvents(scene, events).messages
  }

  test('of mining are sent every 60 ticks, of at least three players', async () => {
    expect(await summaryOf([0, 1, 2, 2])).toMatchObject([
      {
        type: 'mining_summary',
        data: { miner_count: 3, resources: [{ resource_name: 'Iron Ore', quantity: 40 }] },
      },
    ])
    expect(await summaryOf([0, 1, 1])).toEqual([])
  })

  test('of mining leave out cloaked players and uncharted places', async () => {
    expect(
      await summaryOf([0, 1, 2], ({ world, players }) => setCloak(world, players[2], true)),
    ).toEqual([])
    expect(
      await summaryOf([0, 1, 2], ({ world, poi }) => {
        world.write(Poi).hidden[poi] = 1
      }),
    ).toEqual([])
  })

  test('of crowds name some of the visible players', async () => {
    const scene = await meeting(2)
    const events = createEvents()
    takeEvents(scene, events)
    scene.world.tick += 60
    const system = { name: 'Sol' } as PublicChart['systems'][number]
    const poi = { system: 0 } as PublicChart['pois'][number]
    const presence = {
      ...NOBODY,
      onlineBySystem: Int32Array.of(0, 7),
      named: Int32Array.of(0, numberOf(scene, 0), 1, numberOf(scene, 1)),
    }
    const { messages } = takeEvents(scene, events, presence, {
      ...EMPTY,
      systems: [system],
      pois: [poi],
    })
    const players = [nameOf(scene, 0), nameOf(scene, 1)]
    expect(messages).toMatchObject([
      { type: 'system_activity', data: { system_name: 'Sol', total: 7, players } },
    ])
  })
})

test('the largest trades are reported with the station and without players', async () => {
  const scene = await meeting(2)
  const { world } = scene
  const events = createEvents()
  const count = 12
  const columnOf = <T>(value: (n: number) => T): T[] =>
    Array.from({ length: count }, (_, n) => value(n))
  const station = baseName(world, 1)
  const fills = {
    bases: columnOf(() => baseId(world, 1)),
    items: columnOf(() => 'iron_ore'),
    bought: columnOf((n) => n % 2 === 0),
    byStation: columnOf(() => false),
    fromStation: columnOf((n) => n === 11),
    units: columnOf(() => 10),
    credits: columnOf((n) => 100 + 10 * n),
    trades: columnOf(() => 1),
  }
  events.observe(world, {
    emissions: [],
    settled: [],
    writes: [{ method: 'recordFills', args: fills }],
  })
  const { messages } = takeEvents(scene, events)
  expect(messages.length).toBe(10)
  expect(messages[0]).toMatchObject({
    type: 'exchange_fill',
    data: {
      item_name: 'Iron Ore',
      station_name: station,
      order_type: 'sell',
      seller: station,
      buyer: '',
      quantity: 10,
      price_each: 21,
      total: 210,
    },
  })
  expect(messages[1].data).toMatchObject({ seller: '', buyer: '', order_type: 'buy', total: 200 })
})

describe('stations', () => {
  async function reportsOf(isHidden: boolean) {
    const scene = await meeting(2)
    const { world } = scene
    const base = 1
    world.write(Poi).hidden[world.read(Base).poi[base]] = isHidden ? 1 : 0
    const events = createEvents()
    observeBatch(scene, events, {
      rows: [
        {
          player: numberOf(scene, 0),
          category: 'faction',
          eventType: 'faction.base_founded',
          summary: 'Founded.',
          data: { base_id: baseId(world, base) },
        },
      ],
      emissions: [
        {
          type: 'base_destroyed',
          payload: { base_name: baseName(world, base), attacker_name: '', attacker_id: '' },
          audience: { kind: 'poi', row: world.read(Base).poi[base] },
        },
      ],
    })
    return { scene, base, messages: takeEvents(scene, events).messages }
  }

  test('are reported only on the chart', async () => {
    const { scene, base, messages } = await reportsOf(false)
    const base_name = baseName(scene.world, base)
    expect(messages).toMatchObject([
      { type: 'base_constructed', data: { builder: nameOf(scene, 0), base_name } },
      { type: 'base_destroyed', data: { base_name } },
    ])
    expect((await reportsOf(true)).messages).toEqual([])
  })
})

test('timestamps of one tick differ, and follow the order of the events', async () => {
  const scene = await meeting(2)
  const { end } = await duel()
  const stamps = end.messages.map(({ timestamp }) => timestamp)
  expect(new Set(stamps).size).toBe(stamps.length)
  expect([...stamps].sort()).toEqual(stamps)
  expect(stamps[0]).toMatch(/^\d{4}-.*\.\d{6}Z$/)
  expect(scene.world.tick).toBeGreaterThanOrEqual(0)
})
