/** The stance and the move that an NPC chooses in a battle. Source: combat.md section 13. */
import { describe, expect, test } from 'vitest'
import { courseOf, type Situation } from '../../../systems/npc/tactics-systems.ts'

const FRESH: Situation = {
  hullPct: 100,
  reach: 3,
  arms: 'ready',
  ring: 3,
  targetRing: 3,
  outrangedTicks: 0,
  hasLoot: false,
}

/** What differs from a fresh brawler at the outer ring, and the stance and move that follow. */
const TABLE: readonly [what: string, Partial<Situation>, stance: string, move: number][] = [
  ['a brawler out of reach closes and braces', {}, 'brace', -1],
  ['a brawler braces while its next move leaves it out of reach', { ring: 2 }, 'brace', -1],
  ['a brawler fires when its next move brings it into reach', { ring: 1 }, 'fire', -1],
  ['a brawler in reach keeps closing', { ring: 2, targetRing: 1 }, 'fire', -1],
  ['a brawler stops where most shots hit', { ring: 0, targetRing: 1 }, 'fire', 0],
  ['a brawler backs off when the target comes close', { ring: 0, targetRing: 0 }, 'fire', 1],
  ['artillery closes to its reach', { reach: 5 }, 'fire', -1],
  ['artillery holds its reach', { reach: 5, ring: 2 }, 'fire', 0],
  ['artillery backs off from a close target', { reach: 5, ring: 1, targetRing: 2 }, 'fire', 1],
  ['artillery of the longest reach does not move', { reach: 6 }, 'fire', 0],
  ['a damaged ship falls back a ring', { hullPct: 39, ring: 1, targetRing: 0 }, 'fire', 1],
  ['a damaged ship stays one ring further out', { hullPct: 39, ring: 2, targetRing: 0 }, 'fire', 0],
  ['a ship with 40 % of its hull holds', { hullPct: 40, ring: 1, targetRing: 0 }, 'fire', 0],
  ['a damaged ship out of reach closes in', { hullPct: 10 }, 'brace', -1],
  ['a damaged ship stays in the last ring', { hullPct: 10, reach: 6, targetRing: 0 }, 'fire', 0],
  ['a ship outranged for four ticks stays', { outrangedTicks: 4 }, 'brace', -1],
  ['a ship outranged for five ticks flees', { outrangedTicks: 5 }, 'flee', 0],
  ['a ship with loot flees', { hasLoot: true, ring: 0 }, 'flee', 0],
]

describe('the course of an NPC in a battle', () => {
  test.each(TABLE)('%s', (_, situation, stance, move) => {
    expect(courseOf({ ...FRESH, ...situation })).toEqual({ stance, move })
  })
})
