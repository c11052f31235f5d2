/**
 * How factions stand to each other, for other domains: who is allied, who is at war, and between
 * whom the law looks away. All of it is as it was when the tick began: what is agreed in a tick
 * holds from the next one on. Who changes it is rules.ts. Source: factions.md section 5.
 */

import { type Failure, fail } from '../../core/errors.ts'
import { exclude, include } from '../../core/groups.ts'
import type { RecordsDef } from '../../core/records.ts'
import { isoTime, secondsOf } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/state.ts'
import { factionIdOf, factionName, factionOf, factionTag } from '../faction/model.ts'
import { Faction, Membership } from '../faction/state.ts'
import {
  CHANGES,
  ENEMIES,
  FACTION_ALLIES_MAX,
  FACTION_PROPOSALS_OPEN_MAX,
  FACTION_PROPOSALS_SHOWN_MAX,
  FACTION_WARS_DECLARED_MAX,
  FACTION_WARS_MAX,
  OLD_WARS,
  type OldWar,
  PACTS,
  type Pact,
  type Pair,
  PROPOSALS,
  type Proposal,
  TRUCES,
  WAR_MEMBER_TICKS,
} from './state.ts'

/* Records of pairs of factions, found by the pair and by either of the two. */

export const keyOf = ({ from, to }: Pair): string => `${from}:${to}`

/** The pair in the order of what has no direction. */
const unordered = (one: number, other: number): Pair =>
  one < other ? { from: one, to: other } : { from: other, to: one }

export interface PairBook<T extends Pair> {
  get(view: WorldView, pair: Pair): Readonly<T> | undefined
  /** Those in which the faction comes first, or second; in the order in which they were made. */
  outgoing(view: WorldView, faction: number): readonly Readonly<T>[]
  incoming(view: WorldView, faction: number): readonly Readonly<T>[]
  countOutgoing(view: WorldView, faction: number): number
  /** True where the faction is in no pair at all: asked before a key is made. */
  isBare(view: WorldView, faction: number): boolean
  isFull(view: WorldView): boolean
  /** Enters one; of a pair that has one already the new takes its place. */
  set(world: World, entry: T): void
  /** True if there was one. */
  drop(world: World, pair: Pair): boolean
  /** Drops everything of a faction. */
  dropAll(world: World, faction: number): void
  rebuild(world: World): void
}

/** `name` is that of its index. */
function pairBook<T extends Pair>(name: string, records: RecordsDef<T>): PairBook<T> {
  const INDEX = defineIndex(name, () => ({
    out: new Map<number, Set<string>>(),
    into: new Map<number, Set<string>>(),
  }))
  const listed = (view: WorldView, keys: ReadonlySet<string> | undefined): Readonly<T>[] =>
    [...(keys ?? [])].flatMap((key) => view.records(records).get(key) ?? [])
  const enter = (world: World, entry: Pair): void => {
    const { out, into } = world.index(INDEX)
    include(out, entry.from, keyOf(entry))
    include(into, entry.to, keyOf(entry))
  }
  const book: PairBook<T> = {
    get: (view, pair) => view.records(records).get(keyOf(pair)),
    outgoing: (view, faction) => listed(view, view.index(INDEX).out.get(faction)),
    incoming: (view, faction) => listed(view, view.index(INDEX).into.get(faction)),
    countOutgoing: (view, faction) => view.index(INDEX).out.get(faction)?.size ?? 0,
    isBare: (view, faction) =>
      !view.index(INDEX).out.has(faction) && !view.index(INDEX).into.has(faction),
    isFull: (view) => view.records(records).size >= records.rowsMax,
    set(world, entry) {
      const isNew = !world.records(records).has(keyOf(entry))
      world.records(records).set(keyOf(entry), entry)
      if (isNew) enter(world, entry)
    },
    drop(world, pair) {
      const { out, into } = world.index(INDEX)
      exclude(out, pair.from, keyOf(pair))
      exclude(into, pair.to, keyOf(pair))
      return world.records(records).delete(keyOf(pair))
    },
    dropAll(world, faction) {
      for (const entry of [...book.outgoing(world, faction), ...book.incoming(world, faction)]) {
        book.drop(world, entry)
      }
    },
    rebuild(world) {
      const { out, into } = world.index(INDEX)
      out.clear()
      into.clear()
      for (const [, entry] of world.records(records).entries()) enter(world, entry)
    },
  }
  return book
}

