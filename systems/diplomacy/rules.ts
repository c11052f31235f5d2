/**
 * Making and ending wars, alliances and proposals. The only writer of relations; commands make
 * their refusals before they call it. Source: factions.md section 5.
 */
import { assert } from '../../core/assert.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { factionOf } from '../faction/model.ts'
import {
  currentPact,
  ENEMY_BOOK,
  otherSide,
  PACT_BOOK,
  PROPOSAL_BOOK,
  pactBetween,
  pactsOf,
  pairKey,
  pairOf,
  reversed,
  type Sides,
  seqOf,
  towards,
} from './model.ts'
import {
  CHANGES,
  OLD_WARS,
  OLD_WARS_KEPT_MAX,
  type Pair,
  PROPOSAL_TICKS,
  PROPOSALS,
  type Proposal,
  TRUCES,
  WAR_COOLDOWN_TICKS,
  WAR_LEAVER_TICKS,
  WAR_NOTICE_TICKS,
  type War,
} from './state.ts'

/** Fills the indexes from the records, after a restore. */
export function rebuild(world: World): void {
  for (const book of [PACT_BOOK, ENEMY_BOOK, PROPOSAL_BOOK]) book.rebuild(world)
}

/* Pacts */

/** Records the pact of the two at the start of the tick, which law and battles use. */
function recordChange(world: World, pair: Pair): void {
  const changes = world.records(CHANGES)
  const key = pairKey(pair)
  if (changes.has(key) || changes.size >= CHANGES.rowsMax) return
  changes.set(key, { pact: PACT_BOOK.get(world, pair) ?? null })
}

function setPact(world: World, sides: Sides, war: War | undefined): void {
  const pair = pairOf(world, sides)
  recordChange(world, pair)
  removeProposals(world, sides)
  PACT_BOOK.set(world, {
    ...pair,
    number: world.nextNumber('faction_pact'),
    sinceMs: world.wallMs,
    ...(war ? { war } : {}),
  })
}

function removePact(world: World, sides: Sides): void {
  const pair = pairOf(world, sides)
  recordChange(world, pair)
  assert(PACT_BOOK.remove(world, pair), `there is no pact ${pairKey(pair)}`)
}

/** Ends the alliance and the proposals of the two, and starts a war. */
export function declareWar(world: World, sides: Sides, reason: string): War {
  const war: War = {
    declaredBy: seqOf(world, sides.own),
    reason,
    lawFromTick: world.tick + WAR_NOTICE_TICKS,
    fromKills: 0,
    toKills: 0,
  }
  setPact(world, sides, war)
  return war
}

/** Ends a war, and starts a truce of WAR_COOLDOWN_TICKS. */
export function makePeace(world: World, sides: Sides): void {
  removePact(world, sides)
  removeProposals(world, sides)
  const truces = world.records(TRUCES)
  const key = pairKey(pairOf(world, sides))
  truces.delete(key)
  if (truces.size < TRUCES.rowsMax) truces.set(key, world.tick + WAR_COOLDOWN_TICKS)
}

/** Makes two neutral factions allies; neither calls the other an enemy any more. */
export function makeAlliance(world: World, sides: Sides): void {
  assert(!pactBetween(world, sides), 'an alliance is made in the place of another pact')
  ENEMY_BOOK.remove(world, towards(world, sides))
  ENEMY_BOOK.remove(world, towards(world, reversed(sides)))
  setPact(world, sides, undefined)
}

/** Ends the alliance of the two; returns false where there is none. */
export function endAlliance(world: World, sides: Sides): boolean {
  const pact = pactBetween(world, sides)
  if (!pact || pact.war) return false
  removePact(world, sides)
  return true
}

export function addProposal(
  world: World,
  sides: Sides,
  terms: Pick<Proposal, 'kind' | 'terms'>,
): Proposal {
  const proposal = {
    ...towards(world, sides),
    ...terms,
    atMs: world.wallMs,
    expiresTick: world.tick + PROPOSAL_TICKS,
  }
  PROPOSAL_BOOK.set(world, proposal)
  return proposal
}

