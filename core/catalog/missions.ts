/**
 * The missions: every template, found by id, and a check of their rewards. A template is never
 * removed: players of existing worlds may have accepted it.
 */
import { deepFreeze } from './freeze.ts'
import { GOODS, itemIndex, skillIndex } from './goods.ts'
import { errandSize, goodsCredits, goodsValue } from './mission-row.ts'
import type { IssuerRule, MissionRow } from './mission-types.ts'
import { BULK_MISSIONS } from './missions-bulk.ts'
import { COMMUNITY_MISSIONS } from './missions-community.ts'
import { COURIER_MISSIONS } from './missions-courier.ts'
import { ESCORT_ID, escortTemplate } from './missions-escort.ts'
import { FIGHT_MISSIONS } from './missions-fight.ts'
import { HAUL_MISSIONS } from './missions-haul.ts'
import { NEWCOMER_MISSIONS } from './missions-newcomer.ts'
import { RESCUE_MISSIONS } from './missions-rescue.ts'
import { SEASON_MISSIONS } from './missions-season.ts'
import { STORY_MISSIONS } from './missions-story.ts'
import { SUPPLY_MISSIONS } from './missions-supply.ts'
import { WORK_MISSIONS } from './missions-work.ts'

export const MISSIONS: readonly MissionRow[] = deepFreeze([
  // Boards show rows in this order, so that new players see the first steps first.
  ...NEWCOMER_MISSIONS,
  ...SUPPLY_MISSIONS,
  ...HAUL_MISSIONS,
  ...COURIER_MISSIONS,
  ...FIGHT_MISSIONS,
  ...WORK_MISSIONS,
  ...STORY_MISSIONS,
  ...COMMUNITY_MISSIONS,
  ...SEASON_MISSIONS,
  ...BULK_MISSIONS,
])

/** Missions to answer distress signals, by type of signal: on no board. */
export const RESCUES: readonly MissionRow[] = deepFreeze([...RESCUE_MISSIONS])

const INDEX = new Map([...MISSIONS, ...RESCUES].map((row) => [row.template_id, row]))
// The number of stops of an escort is known only once there is a convoy.
INDEX.set(ESCORT_ID, escortTemplate(1))

/** Returns the template of an id; undefined if there is none. */
export const missionTemplate = (id: string): MissionRow | undefined => INDEX.get(id)

/** Maximum objectives of a mission, which columns have room for; factions may post this many. */
export const OBJECTIVES_MAX = 10
/** Maximum objectives of a template. */
const TEMPLATE_OBJECTIVES_MAX = 4
/** Repeatable templates a board shows at a time. Source: balance.md section 6. */
export const BOARD_REPEATABLE = 14

/* What templates promise */

const pairs = (goods: Readonly<Record<string, number>>): [string, number][] => Object.entries(goods)

/** Maximum credits a delivery pays per jump. Source: balance.md section 11, catalogue checks. */
const JUMP_CREDITS = 500

function faultsOfPay(row: MissionRow): string[] {
  const isDelivery = row.objectives.every(
    ({ type }) => type === 'deliver_item' || type === 'contribute',
  )
  if (!isDelivery || row.objectives.length === 0) return []
  if (Object.keys(row.provided).length > 0) {
    return errandSize(row) < 0 ? ['hands over more than the largest errand'] : []
  }
  const asked = row.objectives.map(({ item = '', quantity }) => [item, quantity] as const)
  const paid = row.credits + goodsValue(pairs(row.items))
  const max = goodsCredits(goodsValue(asked))
  return [
    ...(row.goodsPay || row.community ? [] : ['pays for goods whatever they cost']),
    ...(paid <= max ? [] : [`pays ${paid}, which is above ${max}`]),
    ...(row.creditsPerJump < JUMP_CREDITS ? [] : ['pays too much per jump']),
  ]
}

function faultsOfGoods(row: MissionRow): string[] {
  const faults: string[] = []
  const named = [...Object.keys(row.items), ...Object.keys(row.provided)]
  for (const { item } of row.objectives) if (item !== undefined) named.push(item)
  for (const id of named) if (itemIndex(id) < 0) faults.push(`names the unknown item ${id}`)
  for (const id of Object.keys(row.provided)) {
    if (GOODS[itemIndex(id)]?.quest_item !== true)
      faults.push(`hands over ${id}, which is not bound`)
    if (!row.objectives.some(({ item }) => item === id)) faults.push(`nobody takes ${id}`)
    const others = MISSIONS.filter(({ provided }) => provided[id] !== undefined)
    if (others.length > 1) faults.push(`shares ${id} with another mission`)
  }
  const asked = row.objectives.filter(({ type }) => type === 'deliver_item')
  if (new Set(asked.map(({ to }) => to)).size > 1) faults.push('delivers to two places')
  return faults
}

function faultsOfShape(row: MissionRow): string[] {
  const { objectives, skills, requires, chainNext, difficulty, ttlTicks } = row
  const faults: string[] = []
  if (INDEX.get(row.template_id) !== row) faults.push('has the id of another mission')
  if (objectives.length < 1 || objectives.length > TEMPLATE_OBJECTIVES_MAX)
    faults.push('must have 1 to 4 objectives')
  if (objectives.some(({ quantity }) => quantity < 1))
    faults.push('has an objective without a quantity')
  if (difficulty < 1 || difficulty > 10 || ttlTicks < 1)
    faults.push('must have a difficulty of 1 to 10 and a time limit')
  const isCollection = objectives.some(({ type }) => type === 'contribute')
  if (isCollection !== (row.community === true) || (isCollection && objectives.length > 1))
    faults.push('must collect a single good if it is a collection')
  if (skills.length < 1 || skills.length > 2) faults.push('must train one skill or two')
  for (const id of [...skills, ...Object.keys(requires.skills ?? {})]) {
    if (skillIndex(id) < 0) faults.push(`names the unknown skill ${id}`)
  }
  for (const id of [
    ...(requires.completed ?? []),
    ...(chainNext === undefined ? [] : [chainNext]),
  ]) {
    if (!INDEX.has(id)) faults.push(`names the unknown mission ${id}`)
  }
  return faults
}

const KINDS: readonly IssuerRule['kinds'][number][] = ['empire', 'independent', 'pirate']

/** Returns what is wrong with the templates, in words; with any fault the server does not start. */
export function missionFaults(rows: readonly MissionRow[] = MISSIONS): string[] {
  const faults = rows.flatMap((row) =>
    [...faultsOfShape(row), ...faultsOfGoods(row), ...faultsOfPay(row)].map(
      (fault) => `${row.template_id} ${fault}`,
    ),
  )
  for (const kind of KINDS) {
    const offered = MISSIONS.filter(
      ({ repeatable, season, issuers }) =>
        repeatable &&
        season === undefined &&
        issuers.kinds.includes(kind) &&
        issuers.empire === undefined,
    )
    if (offered.length < BOARD_REPEATABLE) faults.push(`${kind} bases have too few missions`)
  }
  return faults
}
