/** The tables of achievements: their size, rules and rewards, and what is published of them. */
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import {
  ACHIEVEMENT_CREDITS_MAX,
  ACHIEVEMENT_CREDITS_SUM_MAX,
  ACHIEVEMENTS,
  type AchievementRow,
  achievementEntry,
  FACTION_ACHIEVEMENTS,
  isPaying,
  renderCriteria,
  SKILL_COUNTER,
  SKILLS,
  wordedCounters,
} from '../../../core/catalog/index.ts'
import type { WorldView } from '../../../core/types.ts'
import { FACTION_BOOK, PLAYER_BOOK } from '../../../systems/achievement/model.ts'
import { FACTION_COUNTERS } from '../../../systems/achievement/state.ts'
import { catalog, internalCatalog } from '../../../systems/info/queries.ts'

const ALL: readonly (readonly [string, readonly AchievementRow[]])[] = [
  ['of players', ACHIEVEMENTS],
  ['of factions', FACTION_ACHIEVEMENTS],
]
const SKILL_IDS = new Set(SKILLS.map(({ id }) => id))
const credits = (rows: readonly AchievementRow[]) =>
  rows.reduce((sum, { rewards }) => sum + (rewards.credits ?? 0), 0)

test('there are enough achievements of players and of factions, some of them secret', () => {
  expect(ACHIEVEMENTS.length).toBeGreaterThanOrEqual(150)
  expect(FACTION_ACHIEVEMENTS.length).toBeGreaterThanOrEqual(40)
  for (const [, rows] of ALL) {
    expect(rows.some(({ secret }) => secret)).toBe(true)
    expect(new Set(rows.flatMap(({ series }) => series ?? [])).size).toBeGreaterThanOrEqual(15)
  }
})

describe.each(ALL)('achievements %s', (_, rows) => {
  const book = rows === ACHIEVEMENTS ? PLAYER_BOOK : FACTION_BOOK

  test('have a unique number, id and name, and a description', () => {
    for (const column of ['no', 'id', 'name', 'description'] as const) {
      expect(new Set(rows.map((row) => row[column])).size, column).toBe(rows.length)
    }
    for (const { id, points, category } of rows) {
      expect(id).toMatch(/^[a-z][a-z0-9_]+$/)
      expect(points).toBeGreaterThan(0)
      expect(category).toMatch(/^[a-z]+$/)
    }
  })

  test('use counters that exist and are described, with targets in reach', () => {
    const described = new Set(wordedCounters(rows === FACTION_ACHIEVEMENTS))
    for (const { id, criteria } of rows) {
      expect(
        criteria.some(([, op]) => op === '>='),
        id,
      ).toBe(true)
      for (const [counter, op, target] of criteria) {
        expect(book.counters.has(counter), `${id}: ${counter}`).toBe(true)
        const isSkill = counter.startsWith(SKILL_COUNTER)
        expect(isSkill || described.has(counter), `${id}: ${counter}`).toBe(true)
        expect(Number.isSafeInteger(target) && target >= (op === '>=' ? 1 : 0), id).toBe(true)
        if (isSkill) expect(target, id).toBeLessThanOrEqual(100)
      }
    }
  })

  test('follow achievements of the same table, and never themselves', () => {
    for (const row of rows) {
      const seen = new Set<string>()
      for (let later: AchievementRow | undefined = row; later?.after !== undefined; ) {
        expect(seen.has(later.id), row.id).toBe(false)
        seen.add(later.id)
        const before: AchievementRow | undefined = book.byId.get(later.after)
        expect(before, `${later.id} after ${later.after}`).toBeDefined()
        expect(before?.secret && !later.secret, later.id).toBe(false)
        later = before
      }
    }
  })

  test('have rising targets within a series', () => {
    for (const row of rows) {
      if (row.series === undefined || row.after === undefined) continue
      const before = book.byId.get(row.after)
      expect(row.criteria[0][2], row.id).toBeGreaterThan(before?.criteria[0][2] ?? 0)
    }
  })

  test('pay up to the limit, only for counters that may pay, and train existing skills', () => {
    for (const { id, criteria, rewards, series, after } of rows) {
      expect(rewards.credits ?? 0, id).toBeLessThanOrEqual(ACHIEVEMENT_CREDITS_MAX)
      for (const skill of Object.keys(rewards.skill_xp ?? {})) expect(SKILL_IDS).toContain(skill)
      if (rewards.credits === undefined) continue
      expect(series === undefined || after !== undefined, id).toBe(true)
      for (const [counter, op] of criteria) expect(op === '<=' || isPaying(counter), id).toBe(true)
    }
  })
})