/** Removes the proposals between the two, in both directions. */
function removeProposals(world: World, sides: Sides): void {
  PROPOSAL_BOOK.remove(world, towards(world, sides))
  PROPOSAL_BOOK.remove(world, towards(world, reversed(sides)))
}

/** Marks the other as an enemy, which ends an alliance; returns whether there was one. */
export function markEnemy(world: World, sides: Sides): boolean {
  const isEnded = endAlliance(world, sides)
  ENEMY_BOOK.set(world, { ...towards(world, sides), sinceMs: world.wallMs })
  return isEnded
}

/** Removes the enemy mark; returns false where there was none. */
export const clearEnemy = (world: World, sides: Sides): boolean =>
  ENEMY_BOOK.remove(world, towards(world, sides))

/* Expiry */

/** Removes every relation of a disbanded faction. */
export function forgetFaction(world: World, faction: Row): void {
  const number = seqOf(world, faction)
  for (const book of [PACT_BOOK, ENEMY_BOOK, PROPOSAL_BOOK]) book.removeAll(world, number)
}

/** Returns the keys of the leading entries that are due; entries are in the order of expiry. */
function dueKeys<T>(entries: Iterable<[string, T]>, isDue: (value: T) => boolean): string[] {
  const due: string[] = []
  for (const [key, value] of entries) {
    if (!isDue(value)) break
    due.push(key)
  }
  return due
}

/**
 * Forgets the changes of the last tick, and removes expired proposals, truces and wars of leavers.
 * O(what expires).
 */
export function expireDue(world: World): void {
  const changes = world.records(CHANGES)
  for (const [key] of [...changes.entries()]) changes.delete(key)
  const proposals = world.records(PROPOSALS)
  const isDue = ({ expiresTick }: Proposal): boolean => expiresTick <= world.tick
  for (const key of dueKeys(proposals.entries(), isDue)) {
    const proposal = proposals.get(key)
    if (proposal) PROPOSAL_BOOK.remove(world, proposal)
  }
  const truces = world.records(TRUCES)
  for (const key of dueKeys(truces.entries(), (until) => until <= world.tick)) truces.delete(key)
  const wars = world.records(OLD_WARS)
  const isOver = (kept: readonly { readonly untilTick: number }[]): boolean =>
    kept.every(({ untilTick }) => untilTick < world.tick)
  for (const key of dueKeys(wars.entries(), isOver)) wars.delete(key)
}

/**
 * Keeps the wars of a faction for a player who leaves it, for WAR_LEAVER_TICKS, besides those they
 * keep already.
 */
export function keepOldWars(world: World, player: Eid, faction: Row): void {
  const number = seqOf(world, faction)
  const untilTick = world.tick + WAR_LEAVER_TICKS
  const wars = pactsOf(world, faction, 'war').flatMap((pact) =>
    pact.war === undefined
      ? []
      : [
          {
            faction: number,
            enemy: otherSide(pact, number),
            lawFromTick: pact.war.lawFromTick,
            untilTick,
          },
        ],
  )
  const records = world.records(OLD_WARS)
  const isFull = records.size >= OLD_WARS.rowsMax
  if (wars.length === 0 || isFull) return
  const key = String(world.read(Player).seq[player])
  const before = (records.get(key) ?? []).filter(
    (war) => war.untilTick >= world.tick && war.faction !== number,
  )
  // Re-inserted last: records stay in the order in which they expire.
  records.delete(key)
  records.set(key, [...wars, ...before].slice(0, OLD_WARS_KEPT_MAX))
}

/** Counts the destruction of a ship in the war of the two players' factions, if they are in one. */
export function recordWarKill(world: World, killer: Eid, victim: Eid): void {
  const [own, other] = [factionOf(world, killer), factionOf(world, victim)]
  if (own === 0 || other === 0) return
  const number = seqOf(world, own)
  const pact = currentPact(world, number, seqOf(world, other))
  if (!pact?.war) return
  const isFrom = pact.from === number
  const { fromKills, toKills } = pact.war
  const kills = isFrom ? { fromKills: fromKills + 1 } : { toKills: toKills + 1 }
  PACT_BOOK.set(world, { ...pact, war: { ...pact.war, ...kills } })
}
