/**
 * Wire forms of missions: offers, those a player is at, those they have done, and the section
 * `missions` of the v2 state. Source: contract, MissionInfo, ActiveMissionInfo.
 */
import {
  GOODS,
  itemIndex,
  type MissionRow,
  missionTemplate,
  OBJECTIVES_MAX,
  type ObjectiveRow,
} from '../../core/catalog/index.ts'
import { MISSIONS_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseId, baseName, empireOfBase } from '../base/model.ts'
import { BASE_KINDS, Base } from '../base/state.ts'
import { storedUnits } from '../cargo/model.ts'
import { Signal } from '../distress/state.ts'
import { renderPoster } from '../posting/views.ts'
import { activeShip, cargoUnits } from '../ship/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { poiName, systemId, systemName } from '../travel/model.ts'
import { StarSystem } from '../travel/state.ts'
import {
  missionId,
  missionsOf,
  poolOf,
  renderPool,
  replacementCost,
  systemOfBase,
  takesProvided,
  templateOf,
} from './model.ts'
import { lacking, standingOf, xpOf } from './offers-model.ts'
import { type Completion, Mission, type Offer } from './state.ts'

/* Objectives in words */

interface Target {
  readonly toBase: Eid
  readonly toSystem: Eid
  /** Of a rescue: where the signal came from; 0 where any place of the system will do. */
  readonly toPoi?: Eid
}

const itemName = ({ item = '' }: ObjectiveRow): string => GOODS[itemIndex(item)].name
const times = (n: number, one: string): string => (n === 1 ? `a ${one}` : `${n} ${one}s`)
const PIRATES = { T1: 'scout', T2: 'raider', T3: 'enforcer', boss: 'warlord' } as const
const pirateOf = ({ tier }: ObjectiveRow): string =>
  tier === undefined ? 'pirate' : `pirate ${PIRATES[tier]}`

function sayObjective(view: WorldView, row: ObjectiveRow, target: Target): string {
  const { toBase, toSystem, toPoi = 0 } = target
  const n = row.quantity
  if (row.text !== undefined) return row.text
  switch (row.type) {
    case 'deliver_item':
      return `Deliver ${n} ${itemName(row)} to ${baseName(view, toBase)}.`
    case 'visit_system':
      return `Arrive in ${systemName(view, toSystem)}.`
    case 'dock_base':
      return `Dock at ${baseName(view, toBase)}.`
    case 'kill_pirate':
      return `Destroy ${times(n, pirateOf(row))}.`
    case 'kill_player':
      return `Destroy ${times(n, 'ship')} of the player named.`
    case 'mine_item':
      return `Mine ${n} ${itemName(row)}.`
    case 'craft_item':
      return `Make ${n} ${itemName(row)} in a workshop.`
    case 'sell_item':
      return `Sell ${n} ${itemName(row)} on an exchange.`
    case 'salvage_wreck':
      return `Empty, sell or scrap ${times(n, 'wreck')}.`
    case 'scan_target':
      return `Scan ${times(n, 'ship')}.`
    case 'survey_system':
      return `Make ${times(n, 'survey')}.`
    case 'hunt_creature':
      return `Hunt ${times(n, 'creature')}.`
    case 'place_order':
      return `Place ${times(n, 'order')} on an exchange.`
    case 'contribute':
      return `Give ${itemName(row)} at ${baseName(view, toBase)}, until there are ${n}.`
    case 'rescue':
      return toPoi === 0
        ? `Fly to another place of ${systemName(view, toSystem)}, where the call came from.`
        : `Come to ${poiName(view, toPoi)} in ${systemName(view, toSystem)}.`
  }
}

const targetOf = (view: WorldView, mission: Row, index: number): Target => {
  const { toBase, toSystem, signal, near } = view.read(Mission)
  const at = mission * OBJECTIVES_MAX + index
  const isAtPlace = signal[mission] !== 0 && near[mission] === 0
  const toPoi = isAtPlace ? view.read(Signal).poi[signal[mission]] : 0
  return { toBase: toBase[at], toSystem: toSystem[at], toPoi }
}

/** An objective of an open mission, in words. */
export const describeObjective = (view: WorldView, mission: Row, index: number): string =>
  sayObjective(view, templateOf(view, mission).objectives[index], targetOf(view, mission, index))

