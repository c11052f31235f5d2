/**
 * Yards under random commands: whatever players commission, list, order, sell and cancel, credits
 * and goods are conserved and every tick's checks hold; a reloaded world runs on identically.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Stack } from '../../core/goods.ts'
import { Account } from '../../core/ledger.ts'
import type { Eid } from '../../core/types.ts'
import { shipsOf } from '../../systems/ship/model.ts'
import {
  commissionId,
  commissionsOf,
  listingId,
  listingsAt,
  ordersAt,
  shipOrderId,
  statusOf,
} from '../../systems/shipyard/model.ts'
import {
  COMMISSION_STATUS,
  Commission,
  ShipListing,
  ShipOrder,
} from '../../systems/shipyard/state.ts'
import type { SmallWorld } from '../small-world.ts'
import { CLASS, freshScene, giveBill, idOfShip, park, type Scene } from '../unit/shipyard/scene.ts'

const CLASSES = [CLASS, 'messenger', 'bailiff'] as const
const ACTIONS = [
  'commission',
  'commissionProvided',
  'commissionSourced',
  'supplyCommission',
  'cancelCommission',
  'list',
  'delist',
  'buy',
  'placeOrder',
  'cancelOrder',
  'sellToOrder',
  'wait',
] as const

interface Step {
  readonly action: (typeof ACTIONS)[number]
  readonly isFirstPlayer: boolean
  readonly pick: number
  readonly price: number
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom(...ACTIONS),
  isFirstPlayer: fc.boolean(),
  pick: fc.nat(20),
  price: fc.oneof(fc.integer({ min: 1, max: 30_000 }), fc.constant(1_000_000_000_000)),
})

const pickOf = <T>(rows: readonly T[], pick: number): T | undefined =>
  rows.length === 0 ? undefined : rows[pick % rows.length]

/** Returns the command of a step, undefined for a wait; an id is 'none' where there is nothing. */
function commandOf(scene: Scene, player: Eid, { action, pick, price }: Step) {
  const { world } = scene.small
  const { base } = scene
  const ship_class = CLASSES[pick % CLASSES.length]
  const commission = pickOf(commissionsOf(world, player), pick)
  const commission_id = commission === undefined ? 'none' : commissionId(world, commission)
  const listing = pickOf(listingsAt(world, base), pick)
  const listing_id = listing === undefined ? 'none' : listingId(world, listing)
  const order = pickOf(ordersAt(world, base), pick)
  const order_id = order === undefined ? 'none' : shipOrderId(world, order)
  const ship = pickOf(shipsOf(world, player), pick)
  const ship_id = ship === undefined ? 'none' : idOfShip(scene, ship)
  const supply = { commission_id, item_id: 'steel_plate', quantity: 1 + pick }
  return {
    commission: ['commission_ship', { ship_class }],
    commissionProvided: ['commission_ship', { ship_class, provide_materials: true }],
    commissionSourced: ['commission_ship', { ship_class, source_missing_materials: true }],
    supplyCommission: ['supply_commission', supply],
    cancelCommission: ['cancel_commission', { commission_id }],
    list: ['list_ship_for_sale', { ship_id, price }],
    delist: ['cancel_ship_listing', { listing_id }],
    buy: ['buy_listed_ship', { listing_id }],
    placeOrder: ['place_ship_buy_order', { class_id: ship_class, price }],
    cancelOrder: ['cancel_ship_buy_order', { order_id }],
    sellToOrder: ['sell_ship_to_order', { order_id, ship_id }],
    wait: undefined,
  }[action] as [string, object] | undefined
}

function perform(scene: Scene, step: Step): void {
  const player = step.isFirstPlayer ? scene.player : scene.other
  const command = commandOf(scene, player, step)
  if (command) scene.small.act(player, command[0], command[1])
  else scene.small.ticks(1 + step.pick)
}

/** Sums all credits and all units of goods. Both sums are 0: sources count as negative. */
function totals({ world }: SmallWorld) {
  const { credits, alive: isAccountAlive } = world.read(Account)
  const { units, alive: isStackAlive } = world.read(Stack)
  let [money, goods] = [0n, 0n]
  for (let row = 1; row <= world.highOf(Account); row++) {
    if (isAccountAlive[row] === 1) money += BigInt(credits[row])
  }
  for (let row = 1; row <= world.highOf(Stack); row++) {
    if (isStackAlive[row] === 1) goods += BigInt(units[row])
  }
  return { money, goods }
}

/** Opens a scene in which both players have materials and parked ships. */
async function openYard(): Promise<Scene> {
  const scene = await freshScene()
  for (const player of [scene.player, scene.other]) {
    for (const shipClass of CLASSES) {
      giveBill(scene, player)
      park(scene, player, shipClass)
    }
  }
  return scene
}

describe('shipyards', () => {
  test('conserve credits and goods under any commands', async () => {
    const anySteps = fc.array(anyStep, { minLength: 20, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        const scene = await openYard()
        for (const step of steps) perform(scene, step)
        expect(totals(scene.small)).toEqual({ money: 0n, goods: 0n })
      }),
      { numRuns: 6, seed: 41 },
    )
  })

  test('run on identically after a reload, with commissions in every state', async () => {
    const scene = await openYard()
    const { small, player, other } = scene
    const act = (actor: Eid, command: string, params: object) =>
      expect(small.act(actor, command, params)).toMatchObject({ ok: true })
    for (let i = 0; i < 7; i++) {
      giveBill(scene, player)
      act(player, 'commission_ship', { ship_class: CLASS, provide_materials: true })
    }
    act(player, 'commission_ship', { ship_class: CLASS })
    act(player, 'place_ship_buy_order', { class_id: CLASS, price: 20_000 })
    const parked = shipsOf(small.world, other)[0]
    act(other, 'list_ship_for_sale', { ship_id: idOfShip(scene, parked), price: 900_000 })
    const statuses = commissionsOf(small.world, player).map((row) => statusOf(small.world, row))
    expect([...new Set(statuses)].sort()).toEqual([...COMMISSION_STATUS].sort())
    const reloaded = await small.reload()
    expect(reloaded.hash()).toBe(small.hash())
    for (const table of [Commission, ShipListing, ShipOrder]) {
      expect(reloaded.world.countOf(table)).toBe(small.world.countOf(table))
    }
    const cancelledId = commissionId(small.world, commissionsOf(small.world, player)[6])
    for (const copy of [small, reloaded]) {
      copy.ticks(15)
      copy.act(player, 'cancel_commission', { commission_id: cancelledId })
      copy.ticks(100)
    }
    expect(reloaded.hash()).toBe(small.hash())
    expect(shipsOf(reloaded.world, player).length).toBeGreaterThan(8)
  })
})
