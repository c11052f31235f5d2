/**
 * Boards: what a base offers in an epoch. Worked out from the seed of the world, so nothing of it
 * is saved; the same for everybody, then cut to what a player may take. Source: missions.md 1.
 */
import {
  BOARD_REPEATABLE,
  EMPIRES,
  MISSIONS,
  type MissionRow,
  type ObjectiveRow,
} from '../../core/catalog/index.ts'
import { divCeil, divFloor } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { reputationOf } from '../account/model.ts'
import { empireOfBase, hasService } from '../base/model.ts'
import { BASE_KINDS, Base } from '../base/state.ts'
import {
  admits,
  isOffered,
  postingById,
  postingsFor,
  postingTargets,
  postingTemplate,
} from '../posting/model.ts'
import { Posting } from '../posting/state.ts'
import { activeShip, modulesOf, moduleTypeOf } from '../ship/model.ts'
import { levelOf } from '../skill/model.ts'
import { basesFor, isCollecting, jumpsTo, recordOf, systemOfBase, systemsFor } from './model.ts'
import { BOARDS, type MissionRecord, type Offer } from './state.ts'

const EPOCH_TICKS = 360
const BOARD = hashText('mission.board')
const TARGET = hashText('mission.target')
const OFFER = hashText('mission.offer')

export const epochOf = (tick: number): number => divFloor(tick, EPOCH_TICKS)

const hex = (n: number): string => n.toString(16).padStart(8, '0')

/** Id of an offer: a stable hash in the form of a UUID (version 8). Source: missions.md 1. */
function offerId(view: WorldView, template: string, baseNumber: number, epoch: number): string {
  const words = [0, 1, 2, 3].map((part) =>
    hex(hash32(view.seed ^ OFFER, hashText(template), baseNumber, epoch, part)),
  )
  const text = words.join('')
  const [a, b, c, d] = [text.slice(0, 8), text.slice(8, 12), text.slice(13, 16), text.slice(17, 20)]
  return `${a}-${b}-8${c}-8${d}-${text.slice(20, 32)}`
}

/** One of the rows, or of those not taken yet; 0 where there is none. */
function pick(rows: readonly Eid[], taken: readonly Eid[], random: number): Eid {
  const left = rows.filter((row) => !taken.includes(row))
  const from = left.length > 0 ? left : rows
  return from.length === 0 ? 0 : from[drawBelow(from.length, random)]
}

/** Undefined where an objective leads nowhere: in a small corner of the map nothing is far. */
function bind(view: WorldView, template: MissionRow, base: Eid, epoch: number): Offer | undefined {
  const { seq } = view.read(Base)
  const key = hash32(view.seed ^ TARGET, hashText(template.template_id), seq[base], epoch)
  const toBase: Eid[] = []
  const toSystem: Eid[] = []
  let delivery = 0
  let leadsSomewhere = true
  const target = (row: ObjectiveRow, index: number): void => {
    const { type, to } = row
    const random = hash32(key, index)
    const isDelivery = type === 'deliver_item' || type === 'contribute'
    const goes = to !== undefined && (isDelivery || type === 'dock_base')
    const there = isDelivery && delivery !== 0 ? delivery : undefined
    const baseRow = goes ? (there ?? pick(basesFor(view, base, to), toBase, random)) : 0
    if (isDelivery) delivery = baseRow
    const visits = to !== undefined && type === 'visit_system'
    toBase.push(baseRow)
    const systemRow = visits ? pick(systemsFor(view, base, to), toSystem, random) : 0
    toSystem.push(systemRow)
    leadsSomewhere &&= (!goes || baseRow !== 0) && (!visits || systemRow !== 0)
  }
  for (const [index, row] of template.objectives.entries()) target(row, index)
  if (!leadsSomewhere) return undefined
  const systems = [
    ...toBase.filter((row) => row !== 0).map((row) => systemOfBase(view, row)),
    ...toSystem.filter((row) => row !== 0),
  ]
  const jumps = systems.reduce((most, system) => Math.max(most, jumpsTo(view, base, system)), 0)
  return {
    id: offerId(view, template.template_id, seq[base], epoch),
    template,
    base,
    epoch,
    toBase,
    toSystem,
    jumps,
    credits: template.credits + template.creditsPerJump * jumps,
    expireTick: (epoch + 1) * EPOCH_TICKS,
    posting: 0,
  }
}

/** True where a base may offer a template. */
function issues(view: WorldView, base: Eid, { issuers }: MissionRow): boolean {
  const { kind, capital } = view.read(Base)
  const empire = empireOfBase(view, base)
  if (!(issuers.kinds as readonly string[]).includes(BASE_KINDS[kind[base]])) return false
  if (issuers.capital === true && capital[base] === 0) return false
  return issuers.empire === undefined || (empire >= 0 && EMPIRES[empire].id === issuers.empire)
}