const systemFields = (view: WorldView, system: Eid) =>
  system === 0 ? {} : { system_id: systemId(view, system), system_name: systemName(view, system) }

function renderObjective(view: WorldView, row: ObjectiveRow, target: Target) {
  const { toBase } = target
  return {
    type: row.type,
    description: sayObjective(view, row, target),
    quantity: row.quantity,
    ...(row.item === undefined ? {} : { item_id: row.item }),
    ...systemFields(view, target.toSystem),
    ...(toBase === 0
      ? {}
      : { target_base_id: baseId(view, toBase), target_base_name: baseName(view, toBase) }),
  }
}

/** Units counted; of a delivery what is aboard, once the ship is docked where it is handed in. */
function countOf(view: WorldView, player: Eid, mission: Row, index: number): number {
  const template = templateOf(view, mission)
  const row = template.objectives[index]
  if (row.type === 'contribute') return poolOf(view, template.template_id).given
  if (row.type !== 'deliver_item') {
    return view.read(Mission).progress[mission * OBJECTIVES_MAX + index]
  }
  if (dockedBase(view, player) !== view.read(Mission).toBase[mission * OBJECTIVES_MAX + index])
    return 0
  const aboard = cargoUnits(view, activeShip(view, player), itemIndex(row.item ?? ''))
  return Math.min(row.quantity, aboard)
}

/** Objectives that look at the stock at hand; progress stays what was counted. newer.md 6. */
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
  return {
    type: row.type,
    description: sayObjective(view, row, target),
    current,
    required: row.quantity,
    completed: current >= row.quantity,
    ...(item < 0 ? {} : { item_id: GOODS[item].id, item_name: GOODS[item].name }),
    ...(item >= 0 && STOCKED.has(row.type)
      ? {
          in_cargo: cargoUnits(view, activeShip(view, player), item),
          in_storage: here === 0 ? 0 : storedUnits(view, player, here, item),
        }
      : {}),
    ...systemFields(view, target.toSystem),
    ...(target.toBase === 0
      ? {}
      : {
          target_base: baseId(view, target.toBase),
          target_base_name: baseName(view, target.toBase),
        }),
  }
}

/* Missions */

const itemsOf = ({ items }: MissionRow) => (Object.keys(items).length === 0 ? {} : { items })

function renderRewards(view: WorldView, template: MissionRow, base: Eid, credits: number) {
  if (template.kind !== undefined) return { credits, ...itemsOf(template) }
  const points = standingOf(template)
  const standing = empireOfBase(view, base) >= 0 ? { reputation: points } : { pirate_rep: points }
  return {
    credits,
    ...standing,
    ...itemsOf(template),
    skill_xp: xpOf(template),
  }
}

