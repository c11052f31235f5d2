/**
 * Wire forms of missions: offers and active ones, the section `missions` of the v2 state. Source:
 * contract, MissionInfo, ActiveMissionInfo.
 */
import { GOODS, itemIndex, type MissionRow, type ObjectiveRow } from '../../core/catalog/index.ts'
import { MISSIONS_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseId, baseName, empireOfBase } from '../base/model.ts'
import { BASE_KINDS, Base } from '../base/state.ts'
import { storedUnits } from '../cargo/model.ts'
import { Signal } from '../distress/state.ts'
import { convoyOfNumber, convoySystem, whereaboutsOf } from '../npc/convoy-model.ts'
import { renderPoster } from '../posting/views.ts'
import { activeShip, cargoUnits } from '../ship/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { poiName, systemId, systemName } from '../travel/model.ts'
import { StarSystem } from '../travel/state.ts'
import {
  jumpsTo,
  missionId,
  missionsOf,
  placeName,
  poolOf,
  renderPool,
  replacementCost,
  slotOf,
  systemOfBase,
  takesProvided,
  templateOf,
  UNREACHED,
} from './model.ts'
import { missingRequirements, standingOf, systemsOf, xpOf } from './offers-model.ts'
import { hasteBonus, hasteTicks } from './pay-model.ts'
import { huntsOf, sourcesOf } from './sources-views.ts'
import { Mission, type Offer } from './state.ts'

/* Objectives as text */

interface Target {
  readonly toBase: Eid
  readonly toSystem: Eid
  /** For a rescue: the place of the signal; 0 if any other place in the system counts. */
  readonly toPoi?: Eid
}

const itemName = ({ item = '' }: ObjectiveRow): string => GOODS[itemIndex(item)].name
const countOrOne = (count: number, noun: string): string =>
  count === 1 ? `a ${noun}` : `${count} ${noun}s`
const PIRATES = { T1: 'scout', T2: 'raider', T3: 'enforcer', boss: 'warlord' } as const
const pirateOf = ({ tier }: ObjectiveRow): string =>
  tier === undefined ? 'pirate' : `pirate ${PIRATES[tier]}`

function objectiveText(view: WorldView, row: ObjectiveRow, target: Target): string {
  const { toBase, toSystem, toPoi = 0 } = target
  const { quantity } = row
  if (row.text !== undefined) return row.text
  switch (row.type) {
    case 'deliver_item':
      if (toBase === 0) return `${quantity} ${itemName(row)}: not required for this mission.`
      return `Deliver ${quantity} ${itemName(row)} to ${placeName(view, toBase)}.`
    case 'visit_system':
      return `Arrive in ${systemName(view, toSystem)}.`
    case 'dock_base':
      return `Dock at ${placeName(view, toBase)}.`
    case 'kill_pirate':
      return `Destroy ${countOrOne(quantity, pirateOf(row))}.`
    case 'kill_player':
      return `Destroy ${countOrOne(quantity, 'ship')} of the player named in the mission.`
    case 'mine_item':
      return `Mine ${quantity} ${itemName(row)}.`
    case 'craft_item':
      return `Make ${quantity} ${itemName(row)} in a workshop.`
    case 'sell_item':
      return `Sell ${quantity} ${itemName(row)} on an exchange.`
    case 'salvage_wreck':
      return `Empty, sell or scrap ${countOrOne(quantity, 'wreck')}.`
    case 'scan_target':
      return `Scan ${countOrOne(quantity, 'ship')}.`
    case 'survey_system':
      return `Make ${countOrOne(quantity, 'survey')}.`
    case 'hunt_creature':
      return `Hunt ${countOrOne(quantity, 'creature')}.`
    case 'place_order':
      return `Place ${countOrOne(quantity, 'order')} on an exchange.`
    case 'arena_bout':
      return `Fight ${countOrOne(quantity, 'bout')} in an arena.`
    case 'contribute':
      return `Give ${itemName(row)} at ${baseName(view, toBase)} until ${quantity} have been collected.`
    case 'escort_convoy':
      return `Escort the convoy to ${baseName(view, toBase)}: be in its system at ${quantity} of its stops, including the last.`
    case 'rescue':
      return toPoi === 0
        ? `Fly to another place in ${systemName(view, toSystem)}, where the call came from.`
        : `Fly to ${poiName(view, toPoi)} in ${systemName(view, toSystem)}.`
  }
}

