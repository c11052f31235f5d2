/**
 * Making and ending wars, alliances and proposals. The only writer of relations; what a command
 * refuses is decided before anything here is called. Source: factions.md section 5.
 */
import { assert } from '../../core/assert.ts'
import {
  PROPOSAL_TICKS,
  WAR_COOLDOWN_TICKS,
  WAR_NOTICE_TICKS,
} from '../../core/limits-diplomacy.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { keyOf, unordered } from './book.ts'
import {
  CHANGES,
  OLD_WARS,
  type Pact,
  type Pair,
  PROPOSALS,
  type Proposal,
  TRUCES,
  type War,
} from './columns.ts'
import { ENEMY_BOOK, numberOf, PACT_BOOK, PROPOSAL_BOOK, pactNow } from './rules.ts'

/** A faction that acts, and the one it acts on. */
export interface Sides {
  readonly own: Row
  readonly other: Row
}

const pairOf = (view: WorldView, { own, other }: Sides): Pair =>
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

/* Pacts */

/** Notes how the two stood at the start of the tick: law and battles go by that. */
function noteChange(world: World, pair: Pair): void {
  const changes = world.records(CHANGES)
  const key = keyOf(pair)
  if (changes.has(key) || changes.size >= CHANGES.rowsMax) return
  changes.set(key, { pact: PACT_BOOK.get(world, pair) ?? null })
}

function setPact(world: World, sides: Sides, war: War | undefined): void {
  const pair = pairOf(world, sides)
  noteChange(world, pair)
  dropProposals(world, sides)
  PACT_BOOK.set(world, {
    ...pair,
    number: world.nextNumber('faction_pact'),
    sinceMs: world.wallMs,
    ...(war ? { war } : {}),
  })
}

function dropPact(world: World, sides: Sides): void {
  const pair = pairOf(world, sides)
  noteChange(world, pair)
  assert(PACT_BOOK.drop(world, pair), `there is no pact ${keyOf(pair)}`)
}

/** Ends alliance and proposals of the two, and begins a war without kills. */
export function declareWar(world: World, sides: Sides, reason: string): War {
  const war: War = {
    declaredBy: numberOf(world, sides.own),
    reason,
    lawFromTick: world.tick + WAR_NOTICE_TICKS,
    fromKills: 0,
    toKills: 0,
  }
  setPact(world, sides, war)
  return war
}

/** Ends a war, and keeps the two from another for a day. */
export function makePeace(world: World, sides: Sides): void {
  dropPact(world, sides)
  dropProposals(world, sides)
  const truces = world.records(TRUCES)
  const key = keyOf(pairOf(world, sides))
  truces.delete(key)
  if (truces.size < TRUCES.rowsMax) truces.set(key, world.tick + WAR_COOLDOWN_TICKS)
}

/** Ticks until the two may go to war again; 0 at once. */
export function truceTicks(view: WorldView, sides: Sides): number {
  const until = view.records(TRUCES).get(keyOf(pairOf(view, sides))) ?? 0
  return Math.max(0, until - view.tick)
}

/** Makes two neutral factions allies; neither calls the other an enemy any more. */
export function makeAlliance(world: World, sides: Sides): void {
  assert(!pactBetween(world, sides), 'an alliance is made in the place of another pact')
  ENEMY_BOOK.drop(world, towards(world, sides))
  ENEMY_BOOK.drop(world, towards(world, turned(sides)))
  setPact(world, sides, undefined)
}

/** Ends the alliance of the two; false where there is none. */
export function endAlliance(world: World, sides: Sides): boolean {
  const pact = pactBetween(world, sides)
  if (!pact || pact.war) return false
  dropPact(world, sides)
  return true
}

/* Proposals and flags */

/** The proposal of the one that acts to the other; undefined for none. */
export const proposalOf = (view: WorldView, sides: Sides): Proposal | undefined =>
  PROPOSAL_BOOK.get(view, towards(view, sides))

export function propose(
  world: World,
  sides: Sides,
  what: Pick<Proposal, 'kind' | 'terms'>,
): Proposal {
  const proposal = {
    ...towards(world, sides),
    ...what,
    atMs: world.wallMs,
    expiresTick: world.tick + PROPOSAL_TICKS,
  }
  PROPOSAL_BOOK.set(world, proposal)
  return proposal
}

/** Drops what either has proposed to the other. */
export function dropProposals(world: World, sides: Sides): void {
  PROPOSAL_BOOK.drop(world, towards(world, sides))
  PROPOSAL_BOOK.drop(world, towards(world, turned(sides)))
}

/** Calls the other an enemy, which ends an alliance. True if it did. */
export function markEnemy(world: World, sides: Sides): boolean {
  const isEnded = endAlliance(world, sides)
  ENEMY_BOOK.set(world, { ...towards(world, sides), sinceMs: world.wallMs })
  return isEnded
}

/** False where the other was called no enemy. */
export const clearEnemy = (world: World, sides: Sides): boolean =>
  ENEMY_BOOK.drop(world, towards(world, sides))

/* Ends */

/** Forgets everything of a faction that is no more. */
export function forgetFaction(world: World, faction: Row): void {
  const number = numberOf(world, faction)
  for (const book of [PACT_BOOK, ENEMY_BOOK, PROPOSAL_BOOK]) book.dropAll(world, number)
}

/** Keys at the head of records that are over; the rest stands behind them. */
function dueKeys<T>(entries: Iterable<[string, T]>, isDue: (value: T) => boolean): string[] {
  const due: string[] = []
  for (const [key, value] of entries) {
    if (!isDue(value)) break
    due.push(key)
  }
  return due
}

/** Ends what is due: proposals, truces, the wars of leavers. O(what ends). */
export function lapse(world: World): void {
  const changes = world.records(CHANGES)
  for (const key of dueKeys(changes.entries(), () => true)) changes.delete(key)
  const proposals = world.records(PROPOSALS)
  const isDue = ({ expiresTick }: Proposal): boolean => expiresTick <= world.tick
  for (const key of dueKeys(proposals.entries(), isDue)) {
    const proposal = proposals.get(key)
    if (proposal) PROPOSAL_BOOK.drop(world, proposal)
  }
  const truces = world.records(TRUCES)
  for (const key of dueKeys(truces.entries(), (until) => Number(until) <= world.tick))
    truces.delete(key)
  const wars = world.records(OLD_WARS)
  const isOver = (kept: readonly { readonly untilTick: number }[]): boolean =>
    kept.every(({ untilTick }) => untilTick < world.tick)
  for (const key of dueKeys(wars.entries(), isOver)) wars.delete(key)
}
