/** Shields regrow out of battle, hulls do not. Source: ships.md section 2. */
import { beforeEach, expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { activeShip } from '../../../systems/ship/model.ts'
import { trackShield } from '../../../systems/ship/rules.ts'
import { Recovering, Ship } from '../../../systems/ship/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let small: SmallWorld
let player: Eid
beforeEach(async () => {
  small = await smallWorld()
  player = small.join('Pilot')
})

test('shields regrow by their recharge a tick, up to the maximum; hulls do not', () => {
  const ship = activeShip(small.world, player)
  const columns = small.world.write(Ship)
  const { shieldMax, shieldRegen } = columns
  columns.shield[ship] = shieldMax[ship] - shieldRegen[ship] - 1
  columns.hull[ship] -= 1
  trackShield(small.world, ship)
  small.ticks(1)
  expect(columns.shield[ship]).toBe(shieldMax[ship] - 1)
  expect(small.world.has(Ship, ship, Recovering)).toBe(true)
  small.ticks(2)
  expect(columns.shield[ship]).toBe(shieldMax[ship])
  expect(columns.hull[ship]).toBe(columns.hullMax[ship] - 1)
  expect(small.world.has(Ship, ship, Recovering)).toBe(false)
})

test('shields keep regrowing in a restored world', async () => {
  const ship = activeShip(small.world, player)
  small.world.write(Ship).shield[ship] = 1
  trackShield(small.world, ship)
  const restored = await small.reload()
  restored.ticks(1)
  const { shield, shieldRegen } = restored.world.read(Ship)
  expect(shield[ship]).toBe(1 + shieldRegen[ship])
})