const warsOf = (view: WorldView, faction: Row) => pactsOf(view, faction, 'war')

/** Limit_reached for a faction with as many alliances as it may have. */
export function alliesRefusal(
  view: WorldView,
  { own, other }: Sides,
): Failure<'limit_reached'> | undefined {
  const isFull = [own, other].some(
    (faction) => pactsOf(view, faction, 'allied').length >= FACTION_ALLIES_MAX,
  )
  if (isFull) return fail('limit_reached', { max: FACTION_ALLIES_MAX, of: 'allies of a faction' })
  return PACT_BOOK.isFull(view) ? fail('limit_reached') : undefined
}

/** Limit_reached, already_proposed. */
export function proposalRefusal(
  view: WorldView,
  sides: Sides,
): Failure<'already_proposed' | 'limit_reached'> | undefined {
  if (proposalOf(view, sides)) return fail('already_proposed')
  const open = PROPOSAL_BOOK.countOutgoing(view, numberOf(view, sides.own))
  const isFull = open >= FACTION_PROPOSALS_OPEN_MAX || PROPOSAL_BOOK.isFull(view)
  return isFull
    ? fail('limit_reached', { max: FACTION_PROPOSALS_OPEN_MAX, of: 'open proposals' })
    : undefined
}

/* War and peace */

export function warRefusal(
  view: WorldView,
  sides: Sides,
): Failure<'already_at_war' | 'limit_reached' | 'war_cooldown'> | undefined {
  if (pactBetween(view, sides)?.war) return fail('already_at_war')
  const wait = truceTicks(view, sides)
  if (wait > 0) {
    return fail('war_cooldown', { wait_seconds: secondsOf(view, wait), wait_ticks: wait })
  }
  const own = numberOf(view, sides.own)
  const declared = warsOf(view, sides.own).filter(({ war }) => war?.declaredBy === own).length
  if (declared >= FACTION_WARS_DECLARED_MAX) {
    return fail('limit_reached', { max: FACTION_WARS_DECLARED_MAX, of: 'declared wars' })
  }
  const isFull = [sides.own, sides.other].some(
    (faction) => warsOf(view, faction).length >= FACTION_WARS_MAX,
  )
  if (isFull) return fail('limit_reached', { max: FACTION_WARS_MAX, of: 'wars of a faction' })
  return PACT_BOOK.isFull(view) ? fail('limit_reached') : undefined
}

/** A faction that acts, and the one it acts on. */
export interface Sides {
  readonly own: Row
  readonly other: Row
}

export const pairOf = (view: WorldView, { own, other }: Sides): Pair =>
  unordered(numberOf(view, own), numberOf(view, other))

/** From the one that acts to the other. */
export const towards = (view: WorldView, { own, other }: Sides): Pair => ({
  from: numberOf(view, own),
  to: numberOf(view, other),
})

export const turned = ({ own, other }: Sides): Sides => ({ own: other, other: own })

/** The pact of the two as it is now. */
export const pactBetween = (view: WorldView, { own, other }: Sides): Pact | undefined =>
  pactNow(view, numberOf(view, own), numberOf(view, other))

/** Ticks until the two may go to war again; 0 at once. */
function truceTicks(view: WorldView, sides: Sides): number {
  const until = view.records(TRUCES).get(keyOf(pairOf(view, sides))) ?? 0
  return Math.max(0, until - view.tick)
}

/* Proposals and flags */

/** The proposal of the one that acts to the other; undefined for none. */
export const proposalOf = (view: WorldView, sides: Sides): Proposal | undefined =>
  PROPOSAL_BOOK.get(view, towards(view, sides))

