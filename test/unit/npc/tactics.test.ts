/** What an NPC does in a battle. Source: combat.md section 13. */
import { describe, expect, test } from 'vitest'
import { courseOf, type Situation } from '../../../systems/npc/tactics-systems.ts'

const fit: Situation = {
  hullPct: 100,
  reach: 3,
  arms: 'ready',
  ring: 3,
  targetRing: 3,
  outrangedTicks: 0,
  hasLoot: false,
}

/** Situation that differs from a fresh brawler at the outer ring; stance and move. */
const TABLE: readonly [what: string, Partial<Situation>, stance: string, move: number][] = [
  ['a brawler closes and braces', {}, 'brace', -1],
  ['it braces while out of reach', { ring: 2 }, 'brace', -1],
  ['it fires as soon as it will be in reach', { ring: 1 }, 'fire', -1],
  ['it goes on closing in reach', { ring: 2, targetRing: 1 }, 'fire', -1],
  ['it stops where most shots hit', { ring: 0, targetRing: 1 }, 'fire', 0],
  ['it makes room when the target comes close', { ring: 0, targetRing: 0 }, 'fire', 1],
  ['artillery closes to its reach', { reach: 5 }, 'fire', -1],
  ['artillery holds its reach', { reach: 5, ring: 2 }, 'fire', 0],
  ['artillery backs off', { reach: 5, ring: 1, targetRing: 2 }, 'fire', 1],
  ['artillery of the longest reach does not move', { reach: 6 }, 'fire', 0],
  ['a damaged ship falls back a ring', { hullPct: 39, ring: 1, targetRing: 0 }, 'fire', 1],
  ['it stays there', { hullPct: 39, ring: 2, targetRing: 0 }, 'fire', 0],
  ['at 40 % it does not', { hullPct: 40, ring: 1, targetRing: 0 }, 'fire', 0],
  ['a damaged one out of reach closes to one ring more', { hullPct: 10 }, 'brace', -1],
  ['it never leaves the rings', { hullPct: 10, reach: 6, targetRing: 0 }, 'fire', 0],
  ['four ticks under fire are borne', { outrangedTicks: 4 }, 'brace', -1],
  ['after five it flees', { outrangedTicks: 5 }, 'flee', 0],
  ['with its loot it flees', { hasLoot: true, ring: 0 }, 'flee', 0],
]

describe('the course of an NPC in a battle', () => {
  test.each(TABLE)('%s', (_, situation, stance, move) => {
    expect(courseOf({ ...fit, ...situation })).toEqual({ stance, move })
  })
})
