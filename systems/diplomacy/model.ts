/**
 * Relations between factions, for other domains: who is allied, who is at war, and whose attacks
 * are acts of war and no crime. Other domains see the relations as of the start of the tick: what
 * is agreed in a tick holds from the next one on. rules.ts changes them. Source: factions.md
 * section 5.
 */
import { type Failure, fail } from '../../core/errors.ts'
import { addToSet, removeFromSet } from '../../core/groups.ts'
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

/** Returns the key of a pair in the records. */
export const pairKey = ({ from, to }: Pair): string => `${from}:${to}`

/** Returns the pair of an undirected relation: the lower number first. */
const unordered = (one: number, other: number): Pair =>
  one < other ? { from: one, to: other } : { from: other, to: one }

/** A kind of relation: its records, found by pair and by faction. */
export interface PairBook<T extends Pair> {
  get(view: WorldView, pair: Pair): Readonly<T> | undefined
  /** Returns the entries in which the faction comes first, or second, the oldest first. */
  outgoing(view: WorldView, faction: number): readonly Readonly<T>[]
  incoming(view: WorldView, faction: number): readonly Readonly<T>[]
  countOutgoing(view: WorldView, faction: number): number
  /** Returns true where the faction is in no pair: a cheap test before a key is built. */
  hasNoPairs(view: WorldView, faction: number): boolean
  isFull(view: WorldView): boolean
  /** Adds an entry, or replaces that of the same pair. */
  set(world: World, entry: T): void
  /** Removes the entry of a pair; returns whether there was one. */
  remove(world: World, pair: Pair): boolean
  /** Removes every entry of a faction. */
  removeAll(world: World, faction: number): void
  rebuild(world: World): void
}