function targetOf(view: WorldView, mission: Row, index: number): Target {
  const { toBase, toSystem, signal, near } = view.read(Mission)
  const slot = slotOf(mission, index)
  const isAtPlace = signal[mission] !== 0 && near[mission] === 0
  const toPoi = isAtPlace ? view.read(Signal).poi[signal[mission]] : 0
  return { toBase: toBase[slot], toSystem: toSystem[slot], toPoi }
}

/** Returns the convoy that a mission escorts; 0 for other missions, and once it is gone. */
const convoyOf = (view: WorldView, mission: Row): Row => {
  const number = view.read(Mission).convoy[mission]
  return number === 0 ? 0 : convoyOfNumber(view, number)
}

/** Describes an objective of an active mission; that of an escort says where the convoy is. */
export function describeObjective(view: WorldView, mission: Row, index: number): string {
  const row = templateOf(view, mission).objectives[index]
  const text = objectiveText(view, row, targetOf(view, mission, index))
  const convoy = convoyOf(view, mission)
  return convoy === 0 ? text : `${text} ${whereaboutsOf(view, convoy)}`
}

const systemFields = (view: WorldView, system: Eid) =>
  system !== 0 && { system_id: systemId(view, system), system_name: systemName(view, system) }

/** Types of objectives that require goods, so that their sources are listed. */
const SOURCED: ReadonlySet<ObjectiveRow['type']> = new Set([
  'deliver_item',
  'contribute',
  'mine_item',
  'craft_item',
  'sell_item',
])

/** Types of objectives that bought goods do not count for. */
const UNBOUGHT: Partial<Record<ObjectiveRow['type'], true>> = { mine_item: true, craft_item: true }

/**
 * Renders the sources of an objective’s goods, or where its prey is at home, seen from the base
 * that offers the mission.
 */
function sourcesField(view: WorldView, base: Eid, { provided }: MissionRow, row: ObjectiveRow) {
  const { type, item } = row
  const hunts = base === 0 ? [] : huntsOf(view, base, row)
  if (hunts.length > 0) return { sources: hunts }
  if (item === undefined || base === 0 || !SOURCED.has(type) || provided[item] !== undefined) {
    return {}
  }
  const sources = sourcesOf(view, base, itemIndex(item))
  const isCounted = (text: string) => !(type in UNBOUGHT) || !text.startsWith('Traded at ')
  return { sources: sources.filter(isCounted) }
}

/** Renders the jumps from the base that offers a mission to where it leads, if not here. */
function distanceField(view: WorldView, base: Eid, toBase: Eid, toSystem: Eid) {
  const system = toBase === 0 ? toSystem : systemOfBase(view, toBase)
  const jumps = base === 0 || system === 0 ? 0 : jumpsTo(view, base, system)
  return jumps > 0 && jumps < UNREACHED ? { jumps } : {}
}

function renderObjective(view: WorldView, row: ObjectiveRow, target: Target) {
  const { toBase } = target
  return {
    type: row.type,
    description: objectiveText(view, row, target),
    quantity: row.quantity,
    ...(row.item !== undefined && { item_id: row.item }),
    ...systemFields(view, target.toSystem),
    ...(toBase !== 0 && {
      target_base_id: baseId(view, toBase),
      target_base_name: baseName(view, toBase),
    }),
  }
}

/** Returns the units counted; for a delivery the units aboard while docked at its target. */
function countOf(view: WorldView, player: Eid, mission: Row, index: number): number {
  const template = templateOf(view, mission)
  const row = template.objectives[index]
  if (row.type === 'contribute') return poolOf(view, template.template_id).given
  const { progress, toBase } = view.read(Mission)
  const slot = slotOf(mission, index)
  if (row.type !== 'deliver_item') return progress[slot]
  if (toBase[slot] === 0) return row.quantity
  if (dockedBase(view, player) !== toBase[slot]) return 0
  const aboard = cargoUnits(view, activeShip(view, player), itemIndex(row.item ?? ''))
  return Math.min(row.quantity, aboard)
}

