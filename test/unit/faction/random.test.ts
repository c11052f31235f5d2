/** Random deposits, withdrawals and transfers keep every unit and every credit. */
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
import { addService, dockAt, guild } from './scene.ts'

const ITEMS = ['iron_ore', 'copper_ore'] as const
const STEPS = 60

interface Figures {
  readonly units: readonly number[]
  readonly credits: number
}

/** Sums what the players and the faction have. */
function figures(world: World, players: readonly Eid[], faction: Row, base: Eid): Figures {
  const held = (item: number): number => {
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
    units: ITEMS.map((id) => held(itemIndex(id))),
    credits: wallets + balanceOf(world, treasuryOf(world, faction)),
  }
}

test.each([1, 2])('seed %i', async (seed) => {
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
  const before = figures(world, players, faction, base)
  const own = `faction:${facilityId(world, bucket)}`
  const sources = { in: ['storage', 'storage', 'cargo', 'faction'], out: ['faction'] }
  const targets = { in: ['faction', own], out: ['cargo', 'storage', own, 'faction'] }
  const draw = (step: number, what: number, count: number) => hash32(seed, step, what) % count
  let done = 0
  for (let step = 0; step < STEPS; step++) {
    const isOut = draw(step, 1, 2) === 1
    const isCredits = draw(step, 2, 6) === 0
    const quantity = 1 + draw(step, 3, draw(step, 4, 4) === 0 ? 70_000 : 40)
    const way = isOut ? 'out' : 'in'
    const source = sources[way][draw(step, 5, sources[way].length)]
    const target = targets[way][draw(step, 6, targets[way].length)]
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
    if (outcome.ok) done++
    expect(figures(world, players, faction, base)).toEqual(before)
    for (const place of storesAt(world, faction, base)) {
      for (const id of ITEMS) {
        const units = unitsIn(world, storeContainer(world, place), itemIndex(id))
        expect(units).toBeLessThanOrEqual(capOfStore(world, place))
      }
    }
  }
  expect(done).toBeGreaterThan(15)
})
