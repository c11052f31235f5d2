/** Canned bodies of ranks, players, factions, the forum and the changelog. */
import type { ChangelogBody, ForumBody, ThreadBody } from '../../core/public/past.ts'
import type {
  AchievementRanksBody,
  AchievementsBody,
  FactionBody,
  LeaderboardBody,
  PlayerBody,
} from '../../core/public/world.ts'
import { draw } from './galaxy-bodies.ts'

/** Names that do harm unless they are shown as plain text. */
export const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '\u202Eevil\u202D',
  'W'.repeat(64),
  "'; drop table--",
]

const NAMES = ['Vesper', 'Orrin Kade', 'Talia Wren', 'Sable', 'Juno Marsh', ...HOSTILE]
const EMPIRES = ['solarian', 'voidborn', 'crimson', 'nebula', 'outerrim']
const PAST_TIME = '2026-11-20T08:00:00.000Z'

const PLAYER_BOARDS = [
  'total_wealth',
  'credits_earned',
  'credits_spent',
  'ships_destroyed',
  'ore_mined',
  'items_crafted',
  'trades_completed',
  'wormholes_traversed',
]
const FACTION_BOARDS = ['member_count', 'ore_mined']

const rows = (board: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    rank: index + 1,
    value: Math.round(4_000_000 / (index + 1)) + draw(90, board, index),
    username: NAMES[index] ?? `Pilot ${index}`,
    empire: EMPIRES[index % 5],
    ...(index === 3 ? { npc: true } : {}),
  }))

export const leaderboard = (): LeaderboardBody => ({
  generated_at: PAST_TIME,
  players: Object.fromEntries(
    PLAYER_BOARDS.map((name, board) => [
      name,
      name === 'total_wealth' || name === 'wormholes_traversed' ? [] : rows(board, 40),
    ]),
  ),
  factions: Object.fromEntries(
    FACTION_BOARDS.map((name) => [
      name,
      [
        { rank: 1, name: 'Halo Compact', tag: 'HALO', value: 31 },
        { rank: 2, name: HOSTILE[0], tag: 'RUST', value: 12 },
      ],
    ]),
  ),
  exchange: { items_listed: [], exchange_credits_earned: rows(9, 12) },
})

export const achievementRanks = (): AchievementRanksBody => ({
  generated_at: PAST_TIME,
  players: NAMES.map((name, index) => ({
    name,
    empire: EMPIRES[index % 5],
    earned: 20 - index,
    points: 300,
  })),
  factions: [{ name: 'Halo Compact', tag: 'HALO', earned: 4, points: 60 }],
})

export function player(name: string): PlayerBody | undefined {
  if (!NAMES.includes(name)) return undefined
  const isOnline = name !== 'Sable'
  return {
    username: name,
    empire: 'solarian',
    empire_name: 'The Solarian Concordance',
    created_at: PAST_TIME,
    online: isOnline,
    clan_tag: 'HALO',
    status_message: HOSTILE[0],
    primary_color: '#e8b84b',
    secondary_color: 'url(http://example.invalid)',
    titles: ['First to the rim'],
    faction: { name: 'Halo Compact', tag: 'HALO', role: 'Quartermaster', joined_at: PAST_TIME },
    ...(isOnline
      ? {
          location: {
            system_id: 'aurelune',
            system_name: 'Aurelune',
            docked_station_id: 'concord_spire',
            docked_station_name: 'Concord Spire',
          },
        }
      : {}),
    stats: {
      credits_earned: 1_482_300,
      ships_destroyed: 14,
      ships_lost: 3,
      pirates_destroyed: 61,
      damage_dealt: 90_412,
      ore_mined: 40_210,
      items_crafted: 812,
      trades_completed: 1_204,
      exchange_credits_earned: 702_114,
      missions_completed: 88,
      systems_explored: 142,
      jumps_completed: 1_911,
      distance_traveled: 55_012,
      wormholes_traversed: 0,
      time_played: isOnline ? 182_000 : 0,
      times_docked: 640,
    },
    ranks: [
      { category: 'ore_mined', label: 'Ore mined', rank: 4, value: 40_210 },
      { category: 'credits_earned', label: 'Credits earned', rank: 1, value: 1_482_300 },
    ],
    ranks_top_n: 100,
    achievements: { earned: 2, total: 40, points: 30 },
  }
}