export const PACT_BOOK = pairBook<Pact>('diplomacy.pacts', PACTS)
export const ENEMY_BOOK = pairBook('diplomacy.enemies', ENEMIES)
export const PROPOSAL_BOOK = pairBook('diplomacy.proposals', PROPOSALS)

export const numberOf = (view: WorldView, faction: Row): number => view.read(Faction).seq[faction]

/* Pacts */

/** The pact of two factions by their numbers as it is now; undefined for none. */
export function pactNow(view: WorldView, one: number, other: number): Pact | undefined {
  if (one === other || PACT_BOOK.isBare(view, one)) return undefined
  return PACT_BOOK.get(view, unordered(one, other))
}

/** The same as of the start of the tick. */
function pactAtStart(view: WorldView, one: number, other: number): Pact | undefined {
  const changes = view.records(CHANGES)
  const changed = changes.size === 0 ? undefined : changes.get(keyOf(unordered(one, other)))
  return changed ? (changed.pact ?? undefined) : pactNow(view, one, other)
}

/** Alliances or wars of a faction as they are now, the oldest first. */
export function pactsOf(view: WorldView, faction: Row, kind: 'allied' | 'war'): Pact[] {
  const number = numberOf(view, faction)
  return [...PACT_BOOK.outgoing(view, number), ...PACT_BOOK.incoming(view, number)]
    .filter(({ war }) => (war !== undefined) === (kind === 'war'))
    .sort((a, b) => a.number - b.number)
}

/** The other one of a pact. */
export const otherOf = (pact: Pact, number: number): number =>
  pact.from === number ? pact.to : pact.from

/** Factions allied with one, the oldest alliance first. O(its pacts). */
export function alliesOf(view: WorldView, faction: Row): Row[] {
  const number = numberOf(view, faction)
  return pactsOf(view, faction, 'allied').map((pact) => view.rowOf(Faction, otherOf(pact, number)))
}

/** True while two different factions are allied. */
export function areFactionsAllied(view: WorldView, one: Row, other: Row): boolean {
  if (one === 0 || other === 0 || one === other) return false
  const pact = pactAtStart(view, numberOf(view, one), numberOf(view, other))
  return pact !== undefined && pact.war === undefined
}

/** True while two factions are at war, from the declaration on. */
export function areFactionsAtWar(view: WorldView, one: Row, other: Row): boolean {
  if (one === 0 || other === 0 || one === other) return false
  return pactAtStart(view, numberOf(view, one), numberOf(view, other))?.war !== undefined
}

/** True while a faction is in any war. */
export const isFactionAtWar = (view: WorldView, faction: Row): boolean =>
  faction !== 0 && pactsOf(view, faction, 'war').length > 0

/* War and the law */

/** Number of the faction a player counts as belonging to for the law; 0 none, or not yet. */
function settledIn(view: WorldView, player: Eid): number {
  const { faction, joinedTick } = view.read(Membership)
  const isSettled = faction[player] !== 0 && joinedTick[player] + WAR_MEMBER_TICKS <= view.tick
  return isSettled ? numberOf(view, faction[player]) : 0
}

/** Wars of factions a player has left of late. */
function oldWarsOf(view: WorldView, player: Eid): readonly OldWar[] {
  const wars = view.records(OLD_WARS)
  if (wars.size === 0) return []
  const own = wars.get(String(view.read(Player).seq[player])) ?? []
  return own.filter((war) => war.untilTick >= view.tick && isFoughtOn(view, war))
}

/** False once the two have made peace; a faction that is no more makes none. */
function isFoughtOn(view: WorldView, { faction, enemy }: OldWar): boolean {
  const isGone = view.rowOf(Faction, faction) === 0 || view.rowOf(Faction, enemy) === 0
  return isGone || pactAtStart(view, faction, enemy)?.war !== undefined
}

/**
 * True where attacks of one player on another are acts of war: no crime, no bounty, no police. Both
 * have belonged to their side for 60 ticks, or left it less than 30 ticks ago, and the notice of
 * the war is over. O(wars a leaver kept).
 */
