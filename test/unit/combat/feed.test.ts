/** battle_update: its content for each pilot, and that only changes leave the world thread. */
import { expect, test } from 'vitest'
import type { PublishedEmission } from '../../../core/ports.ts'
import type { Eid, Row } from '../../../core/types.ts'
import { finishUnstored } from '../../../core/wire/describe.ts'
import { emptyOutbox } from '../../../core/world.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import {
  addSide,
  joinBattle,
  makeHostile,
  openBattle,
} from '../../../systems/combat/battles-rules.ts'
import { battleUpdate, notifyBattle } from '../../../systems/combat/feed-systems.ts'
import { battleId } from '../../../systems/combat/model.ts'
import { Participant } from '../../../systems/combat/state.ts'
import { activeShip, shipId } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { createFeedModel } from '../../feed-model.ts'
import { onSmallMap, type SmallWorld, smallWorld, uncheck } from '../../small-world.ts'

onSmallMap()

interface Scene {
  readonly small: SmallWorld
  readonly battle: Row
  readonly rows: readonly Row[]
  /** Sends battle_update as a tick does; returns the emissions. */
  notify(): PublishedEmission[]
}

/** Makes a battle of each player against all others, in space at home. */
async function scene(players: number): Promise<Scene> {
  const small = await smallWorld({ players })
  const { world, engine } = small
  // The check of battles refuses a single player, who has nobody to fight.
  uncheck(small)
  for (const player of small.players) small.act(player, 'undock')
  const battle = openBattle(world, activeShip(world, small.players[0]))
  const sides = small.players.map(() => addSide(world, battle))
  for (const side of sides.slice(1)) makeHostile(world, battle, 1, side)
  const rows = small.players.map((player, i) =>
    joinBattle(world, battle, activeShip(world, player), sides[i]),
  )
  small.takeEmissions()
  const notify = (): PublishedEmission[] => {
    world.tick += 1
    world.outbox = emptyOutbox()
    notifyBattle(world, battle)
    const run = { inputs: [], outbox: world.outbox, archived: [], answers: [], hash: null }
    return [...finishUnstored(engine, run, 0).emissions]
  }
  return { small, battle, rows, notify }
}

const seqOf = ({ world }: SmallWorld, player: Eid): number => world.read(Player).seq[player]

test('each pilot gets the battle and the state of their own ship in it', async () => {
  const { small, battle, rows, notify } = await scene(2)
  const { world, players } = small
  world.write(Participant).target[rows[0]] = rows[1]
  world.write(Participant).stance[rows[1]] = 2
  world.write(Participant).ring[rows[1]] = 1
  const ship = activeShip(world, players[1])
  world.write(Ship).hull[ship] = Math.trunc(world.read(Ship).hullMax[ship] / 2) + 1
  const emissions = notify()
  expect(emissions.map(({ type, to }) => [type, to])).toEqual([
    ['battle_update', players.map((player) => seqOf(small, player))],
  ])
  const [first, second] = createFeedModel().follow(emissions[0], battleUpdate.feed)
  expect(first.payload).toMatchObject({
    battle_id: battleId(world, battle),
    tick: world.tick,
    your_zone: 'outer',
    your_stance: 'fire',
    your_side_id: 1,
    your_target_id: playerId(world, players[1]),
    auto_pilot: true,
    sides: [
      { side_id: 1, player_count: 1 },
      { side_id: 2, player_count: 1 },
    ],
  })
  const { participants, ...head } = second.payload as Record<string, unknown>
  expect(head).toMatchObject({ your_zone: 'inner', your_stance: 'brace', your_side_id: 2 })
  expect(head).not.toHaveProperty('your_target_id')
  expect(head).not.toHaveProperty('boarding')
  expect(participants).toEqual([
    expect.objectContaining({ username: 'Tester 1', kind: 'player', is_npc: false, side_id: 1 }),
    {
      player_id: playerId(world, players[1]),
      username: 'Tester 2',
      ship_class: expect.any(String),
      kind: 'player',
      is_npc: false,
      side_id: 2,
      zone: 'inner',
      stance: 'brace',
      hull_pct: 50,
      shield_pct: 100,
    },
  ])
})

test('after the first tick only changes leave the world thread', async () => {
  const { small, rows, notify } = await scene(3)
  expect(notify()[0].feed).toMatchObject({ isFull: true, moves: { fixed: { length: 3 } } })
  const second = notify()[0].feed
  expect(second).toMatchObject({ isFull: false, changed: { length: 0 } })
  expect(second).not.toHaveProperty('moves')
  small.world.write(Participant).stance[rows[2]] = 1
  expect([...(notify()[0].feed?.changed ?? [])]).toEqual([2])
})

test('the autopilot is off for ten ticks after an order', async () => {
  const { small, rows, notify } = await scene(1)
  const model = createFeedModel()
  const isOn = (): unknown => {
    const [frame] = model.follow(notify()[0], battleUpdate.feed)
    return (frame.payload as Record<string, unknown>).auto_pilot
  }
  expect(isOn()).toBe(true)
  small.world.write(Participant).orderTick[rows[0]] = small.world.tick
  for (let tick = 1; tick <= 10; tick++) expect(isOn()).toBe(false)
  expect(isOn()).toBe(true)
})

test('a reconnecting pilot gets the whole battle if nobody received it meanwhile', async () => {
  const { small, notify } = await scene(2)
  notify()
  const [ada, bob] = small.players.map((player) => seqOf(small, player))
  small.ask(0, 'internal:unbind', { player: bob, channel: 'ws' })
  const alone = notify()
  expect(alone[0].to).toEqual([ada])
  expect(alone[0].feed?.heads).toHaveLength(5)
  small.ask(0, 'internal:unbind', { player: ada, channel: 'ws' })
  expect(notify()).toEqual([])
  small.ask(0, 'internal:bind', { player: bob, channel: 'ws' })
  expect(notify()[0]).toMatchObject({ to: [bob], feed: { isFull: true } })
})

test('an anonymous pilot is identified only by the id of their ship', async () => {
  const { small, notify } = await scene(2)
  const { world, players } = small
  world.write(Player).anonymous[players[1]] = 1
  const [emission] = notify()
  const text = JSON.stringify(emission)
  expect(text).toContain(shipId(world, activeShip(world, players[1])))
  expect(text).not.toContain(playerId(world, players[1]))
  expect(text).not.toContain('Tester 2')
})