/** Everything a base offers now, stories of all steps included, in the order of the catalogue. */
export function boardOf(view: WorldView, base: Eid): readonly Offer[] {
  const epoch = epochOf(view.tick)
  const boards = view.index(BOARDS)
  if (boards.epoch !== epoch) {
    boards.of.clear()
    boards.epoch = epoch
  }
  const kept = boards.of.get(base)
  if (kept) return kept
  const pool = MISSIONS.filter((row) => issues(view, base, row))
  const key = hash32(view.seed ^ BOARD, view.read(Base).seq[base], epoch)
  const rank = (row: MissionRow): number => hash32(key, hashText(row.template_id))
  const drawn = pool
    .filter(({ repeatable }) => repeatable)
    .map((row) => ({ row, at: rank(row) }))
    .sort((a, b) => a.at - b.at || (a.row.template_id < b.row.template_id ? -1 : 1))
    .slice(0, BOARD_REPEATABLE)
    .map(({ row }) => row)
  const shown = pool.filter((row) => !row.repeatable || drawn.includes(row))
  const offers = shown.flatMap((row) => bind(view, row, base, epoch) ?? [])
  boards.of.set(base, offers)
  return offers
}

/* What a player may take of it */

/** How a record names an offer: within its epoch. */
export const offerName = (view: WorldView, template: string, base: Eid): string =>
  `${template}@${view.read(Base).seq[base]}`

/** True for an offer that a player has taken this epoch or, told once, ever. */
function isSpent(view: WorldView, record: MissionRecord, offer: Offer): boolean {
  const { template, base, epoch } = offer
  if (template.community) return !isCollecting(view, template.template_id)
  if (!template.repeatable && record.done[template.template_id] !== undefined) return true
  return (
    record.epoch === epoch && record.offers.includes(offerName(view, template.template_id, base))
  )
}

/** A step of a story whose earlier steps a player has not done: it is not shown. */
const isUnlocked = (record: MissionRecord, { requires }: MissionRow): boolean =>
  (requires.completed ?? []).every((id) => record.done[id] !== undefined)

/** What a base itself offers a player now; nothing where it has no missions. */
export function offersTo(view: WorldView, player: Eid, base: Eid): Offer[] {
  if (!hasService(view, base, 'missions')) return []
  const record = recordOf(view, player)
  return boardOf(view, base).filter(
    (offer) => !isSpent(view, record, offer) && isUnlocked(record, offer.template),
  )
}

/** A posting as an offer. */
function offerOf(view: WorldView, posting: Row): Offer {
  const { base, credits, expireTick } = view.read(Posting)
  const template = postingTemplate(view, posting)
  return {
    id: template.template_id,
    template,
    base: base[posting],
    epoch: epochOf(view.tick),
    ...postingTargets(view, posting),
    jumps: 0,
    credits: credits[posting],
    expireTick: expireTick[posting],
    posting,
  }
}

/** What factions offer a player at a base. */
export const postedTo = (view: WorldView, player: Eid, base: Eid): Offer[] =>
  postingsFor(view, player, base).map((posting) => offerOf(view, posting))

/** True where there is a board to look at: the base's own, or something a faction posted. */
export const hasBoard = (view: WorldView, player: Eid, base: Eid): boolean =>
  hasService(view, base, 'missions') || postingsFor(view, player, base).length > 0

export interface Named {
  readonly mission_id?: string
  readonly template_id?: string
}

/** The offer meant: by template, else by id, which may be a template's too. */
export function findOffer(view: WorldView, player: Eid, base: Eid, named: Named) {
  const wanted = named.template_id ?? named.mission_id ?? ''
  const offers = offersTo(view, player, base)
  const byTemplate = offers.find(({ template }) => template.template_id === wanted)
  return byTemplate ?? offers.find(({ id }) => id === wanted.toLowerCase())
}

/** The posting meant that hangs at the base; 0 none. */
export function postingMeant(view: WorldView, base: Eid, named: Named): Row {
  const posting = postingById(view, named.template_id ?? named.mission_id ?? '')
  return posting !== 0 && view.read(Posting).base[posting] === base ? posting : 0
}

/** A posting as an offer to a player; undefined where it is not offered to them. */
export const findPosted = (view: WorldView, player: Eid, posting: Row): Offer | undefined =>
  posting !== 0 && admits(view, player, posting) && isOffered(view, player, posting)
    ? offerOf(view, posting)
    : undefined

/** What a player lacks for a mission, in words. */
export function lacking(view: WorldView, player: Eid, { template, base }: Offer): string[] {
  const { reputation, skills = {}, modules = [] } = template.requires
  const missing: string[] = []
  const empire = empireOfBase(view, base)
  if (reputation !== undefined && empire >= 0 && reputationOf(view, player, empire) < reputation) {
    const yours = reputationOf(view, player, empire)
    missing.push(`a reputation of ${reputation} with ${EMPIRES[empire].name} (yours: ${yours})`)
  }
  for (const [skill, level] of Object.entries(skills)) {
    const own = levelOf(view, player, skill)
    if (own < level) missing.push(`the skill ${skill} at level ${level} (yours: ${own})`)
  }
  const fitted = modulesOf(view, activeShip(view, player)).map((row) => moduleTypeOf(view, row))
  for (const family of modules) {
    if (!fitted.some(({ type }) => type === family))
      missing.push(`a fitted module of type ${family}`)
  }
  return missing
}

/** Standing that a mission brings. Source: missions.md section 1, authoring guide. */
export const standingOf = ({ difficulty }: MissionRow): number => divCeil(difficulty, 2)

const XP_PER_DIFFICULTY = 30

/** Experience in each skill of a mission. */
export const xpOf = ({ skills, difficulty }: MissionRow): Record<string, number> =>
  Object.fromEntries(skills.map((skill) => [skill, XP_PER_DIFFICULTY * difficulty]))
