/**
 * Sieges and the pirate radio under random events: checks run in each tick, points stay within
 * their bounds, no event reaches a player who must not see it, and everything replays bit for bit.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { itemIndex, shipClassIndex } from '../../core/catalog/index.ts'
import { Player } from '../../systems/account/state.ts'
import { workingServices } from '../../systems/base/model.ts'
import { Base } from '../../systems/base/state.ts'
import { hasSpecial } from '../../systems/ship/model.ts'
import { createShip } from '../../systems/ship/rules.ts'
import { isWrecked, stationShipOf } from '../../systems/siege/model.ts'
import { trackDamage } from '../../systems/siege/rules.ts'
import { Siege } from '../../systems/siege/state.ts'
import { placeInSpace, removeFromMap } from '../../systems/travel/rules.ts'
import { type SmallWorld, smallWorld } from '../small-world.ts'

const BESIEGERS = 3
const RUNS = 4
const STEPS = { minLength: 4, maxLength: 14 }

type Step =
  | { readonly kind: 'attack' | 'destruct' | 'dock' | 'undock'; readonly besieger: number }
  | { readonly kind: 'wait'; readonly ticks: number }
  | { readonly kind: 'weaken'; readonly hull: number }
  | { readonly kind: 'repair' }

const besieger = fc.nat({ max: BESIEGERS - 1 })
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('attack' as const), besieger }) },
  fc.record({ kind: fc.constant('destruct' as const), besieger }),
  fc.record({ kind: fc.constant('dock' as const), besieger }),
  fc.record({ kind: fc.constant('undock' as const), besieger }),
  fc.record({ kind: fc.constant('wait' as const), ticks: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constant('weaken' as const), hull: fc.integer({ min: 1, max: 4_000 }) }),
  fc.record({ kind: fc.constant('repair' as const) }),
)

/** Puts besiegers at a station; the first of them has a radio receiver. */
async function stage(seed: number, isStronghold: boolean): Promise<[SmallWorld, number]> {
  const small = await smallWorld({ seed, players: BESIEGERS })
  const { world } = small
  let base = 1
  while (world.read(Base).pirateRepRequired[base] > 0 !== isStronghold) base++
  for (const [i, player] of small.players.entries()) {
    const old = world.read(Player).ship[player]
    const fit = ['beam_laser_ii', ...(i === 0 ? ['pirate_radio_receiver'] : [])]
    const ship = createShip(world, {
      owner: player,
      shipClass: shipClassIndex('black_tithe'),
      modules: fit.map(itemIndex),
    })
    world.write(Player).ship[player] = ship
    removeFromMap(world, old)
    placeInSpace(world, ship, world.read(Base).poi[base])
  }
  small.takeEmissions()
  return [small, base]
}

function perform(small: SmallWorld, base: number, step: Step): void {
  const { world, players } = small
  if (step.kind === 'wait') {
    small.ticks(step.ticks)
    return
  }
  if (step.kind === 'repair') {
    const { repairedTick } = world.write(Siege)
    if (repairedTick[base] !== 0) repairedTick[base] = world.tick + 1
    small.ticks(1)
    return
  }
  if (step.kind === 'weaken') {
    const columns = world.write(Base)
    if (stationShipOf(world, base) !== 0 || isWrecked(world, base)) return
    columns.hull[base] = step.hull
    trackDamage(world, base)
    return
  }
  const commands = { attack: 'attack', destruct: 'self_destruct', dock: 'dock', undock: 'undock' }
  const params =
    step.kind === 'attack' ? { target_id: world.texts.get(world.read(Base).id[base]) } : {}
  small.act(players[step.besieger], commands[step.kind], params)
}

function expectBounds(small: SmallWorld, base: number): void {
  const { world } = small
  const { hull, hullMax, shield, shieldMax } = world.read(Base)
  expect(hull[base]).toBeGreaterThanOrEqual(0)
  expect(hull[base]).toBeLessThanOrEqual(hullMax[base])
  expect(shield[base]).toBeGreaterThanOrEqual(0)
  expect(shield[base]).toBeLessThanOrEqual(shieldMax[base])
  expect(isWrecked(world, base)).toBe(hull[base] === 0)
  if (isWrecked(world, base)) expect(workingServices(world, base)).toEqual(['market', 'storage'])
}

/** Expects pirate_radio to reach no ship that never had a receiver. */
function expectRadioBound(
  small: SmallWorld,
  emissions: readonly { type: string; to: readonly number[] }[],
) {
  const { world } = small
  for (const { type, to } of emissions) {
    if (type !== 'pirate_radio') continue
    for (const number of to) {
      const player = small.players.find((row) => world.read(Player).seq[row] === number) ?? 0
      const ship = world.read(Player).ship[player]
      const isLost = !hasSpecial(world, ship, 'pirate_radio')
      if (isLost) expect(player).toBe(small.players[0])
    }
  }
}

describe('a siege', () => {
  test('keeps its invariants, and replays bit for bit with all events', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1_000 }),
        fc.boolean(),
        fc.array(anyStep, STEPS),
        async (seed, isStronghold, steps) => {
          const [first, base] = await stage(seed, isStronghold)
          const [twin] = await stage(seed, isStronghold)
          for (const step of steps) {
            perform(first, base, step)
            perform(twin, base, step)
            expectBounds(first, base)
            const emissions = first.takeEmissions()
            expect(twin.takeEmissions()).toEqual(emissions)
            expectRadioBound(first, emissions)
          }
          expect(twin.hash()).toBe(first.hash())
          const reloaded = await first.reload()
          expect(reloaded.hash()).toBe(first.hash())
          for (const copy of [reloaded, first]) copy.ticks(3)
          expect(reloaded.hash()).toBe(first.hash())
        },
      ),
      { numRuns: RUNS },
    )
  }, 120_000)
})