/** Types of objectives rendered with the player's current stock. Source: newer.md section 6. */
const STOCKED: ReadonlySet<ObjectiveRow['type']> = new Set([
  'deliver_item',
  'contribute',
  'craft_item',
])

function renderProgress(view: WorldView, player: Eid, mission: Row, index: number) {
  const row = templateOf(view, mission).objectives[index]
  const target = targetOf(view, mission, index)
  const current = countOf(view, player, mission, index)
  const item = row.item === undefined ? -1 : itemIndex(row.item)
  const here = dockedBase(view, player)
  const convoy = convoyOf(view, mission)
  return {
    type: row.type,
    description: describeObjective(view, mission, index),
    current,
    required: row.quantity,
    completed: current >= row.quantity,
    ...(item >= 0 && { item_id: GOODS[item].id, item_name: GOODS[item].name }),
    ...(item >= 0 &&
      STOCKED.has(row.type) && {
        in_cargo: cargoUnits(view, activeShip(view, player), item),
        in_storage: here === 0 ? 0 : storedUnits(view, player, here, item),
      }),
    ...sourcesField(view, view.read(Mission).base[mission], templateOf(view, mission), row),
    ...systemFields(view, convoy === 0 ? target.toSystem : convoySystem(view, convoy)),
    ...(target.toBase !== 0 && {
      target_base: baseId(view, target.toBase),
      target_base_name: baseName(view, target.toBase),
    }),
  }
}

/* Missions */

/** Renders the goods of a reward; no field if there are none. */
export const itemsField = ({ items }: MissionRow) => Object.keys(items).length > 0 && { items }

function renderRewards(view: WorldView, template: MissionRow, base: Eid, credits: number) {
  if (template.kind !== undefined) return { credits, ...itemsField(template) }
  const points = standingOf(template)
  const standing = empireOfBase(view, base) >= 0 ? { reputation: points } : { pirate_rep: points }
  return {
    credits,
    ...standing,
    ...itemsField(template),
    skill_xp: xpOf(template),
  }
}

/** Renders where a mission was offered: at a base or, without one, by a signal from a system. */
function issuerFields(view: WorldView, base: Eid, signalSystem: Eid = 0) {
  if (base === 0) {
    return {
      issuing_base: 'Emergency channel',
      issuing_system_id: systemId(view, signalSystem),
      issuing_system_name: systemName(view, signalSystem),
    }
  }
  const system = systemOfBase(view, base)
  return {
    issuing_base: baseName(view, base),
    issuing_base_id: baseId(view, base),
    issuing_system_id: systemId(view, system),
    issuing_system_name: systemName(view, system),
  }
}

/** Renders the fields that offers, active and completed missions share. */
export const headOf = ({ template_id, title, type, difficulty, giver }: MissionRow) => ({
  template_id,
  title,
  type,
  difficulty,
  giver: { name: giver.name, title: giver.title },
})

const objectivesText = (lines: readonly { readonly description: string }[]): string =>
  lines.map(({ description }) => description).join(' ')

/** Lists what a player should know before they accept an offer. */
function warningsOf(view: WorldView, player: Eid, offer: Offer): string[] {
  const { template, toBase } = offer
  const { empire } = view.read(StarSystem)
  const isPirate = (base: Eid) => BASE_KINDS[view.read(Base).kind[base]] === 'pirate'
  const missing = missingRequirements(view, player, offer)
  const warnings: string[] = []
  if (missionsOf(view, player).some((mission) => templateOf(view, mission) === template)) {
    warnings.push('You are already on this mission.')
  }
  if (missing.length > 0) warnings.push(`You lack: ${missing.join(', ')}.`)
  if (!takesProvided(view, activeShip(view, player), template)) {
    warnings.push('Your hold has no room for the goods that this mission provides.')
  }
  if (systemsOf(view, offer).some((system) => empire[system] === 0)) {
    warnings.push('It leads into lawless space.')
  }
  if (toBase.some((base) => base !== 0 && isPirate(base))) {
    warnings.push('It leads to a pirate stronghold.')
  }
  const cost = replacementCost(template)
  if (cost > 0) {
    warnings.push(`The goods provided are worth ${counted(cost, 'credit')}; you pay for losses.`)
  }
  if (offer.convoy !== undefined) {
    const wait = counted(Math.max(0, offer.expireTick - view.tick), 'tick')
    warnings.push(`The convoy leaves in ${wait}; be in its system then and at its later stops.`)
  }
  const haste = hasteTicks(template, offer.jumps)
  if (haste > 0) {
    const ticks = counted(haste, 'tick')
    warnings.push(`Haste bonus: half the pay again within ${ticks}; after that it shrinks.`)
  }
  const deadline = counted(template.ttlTicks, 'tick')
  return [...warnings, `Once accepted, it must be completed within ${deadline}.`]
}

