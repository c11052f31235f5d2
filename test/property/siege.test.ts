/**
 * Sieges and the pirate radio under any course of events: checks run in each tick, points stay
 * within their bounds, no event reaches a player who must not see it, and all of it replays bit for
 * bit.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { itemIndex, shipClassIndex } from '../../core/catalog/index.ts'
import { Player } from '../../systems/account/state.ts'
import { workingServices } from '../../systems/base/model.ts'
import { Base } from '../../systems/base/state.ts'
import { hasSpecial } from '../../systems/ship/model.ts'
import { createShip } from '../../systems/ship/rules.ts'
import { hullOf, isWrecked } from '../../systems/siege/model.ts'
import { trackDamage } from '../../systems/siege/rules.ts'
import { Siege } from '../../systems/siege/state.ts'
import { placeInSpace, removeFromMap } from '../../systems/travel/rules.ts'
import { type SmallWorld, smallWorld } from '../small-world.ts'

const BESIEGERS = 3
const RUNS = 4
const STEPS = { minLength: 4, maxLength: 14 }

type Step =
  | { readonly kind: 'attack' | 'destruct' | 'dock' | 'undock'; readonly who: number }
  | { readonly kind: 'wait'; readonly ticks: number }
  | { readonly kind: 'weaken'; readonly hull: number }
  | { readonly kind: 'mended' }

const who = fc.nat({ max: BESIEGERS - 1 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('attack' as const), who }) },
  fc.record({ kind: fc.constant('destruct' as const), who }),
  fc.record({ kind: fc.constant('dock' as const), who }),
  fc.record({ kind: fc.constant('undock' as const), who }),
  fc.record({ kind: fc.constant('wait' as const), ticks: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constant('weaken' as const), hull: fc.integer({ min: 1, max: 4_000 }) }),
  fc.record({ kind: fc.constant('mended' as const) }),
)

/** Besiegers at a station of the kind; the first of them has a radio receiver. */
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

function take(small: SmallWorld, base: number, done: Step): void {
  const { world, players } = small
  if (done.kind === 'wait') {
    small.ticks(done.ticks)
    return
  }
  if (done.kind === 'mended') {
    const { repairedTick } = world.write(Siege)
    if (repairedTick[base] !== 0) repairedTick[base] = world.tick + 1
    small.ticks(1)
    return
  }
  if (done.kind === 'weaken') {
    const columns = world.write(Base)
    if (hullOf(world, base) !== 0 || isWrecked(world, base)) return
    columns.hull[base] = done.hull
    trackDamage(world, base)
    return
  }
  const commands = { attack: 'attack', destruct: 'self_destruct', dock: 'dock', undock: 'undock' }
  const params =
    done.kind === 'attack' ? { target_id: world.texts.get(world.read(Base).id[base]) } : {}
  small.act(players[done.who], commands[done.kind], params)
}

function holds(small: SmallWorld, base: number): void {
  const { world } = small
  const { hull, hullMax, shield, shieldMax } = world.read(Base)
  expect(hull[base]).toBeGreaterThanOrEqual(0)
  expect(hull[base]).toBeLessThanOrEqual(hullMax[base])
  expect(shield[base]).toBeGreaterThanOrEqual(0)
  expect(shield[base]).toBeLessThanOrEqual(shieldMax[base])
  expect(isWrecked(world, base)).toBe(hull[base] === 0)
  if (isWrecked(world, base)) expect(workingServices(world, base)).toEqual(['market', 'storage'])
}

/** Emissions of pirate_radio reach nobody whose ship has no receiver. */
function heardRightly(
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
        fc.array(step, STEPS),
        async (seed, isStronghold, steps) => {
          const [one, base] = await stage(seed, isStronghold)
          const [other] = await stage(seed, isStronghold)
          for (const done of steps) {
            take(one, base, done)
            take(other, base, done)
            holds(one, base)
            const emissions = one.takeEmissions()
            expect(other.takeEmissions()).toEqual(emissions)
            heardRightly(one, emissions)
          }
          expect(other.hash()).toBe(one.hash())
          const again = await one.reload()
          expect(again.hash()).toBe(one.hash())
          for (const world of [again, one]) world.ticks(3)
          expect(again.hash()).toBe(one.hash())
        },
      ),
      { numRuns: RUNS },
    )
  }, 120_000)
})
