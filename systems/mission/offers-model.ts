/**
 * Boards: what a base offers in an epoch. They are drawn from the seed of the world, so nothing is
 * saved. A board is the same for everyone; each player is shown only what they may accept. Source:
 * missions.md section 1.
 */
import {
  BOARD_REPEATABLE,
  EMPIRES,
  errandSize,
  itemIndex,
  MISSIONS,
  type MissionRow,
  type ObjectiveRow,
} from '../../core/catalog/index.ts'
import { divCeil } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { faucetPerMille, governed } from '../account/governor-model.ts'
import { reputationOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { empireOfBase, hasService, regionOf } from '../base/model.ts'
import { BASE_KINDS, Base } from '../base/state.ts'
import {
  isAvailableTo,
  isOpenTo,
  postingById,
  postingsFor,
  postingTargets,
  postingTemplate,
} from '../posting/model.ts'
import { Posting } from '../posting/state.ts'
import { seasonsIn } from '../season/model.ts'
import { activeShip, modulesOf, moduleTypeOf } from '../ship/model.ts'
import { levelOf } from '../skill/model.ts'
import { isTakenUp, offerName } from './errand-model.ts'
import { escortOffers } from './escort-model.ts'
import {
  basesFor,
  epochOf,
  isCollecting,
  isMinedNear,
  jumpsTo,
  recordOf,
  systemOfBase,
  systemsFor,
  XP_PER_DIFFICULTY,
} from './model.ts'
import { creditsFor, goodsWanted, sells } from './pay-model.ts'
import { BOARDS, EPOCH_TICKS, type MissionRecord, type Offer } from './state.ts'

const BOARD = hashText('mission.board')
const TARGET = hashText('mission.target')
const OFFER = hashText('mission.offer')

const hex = (n: number): string => n.toString(16).padStart(8, '0')

/** Returns the id of an offer: a stable hash as a UUID of version 8. Source: missions.md 1. */
function offerId(view: WorldView, template: string, baseNumber: number, epoch: number): string {
  const text = [0, 1, 2, 3]
    .map((part) => hex(hash32(view.seed ^ OFFER, hashText(template), baseNumber, epoch, part)))
    .join('')
  return text.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5')
}

/** Draws one of the rows, if possible one not taken yet; 0 if there are no rows. */
function pick(rows: readonly Eid[], taken: readonly Eid[], random: number): Eid {
  const free = rows.filter((row) => !taken.includes(row))
  const pool = free.length > 0 ? free : rows
  return pool.length === 0 ? 0 : pool[drawBelow(pool.length, random)]
}

/**
 * Returns the bases that sell none of the goods that a mission delivers. A step of a story may lead
 * to any base if all sell them.
 */
function withoutGoods(
  view: WorldView,
  template: MissionRow,
  bases: readonly Eid[],
): readonly Eid[] {
  const wanted = goodsWanted(template)
  const notSelling = bases.filter((base) => !wanted.some(({ item }) => sells(view, base, item)))
  const isStory = !template.repeatable && !template.community
  return isStory && notSelling.length === 0 ? bases : notSelling
}

type Targets = Pick<Offer, 'toBase' | 'toSystem'>

/**
 * Draws the target of each objective; all deliveries go to one base. Returns undefined if there is
 * no target for one: in a small corner of the map nothing is far.
 */
function drawTargets(
  view: WorldView,
  template: MissionRow,
  base: Eid,
  key: number,
): Targets | undefined {
  const { objectives } = template
  const toBase: Eid[] = []
  const toSystem: Eid[] = []
  let delivery = 0
  for (const [index, { type, to }] of objectives.entries()) {
    const random = hash32(key, index)
    const isDelivery = type === 'deliver_item' || type === 'contribute'
    let targetBase = 0
    let targetSystem = 0
    if (to !== undefined && (isDelivery || type === 'dock_base')) {
      const bases = basesFor(view, base, to)
      const candidates = isDelivery ? withoutGoods(view, template, bases) : bases
      const hasDeliveryBase = isDelivery && delivery !== 0
      targetBase = hasDeliveryBase ? delivery : pick(candidates, toBase, random)
      if (targetBase === 0) return undefined
    }
    if (to !== undefined && type === 'visit_system') {
      targetSystem = pick(systemsFor(view, base, to), toSystem, random)
      if (targetSystem === 0) return undefined
    }
    if (isDelivery) delivery = targetBase
    toBase.push(targetBase)
    toSystem.push(targetSystem)
  }
  return { toBase, toSystem }
}

/** Returns the systems that targets lead to. */
export const systemsOf = (view: WorldView, { toBase, toSystem }: Targets): Eid[] => [
  ...toBase.filter((base) => base !== 0).map((base) => systemOfBase(view, base)),
  ...toSystem.filter((system) => system !== 0),
]

/** Returns whether all goods to be mined are found near a base. Source: balance.md section 7. */
const areMinedNear = (view: WorldView, base: Eid, objectives: readonly ObjectiveRow[]): boolean =>
  objectives.every(
    ({ type, item = '' }) => type !== 'mine_item' || isMinedNear(view, base, itemIndex(item)),
  )

/** Binds a template to a base and an epoch; undefined if it has no targets or no pay there. */
function bind(view: WorldView, template: MissionRow, base: Eid, epoch: number): Offer | undefined {
  const { seq } = view.read(Base)
  const key = hash32(view.seed ^ TARGET, hashText(template.template_id), seq[base], epoch)
  const targets = drawTargets(view, template, base, key)
  if (!targets) return undefined
  const jumps = Math.max(
    0,
    ...systemsOf(view, targets).map((system) => jumpsTo(view, base, system)),
  )
  const credits = creditsFor(view, template, base, jumps)
  if (credits === undefined) return undefined
  return {
    id: offerId(view, template.template_id, seq[base], epoch),
    template,
    base,
    epoch,
    ...targets,
    jumps,
    credits: template.type === 'courier' ? governed(view, credits) : credits,
    expireTick: (epoch + 1) * EPOCH_TICKS,
    posting: 0,
  }
}

/** Returns whether a season is active in the region of a base. */
const hasSeason = (view: WorldView, base: Eid, season: string): boolean =>
  seasonsIn(view, regionOf(view, base)).some(({ id }) => id === season)

/** Returns whether a base may offer a template. */
function mayIssue(view: WorldView, base: Eid, { issuers, season }: MissionRow): boolean {
  const { kind, capital } = view.read(Base)
  const empire = empireOfBase(view, base)
  if (!(issuers.kinds as readonly string[]).includes(BASE_KINDS[kind[base]])) return false
  if (issuers.capital === true && capital[base] === 0) return false
  if (season !== undefined && !hasSeason(view, base, season)) return false
  return issuers.empire === undefined || (empire >= 0 && EMPIRES[empire].id === issuers.empire)
}

/** Shuffles templates, in the same way for all calls with one base and epoch. */
function shuffled(view: WorldView, rows: readonly MissionRow[], base: Eid, epoch: number) {
  const key = hash32(view.seed ^ BOARD, view.read(Base).seq[base], epoch)
  return rows
    .map((row) => ({ row, rank: hash32(key, hashText(row.template_id)) }))
    .sort((a, b) => a.rank - b.rank || (a.row.template_id < b.row.template_id ? -1 : 1))
    .map(({ row }) => row)
}

/** A base has errands of as many sizes as its level plus this. */
const SIZES_ABOVE_LEVEL = 4

/** Draws the repeatable offers of a base: an errand of each size, then any until it has enough. */
function drawRepeatable(view: WorldView, pool: readonly MissionRow[], base: Eid, epoch: number) {
  const rows = shuffled(view, pool, base, epoch)
  const drawn = new Map<MissionRow, Offer>()
  const draw = (row: MissionRow): boolean => {
    const offer = drawn.has(row) ? undefined : bind(view, row, base, epoch)
    if (offer) drawn.set(row, offer)
    return offer !== undefined
  }
  const sizes = view.read(Base).level[base] + SIZES_ABOVE_LEVEL
  for (let size = 0; size < sizes; size++) {
    rows.filter((row) => errandSize(row) === size).some(draw)
  }
  for (const row of rows) if (drawn.size < BOARD_REPEATABLE) draw(row)
  return drawn
}

/** Returns whether an offer is drawn for a board; all others that a base may issue are on it. */
const isDrawn = ({ repeatable, season }: MissionRow): boolean => repeatable && season === undefined

/** Draws all offers of a base in an epoch, in catalogue order. */
function drawBoard(view: WorldView, base: Eid, epoch: number): Offer[] {
  const pool = MISSIONS.filter(
    (row) => mayIssue(view, base, row) && areMinedNear(view, base, row.objectives),
  )
  const drawn = drawRepeatable(view, pool.filter(isDrawn), base, epoch)
  return pool.flatMap((row) => (isDrawn(row) ? drawn.get(row) : bind(view, row, base, epoch)) ?? [])
}

/** Returns all current offers of a base, all steps of stories included, in catalogue order. */
export function boardOf(view: WorldView, base: Eid): readonly Offer[] {
  const epoch = epochOf(view.tick)
  const rate = faucetPerMille(view)
  const boards = view.index(BOARDS)
  // The rate may change after boards of the epoch were drawn, at the end of the same tick.
  if (boards.epoch !== epoch || boards.rate !== rate) {
    boards.byBase.clear()
    boards.epoch = epoch
    boards.rate = rate
  }
  const cached = boards.byBase.get(base)
  if (cached) return cached
  const offers = drawBoard(view, base, epoch)
  boards.byBase.set(base, offers)
  return offers
}

/* Offers to a player */

/**
 * Returns whether a player has completed an offer: in this epoch, or ever if it is not repeatable.
 * An offer of a collection is spent while the collection accepts no gifts.
 */
function isSpent(view: WorldView, record: MissionRecord, offer: Offer): boolean {
  const { template, base, epoch, convoy } = offer
  // All convoys share a template, and each is offered only while it loads.
  if (convoy !== undefined) return false
  if (template.community) return !isCollecting(view, template.template_id)
  if (!template.repeatable && record.done[template.template_id] !== undefined) return true
  return (
    record.epoch === epoch && record.offers.includes(offerName(view, template.template_id, base))
  )
}

/** Returns whether a player has completed the earlier steps of a story. */
const isUnlocked = (record: MissionRecord, { requires }: MissionRow): boolean =>
  (requires.completed ?? []).every((id) => record.done[id] !== undefined)

/** Returns whether a player may take an offer up. */
const isAvailable = (view: WorldView, record: MissionRecord, offer: Offer): boolean =>
  !isSpent(view, record, offer) && isUnlocked(record, offer.template) && !isTakenUp(view, offer)

/**
 * Returns the offers of a base to a player, without postings; none if it has no mission service.
 */
export function offersTo(view: WorldView, player: Eid, base: Eid): Offer[] {
  if (!hasService(view, base, 'missions')) return []
  const record = recordOf(view, player)
  return [...boardOf(view, base), ...escortOffers(view, base)].filter((offer) =>
    isAvailable(view, record, offer),
  )
}

/** Returns those offers of a base to a player that are training for citizens of their empire. */
export function trainingTo(view: WorldView, player: Eid, base: Eid): Offer[] {
  if (!hasService(view, base, 'missions')) return []
  const record = recordOf(view, player)
  const { id } = EMPIRES[view.read(Player).empire[player]]
  return boardOf(view, base).filter(
    (offer) =>
      offer.template.type === 'training' &&
      offer.template.issuers.empire === id &&
      isAvailable(view, record, offer),
  )
}

/** Returns a posting as an offer. */
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

/** Returns the postings of factions that are offered to a player at a base. */
export const postedTo = (view: WorldView, player: Eid, base: Eid): Offer[] =>
  postingsFor(view, player, base).map((posting) => offerOf(view, posting))

/** Returns whether a player sees a board at a base: the base's own, or postings of factions. */
export const hasBoard = (view: WorldView, player: Eid, base: Eid): boolean =>
  hasService(view, base, 'missions') || postingsFor(view, player, base).length > 0

/** Parameters that name an offer. */
export interface OfferParams {
  readonly mission_id?: string
  readonly template_id?: string
}

/**
 * Finds an offer of a base by the id of its template or its own id; either may be in mission_id.
 */
export function findOffer(view: WorldView, player: Eid, base: Eid, params: OfferParams) {
  const key = params.template_id ?? params.mission_id ?? ''
  const offers = offersTo(view, player, base)
  const byTemplate = offers.find(({ template }) => template.template_id === key)
  return byTemplate ?? offers.find(({ id }) => id === key.toLowerCase())
}

/** Finds a posting at a base; 0 if there is none. */
export function findPosting(view: WorldView, base: Eid, params: OfferParams): Row {
  const posting = postingById(view, params.template_id ?? params.mission_id ?? '')
  return posting !== 0 && view.read(Posting).base[posting] === base ? posting : 0
}

/** Returns a posting as an offer; undefined if it is not offered to the player. */
export const findPosted = (view: WorldView, player: Eid, posting: Row): Offer | undefined =>
  posting !== 0 && isOpenTo(view, player, posting) && isAvailableTo(view, player, posting)
    ? offerOf(view, posting)
    : undefined

/** Describes the requirements of a mission that a player does not meet. */
export function missingRequirements(
  view: WorldView,
  player: Eid,
  { template, base }: Offer,
): string[] {
  const { reputation, skills = {}, modules = [] } = template.requires
  const missing: string[] = []
  const empire = empireOfBase(view, base)
  const own = empire >= 0 ? reputationOf(view, player, empire) : 0
  if (reputation !== undefined && empire >= 0 && own < reputation) {
    missing.push(`a reputation of ${reputation} with ${EMPIRES[empire].name} (yours: ${own})`)
  }
  for (const [skill, level] of Object.entries(skills)) {
    const ownLevel = levelOf(view, player, skill)
    if (ownLevel < level) missing.push(`the skill ${skill} at level ${level} (yours: ${ownLevel})`)
  }
  const fitted = modulesOf(view, activeShip(view, player)).map((row) => moduleTypeOf(view, row))
  for (const family of modules) {
    if (fitted.some(({ type }) => type === family)) continue
    missing.push(`a fitted module of type ${family}`)
  }
  return missing
}

/** Returns the standing that a mission rewards. Source: missions.md section 1, authoring guide. */
export const standingOf = ({ difficulty }: MissionRow): number => divCeil(difficulty, 2)

/** Returns the experience that a mission rewards, by skill. */
export const xpOf = ({ skills, difficulty, xp }: MissionRow): Readonly<Record<string, number>> =>
  xp ?? Object.fromEntries(skills.map((skill) => [skill, XP_PER_DIFFICULTY * difficulty]))