/** Renders an offer for a player, with warnings. */
export function renderOffer(view: WorldView, player: Eid, offer: Offer) {
  const { template, base, toBase, toSystem } = offer
  const objectives = template.objectives.map((row, index) => ({
    ...renderObjective(view, row, { toBase: toBase[index], toSystem: toSystem[index] }),
    ...distanceField(view, base, toBase[index], toSystem[index]),
    ...sourcesField(view, base, template, row),
  }))
  const { chainNext, requires, provided } = template
  return {
    mission_id: offer.id,
    ...headOf(template),
    description: template.description ?? objectivesText(objectives),
    ...(template.community && renderPool(view, template)),
    ...(offer.posting !== 0 && renderPoster(view, offer.posting)),
    dialog: { offer: template.dialog.offer },
    objectives,
    rewards: renderRewards(view, template, base, offer.credits),
    repeatable: template.repeatable,
    expires_in_ticks: Math.max(0, offer.expireTick - view.tick),
    ...issuerFields(view, base),
    ...(chainNext !== undefined && { chain_next: chainNext }),
    ...(requires.modules !== undefined && { required_modules: [...requires.modules] }),
    ...(Object.keys(provided).length > 0 && { provided_items: provided }),
    warnings: warningsOf(view, player, offer),
  }
}

/** Describes an active mission: its text, and the haste bonus that it would earn now. */
function descriptionOf(
  view: WorldView,
  mission: Row,
  objectives: readonly { readonly description: string }[],
): string {
  const text = templateOf(view, mission).description ?? objectivesText(objectives)
  const bonus = hasteBonus(view, mission)
  return bonus === 0
    ? text
    : `${text} Completed now, it earns a haste bonus of ${counted(bonus, 'credit')}.`
}

function renderMission(view: WorldView, player: Eid, mission: Row) {
  const template = templateOf(view, mission)
  const { base, acceptedMs, expireTick, credits, toSystem } = view.read(Mission)
  const objectives = template.objectives.map((_, index) =>
    renderProgress(view, player, mission, index),
  )
  const percentSum = objectives.reduce(
    (sum, { current, required }) => sum + divFloor(100 * current, required),
    0,
  )
  return {
    mission_id: missionId(view, mission),
    ...headOf(template),
    description: descriptionOf(view, mission, objectives),
    ...(template.community && renderPool(view, template)),
    objectives,
    rewards: renderRewards(view, template, base[mission], credits[mission]),
    repeatable: template.repeatable,
    dialog: { offer: template.dialog.offer, accept: template.dialog.accept },
    ...(template.chainNext !== undefined && { chain_next: template.chainNext }),
    accepted_at: isoTime(acceptedMs[mission]),
    expires_in_ticks: Math.max(0, expireTick[mission] - view.tick),
    percent_complete: divFloor(percentSum, objectives.length),
    ...issuerFields(view, base[mission], toSystem[slotOf(mission, 0)]),
  }
}

export const renderActive = (view: WorldView, player: Eid) =>
  missionsOf(view, player).map((mission) => renderMission(view, player, mission))

/** Lists the missions that a player can complete where they are. */
export function readyMissions(view: WorldView, player: Eid): { id: string; title: string }[] {
  return missionsOf(view, player).flatMap((mission) => {
    const { community, objectives, title } = templateOf(view, mission)
    const isReady =
      !community &&
      objectives.every(({ quantity }, index) => countOf(view, player, mission, index) >= quantity)
    return isReady ? [{ id: missionId(view, mission), title }] : []
  })
}

/** Renders the section `missions` of the v2 state. */
export const renderMissions = (view: WorldView, player: Eid) => ({
  active: renderActive(view, player),
  max_missions: MISSIONS_MAX,
})
