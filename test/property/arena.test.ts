/** Matches with random orders and ends: every ship is restored to its state before the match. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import { namedContainer } from '../../core/goods.ts'
import type { Eid } from '../../core/types.ts'
import { playerId } from '../../systems/account/model.ts'
import { savedShipOf } from '../../systems/arena/matches-systems.ts'
import { FATES, Participant } from '../../systems/combat/state.ts'
import { startBuff } from '../../systems/consumable/rules.ts'
import { loadCargo, moduleId, modulesOf } from '../../systems/ship/model.ts'
import { recompute } from '../../systems/ship/rules.ts'
import { Module, Ship } from '../../systems/ship/state.ts'
import { Location } from '../../systems/travel/state.ts'
import type { SmallWorld } from '../small-world.ts'
import {
  arena,
  arenaWorld,
  empireArena,
  hullOf,
  matchOf,
  pilotAt,
  rowOf,
} from '../unit/arena/scene.ts'

const GUNS = { shipClass: 'hornet', modules: ['autocannon_i', 'blaster_i'] }
const ROUNDS = itemIndex('autocannon_rounds')
const BOOSTER = GOODS.findIndex((row) => 'effect' in row && row.effect?.stat === 'damage')

/** Returns everything about a ship that a match could change. */
function stateOf(small: SmallWorld, player: Eid) {
  const { world } = small
  const ship = hullOf(world, player)
  const { poi, system, state } = world.read(Location)
  const { cargoUsed, speed, hullMax } = world.read(Ship)
  const place = [poi[ship], system[ship], state[ship]]
  return { ...savedShipOf(world, ship), place, cargo: cargoUsed[ship], speed: speed[ship], hullMax }
}

const anyOrder = fc.constantFrom('advance', 'retreat', 'fire', 'evade', 'brace', 'flee', 'reload')
const course = fc.record({
  hull: fc.integer({ min: 20, max: 100 }),
  fuel: fc.integer({ min: 0, max: 100 }),
  rounds: fc.integer({ min: 0, max: 20 }),
  orders: fc.array(anyOrder, { minLength: 1, maxLength: 12 }),
  end: fc.constantFrom('destroyed', 'fled', 'self_destructed', 'emergency_warp', 'emergency_cloak'),
})

test('a match leaves every ship as it was before', async () => {
  const small = await arenaWorld()
  const { world } = small
  const poi = empireArena(world)
  const pilots = [pilotAt(small, poi, GUNS), pilotAt(small, poi, GUNS)]

  function prepare(player: Eid, hull: number, fuel: number, rounds: number): void {
    const ship = hullOf(world, player)
    const columns = world.write(Ship)
    columns.hull[ship] = Math.max(1, Math.trunc((columns.hullMax[ship] * hull) / 100))
    columns.fuel[ship] = Math.trunc((columns.fuelMax[ship] * fuel) / 100)
    columns.issueFuel[ship] = Math.min(columns.issueFuel[ship], columns.fuel[ship])
    if (rounds > 0 && columns.cargoUsed[ship] < 20) {
      loadCargo(world, ship, namedContainer('mined'), ROUNDS, rounds)
    }
    startBuff(world, ship, BOOSTER)
    recompute(world, ship)
  }

  function give(player: Eid, order: string): void {
    if (order === 'reload') {
      const gun = modulesOf(world, hullOf(world, player)).find(
        (row) => world.read(Module).type[row] === itemIndex('autocannon_i'),
      )
      const weapon_instance_id = gun === undefined ? '' : moduleId(world, gun)
      small.tick({ player, command: 'reload', params: { weapon_instance_id } })
      return
    }
    const isMove = order === 'advance' || order === 'retreat'
    const params = isMove ? { action: order } : { action: 'stance', stance: order }
    small.ask(player, 'battle', params)
    small.ticks(1)
  }

  fc.assert(
    fc.property(course, ({ hull, fuel, rounds, orders, end }) => {
      for (const player of pilots) prepare(player, hull, fuel, rounds)
      const before = pilots.map((player) => stateOf(small, player))
      const made = arena(small, pilots[0], 'challenge', { player_id: playerId(world, pilots[1]) })
      expect(made).toMatchObject({ ok: true })
      const { challenge_id } = (made as { result: { challenge_id: string } }).result
      expect(arena(small, pilots[1], 'accept', { challenge_id }).ok).toBe(true)
      for (const [index, order] of orders.entries()) {
        const player = pilots[index % 2]
        if (matchOf(world, player) !== 0) give(player, order)
      }
      if (matchOf(world, pilots[0]) !== 0) {
        const fate = FATES.indexOf(end)
        world.write(Participant).fate[rowOf(world, pilots[0])] = fate
      }
      for (let i = 0; i < 40 && matchOf(world, pilots[1]) !== 0; i++) small.ticks(1)
      expect(pilots.map((player) => matchOf(world, player))).toEqual([0, 0])
      const after = pilots.map((player) => stateOf(small, player))
      expect(after).toEqual(before)
      small.ticks(30)
    }),
    { numRuns: 12, seed: 11 },
  )
}, 240_000)
