/**
 * Compares the real order book with the plain model: random orders, trades, changes and
 * cancellations of six owners with different tax rates, with everything compared after each.
 * Source: market.md sections 4, 11.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { balanceOf } from '../../core/ledger.ts'
import { LOTS_PER_ORDER_MAX } from '../../core/limits.ts'
import { walletOf } from '../../systems/account/model.ts'
import { storedUnits } from '../../systems/cargo/model.ts'
import { affordable, salesTax } from '../../systems/market/match-kernels.ts'
import { settle } from '../../systems/market/systems.ts'
import { cancelOrder, placeOrder } from '../exchange.ts'
import { compare, type Op, OWNERS, openStage, perform, realSide } from './market-oracle.ts'
import { runRandom } from './market-random.ts'

const OPS = 9_000
const SEED = 7
const MEANS = { credits: 40_000, items: 400 }

const side = fc.constantFrom<'ask' | 'bid'>('ask', 'bid')
const owner = fc.nat(OWNERS - 1)
const units = fc.integer({ min: 1, max: 40 })
const price = fc.integer({ min: 45, max: 55 })
const pick = fc.nat(1_000)
const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('limit' as const), owner, side, price, units }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('instant' as const),
      owner,
      side,
      units,
      autoList: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('modify' as const), pick, price }),
  fc.record({ kind: fc.constant('cancel' as const), pick }),
)

describe('the exchange', () => {
  test('agrees with the plain model after each of many operations', async () => {
    const { seen, lotsMax, ordersMax } = await runRandom(SEED, OPS)
    expect(lotsMax).toBe(LOTS_PER_ORDER_MAX)
    expect(ordersMax).toBeGreaterThan(100)
    for (const kind of ['limit', 'instant', 'modify', 'cancel']) {
      expect(seen.get(`${kind} ok`), kind).toBeGreaterThan(200)
    }
    for (const code of [
      'no_credits',
      'insufficient_items',
      'order_too_large',
      'listing_limit_reached',
    ]) {
      expect(seen.get(`limit ${code}`), code).toBeGreaterThan(3)
    }
  }, 60_000)

  test('agrees with the plain model on short random sequences', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(op, { minLength: 20, maxLength: 60 }), async (ops) => {
        const stage = await openStage(MEANS)
        for (const operation of ops) {
          perform(stage, operation)
          compare(stage)
        }
      }),
      { numRuns: 8 },
    )
  }, 60_000)

  test('returns all but the fee when an order is placed and cancelled', async () => {
    const { small, players, base, item } = await openStage(MEANS)
    const { world } = small
    const player = players[1]
    fc.assert(
      fc.property(side, fc.integer({ min: 1, max: 90 }), units, (orderSide, each, count) => {
        const before = balanceOf(world, walletOf(world, player))
        const held = storedUnits(world, player, base, item)
        const order = { player, base, item, side: realSide(orderSide), price: each, units: count }
        const placed = placeOrder(world, order)
        if (!placed.ok) throw new Error(placed.message)
        cancelOrder(world, placed.result.order)
        settle.run?.(world)
        world.recycle()
        expect(balanceOf(world, walletOf(world, player))).toBe(before - placed.result.fee)
        expect(storedUnits(world, player, base, item)).toBe(held)
      }),
      { numRuns: 100 },
    )
    small.ticks(1)
  })
})

describe('a purse', () => {
  const credits = fc.maxSafeNat()
  const each = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 1e12 }))
  const bps = fc.integer({ min: 0, max: 5000 })
  const cost = (count: bigint, priceEach: number, rate: number): bigint =>
    count * BigInt(priceEach) + (count * BigInt(priceEach) * BigInt(rate)) / 10_000n

  test('pays for exactly as many units as it can', () => {
    fc.assert(
      fc.property(credits, each, bps, (purse, priceEach, rate) => {
        const count = BigInt(affordable(purse, priceEach, rate))
        expect(cost(count, priceEach, rate) <= BigInt(purse)).toBe(true)
        expect(cost(count + 1n, priceEach, rate) > BigInt(purse)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('pays to the last credit where the tax is a whole number', () => {
    const rounds = fc.tuple(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 500 }))
    fc.assert(
      fc.property(rounds, fc.integer({ min: 1, max: 50 }), ([count, hundreds], percent) => {
        const priceEach = hundreds * 100
        const exact = Number(cost(BigInt(count), priceEach, percent * 100))
        expect(affordable(exact, priceEach, percent * 100)).toBe(count)
        expect(affordable(exact - 1, priceEach, percent * 100)).toBe(count - 1)
      }),
    )
  })

  test('never pays less tax in one fill than in two', () => {
    fc.assert(
      fc.property(
        fc.nat(1e6),
        fc.nat(1e6),
        fc.integer({ min: 1, max: 1e6 }),
        bps,
        (a, b, p, rate) => {
          expect(salesTax(a * p, rate) + salesTax(b * p, rate)).toBeLessThanOrEqual(
            salesTax((a + b) * p, rate),
          )
        },
      ),
      { numRuns: 1000 },
    )
  })
})
