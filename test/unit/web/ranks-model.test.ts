/** The boards of the leaderboard page, and their rows. */
import { describe, expect, it } from 'vitest'
import type { LeaderboardBody } from '../../../core/public/world.ts'
import {
  achieversOf,
  boardBeside,
  boardsOf,
  isOfAchievements,
  rowsNamed,
  rowsOf,
} from '../../../web/ranks-model.ts'

const row = (rank: number, username: string) => ({ rank, username, value: 9, empire: 'nebula' })
const BODY: LeaderboardBody = {
  generated_at: '',
  players: { total_wealth: [], ore_mined: [row(1, 'Ann'), row(2, 'Bo')], jumps: [] },
  factions: { ore_mined: [{ rank: 1, name: 'Halo', tag: 'HALO', value: 3 }] },
  exchange: { escrow_value: [] },
}
const boards = boardsOf(BODY)

describe('the list of boards', () => {
  it('includes empty ones but not those that are withheld', () => {
    expect(boards.map(({ id }) => id)).toEqual([
      'ore_mined',
      'jumps',
      'achievements',
      'factions.ore_mined',
      'factions.achievements',
    ])
  })

  it('distinguishes boards of the same name by what they rank', () => {
    expect(rowsOf(BODY, boards[0]).map(({ name }) => name)).toEqual(['Ann', 'Bo'])
    expect(rowsOf(BODY, boards[3])).toEqual([{ rank: 1, name: 'Halo', tag: 'HALO', value: 3 }])
  })

  it('leads from the last board to the first', () => {
    expect(boardBeside(boards, 'ore_mined', -1)?.id).toBe('factions.achievements')
    expect(boardBeside(boards, 'factions.achievements', 1)?.id).toBe('ore_mined')
    expect(isOfAchievements('factions.achievements')).toBe(true)
    expect(isOfAchievements('ore_mined')).toBe(false)
  })

  it('gives equal points the same rank', () => {
    const players = [8, 5, 5, 2].map((points, index) => ({ name: `p${index}`, earned: 1, points }))
    const ranks = achieversOf({ generated_at: '', players, factions: [] }, 'players')
    expect(ranks.map(({ rank }) => rank)).toEqual([1, 2, 2, 4])
  })

  it('finds rows by name or tag in any case', () => {
    const rows = rowsOf(BODY, boards[3])
    expect(rowsNamed(rows, ' halo ')).toHaveLength(1)
    expect(rowsNamed(rows, 'rust')).toEqual([])
    expect(rowsNamed(rows, '')).toBe(rows)
  })
})