/** Defines the book of a kind of relation; `name` is the name of its index. */
function pairBook<T extends Pair>(name: string, records: RecordsDef<T>): PairBook<T> {
  const INDEX = defineIndex(name, () => ({
    out: new Map<number, Set<string>>(),
    into: new Map<number, Set<string>>(),
  }))
  const listed = (view: WorldView, keys: ReadonlySet<string> | undefined): Readonly<T>[] =>
    [...(keys ?? [])].flatMap((key) => view.records(records).get(key) ?? [])
  const enter = (world: World, entry: Pair): void => {
    const { out, into } = world.index(INDEX)
    addToSet(out, entry.from, pairKey(entry))
    addToSet(into, entry.to, pairKey(entry))
  }
  const book: PairBook<T> = {
    get: (view, pair) => view.records(records).get(pairKey(pair)),
    outgoing: (view, faction) => listed(view, view.index(INDEX).out.get(faction)),
    incoming: (view, faction) => listed(view, view.index(INDEX).into.get(faction)),
    countOutgoing: (view, faction) => view.index(INDEX).out.get(faction)?.size ?? 0,
    hasNoPairs: (view, faction) =>
      !view.index(INDEX).out.has(faction) && !view.index(INDEX).into.has(faction),
    isFull: (view) => view.records(records).size >= records.rowsMax,
    set(world, entry) {
      const isNew = !world.records(records).has(pairKey(entry))
      world.records(records).set(pairKey(entry), entry)
      if (isNew) enter(world, entry)
    },
    remove(world, pair) {
      const { out, into } = world.index(INDEX)
      removeFromSet(out, pair.from, pairKey(pair))
      removeFromSet(into, pair.to, pairKey(pair))
      return world.records(records).delete(pairKey(pair))
    },
    removeAll(world, faction) {
      for (const entry of [...book.outgoing(world, faction), ...book.incoming(world, faction)]) {
        book.remove(world, entry)
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

/** Refuses an alliance where either faction has as many as it may have: limit_reached. */
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

/** Refuses a proposal to the other faction: already_proposed, limit_reached. */
export function proposalRefusal(
  view: WorldView,
  sides: Sides,
): Failure<'already_proposed' | 'limit_reached'> | undefined {
  if (proposalOf(view, sides)) return fail('already_proposed')
  const open = PROPOSAL_BOOK.countOutgoing(view, seqOf(view, sides.own))
  const isFull = open >= FACTION_PROPOSALS_OPEN_MAX || PROPOSAL_BOOK.isFull(view)
  return isFull
    ? fail('limit_reached', { max: FACTION_PROPOSALS_OPEN_MAX, of: 'open proposals' })
    : undefined
}

/* War and peace */

/** Refuses a declaration of war: already_at_war, war_cooldown, limit_reached. */
export function warRefusal(
  view: WorldView,
  sides: Sides,
): Failure<'already_at_war' | 'limit_reached' | 'war_cooldown'> | undefined {
  if (pactBetween(view, sides)?.war) return fail('already_at_war')
  const wait = truceTicks(view, sides)
  if (wait > 0) {
    return fail('war_cooldown', { wait_seconds: secondsOf(view, wait), wait_ticks: wait })
  }
  const own = seqOf(view, sides.own)
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

/** Returns the undirected pair of two factions. */
export const pairOf = (view: WorldView, { own, other }: Sides): Pair =>
  unordered(seqOf(view, own), seqOf(view, other))

/** Returns the directed pair from the acting faction to the other. */
export const towards = (view: WorldView, { own, other }: Sides): Pair => ({
  from: seqOf(view, own),
  to: seqOf(view, other),
})

/** Returns the same two factions with their roles exchanged. */
export const reversed = ({ own, other }: Sides): Sides => ({ own: other, other: own })

/** Returns the current pact of the two; undefined for none. */
export const pactBetween = (view: WorldView, { own, other }: Sides): Pact | undefined =>
  currentPact(view, seqOf(view, own), seqOf(view, other))

/** Returns the ticks until the two may go to war again; 0 for at once. */
function truceTicks(view: WorldView, sides: Sides): number {
  const until = view.records(TRUCES).get(pairKey(pairOf(view, sides))) ?? 0
  return Math.max(0, until - view.tick)
}

/* Proposals and flags */

/** Returns the proposal of the acting faction to the other; undefined for none. */
export const proposalOf = (view: WorldView, sides: Sides): Proposal | undefined =>
  PROPOSAL_BOOK.get(view, towards(view, sides))

export const PACT_BOOK = pairBook<Pact>('diplomacy.pacts', PACTS)
export const ENEMY_BOOK = pairBook('diplomacy.enemies', ENEMIES)
export const PROPOSAL_BOOK = pairBook('diplomacy.proposals', PROPOSALS)

/** Returns the durable number of a faction. */
export const seqOf = (view: WorldView, faction: Row): number => view.read(Faction).seq[faction]

/* Pacts */

/** Returns the current pact of two factions by their numbers; undefined for none. */
export function currentPact(view: WorldView, one: number, other: number): Pact | undefined {
  if (one === other || PACT_BOOK.hasNoPairs(view, one)) return undefined
  return PACT_BOOK.get(view, unordered(one, other))
}

/** Returns the pact of two factions as of the start of the tick. */
function pactAtStart(view: WorldView, one: number, other: number): Pact | undefined {
  const changes = view.records(CHANGES)
  const changed = changes.size === 0 ? undefined : changes.get(pairKey(unordered(one, other)))
  return changed ? (changed.pact ?? undefined) : currentPact(view, one, other)
}

/** Returns the current alliances or wars of a faction, the oldest first. */
export function pactsOf(view: WorldView, faction: Row, kind: 'allied' | 'war'): Pact[] {
  const number = seqOf(view, faction)
  return [...PACT_BOOK.outgoing(view, number), ...PACT_BOOK.incoming(view, number)]
    .filter(({ war }) => (war !== undefined) === (kind === 'war'))
    .sort((a, b) => a.number - b.number)
}

/** Returns the other faction of a pact. */
export const otherSide = (pact: Pact, number: number): number =>
  pact.from === number ? pact.to : pact.from

/** Returns the current allies of a faction, the oldest alliance first. O(its pacts). */
export function alliesOf(view: WorldView, faction: Row): Row[] {
  const number = seqOf(view, faction)
  return pactsOf(view, faction, 'allied').map((pact) =>
    view.rowOf(Faction, otherSide(pact, number)),
  )
}

/** Returns true while two different factions are allied. */
export function areFactionsAllied(view: WorldView, one: Row, other: Row): boolean {
  if (one === 0 || other === 0 || one === other) return false
  const pact = pactAtStart(view, seqOf(view, one), seqOf(view, other))
  return pact !== undefined && pact.war === undefined
}

/** Returns true while two factions are at war, from the declaration on. */
export function areFactionsAtWar(view: WorldView, one: Row, other: Row): boolean {
  if (one === 0 || other === 0 || one === other) return false
  return pactAtStart(view, seqOf(view, one), seqOf(view, other))?.war !== undefined
}

/** Returns true while a faction is in any war. */
export const isFactionAtWar = (view: WorldView, faction: Row): boolean =>
  faction !== 0 && pactsOf(view, faction, 'war').length > 0

/* War and the law */

/** Returns the number of the faction to which a player belongs for the law; 0 none, or not yet. */
function lawFactionSeq(view: WorldView, player: Eid): number {
  const { faction, joinedTick } = view.read(Membership)
  const isSettled = faction[player] !== 0 && joinedTick[player] + WAR_MEMBER_TICKS <= view.tick
  return isSettled ? seqOf(view, faction[player]) : 0
}

/** Returns the wars that a player still has from factions they left lately. */
function oldWarsOf(view: WorldView, player: Eid): readonly OldWar[] {
  const wars = view.records(OLD_WARS)
  if (wars.size === 0) return []
  const own = wars.get(String(view.read(Player).seq[player])) ?? []
  return own.filter((war) => war.untilTick >= view.tick && isOngoing(view, war))
}

/** Returns false once the two have made peace, which a disbanded faction cannot. */
function isOngoing(view: WorldView, { faction, enemy }: OldWar): boolean {
  const isGone = view.rowOf(Faction, faction) === 0 || view.rowOf(Faction, enemy) === 0
  return isGone || pactAtStart(view, faction, enemy)?.war !== undefined
}

/**
 * Returns true where attacks of one player on another are acts of war: no crime, no bounty, no
 * police. Both have belonged to their side for 60 ticks, or left it less than 30 ticks ago, and the
 * notice of the war is over. O(wars a leaver kept).
 */
export function isActOfWar(view: WorldView, player: Eid, other: Eid): boolean {
  if (player === 0 || other === 0 || player === other) return false
  const own = factionOf(view, player)
  // ours: nobody is at war with members of the faction they joined
  if (own !== 0 && own === factionOf(view, other)) return false
  const [a, b] = [lawFactionSeq(view, player), lawFactionSeq(view, other)]
  const war = a === 0 || b === 0 ? undefined : pactAtStart(view, a, b)?.war
  if (war && war.lawFromTick <= view.tick) return true
  return isStillAtWarWith(view, player, other, b) || isStillAtWarWith(view, other, player, a)
}

/**
 * Returns true while a player who left a faction is still in its war against the faction of the
 * other, or against one that the other left.
 */
function isStillAtWarWith(view: WorldView, leaver: Eid, other: Eid, settled: number): boolean {
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
  const number = seqOf(view, faction)
  const other = view.rowOf(Faction, otherSide(pact, number))
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

/** Renders the wars of a faction and the proposals to it, the latest proposals first. */
export function renderDiplomacy(view: WorldView, faction: Row) {
  const incoming = PROPOSAL_BOOK.incoming(view, seqOf(view, faction))
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

/** Returns the factions that a faction has marked as enemies, in that order. */
export const enemiesOf = (view: WorldView, faction: Row): Row[] =>
  ENEMY_BOOK.outgoing(view, seqOf(view, faction)).map(({ to }) => view.rowOf(Faction, to))

/** Renders how the viewer's faction, 0 for none, stands to another. */
export function renderStanding(view: WorldView, own: Row, other: Row) {
  if (own === 0 || own === other) return { is_ally: false, is_enemy: false, at_war: false }
  const [from, to] = [seqOf(view, own), seqOf(view, other)]
  const pact = currentPact(view, from, to)
  return {
    is_ally: pact !== undefined && !pact.war,
    is_enemy: ENEMY_BOOK.get(view, { from, to }) !== undefined,
    at_war: pact?.war !== undefined,
  }
}