export const achievements = (): AchievementsBody => ({
  subject: { type: 'player', name: 'Vesper' },
  summary: { earned: 2, total: 40, points: 30 },
  achievements: ['First ore', 'A hundred jumps', 'Rich', HOSTILE[0]].map((name, index) => ({
    id: `a${index}`,
    name,
    description: 'What it takes to earn it, in a sentence.',
    category: 'mining',
    points: 10 + index,
    hidden: false,
    earned: index < 2,
    rarity_pct: 12.5 * (index + 1),
    ...(index < 2 ? { earned_at: PAST_TIME } : {}),
  })),
})

export function faction(tag: string): FactionBody | undefined {
  if (tag !== 'HALO') return undefined
  return {
    id: 'f1',
    name: 'Halo Compact',
    tag,
    description: `Haulers of the inner ring.\n${HOSTILE[0]}`,
    charter: 'Share what you mine.\n\nNever leave a wreck behind.',
    primary_color: '#ff9f1c',
    secondary_color: '#222222',
    created_at: PAST_TIME,
    leader: 'Vesper',
    founder: 'Orrin Kade',
    member_count: NAMES.length + 2,
    members: NAMES.map((username, index) => ({
      username,
      role: index === 0 ? 'Leader' : 'Member',
      role_priority: index === 0 ? 100 : 10,
      joined_at: PAST_TIME,
      last_seen: PAST_TIME,
    })),
    allies: [{ name: 'Pale Road', tag: 'PALE' }],
    enemies: [],
    wars: [
      {
        target_name: 'Rust Union',
        target_tag: 'RUST',
        aggressor: true,
        started_at: PAST_TIME,
        reason: HOSTILE[0],
        our_kills: 12,
        their_kills: 7,
      },
    ],
    stations: [{ id: 's1', name: 'Halo Deep', system_id: 'aurelune', system_name: 'Aurelune' }],
    ranks: [{ category: 'ore_mined', label: 'Ore mined', rank: 1, value: 90_000 }],
    ranks_top_n: 100,
    achievements: { earned: 2, total: 12, points: 25 },
  }
}

const HOSTILE_TITLES: Readonly<Record<number, string>> = { 1: HOSTILE[0], 2: HOSTILE[2] }

const head = (index: number) => ({
  id: `t${index}`,
  title: HOSTILE_TITLES[index] ?? `What pays at the rim, part ${index}`,
  author: NAMES[index % NAMES.length],
  author_empire: 'solarian',
  author_faction_tag: 'HALO',
  category: index % 2 === 0 ? 'general' : 'bugs',
  created_at: PAST_TIME,
  reply_count: index === 0 ? 2 : index,
  upvotes: draw(40, index),
  pinned: index === 0,
  is_dev_team: index === 0,
})

const THREADS = 44
const PAGE_SIZE = 20

export function forum(query: URLSearchParams): ForumBody {
  const page = Number(query.get('page') ?? 0)
  const search = query.get('search') ?? ''
  const all = Array.from({ length: THREADS }, (_, index) => head(index)).filter(({ title }) =>
    title.toLowerCase().includes(search.toLowerCase()),
  )
  return {
    threads: all.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
    total: all.length,
    total_pages: Math.ceil(all.length / PAGE_SIZE),
  }
}

export function thread(id: string): ThreadBody | undefined {
  const index = Number(/^t(\d+)$/.exec(id)?.[1] ?? -1)
  if (index < 0 || index >= THREADS) return undefined
  const content = `Two runs a day, and read https://example.invalid/x first.\n\n${HOSTILE.join('\n')}`
  const reply = {
    author: 'Sable',
    content: 'Fuel is dear there.',
    created_at: PAST_TIME,
    upvotes: 2,
  }
  return {
    thread: {
      ...head(index),
      content,
      replies: [
        { ...reply, is_dev_team: false },
        { ...reply, content: HOSTILE[0], is_dev_team: true, author_faction_tag: 'RUST' },
      ],
    },
  }
}

export function changelog(query: URLSearchParams): ChangelogBody {
  const page = Number(query.get('page') ?? 1)
  const releases = Array.from({ length: 25 }, (_, index) => ({
    version: `0.${25 - index}.0`,
    release_date: `2026-10-${String(28 - index).padStart(2, '0')}`,
    notes: ['Convoys: freighters with guards bring essentials to capitals.', 'Charts go stale.'],
  }))
  return {
    current_version: '0.25.0',
    page,
    per_page: 20,
    total: releases.length,
    total_pages: 2,
    releases: releases.slice((page - 1) * 20, page * 20),
  }
}
