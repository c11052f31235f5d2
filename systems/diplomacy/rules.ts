/**
 * How factions stand to each other, for other domains: who is allied, who is at war, and between
 * whom the law looks away. All of it is as it was when the tick began: what is agreed in a tick
 * holds from the next one on. Who changes it is relations.ts. Source: factions.md section 5.
 */
import {
  OLD_WARS_KEPT_MAX,
  WAR_LEAVER_TICKS,
  WAR_MEMBER_TICKS,
} from '../../core/limits-diplomacy.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { Faction, Membership } from '../faction/columns.ts'
import { factionOf } from '../faction/rules.ts'
import { keyOf, pairBook, unordered } from './book.ts'
import { CHANGES, ENEMIES, OLD_WARS, type OldWar, PACTS, type Pact, PROPOSALS } from './columns.ts'

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
  // ours: nobody is at war with those he has gone over to
  if (own !== 0 && own === factionOf(view, other)) return false
  const [a, b] = [settledIn(view, player), settledIn(view, other)]
  const war = a === 0 || b === 0 ? undefined : pactAtStart(view, a, b)?.war
  if (war && war.lawFromTick <= view.tick) return true
  return holdsStill(view, player, other, b) || holdsStill(view, other, player, a)
}

/** True if a player has left a war against the faction of another, or against one he left. */
function holdsStill(view: WorldView, leaver: Eid, other: Eid, settled: number): boolean {
  const wars = oldWarsOf(view, leaver)
  if (wars.length === 0) return false
  const left = oldWarsOf(view, other).map(({ faction }) => faction)
  return wars.some(
    ({ enemy, lawFromTick }) =>
      lawFromTick <= view.tick && (enemy === settled || left.includes(enemy)),
  )
}

/** Has a player who leaves a faction keep its wars for 30 ticks, besides those he keeps already. */
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
export function noteWarKill(world: World, killer: Eid, victim: Eid): void {
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
