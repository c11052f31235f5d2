/**
 * Players trade, give and store things at random: nothing is created or lost, holds add up, and
 * each package is in one place. Source: trade-storage.md section 7.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentsOf } from '../../core/goods.ts'
import { stateHash } from '../../core/hash.ts'
import type { Eid, World } from '../../core/types.ts'
import { playerId } from '../../systems/account/model.ts'
import { lockerOf, manifestOf, packagesIn } from '../../systems/cargo/model.ts'
import { packageId } from '../../systems/cargo/rules.ts'
import { Package } from '../../systems/cargo/state.ts'
import { activeShip, shipId, spaceUsed } from '../../systems/ship/model.ts'
import { Ship } from '../../systems/ship/state.ts'
import { offersTo, tradeId } from '../../systems/trade/model.ts'
import { dockedBase } from '../../systems/travel/location-model.ts'
import { type Command, onSmallMap, type SmallWorld, smallWorld } from '../small-world.ts'
import { packAt } from '../unit/package/stage.ts'
import { creditsOf, fund, load, ORE, PLATE, trader } from '../unit/trade/stage.ts'

onSmallMap()

const PLAYERS = 4
const STEPS = 40

interface Step {
  readonly who: number
  readonly whom: number
  readonly what: number
  readonly units: number
  readonly pick: number
}

const anyStep = fc.record({
  who: fc.nat(PLAYERS - 1),
  whom: fc.nat(PLAYERS - 1),
  what: fc.nat(8),
  units: fc.integer({ min: 0, max: 120 }),
  pick: fc.nat(1_000),
})

interface Crew {
  readonly small: SmallWorld
  readonly world: World
  readonly players: readonly Eid[]
  readonly base: Eid
}

async function crew(): Promise<Crew> {
  const small = await smallWorld({ seed: 7 })
  const { world } = small
  const players = Array.from({ length: PLAYERS }, () => trader(small))
  for (const player of players) {
    load(world, player, ORE, 60)
    load(world, player, PLATE, 20)
    fund(world, player, 500)
    packAt(world, { kind: 'cargo', ship: activeShip(world, player) })
  }
  return { small, world, players, base: dockedBase(world, players[0]) }
}

/** Sums units of ore and plates, credits and packages of all players. */
function totals({ world, players, base }: Crew) {
  const units = new Map<number, number>([
    [ORE, 0],
    [PLATE, 0],
  ])
  let [credits, packages] = [0, 0]
  const count = (container: number): void => {
    if (container === 0) return
    const inside = packagesIn(world, container)
    packages += inside.length
    const held = [
      ...contentsOf(world, container),
      ...inside.flatMap((pkg) => manifestOf(world, pkg)),
    ]
    for (const { item, units: added } of held) {
      if (units.has(item)) units.set(item, (units.get(item) ?? 0) + added)
    }
  }
  for (const player of players) {
    credits += creditsOf(world, player)
    count(world.read(Ship).hold[activeShip(world, player)])
    count(lockerOf(world, player, base))
  }
  return { ore: units.get(ORE), plate: units.get(PLATE), credits, packages }
}

function commandOf({ world, players, base }: Crew, step: Step): Command {
  const [player, other] = [players[step.who], players[step.whom]]
  const target = playerId(world, other)
  const goods = { item_id: step.pick % 2 === 0 ? 'iron_ore' : 'steel_plate', quantity: step.units }
  const hold = world.read(Ship).hold[activeShip(world, player)]
  const packages = [...packagesIn(world, hold), ...packagesIn(world, lockerOf(world, player, base))]
  const pkg = packages[step.pick % Math.max(1, packages.length)] ?? 0
  const sealed = { item_id: pkg === 0 ? 'package:none' : packageId(world, pkg), quantity: 1 }
  const waiting = offersTo(world, player)
  const trade = waiting[step.pick % Math.max(1, waiting.length)]
  const source = step.units % 2 === 0 ? 'cargo' : 'storage'
  const offer = {
    target_id: target,
    offer_items: step.pick % 5 === 0 ? [sealed] : [goods],
    offer_credits: step.units,
    request_items: [{ item_id: 'steel_plate', quantity: step.units % 9 }].filter(
      ({ quantity }) => quantity > 0,
    ),
    request_credits: step.pick % 7,
  }
  const choices: readonly (readonly [string, object])[] = [
    ['trade_offer', offer],
    ['trade_accept', { trade_id: trade ? tradeId(world, trade) : 'none' }],
    ['trade_accept', { trade_id: trade ? tradeId(world, trade) : 'none' }],
    ['send_gift', { recipient: target, ...goods, source }],
    ['send_gift', { recipient: target, ...sealed, source }],
    ['send_gift', { recipient: target, credits: step.units + 1 }],
    ['deposit_items', step.pick % 3 === 0 ? sealed : goods],
    ['withdraw_items', step.pick % 3 === 0 ? sealed : goods],
    ['send_gift', { recipient: target, ship_id: shipId(world, activeShip(world, player)) }],
  ]
  const [command, params] = choices[step.what]
  return { player, command, params }
}

test('trades, gifts and storage neither create nor lose goods, credits or packages', async () => {
  const anyTicks = fc.array(fc.array(anyStep, { minLength: 1, maxLength: 4 }), {
    minLength: STEPS,
    maxLength: STEPS,
  })
  let done = 0
  await fc.assert(
    fc.asyncProperty(anyTicks, async (ticks) => {
      const traders = await crew()
      const { small, world, players } = traders
      const before = totals(traders)
      for (const [tick, steps] of ticks.entries()) {
        const lastSteps = new Map(steps.map((step) => [step.who, step])).values()
        const outcomes = small.tick(...[...lastSteps].map((step) => commandOf(traders, step)))
        done += [...outcomes.values()].filter((outcome) => outcome.ok).length
        expect(totals(traders)).toEqual(before)
        for (const player of players) {
          const ship = activeShip(world, player)
          const { cargoUsed, cargoCap } = world.read(Ship)
          expect(cargoUsed[ship]).toBe(spaceUsed(world, ship))
          expect(cargoUsed[ship]).toBeLessThanOrEqual(cargoCap[ship])
        }
        expect(world.countOf(Package)).toBe(PLAYERS)
        if (tick !== STEPS / 2) continue
        const twin = await small.reload()
        expect(stateHash(twin.world)).toBe(small.hash())
      }
    }),
    { numRuns: 4, seed: 20_260 },
  )
  expect(done).toBeGreaterThan(50)
}, 120_000)
