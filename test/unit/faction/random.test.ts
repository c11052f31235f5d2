/** Random deposits, withdrawals and transfers of goods and credits. */
import { expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer, unitsIn } from '../../../core/goods.ts'
import { balanceOf } from '../../../core/ledger.ts'
import { hash32 } from '../../../core/rng.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { openLocker, storedUnits } from '../../../systems/cargo/model.ts'
import { facilityId } from '../../../systems/facility/model.ts'
import { treasuryOf } from '../../../systems/faction/model.ts'
import { capOfStore, storeContainer, storesAt } from '../../../systems/faction/store-model.ts'
import { cargoUnits } from '../../../systems/ship/model.ts'
import { onSmallMap } from '../../small-world.ts'
import { addService, dockAt, guild } from './scene.ts'

onSmallMap()

const ITEMS = ['iron_ore', 'copper_ore'] as const
const STEPS = 60

interface Totals {
  readonly units: readonly number[]
  readonly credits: number
}

/** Sums what the players and the faction have. */
function totalsOf(world: World, players: readonly Eid[], faction: Row, base: Eid): Totals {
  const unitsHeld = (item: number): number => {
    const own = players.reduce(
      (sum, player) =>
        sum +
        storedUnits(world, player, base, item) +
        cargoUnits(world, world.read(Player).ship[player], item),
      0,
    )
    return storesAt(world, faction, base).reduce(
      (sum, place) => sum + unitsIn(world, storeContainer(world, place), item),
      own,
    )
  }
  const wallets = players.reduce(
    (sum, player) => sum + balanceOf(world, walletOf(world, player)),
    0,
  )
  return {
    units: ITEMS.map((id) => unitsHeld(itemIndex(id))),
    credits: wallets + balanceOf(world, treasuryOf(world, faction)),
  }
}

test.each([1, 2])('random moves keep every unit and every credit: seed %i', async (seed) => {
  const { small, faction, leader, recruit, stranger } = await guild()
  const { world } = small
  const players = [leader, recruit, stranger]
  const actors = [leader, leader, leader, recruit, stranger]
  const base = dockAt(world, leader)
  for (const player of players) {
    dockAt(world, player, base)
    for (const id of ITEMS) {
      const locker = openLocker(world, player, base)
      moveItems(world, namedContainer('mined'), locker, itemIndex(id), 60_000)
    }
  }
  addService(world, faction, base, 'faction_storage')
  const bucket = addService(world, faction, base, 'storage_extension')
  const before = totalsOf(world, players, faction, base)
  const inBucket = `faction:${facilityId(world, bucket)}`
  const sources = { in: ['storage', 'storage', 'cargo', 'faction'], out: ['faction'] }
  const targets = { in: ['faction', inBucket], out: ['cargo', 'storage', inBucket, 'faction'] }
  const draw = (step: number, salt: number, count: number) => hash32(seed, step, salt) % count
  let accepted = 0
  for (let step = 0; step < STEPS; step++) {
    const isOut = draw(step, 1, 2) === 1
    const isCredits = draw(step, 2, 6) === 0
    const quantity = 1 + draw(step, 3, draw(step, 4, 4) === 0 ? 70_000 : 40)
    const direction = isOut ? 'out' : 'in'
    const source = sources[direction][draw(step, 5, sources[direction].length)]
    const target = targets[direction][draw(step, 6, targets[direction].length)]
    const player = actors[draw(step, 7, actors.length)]
    const outcome = isCredits
      ? small.act(player, isOut ? 'faction_withdraw_credits' : 'faction_deposit_credits', {
          amount: quantity,
        })
      : small.act(player, isOut ? 'faction_withdraw_items' : 'faction_deposit_items', {
          item_id: ITEMS[draw(step, 8, ITEMS.length)],
          quantity,
          source,
          target,
        })
    if (outcome.ok) accepted++
    expect(totalsOf(world, players, faction, base)).toEqual(before)
    for (const place of storesAt(world, faction, base)) {
      for (const id of ITEMS) {
        const units = unitsIn(world, storeContainer(world, place), itemIndex(id))
        expect(units).toBeLessThanOrEqual(capOfStore(world, place))
      }
    }
  }
  // Enough of the moves must have been possible for the test to mean something.
  expect(accepted).toBeGreaterThan(15)
})
