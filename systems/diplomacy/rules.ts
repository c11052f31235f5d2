/**
 * Making and ending wars, alliances and proposals. The only writer of relations; what a command
 * refuses is decided before anything here is called. Source: factions.md section 5.
 */
import { assert } from '../../core/assert.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { factionOf } from '../faction/model.ts'
import {
  ENEMY_BOOK,
  keyOf,
  numberOf,
  otherOf,
  PACT_BOOK,
  PROPOSAL_BOOK,
  pactBetween,
  pactNow,
  pactsOf,
  pairOf,
  type Sides,
  towards,
  turned,
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

/** Fills the indexes, and says who stands by whom. */
export function rebuild(world: World): void {
  for (const book of [PACT_BOOK, ENEMY_BOOK, PROPOSAL_BOOK]) book.rebuild(world)
}

/* Pacts */

/** Notes how the two stood at the start of the tick: law and battles go by that. */
function recordChange(world: World, pair: Pair): void {
  const changes = world.records(CHANGES)
  const key = keyOf(pair)
  if (changes.has(key) || changes.size >= CHANGES.rowsMax) return
  changes.set(key, { pact: PACT_BOOK.get(world, pair) ?? null })
}

function setPact(world: World, sides: Sides, war: War | undefined): void {
  const pair = pairOf(world, sides)
  recordChange(world, pair)
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
  recordChange(world, pair)
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
function dropProposals(world: World, sides: Sides): void {
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

/**
 * Has a player who leaves a faction keep its wars for 30 ticks, besides those they keep already.
 */
export function keepOldWars(world: World, player: Eid, faction: Row): void {
  const number = numberOf(world, faction)
  const untilTick = world.tick + WAR_LEAVER_TICKS
  const kept = pactsOf(world, faction, 'war').flatMap((pact) =>
    pact.war === undefined
      ? []
      : [
          {
            faction: number,
            enemy: otherOf(pact, number),
            lawFromTick: pact.war.lawFromTick,
            untilTick,
          },
        ],
  )
  const records = world.records(OLD_WARS)
  const isFull = records.size >= OLD_WARS.rowsMax
  if (kept.length === 0 || isFull) return
  const key = String(world.read(Player).seq[player])
  const before = (records.get(key) ?? []).filter(
    (war) => war.untilTick >= world.tick && war.faction !== number,
  )
  // the latest stand last, which is the order in which they lapse
  records.delete(key)
  records.set(key, [...kept, ...before].slice(0, OLD_WARS_KEPT_MAX))
}

/** Counts the destruction of a ship in the war of the two players' factions, if they are in one. */
export function recordWarKill(world: World, killer: Eid, victim: Eid): void {
  const [own, other] = [factionOf(world, killer), factionOf(world, victim)]
  if (own === 0 || other === 0) return
  const number = numberOf(world, own)
  const pact = pactNow(world, number, numberOf(world, other))
  if (!pact?.war) return
  const isFrom = pact.from === number
  const { fromKills, toKills } = pact.war
  const kills = isFrom ? { fromKills: fromKills + 1 } : { toKills: toKills + 1 }
  PACT_BOOK.set(world, { ...pact, war: { ...pact.war, ...kills } })
}