export function isActOfWar(view: WorldView, player: Eid, other: Eid): boolean {
  if (player === 0 || other === 0 || player === other) return false
  const own = factionOf(view, player)
  // ours: nobody is at war with those they have gone over to
  if (own !== 0 && own === factionOf(view, other)) return false
  const [a, b] = [settledIn(view, player), settledIn(view, other)]
  const war = a === 0 || b === 0 ? undefined : pactAtStart(view, a, b)?.war
  if (war && war.lawFromTick <= view.tick) return true
  return holdsStill(view, player, other, b) || holdsStill(view, other, player, a)
}

/** True if a player has left a war against the faction of another, or against one they left. */
function holdsStill(view: WorldView, leaver: Eid, other: Eid, settled: number): boolean {
  const wars = oldWarsOf(view, leaver)
  if (wars.length === 0) return false
  const left = oldWarsOf(view, other).map(({ faction }) => faction)
  return wars.some(
    ({ enemy, lawFromTick }) =>
      lawFromTick <= view.tick && (enemy === settled || left.includes(enemy)),
  )
}

/* Wire forms of relations between factions. Source: contract, FactionInfoResponse. */

function renderWar(view: WorldView, faction: Row, pact: Pact) {
  const { war, from, sinceMs } = pact
  const number = numberOf(view, faction)
  const other = view.rowOf(Faction, otherOf(pact, number))
  const [fromKills, toKills] = [war?.fromKills ?? 0, war?.toKills ?? 0]
  const declarer = view.rowOf(Faction, war?.declaredBy ?? 0)
  return {
    target_faction_id: factionIdOf(view, other),
    target_faction_name: factionName(view, other),
    target_faction_tag: factionTag(view, other),
    declared_by: factionIdOf(view, declarer),
    started_at: isoTime(sinceMs),
    our_kills: from === number ? fromKills : toKills,
    their_kills: from === number ? toKills : fromKills,
    law_from_tick: war?.lawFromTick ?? 0,
    ...(war?.reason ? { reason: war.reason } : {}),
  }
}

function renderProposal(view: WorldView, { from, atMs, terms }: Proposal) {
  const faction = view.rowOf(Faction, from)
  return {
    from_faction_id: factionIdOf(view, faction),
    from_faction_name: factionName(view, faction),
    proposed_at: isoTime(atMs),
    from_faction_tag: factionTag(view, faction),
    ...(terms === '' ? {} : { terms }),
  }
}

/** Wars of a faction, and proposals that wait for its answer: the latest of them first. */
export function renderDiplomacy(view: WorldView, faction: Row) {
  const incoming = PROPOSAL_BOOK.incoming(view, numberOf(view, faction))
  const latest = (kind: Proposal['kind']) =>
    incoming
      .filter((proposal) => proposal.kind === kind)
      .slice(-FACTION_PROPOSALS_SHOWN_MAX)
      .reverse()
      .map((proposal) => renderProposal(view, proposal))
  return {
    wars: pactsOf(view, faction, 'war').map((pact) => renderWar(view, faction, pact)),
    alliance_proposals: latest('ally'),
    peace_proposals: latest('peace'),
  }
}

/** Whom a faction calls its enemies, in the order in which it did. */
export const enemiesOf = (view: WorldView, faction: Row): Row[] =>
  ENEMY_BOOK.outgoing(view, numberOf(view, faction)).map(({ to }) => view.rowOf(Faction, to))

/** How the faction of a viewer, 0 none, stands to another. */
export function renderStanding(view: WorldView, own: Row, other: Row) {
  if (own === 0 || own === other) return { is_ally: false, is_enemy: false, at_war: false }
  const [from, to] = [numberOf(view, own), numberOf(view, other)]
  const pact = pactNow(view, from, to)
  return {
    is_ally: pact !== undefined && !pact.war,
    is_enemy: ENEMY_BOOK.get(view, { from, to }) !== undefined,
    at_war: pact?.war !== undefined,
  }
}
