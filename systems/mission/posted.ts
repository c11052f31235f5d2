/**
 * Missions that a faction posted: what is delivered goes to its store, what they pay comes out of
 * what it set aside. Source: factions.md section 7.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { contentsOf, moveItems } from '../../core/goods.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { usernameOf, walletOf } from '../account/rules.ts'
import { baseId } from '../base/rules.ts'
import {
  fitting,
  isNearlyFull,
  isStoreNearlyFull,
  loadCargo,
  openLocker,
  unloadCargo,
} from '../cargo/rules.ts'
import { noteStoreMove } from '../faction/activity-rules.ts'
import { FactionStore } from '../faction/columns.ts'
import { tellFaction } from '../faction/news-rules.ts'
import { openStore } from '../faction/store-rules.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { Posting } from '../posting/columns.ts'
import { closePosting } from '../posting/rules.ts'
import { activeShip } from '../ship/rules.ts'
import { noteIncome } from '../tax/rules.ts'
import { dockedBase } from '../travel/rules.ts'
import { Mission } from './columns.ts'
import type { Offer } from './offers.ts'
import { closeMission, missionId, templateOf } from './rules.ts'

export interface Delivery {
  readonly item: number
  readonly units: number
  readonly base: Eid
}

/** Tells the faction that somebody is at what it posted. */
export function tellAccepted(world: World, player: Eid, { posting, template, base }: Offer): void {
  const { faction } = world.read(Posting)
  tellFaction(world, faction[posting], {
    event: 'mission_accepted',
    actor: player,
    message: `${usernameOf(world, player)} is at "${template.title}".`,
    more: { base_id: baseId(world, base) },
  })
}

/** True while there is no room for what completing it spreads. */
export const lacksRoom = (view: WorldView): boolean =>
  isStoreNearlyFull(view) || isNearlyFull(view, FactionStore)

/** Deliveries go to the store of the faction where they are handed in, over its cap if need be. */
function deliver(world: World, player: Eid, posting: Row, deliveries: readonly Delivery[]): void {
  const faction = world.read(Posting).faction[posting]
  const ship = activeShip(world, player)
  for (const { item, units, base } of deliveries) {
    unloadCargo(world, ship, openStore(world, { faction, base, bucket: 0 }), item, units)
    const summary = `Delivered ${units} ${GOODS[item].name} for a mission.`
    noteStoreMove(world, {
      ...{ faction, player, action: 'mission_delivery', summary, item, quantity: units, base },
    })
  }
}

/** Goods out of the escrow: to the hold, and what it does not take to storage. */
function giveGoods(world: World, player: Eid, posting: Row): void {
  const { base, goods } = world.read(Posting)
  const from = goods[posting]
  if (from === 0) return
  const ship = activeShip(world, player)
  const here = dockedBase(world, player) || base[posting]
  for (const { item, units } of contentsOf(world, from)) {
    const aboard = Math.min(units, fitting(world, ship, item))
    if (aboard > 0) loadCargo(world, ship, from, item, aboard)
    if (units > aboard) {
      moveItems(world, from, openLocker(world, player, here), item, units - aboard)
    }
  }
}

/**
 * Completes a posted mission that nothing stands against: it pays once and is off the board. ours:
 * no experience, standing or record, which a faction of one would give itself.
 */
export function completePosted(
  world: World,
  player: Eid,
  mission: Row,
  deliveries: readonly Delivery[],
) {
  const { posting: of } = world.read(Mission)
  const posting = of[mission]
  const { credits, escrow, faction } = world.read(Posting)
  const { title, items, dialog } = templateOf(world, mission)
  const id = missionId(world, mission)
  const paid = credits[posting]
  const who = faction[posting]
  deliver(world, player, posting, deliveries)
  giveGoods(world, player, posting)
  const said = `Completed "${title}".`
  const data = { mission_id: id }
  const wallet = walletOf(world, player)
  if (paid === 0) logAction(world, player, 'mission', 'completed', said, data)
  creditMove(world, player, escrow[posting], wallet, paid, 'mission', 'completed', said, data)
  noteIncome(world, player, 'mission', paid)
  closeMission(world, mission)
  world.write(Posting).mission[posting] = 0
  closePosting(world, posting)
  tellFaction(world, who, {
    event: 'mission_completed',
    actor: player,
    message: `${usernameOf(world, player)} has completed "${title}".`,
    more: paid === 0 ? {} : { credits: paid },
  })
  return {
    mission_id: id,
    title,
    credits_earned: paid,
    ...(Object.keys(items).length === 0 ? {} : { items_received: items }),
    message: dialog.complete,
  }
}
