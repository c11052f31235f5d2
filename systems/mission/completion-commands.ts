/** Completing missions: deliveries, rewards, gifts to collections. Source: missions.md 1, 2. */
import {
  EMPIRES,
  GOODS,
  itemIndex,
  type MissionRow,
  missionTemplate,
} from '../../core/catalog/index.ts'
import { mutation } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { contentsOf, type Held, moveItems, namedContainer } from '../../core/goods.ts'
import { canReceive, namedAccount } from '../../core/ledger.ts'
import { obj, words } from '../../core/params.ts'
import { listed, say } from '../../core/say.ts'
import { dayOfTick } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { recordGranted } from '../account/giving-model.ts'
import { usernameOf, walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { baseId, baseName, empireOfBase } from '../base/model.ts'
import {
  closeEmptyLocker,
  isNearlyFull,
  isStorageNearlyFull,
  lockerOf,
  openLocker,
  storedUnits,
} from '../cargo/model.ts'
import { notifyFaction, recordStoreMove } from '../faction/rules.ts'
import { FactionStore } from '../faction/state.ts'
import { openStore } from '../faction/store-model.ts'
import { changeReputation } from '../law/rules.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { crewIn } from '../npc/model.ts'
import { changeStanding } from '../npc/rules.ts'
import { closePosting } from '../posting/rules.ts'
import { Posting } from '../posting/state.ts'
import { activeShip, cargoUnits, loadCargo, unitsThatFit, unloadCargo } from '../ship/model.ts'
import { awardXp } from '../skill/rules.ts'
import { recordIncome } from '../tax/rules.ts'
import { dockedBase } from '../travel/location-model.ts'
import { activeParam } from './commands.ts'
import { drawOnTreasury, FAUCET, payableShare, recordGift, saveRecord } from './community-rules.ts'
import { offerName } from './errand-model.ts'
import {
  creditsLeft,
  type Delivery,
  deliveriesOf,
  epochOf,
  goalOf,
  hasShareRoom,
  isCollecting,
  missionById,
  missionId,
  paidToday,
  poolOf,
  recordOf,
  remainderFor,
  renderPool,
  shareOf,
  shareWorth,
  slotOf,
  systemOfBase,
  templateOf,
  unknownActive,
} from './model.ts'
import { DOCKED_TO_DELIVER } from './needs.ts'
import { boardOf, standingOf, xpOf } from './offers-model.ts'
import { hasteBonus } from './pay-model.ts'
import { closeMission, markChanged } from './rules.ts'
import { completedSchema } from './schemas.ts'
import { Mission } from './state.ts'
import { describeObjective } from './views.ts'

/**
 * Gives goods to a player: into the hold, and what does not fit into storage at a base. Returns a
 * hint about what was stored; empty if everything is aboard.
 */
function giveGoods(
  world: World,
  player: Eid,
  from: Row,
  { goods, base }: { goods: readonly Held[]; base: Eid },
): string {
  const ship = activeShip(world, player)
  const here = dockedBase(world, player) || base
  const stored: string[] = []
  for (const { item, units } of goods) {
    const aboard = Math.min(units, unitsThatFit(world, ship, item))
    if (aboard > 0) loadCargo(world, ship, from, item, aboard)
    if (units > aboard) {
      moveItems(world, from, openLocker(world, player, here), item, units - aboard)
      stored.push(`${units - aboard} ${GOODS[item].name}`)
    }
  }
  if (stored.length === 0) return ''
  return say`${listed(stored)} did not fit in your hold: use {withdraw_items} at ${baseName(world, here)}.`
}

/** Returns a hint about where the next step of a story is offered; empty after the last step. */
function nextStep(view: WorldView, bases: readonly Eid[], { chainNext }: MissionRow): string {
  const next = chainNext === undefined ? undefined : missionTemplate(chainNext)
  if (!next) return ''
  const issuer = bases.find((base) => boardOf(view, base).some(({ template }) => template === next))
  const where = issuer === undefined ? 'a base that offers it' : baseName(view, issuer)
  return say`Next is "${next.title}": dock at ${where} and use {accept_mission} with {accept_mission.mission_id} ${next.template_id}.`
}

const hintField = (...hints: readonly string[]) => {
  const hint = hints.filter((text) => text !== '').join(' ')
  return hint !== '' && { hint }
}

/** Pays credits for a mission and logs its completion. */
function pay(world: World, player: Eid, mission: Row, from: Row, credits: number): void {
  const summary = `Completed "${templateOf(world, mission).title}".`
  const data = { mission_id: missionId(world, mission) }
  const wallet = walletOf(world, player)
  if (credits === 0) logAction(world, player, 'mission', 'completed', summary, data)
  creditMove(world, player, from, wallet, credits, 'mission', 'completed', summary, data)
  recordIncome(world, player, 'mission', credits)
}

/*
 * Postings: deliveries go to the store of the faction, the pay comes from its escrow. Source:
 * factions.md section 7.
 */

/** Moves deliveries into the store of the faction, even beyond its cap. */
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

/**
 * Completes a mission of a posting, and closes the posting. ours: it brings no experience, standing
 * or record, since a faction with one member could give them to itself.
 */
function completePosted(world: World, player: Eid, mission: Row) {
  const posting = world.read(Mission).posting[mission]
  const columns = world.read(Posting)
  const { title, items, dialog } = templateOf(world, mission)
  const id = missionId(world, mission)
  const credits = columns.credits[posting]
  const faction = columns.faction[posting]
  const goods = columns.goods[posting]
  deliver(world, player, posting, deliveriesOf(world, mission))
  const base = columns.base[posting]
  const stored =
    goods === 0 ? '' : giveGoods(world, player, goods, { goods: contentsOf(world, goods), base })
  pay(world, player, mission, columns.escrow[posting], credits)
  closeMission(world, mission)
  world.write(Posting).mission[posting] = 0
  closePosting(world, posting)
  notifyFaction(world, faction, {
    event: 'mission_completed',
    actor: player,
    message: `${usernameOf(world, player)} has completed "${title}".`,
    details: credits === 0 ? {} : { credits },
  })
  return {
    mission_id: id,
    title,
    credits_earned: credits,
    ...(Object.keys(items).length > 0 && { items_received: items }),
    ...hintField(stored),
    message: dialog.complete,
  }
}

/**
 * Refuses to complete a mission now. Refusals: mission_incomplete, wrong_station,
 * insufficient_items, amount_too_large, limit_reached.
 */
function completionRefusal(view: WorldView, player: Eid, mission: Row) {
  const template = templateOf(view, mission)
  const { progress, credits } = view.read(Mission)
  const missing = template.objectives.flatMap((row, index) => {
    const done = progress[slotOf(mission, index)]
    if (done >= row.quantity || row.type === 'deliver_item') return []
    const text = describeObjective(view, mission, index).replace(/\.$/, '')
    return [`${text} (${done}/${row.quantity})`]
  })
  if (missing.length > 0) return fail('mission_incomplete', { missing })
  const deliveries = deliveriesOf(view, mission)
  const elsewhere = deliveries.find(({ base }) => base !== dockedBase(view, player))
  if (elsewhere) return fail('wrong_station', { base_id: baseId(view, elsewhere.base) })
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
  const pay = credits[mission] + hasteBonus(view, mission)
  if (!canReceive(view, walletOf(view, player), pay)) return fail('amount_too_large')
  const isPosting = template.kind === 'posting'
  const movesGoods = isPosting || Object.keys(template.items).length > 0
  const isFull =
    (movesGoods && isStorageNearlyFull(view)) || (isPosting && isNearlyFull(view, FactionStore))
  return isFull ? fail('limit_reached') : undefined
}

/** Removes deliveries from the hold; goods that the mission provided return to their source. */
function handIn(world: World, player: Eid, mission: Row): void {
  const { provided } = templateOf(world, mission)
  const ship = activeShip(world, player)
  for (const { item, units } of deliveriesOf(world, mission)) {
    const isProvided = provided[GOODS[item].id] !== undefined
    const to = namedContainer(isProvided ? 'quests' : 'consumption')
    unloadCargo(world, ship, to, item, units)
  }
}

/** Raises reputation with the base's empire (returned by id), or standing with its crew. */
function giveStanding(world: World, player: Eid, mission: Row): Record<string, number> {
  const base = world.read(Mission).base[mission]
  const points = standingOf(templateOf(world, mission))
  const empire = empireOfBase(world, base)
  if (empire < 0) {
    changeStanding(world, player, crewIn(world, systemOfBase(world, base)), points)
    return {}
  }
  const change = changeReputation(world, player, empire, points)
  return change === 0 ? {} : { [EMPIRES[empire].id]: change }
}

function recordCompletion(world: World, player: Eid, mission: Row, paid: number): void {
  const record = recordOf(world, player)
  const { epoch, base } = world.read(Mission)
  const id = templateOf(world, mission).template_id
  const [, times] = record.done[id] ?? [0, 0]
  const now = epochOf(world.tick)
  const offers = record.epoch === now ? record.offers : []
  saveRecord(world, player, {
    ...record,
    done: { ...record.done, [id]: [world.wallMs, times + 1] },
    epoch: now,
    offers: epoch[mission] === now ? [...offers, offerName(world, id, base[mission])] : offers,
    day: dayOfTick(world.tick),
    paid: paidToday(world, record) + paid,
  })
}

/** Completes a mission that `completionRefusal` has not refused. */
function completeMission(world: World, player: Eid, mission: Row) {
  const template = templateOf(world, mission)
  if (template.kind === 'posting') return completePosted(world, player, mission)
  const id = missionId(world, mission)
  const { credits } = world.read(Mission)
  const base = world.read(Mission).base[mission]
  const haste = hasteBonus(world, mission)
  const promised = credits[mission] + haste
  const items = Object.entries(template.items)
  handIn(world, player, mission)
  const stored = giveGoods(world, player, namedContainer('produced'), {
    goods: items.map(([item, units]) => ({ item: itemIndex(item), units })),
    base,
  })
  const reputation = giveStanding(world, player, mission)
  // Missions pay a player up to a daily limit. Source: missions.md section 1.
  const paid = Math.min(promised, creditsLeft(world, player))
  pay(world, player, mission, namedAccount(FAUCET), paid)
  drawOnTreasury(world, empireOfBase(world, base), paid)
  addStat(world, player, 'credits_earned', paid)
  // Recorded so that a new account cannot pass its first pay on to another.
  if (!template.repeatable) recordGranted(world, player, paid)
  recordCompletion(world, player, mission, paid)
  addStat(world, player, 'missions_completed', 1)
  closeMission(world, mission)
  const here = dockedBase(world, player)
  const xp = Object.entries(xpOf(template)).map(
    ([skill, points]) => [skill, awardXp(world, player, skill, points)] as const,
  )
  const gained = Object.fromEntries(xp.filter(([, points]) => points > 0))
  return {
    mission_id: id,
    title: template.title,
    credits_earned: paid,
    ...(haste > 0 && { haste_bonus: haste }),
    ...(paid !== promised && { credits_promised: promised, credits_shortfall: promised - paid }),
    ...(Object.keys(reputation).length > 0 && { reputation_changes: reputation }),
    ...(items.length > 0 && { items_received: template.items }),
    ...(Object.keys(gained).length > 0 && { skill_xp_gained: gained }),
    ...(template.chainNext !== undefined && { chain_next: template.chainNext }),
    ...hintField(stored, nextStep(world, here === 0 ? [base] : [here, base], template)),
    message: template.dialog.complete,
  }
}

/**
 * Refuses a gift to a collection: mission_expired (it is full), wrong_station, insufficient_items,
 * limit_reached. Source: missions.md section 2.
 */
function giftRefusal(view: WorldView, player: Eid, mission: Row) {
  const template = templateOf(view, mission)
  if (!isCollecting(view, template.template_id)) {
    const message = 'This collection is complete; everyone who gave to it is being paid.'
    return fail('mission_expired', undefined, message)
  }
  const base = view.read(Mission).toBase[slotOf(mission, 0)]
  if (dockedBase(view, player) !== base)
    return fail('wrong_station', { base_id: baseId(view, base) })
  const { item } = goalOf(template)
  const have =
    cargoUnits(view, activeShip(view, player), item) + storedUnits(view, player, base, item)
  if (have === 0) {
    const missing = [{ item_id: GOODS[item].id, item_name: GOODS[item].name, need: 1, have: 0 }]
    return fail('insufficient_items', { missing })
  }
  return hasShareRoom(view, template.template_id, player) ? undefined : fail('limit_reached')
}

/** Gives goods to a collection, up to its goal: from the hold first, then from storage. */
function giveTo(world: World, player: Eid, mission: Row) {
  const template = templateOf(world, mission)
  const { item, units: goal } = goalOf(template)
  const base = dockedBase(world, player)
  const ship = activeShip(world, player)
  const needed = goal - poolOf(world, template.template_id).given
  const to = namedContainer('consumption')
  const aboard = Math.min(needed, cargoUnits(world, ship, item))
  if (aboard > 0) unloadCargo(world, ship, to, item, aboard)
  const stored = Math.min(needed - aboard, storedUnits(world, player, base, item))
  if (stored > 0) {
    moveItems(world, lockerOf(world, player, base), to, item, stored)
    closeEmptyLocker(world, player, base)
  }
  const given = aboard + stored
  recordGift(world, template, player, given)
  markChanged(world, player)
  const { community_percent, community_progress } = renderPool(world, template)
  const id = missionId(world, mission)
  const summary = `Gave ${given} ${GOODS[item].name} to "${template.title}".`
  logAction(world, player, 'mission', 'contributed', summary, { mission_id: id, units: given })
  const isFull = given === needed
  const rest = isFull ? remainderFor(world, template, player) : 0
  const pay = shareWorth(world, template, player) + rest
  const credits_earned = isFull ? payableShare(world, player, pay) : 0
  const share = `${shareOf(world, template.template_id, player)} of ${goal} units are yours, worth ${pay} credits`
  return {
    mission_id: id,
    title: template.title,
    credits_earned,
    community_share_credits: pay,
    community_contributed: { [GOODS[item].id]: given },
    community_percent,
    community_progress,
    message: isFull
      ? `${template.dialog.complete} ${share}; ${credits_earned} credits of it are paid as the collection closes.`
      : `${summary} ${share}; you are paid once the collection is complete.`,
  }
}

export const completeMissionCommand = mutation({
  name: 'complete_mission',
  v2: { tool: 'game', action: 'complete_mission', rename: { mission_id: 'id' } },
  summary: 'Complete a mission whose objectives are met, and receive its rewards.',
  category: 'missions',
  order: 'plain',
  params: obj({ mission_id: activeParam() }),
  result: completedSchema,
  needs: [DOCKED_TO_DELIVER],
  changes: ['player', 'cargo', 'missions', 'skills'],
  errors: words(
    'mission_not_found mission_expired mission_incomplete wrong_station insufficient_items',
    'amount_too_large limit_reached',
  ),
  judge(view, player, { mission_id }) {
    if (missionById(view, player, mission_id) !== 0) return undefined
    const hasLapsed = recordOf(view, player).lapsed.includes(mission_id.toLowerCase())
    return hasLapsed ? fail('mission_expired') : unknownActive(mission_id)
  },
  run(world, player, { mission_id }) {
    const mission = missionById(world, player, mission_id)
    if (mission === 0) return unknownActive(mission_id)
    if (templateOf(world, mission).community) {
      return giftRefusal(world, player, mission) ?? ok(giveTo(world, player, mission))
    }
    const refused = completionRefusal(world, player, mission)
    return refused ?? ok(completeMission(world, player, mission))
  },
})
