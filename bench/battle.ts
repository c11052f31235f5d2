/**
 * One battle for the benchmarks of frames: ships of pilots and of the server, some of which are hit
 * in each tick. The rules of combat do not run, since only the events about hits are measured.
 */
import { assert } from '../core/assert.ts'
import type { PublishedEmission } from '../core/ports.ts'
import { finishUnstored } from '../core/wire/describe.ts'
import { emptyOutbox } from '../core/world.ts'
import { Player } from '../systems/account/state.ts'
import { addSide, joinBattle, makeHostile, openBattle } from '../systems/combat/battles-rules.ts'
import { notifyBattle } from '../systems/combat/feed-systems.ts'
import { Participant } from '../systems/combat/state.ts'
import { activeShip } from '../systems/ship/model.ts'
import { createShip } from '../systems/ship/rules.ts'
import { Ship } from '../systems/ship/state.ts'
import { placeInSpace } from '../systems/travel/rules.ts'
import { Location } from '../systems/travel/state.ts'
import { type BenchWorld, benchWorld } from './worlds.ts'

/** Hull and shield of every ship, so that a percentage is what it is set to. */
const POINTS_MAX = 1_000

/** Returns the hull of the i-th ship in a turn, in percent, 1 to 99. */
export const hullPct = (turn: number, i: number): number => 1 + ((turn * 7 + i) % 99)
/** Returns the shield of the i-th ship in a turn, in percent. */
export const shieldPct = (turn: number, i: number): number => (turn * 13 + i * 5) % 100

export interface BenchBattle {
  /** Durable numbers of the pilots who are notified. */
  readonly pilots: readonly number[]
  /** Hits every n-th ship. */
  hit(turn: number, every: number): void
  /** Publishes the battle as a tick does; returns what is sent to the main thread. */
  publish(): PublishedEmission
}

/** Returns a battle of two sides, with pilots who are online and ships that the server flies. */
export async function benchBattle(pilots: number, others: number): Promise<BenchBattle> {
  const bench: BenchWorld = await benchWorld({ players: pilots })
  const { world } = bench.engine
  const rows = bench.players.map((number) => world.rowOf(Player, number))
  const ships = rows.map((player) => activeShip(world, player))
  const shipClass = world.read(Ship).class[ships[0]]
  const poi = world.read(Location).poi[ships[0]]
  for (const player of rows) world.write(Player).bound[player] = 1
  for (let i = 0; i < others; i++) {
    ships.push(createShip(world, { owner: 0, shipClass, modules: [] }))
  }
  const { hull, hullMax, shield, shieldMax } = world.write(Ship)
  for (const ship of ships) {
    placeInSpace(world, ship, poi)
    for (const points of [hull, hullMax, shield, shieldMax]) points[ship] = POINTS_MAX
  }
  const battle = openBattle(world, ships[0])
  const sides = [addSide(world, battle), addSide(world, battle)]
  makeHostile(world, battle, sides[0], sides[1])
  const fighters = ships.map((ship, i) => joinBattle(world, battle, ship, sides[i % 2]))
  const { target } = world.write(Participant)
  for (const [i, row] of fighters.entries()) target[row] = fighters[(i + 1) % fighters.length]
  return {
    pilots: bench.players,
    hit(turn, every) {
      for (let i = turn % every; i < ships.length; i += every) {
        hull[ships[i]] = (hullPct(turn, i) * POINTS_MAX) / 100
        shield[ships[i]] = (shieldPct(turn, i) * POINTS_MAX) / 100
      }
    },
    publish() {
      world.tick += 1
      world.outbox = emptyOutbox()
      notifyBattle(world, battle)
      const run = { inputs: [], outbox: world.outbox, archived: [], answers: [], hash: null }
      const [emission] = finishUnstored(bench.engine, run, 0).emissions
      assert(emission.feed, 'the battle has a feed')
      return emission
    },
  }
}