/** Where a mission comes from; a distress signal from where it was sent. */
function issuedAt(view: WorldView, base: Eid, called: Eid = 0) {
  if (base === 0) {
    return {
      issuing_base: 'Emergency channel',
      issuing_system_id: systemId(view, called),
      issuing_system_name: systemName(view, called),
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

const nameOf = ({ template_id, title, type, difficulty, giver }: MissionRow) => ({
  template_id,
  title,
  type,
  difficulty,
  giver: { name: giver.name, title: giver.title },
})

const objectivesText = (lines: readonly { readonly description: string }[]): string =>
  lines.map(({ description }) => description).join(' ')

/** What a player should know before they accept. */
function warningsOf(view: WorldView, player: Eid, offer: Offer): string[] {
  const { template, toBase, toSystem } = offer
  const { empire } = view.read(StarSystem)
  const isPirate = (base: Eid) => BASE_KINDS[view.read(Base).kind[base]] === 'pirate'
  const systems = [...toBase.filter((base) => base !== 0).map((base) => systemOfBase(view, base))]
  systems.push(...toSystem.filter((system) => system !== 0))
  const missing = lacking(view, player, offer)
  return [
    ...(missing.length > 0 ? [`You lack: ${missing.join(', ')}.`] : []),
    ...(takesProvided(view, activeShip(view, player), template)
      ? []
      : ['Your hold has no room for what is handed over.']),
    ...(systems.some((system) => empire[system] === 0) ? ['It leads into lawless space.'] : []),
    ...(toBase.some((base) => base !== 0 && isPirate(base)) ? ['It ends at a stronghold.'] : []),
    ...(replacementCost(template) > 0
      ? [
          `What is handed over is worth ${counted(replacementCost(template), 'credit')}; lost, you pay it.`,
        ]
      : []),
    `You have ${counted(template.ttlTicks, 'tick')} from acceptance.`,
  ]
}

/** An offer as a player sees it. */
export function renderOffer(view: WorldView, player: Eid, offer: Offer) {
  const { template, base, toBase, toSystem } = offer
  const objectives = template.objectives.map((row, index) =>
    renderObjective(view, row, { toBase: toBase[index], toSystem: toSystem[index] }),
  )
  const { chainNext, requires, provided } = template
  return {
    mission_id: offer.id,
    ...nameOf(template),
    description: template.description ?? objectivesText(objectives),
    ...(template.community ? renderPool(view, template) : {}),
    ...(offer.posting === 0 ? {} : renderPoster(view, offer.posting)),
    dialog: { offer: template.dialog.offer },
    objectives,
    rewards: renderRewards(view, template, base, offer.credits),
    repeatable: template.repeatable,
    expires_in_ticks: Math.max(0, offer.expireTick - view.tick),
    ...issuedAt(view, base),
    ...(chainNext === undefined ? {} : { chain_next: chainNext }),
    ...(requires.modules === undefined ? {} : { required_modules: [...requires.modules] }),
    ...(Object.keys(provided).length === 0 ? {} : { provided_items: provided }),
    warnings: warningsOf(view, player, offer),
  }
}

function renderMission(view: WorldView, player: Eid, mission: Row) {
  const template = templateOf(view, mission)
  const { base, acceptedMs, expireTick, credits, toSystem } = view.read(Mission)
  const objectives = template.objectives.map((_, index) =>
    renderProgress(view, player, mission, index),
  )
  const share = objectives.reduce(
    (sum, { current, required }) => sum + divFloor(100 * current, required),
    0,
  )
  return {
    mission_id: missionId(view, mission),
    ...nameOf(template),
    description: template.description ?? objectivesText(objectives),
    ...(template.community ? renderPool(view, template) : {}),
    objectives,
    rewards: renderRewards(view, template, base[mission], credits[mission]),
    accepted_at: isoTime(acceptedMs[mission]),
    expires_in_ticks: Math.max(0, expireTick[mission] - view.tick),
    percent_complete: divFloor(share, objectives.length),
    ...issuedAt(view, base[mission], toSystem[mission * OBJECTIVES_MAX]),
  }
}

/** Everything a player is at. */
export const renderActive = (view: WorldView, player: Eid) =>
  missionsOf(view, player).map((mission) => renderMission(view, player, mission))

export const renderMissions = (view: WorldView, player: Eid) => ({
  active: renderActive(view, player),
  max_missions: MISSIONS_MAX,
})

/* Done */

/** Completed templates, the latest first. */
export function renderCompleted(done: Readonly<Record<string, Completion>>) {
  return Object.entries(done)
    .sort(([a, [at]], [b, [bt]]) => bt - at || (a < b ? -1 : 1))
    .flatMap(([id, [atMs]]) => {
      const template = missionTemplate(id)
      return template ? [{ ...nameOf(template), completion_time: isoTime(atMs) }] : []
    })
}

/** A completed template with all that was said; places are those of the template, in words. */
export function renderCompletion(template: MissionRow, [atMs]: Completion) {
  const objectives = template.objectives.map((row) => ({
    type: row.type,
    description: `${row.type.replaceAll('_', ' ')}: ${row.quantity}`,
    quantity: row.quantity,
    ...(row.item === undefined ? {} : { item_id: row.item }),
  }))
  const { chainNext, credits, dialog } = template
  return {
    ...nameOf(template),
    description: dialog.offer,
    dialog: { ...dialog },
    objectives,
    rewards: {
      credits,
      reputation: standingOf(template),
      ...(Object.keys(template.items).length === 0 ? {} : { items: template.items }),
      skill_xp: xpOf(template),
    },
    repeatable: template.repeatable,
    completion_time: isoTime(atMs),
    ...(chainNext === undefined ? {} : { chain_next: chainNext }),
  }
}