test('achievements of players pay up to the limit in total, those of factions nothing', () => {
  expect(credits(ACHIEVEMENTS)).toBeGreaterThan(0)
  expect(credits(ACHIEVEMENTS)).toBeLessThanOrEqual(ACHIEVEMENT_CREDITS_SUM_MAX)
  expect(credits(FACTION_ACHIEVEMENTS)).toBe(0)
})

test('counters of talk, gifts and trade do not pay', () => {
  const free = ['chat_messages_sent', 'forum_posts_created', 'captains_log_entries', 'gifts_sent']
  const trade = ['credits_gifted', 'trades_completed', 'exchange_items_sold', 'credits_earned']
  for (const counter of [...free, ...trade, 'skill.trading', 'times_docked', 'ships_destroyed']) {
    expect(isPaying(counter), counter).toBe(false)
  }
})

test('sums over members have the names of counters of players', () => {
  const own = ['members', 'treasury', 'roles', 'facilities']
  const sums = FACTION_COUNTERS.filter((name) => !own.includes(name))
  expect(sums.filter((name) => !PLAYER_BOOK.counters.has(name))).toEqual([])
})

test('criteria are rendered as readable text', () => {
  expect(renderCriteria([['ore_mined', '>=', 1_000_000]], false)).toBe(
    'Units mined: at least 1,000,000',
  )
  expect(renderCriteria([['skill.mining', '>=', 10]], false)).toBe('Level of Mining: at least 10')
  expect(
    renderCriteria(
      [
        ['pirates_destroyed', '>=', 100],
        ['times_destroyed', '<=', 0],
        ['roles', '<=', 3],
      ],
      true,
    ),
  ).toBe(
    'Pirates destroyed by members: at least 100; ships lost by members: none; ' +
      'roles of its own made: at most 3',
  )
})

describe('the catalogue', () => {
  const NO_WORLD = {} as WorldView
  interface Page {
    readonly items: readonly { readonly id: string; readonly faction?: boolean }[]
    readonly total: number
    readonly total_pages: number
  }
  function ask(def: typeof catalog, params: object): Page {
    const outcome = def.run(NO_WORLD, 0, params)
    if (!outcome.ok) throw new Error(outcome.code)
    return outcome.result as Page
  }
  type Kind = 'achievements' | 'faction_achievements'
  const file = internalCatalog.run(NO_WORLD, 0, {}) as unknown as {
    readonly result: Record<Kind, Page['items']> &
      Record<'hidden_achievement_count' | 'hidden_faction_achievement_count', number>
  }
  const bulk = (kind: Kind) => file.result[kind]
  const open = (rows: readonly AchievementRow[]) => rows.filter(({ secret }) => !secret)

  test('publishes all but the secret achievements, which it counts', () => {
    const { hidden_achievement_count, hidden_faction_achievement_count } = file.result
    for (const [kind, rows, hidden] of [
      ['achievements', ACHIEVEMENTS, hidden_achievement_count],
      ['faction_achievements', FACTION_ACHIEVEMENTS, hidden_faction_achievement_count],
    ] as const) {
      expect(bulk(kind)).toEqual(open(rows).map(achievementEntry))
      expect(hidden).toBe(rows.length - bulk(kind).length)
      expect(hidden).toBeGreaterThan(0)
    }
  })

  test('lists the same entries by command as in the bulk file', () => {
    const seen: object[] = []
    for (let page = 1, pages = 1; page <= pages; page++) {
      const found = ask(catalog, { type: 'achievements', page, page_size: 50 })
      expect(Value.Check(catalog.result, found)).toBe(true)
      pages = found.total_pages
      seen.push(...found.items)
    }
    expect(seen).toEqual([...bulk('achievements'), ...bulk('faction_achievements')])
  })

  test('finds achievements by id and category, but no secret ones', () => {
    const single = ask(catalog, { type: 'achievements', id: 'quiet_lanes' })
    expect(single.items).toEqual([
      {
        id: 'quiet_lanes',
        name: 'Quiet Lanes',
        description: 'Convoys sail here without guns again.',
        category: 'combat',
        points: 40,
        criteria: 'Pirates destroyed: at least 200',
        series: 'pirates_destroyed',
        after: 'black_flag_burner',
        credits: 200,
        emblem: 'broken_cutlass',
      },
    ])
    expect(ask(catalog, { type: 'achievements', id: 'free_escort' }).items[0].faction).toBe(true)
    expect(ask(catalog, { type: 'achievements', category: 'hunting' }).total).toBe(6)
    for (const { id, name } of ACHIEVEMENTS.filter(({ secret }) => secret)) {
      expect(catalog.run(NO_WORLD, 0, { type: 'achievements', id })).toMatchObject({
        code: 'not_found',
      })
      expect(ask(catalog, { type: 'achievements', search: name }).total).toBe(0)
    }
  })
})
