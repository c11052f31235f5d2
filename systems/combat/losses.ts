/**
 * What is left of a ship that is lost, and what its insurance pays for it: first the wreck, then
 * the payout. A ship in tow is lost with its tug. Source: combat.md section 15, salvage.md 2, 6.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { contentsOf, type Held } from '../../core/goods.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { dropsOf, isCreature } from '../creature/rules.ts'
import { loseBays, scrapBays } from '../drone/rules.ts'
import { areRelated, payClaim } from '../insurance/rules.ts'
import { npcOf } from '../npc/rules.ts'
import { cutTow, goodsOf, makeCarcass, makeWreck, scrapHold } from '../salvage/rules.ts'
import { Ship } from '../ship/columns.ts'
import { releaseShip } from '../ship/rules.ts'
import type { Death } from './deaths.ts'

export interface Remains {
  /** 0 none. */
  readonly wreck: Row
  /** Credits paid to the owner. */
  readonly payout: number
}

const worthOf = (goods: readonly Held[]): number =>
  goods.reduce((sum, { item, units }) => sum + GOODS[item].base_value * units, 0)

/** Source: ships.md section 9: what is not paid for. */
function isCovered({ row, player, killer, isSelfDestruct }: Death, world: World): boolean {
  if (isSelfDestruct && row === 0) return false
  return !areRelated(world, killer?.player ?? 0, player)
}

/** One hull: its wreck, unless that is suppressed, then the payout. */
function lose(world: World, ship: Eid, death: Death, leavesWreck: boolean): Remains {
  const aboard = worthOf(contentsOf(world, world.read(Ship).hold[ship]))
  const bays = leavesWreck ? loseBays(world, ship) : []
  const wreck = leavesWreck
    ? makeWreck(world, {
        ship,
        poi: death.poi,
        victimId: death.id,
        victimName: death.name,
        killerId: death.killer?.id ?? '',
        killerName: death.killer?.name ?? '',
        isNpc: npcOf(world, ship) !== 0,
        bays,
      })
    : 0
  if (!leavesWreck) {
    scrapHold(world, ship)
    scrapBays(world, ship)
  }
  const saved = wreck === 0 ? 0 : worthOf(goodsOf(world, wreck)) - worthOf(bays)
  const cargoValue = aboard - saved
  const payout = payClaim(world, { ship, cargoValue, isCovered: isCovered(death, world) })
  return { wreck, payout }
}

/** What is left of a creature, for whoever killed it to harvest. */
function leaveCarcass(world: World, { ship, poi, id, name, killer }: Death): Row {
  const known = { poi, victimId: id, victimName: name, name }
  const by = { killerId: killer?.id ?? '', killerName: killer?.name ?? '' }
  const drops = dropsOf(world, ship, killer?.player ?? 0)
  return poi === 0 ? 0 : makeCarcass(world, { ...known, ...by }, 'wildlife', drops)
}

/** Makes the wreck of a ship, unless it is nowhere, and pays for it, and for what it had in tow. */
export function leaveRemains(world: World, death: Death, mayLeave: boolean): Remains {
  const leavesWreck = mayLeave && death.poi !== 0
  if (isCreature(world, death.ship)) return { wreck: leaveCarcass(world, death), payout: 0 }
  const towed = cutTow(world, death.ship)
  const own = lose(world, death.ship, death, leavesWreck)
  if (towed === 0) return own
  const { payout } = lose(world, towed, death, leavesWreck)
  releaseShip(world, towed)
  return { wreck: own.wreck, payout: own.payout + payout }
}
