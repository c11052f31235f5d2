/** Completing missions: what is delivered, what it pays. Source: missions.md sections 1, 2. */
import { EMPIRES, GOODS, itemIndex, OBJECTIVES_MAX } from '../../core/catalog/index.ts'
import { fail } from '../../core/errors.ts'
import { contentsOf, moveItems, namedContainer } from '../../core/goods.ts'
import { canReceive, namedAccount } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { usernameOf, walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { baseId, empireOfBase } from '../base/model.ts'
import { isNearlyFull, isStoreNearlyFull, openLocker } from '../cargo/model.ts'
import { notifyFaction, recordStoreMove } from '../faction/rules.ts'
import { FactionStore } from '../faction/state.ts'
import { openStore } from '../faction/store-model.ts'
import { changeReputation } from '../law/rules.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { crewIn } from '../npc/model.ts'
import { changeStanding } from '../npc/rules.ts'
import { closePosting } from '../posting/rules.ts'
import { Posting } from '../posting/state.ts'
import { activeShip, cargoUnits, fitting, loadCargo, unloadCargo } from '../ship/model.ts'
import { awardXp } from '../skill/rules.ts'
import { recordIncome } from '../tax/rules.ts'
import { dockedBase } from '../travel/location-model.ts'
import { FAUCET, saveRecord } from './community-rules.ts'
import {
  creditsLeft,
  type Delivery,
  dayOf,
  deliveriesOf,
  missionId,
  recordOf,
  systemOfBase,
  templateOf,
} from './model.ts'
import { epochOf, offerName, standingOf, xpOf } from './offers-model.ts'
import { closeMission } from './rules.ts'
import { Mission, type Offer } from './state.ts'
import { describeObjective } from './views.ts'

/** Tells the faction that somebody is at what it posted. */
export function notifyAccepted(
  world: World,
  player: Eid,
  { posting, template, base }: Offer,
): void {
  const { faction } = world.read(Posting)
  notifyFaction(world, faction[posting], {
    event: 'mission_accepted',
    actor: player,
    message: `${usernameOf(world, player)} is at "${template.title}".`,
    more: { base_id: baseId(world, base) },
  })
}

/*
 * Missions that a faction posted: what is delivered goes to its store, what they pay comes out of
 * what it set aside. Source: factions.md section 7.
 */

/** True while there is no room for what completing it spreads. */
const lacksRoom = (view: WorldView): boolean =>
  isStoreNearlyFull(view) || isNearlyFull(view, FactionStore)

/** Deliveries go to the store of the faction where they are handed in, over its cap if need be. */
function deliver(world: World, player: Eid, posting: Row, deliveries: readonly Delivery[]): void {
  const faction = world.read(Posting).faction[posting]
  const ship = activeShip(world, player)
  for (const { item, units, base } of deliveries) {
    unloadCargo(world, ship, openStore(world, { faction, base, bucket: 0 }), item, units)
    const summary = `Delivered ${units} ${GOODS[item].name} for a mission.`
    recordStoreMove(world, {
      faction,
      player,
      action: 'mission_delivery',
      summary,
      item,
      quantity: units,
      base,
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
function completePosted(world: World, player: Eid, mission: Row, deliveries: readonly Delivery[]) {
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
  recordIncome(world, player, 'mission', paid)
  closeMission(world, mission)
  world.write(Posting).mission[posting] = 0
  closePosting(world, posting)
  notifyFaction(world, who, {
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

/**
 * Why a mission cannot be completed now. Refusals: mission_incomplete, wrong_station,
 * insufficient_items, amount_too_large, limit_reached.
 */
export function completionRefusal(view: WorldView, player: Eid, mission: Row) {
  const template = templateOf(view, mission)
  const { progress, credits } = view.read(Mission)
  const missing = template.objectives.flatMap((row, index) => {
    const isMet = progress[mission * OBJECTIVES_MAX + index] >= row.quantity
    return isMet || row.type === 'deliver_item' ? [] : [describeObjective(view, mission, index)]
  })
  if (missing.length > 0) return fail('mission_incomplete', { missing })
  const deliveries = deliveriesOf(view, mission)
  if (deliveries.some(({ base }) => base !== dockedBase(view, player))) return fail('wrong_station')
  const ship = activeShip(view, player)
  const short = deliveries.filter(({ item, units }) => cargoUnits(view, ship, item) < units)
  if (short.length > 0) {
    const lines = short.map(({ item, units }) => ({
      item_id: GOODS[item].id,
      item_name: GOODS[item].name,
      need: units,
      have: cargoUnits(view, ship, item),
    }))
    return fail('insufficient_items', { missing: lines })
  }
  if (!canReceive(view, walletOf(view, player), credits[mission])) return fail('amount_too_large')
  const givesItems = Object.keys(template.items).length > 0
  if (template.kind === 'posting') return lacksRoom(view) ? fail('limit_reached') : undefined
  return givesItems && isStoreNearlyFull(view) ? fail('limit_reached') : undefined
}

function handIn(world: World, player: Eid, mission: Row): void {
  const { provided } = templateOf(world, mission)
  const ship = activeShip(world, player)
  for (const { item, units } of deliveriesOf(world, mission)) {
    const isBound = provided[GOODS[item].id] !== undefined
    const to = namedContainer(isBound ? 'quests' : 'consumption')
    unloadCargo(world, ship, to, item, units)
  }
}

/** Items to the hold; what it does not take to storage where the player is or was sent from. */
function giveItems(world: World, player: Eid, mission: Row): void {
  const ship = activeShip(world, player)
  const here = dockedBase(world, player) || world.read(Mission).base[mission]
  const from = namedContainer('produced')
  for (const [id, units] of Object.entries(templateOf(world, mission).items)) {
    const item = itemIndex(id)
    const aboard = Math.min(units, fitting(world, ship, item))
    if (aboard > 0) loadCargo(world, ship, from, item, aboard)
    if (units > aboard) {
      moveItems(world, from, openLocker(world, player, here), item, units - aboard)
    }
  }
}

/** Returns how the reputation with an empire changed, by its id; standing with a crew is logged. */
function giveStanding(world: World, player: Eid, mission: Row): Record<string, number> {
  const { base } = world.read(Mission)
  const points = standingOf(templateOf(world, mission))
  const empire = empireOfBase(world, base[mission])
  if (empire < 0) {
    changeStanding(world, player, crewIn(world, systemOfBase(world, base[mission])), points)
    return {}
  }
  const change = changeReputation(world, player, empire, points)
  return change === 0 ? {} : { [EMPIRES[empire].id]: change }
}

function payCredits(world: World, player: Eid, mission: Row): number {
  const { title } = templateOf(world, mission)
  const paid = Math.min(world.read(Mission).credits[mission], creditsLeft(world, player))
  const said = `Completed "${title}".`
  const data = { mission_id: missionId(world, mission) }
  const wallet = walletOf(world, player)
  if (paid === 0) logAction(world, player, 'mission', 'completed', said, data)
  creditMove(world, player, namedAccount(FAUCET), wallet, paid, 'mission', 'completed', said, data)
  recordIncome(world, player, 'mission', paid)
  addStat(world, player, 'credits_earned', paid)
  return paid
}

function remember(world: World, player: Eid, mission: Row, paid: number): void {
  const record = recordOf(world, player)
  const { epoch, base } = world.read(Mission)
  const id = templateOf(world, mission).template_id
  const [, times] = record.done[id] ?? [0, 0]
  const now = epochOf(world.tick)
  const offers = record.epoch === now ? record.offers : []
  const day = dayOf(world.tick)
  saveRecord(world, player, {
    ...record,
    done: { ...record.done, [id]: [world.wallMs, times + 1] },
    epoch: now,
    offers: epoch[mission] === now ? [...offers, offerName(world, id, base[mission])] : offers,
    day,
    paid: (record.day === day ? record.paid : 0) + paid,
  })
}

/** Completes a mission that nothing stands against. */
export function completeMission(world: World, player: Eid, mission: Row) {
  const template = templateOf(world, mission)
  if (template.kind === 'posting') {
    return completePosted(world, player, mission, deliveriesOf(world, mission))
  }
  const id = missionId(world, mission)
  handIn(world, player, mission)
  giveItems(world, player, mission)
  const reputation = giveStanding(world, player, mission)
  const promised = world.read(Mission).credits[mission]
  const credits = payCredits(world, player, mission)
  remember(world, player, mission, credits)
  addStat(world, player, 'missions_completed', 1)
  closeMission(world, mission)
  const xp = Object.entries(xpOf(template)).map(
    ([skill, points]) => [skill, awardXp(world, player, skill, points)] as const,
  )
  const gained = Object.fromEntries(xp.filter(([, points]) => points > 0))
  return {
    mission_id: id,
    title: template.title,
    credits_earned: credits,
    // what NPCs pay a pilot a day has an end. Source: missions.md section 1
    ...(credits === promised
      ? {}
      : { credits_promised: promised, credits_shortfall: promised - credits }),
    ...(Object.keys(reputation).length === 0 ? {} : { reputation_changes: reputation }),
    ...(Object.keys(template.items).length === 0 ? {} : { items_received: template.items }),
    ...(Object.keys(gained).length === 0 ? {} : { skill_xp_gained: gained }),
    ...(template.chainNext === undefined ? {} : { chain_next: template.chainNext }),
    message: template.dialog.complete,
  }
}
