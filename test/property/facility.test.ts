/**
 * Facilities under random commands of their owners: credits and goods add up, and a reloaded world
 * continues as the first one does. Source: crafting.md section 12.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { itemsSumToZero } from '../../core/goods.ts'
import { creditsSumToZero } from '../../core/ledger.ts'
import type { Eid } from '../../core/types.ts'
import { walletOf } from '../../systems/account/model.ts'
import { facilitiesAt, facilityId } from '../../systems/facility/model.ts'
import { listingId } from '../../systems/facility/sale-commands.ts'
import { Facility } from '../../systems/facility/state.ts'
import { facilitiesHold, worksHold } from '../../systems/facility/systems.ts'
import type { SmallWorld } from '../small-world.ts'
import { impoverish, scene, standing, store } from '../unit/facility/scene.ts'

const ACTIONS = [
  'build',
  'personal_build',
  'upgrade',
  'dismantle',
  'list_for_sale',
  'buy_listing',
  'cancel_listing',
  'set_access',
] as const

const step = fc.record({
  player: fc.constantFrom(0, 1),
  action: fc.constantFrom(...ACTIONS),
  pick: fc.nat(9),
  price: fc.integer({ min: 1, max: 200_000 }),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Returns the parameters of a step, about one of the existing facilities. */
function paramsOf({ world }: SmallWorld, base: number, { action, pick, price }: Step) {
  const { player } = world.read(Facility)
  const owned = facilitiesAt(world, base).filter((row) => player[row] !== 0)
  const row = owned[pick % Math.max(1, owned.length)] ?? 0
  const listing = row === 0 ? 0 : world.read(Facility).listing[row]
  const types =
    action === 'build' ? ['smelter', 'market_stall'] : ['crew_quarters', 'private_galley']
  return {
    action,
    facility_id: row === 0 ? 'none' : facilityId(world, row),
    facility_type: action === 'upgrade' ? 'foundry' : types[pick % types.length],
    listing_id: listing === 0 ? 'none' : listingId(world, listing),
    price,
    access: 'public',
  }
}

const GOODS = { steel_plate: 500, machine_parts: 100, basalt_fiber: 100, cargo_container: 5 }

function prepare(small: SmallWorld, players: readonly Eid[], base: number): void {
  for (const player of players) {
    store(small, player, base, GOODS)
    impoverish(small, walletOf(small.world, player), 300_000)
  }
}

describe('facilities', () => {
  test('credits and goods add up after every tick, and after a restart', async () => {
    const opened = await scene()
    const { small, owner, other, base } = opened
    const players = [owner, other]
    prepare(small, players, base)
    for (const player of players) for (let i = 0; i < 3; i++) standing(opened, 'smelter', player)
    let done = 0
    const plan = fc.array(step, { minLength: 12, maxLength: 12 })
    for (const steps of fc.sample(plan, { numRuns: 3, seed: 7 })) {
      for (const next of steps) {
        const params = paramsOf(small, base, next)
        if (small.act(players[next.player], 'facility', params).ok) done++
        for (const check of [creditsSumToZero, itemsSumToZero, facilitiesHold, worksHold]) {
          check.run(small.world, true)
        }
      }
    }
    expect(done).toBeGreaterThan(5)
    const reloaded = await small.reload()
    expect(reloaded.hash()).toBe(small.hash())
    for (const copy of [small, reloaded]) {
      copy.act(owner, 'facility', { action: 'build', facility_type: 'smelter' })
      copy.ticks(40)
    }
    expect(reloaded.hash()).toBe(small.hash())
  })
})
