/** Bodies of players and factions. Source: WEB 1.5. */
import {
  ACHIEVEMENTS,
  type AchievementRow,
  FACTION_ACHIEVEMENTS,
} from '../../core/catalog/index.ts'
import { fail, ok } from '../../core/errors.ts'
import { PUBLIC_BOARD_ROWS_MAX } from '../../core/limits.ts'
import type { EarnedAt } from '../../core/public/frame.ts'
import {
  type AchievementsBody,
  achievementsBody,
  type FactionBody,
  factionBody,
  type PlayerBody,
  playerBody,
} from '../../core/public/world.ts'
import { usernameKey } from '../../core/text-rules.ts'
import { isoTime } from '../../core/time.ts'
import { ranksMadeAt, ranksOf } from './rank-rows.ts'
import type { PublicInfo, PublicRow } from './row.ts'
import { docOf, eachGroup, type PublicState } from './state.ts'

/* Achievements */

const listed = <N extends 'titles' | 'emblems'>(name: N, texts: readonly string[]) =>
  (texts.length === 0 ? {} : { [name]: texts }) as { readonly [K in N]?: string[] }

/** Returns the titles or emblems of the achievements earned, in the order they were earned. */
function rewardsOf(
  catalog: readonly AchievementRow[],
  earned: readonly EarnedAt[],
  name: 'title' | 'emblem',
): string[] {
  return earned.flatMap(([no]) => catalog.find((row) => row.no === no)?.rewards[name] ?? [])
}

function summaryOf(catalog: readonly AchievementRow[], earned: readonly EarnedAt[]) {
  const has = new Set(earned.map(([no]) => no))
  const rows = catalog.filter(({ no }) => has.has(no))
  const points = rows.reduce((sum, row) => sum + row.points, 0)
  return { earned: rows.length, total: catalog.length, points }
}

/** Renders the achievements of a catalogue, without secret ones that are not earned. */
function renderAchievements(
  catalog: readonly AchievementRow[],
  earned: readonly EarnedAt[],
  rarityPct: (no: number) => number,
): AchievementsBody['achievements'] {
  const times = new Map(earned)
  return catalog.flatMap((row) => {
    const atMs = times.get(row.no)
    if (row.secret && atMs === undefined) return []
    const { id, name, description, category, points, rewards, no, secret } = row
    return [
      {
        id,
        name,
        description,
        category,
        points,
        hidden: secret,
        earned: atMs !== undefined,
        ...(atMs === undefined ? {} : { earned_at: isoTime(atMs) }),
        rarity_pct: rarityPct(no),
        ...(rewards.title === undefined ? {} : { title: rewards.title }),
        ...(rewards.emblem === undefined ? {} : { emblem: rewards.emblem }),
      },
    ]
  })
}

/**
 * Returns a function from the number of an achievement to the percentage of all players or factions
 * that have earned it, with two decimals.
 */
const rarityIn =
  (counts: readonly number[], all: number) =>
  (no: number): number =>
    all === 0 ? 0 : Math.round((10_000 * (counts[no] ?? 0)) / all) / 100

const HOUR_MS = 3_600_000
/**
 * Rounds times down to the hour where names are hidden: the exact tick would reveal whose kill it
 * was.
 */
const publicTimes = (
  earned: readonly EarnedAt[],
  { showsNames }: PublicInfo,
): readonly EarnedAt[] =>
  showsNames ? earned : earned.map(([no, atMs]) => [no, atMs - (atMs % HOUR_MS)])

/* Players */

/** Online players, by player number. */
interface Seen {
  /** Players shown at a place: 2 × its index in the chart, + 1 if docked. */
  readonly codes: ReadonlyMap<number, number>
  /** Players shown in flight: the index of their system in the chart. */
  readonly systems: ReadonlyMap<number, number>
  /** Players whose place is not shown. */
  readonly others: ReadonlySet<number>
}

/** Computed once per frame, at the first request for a player. */
const seenIn = new WeakMap<PublicState['presence'], Seen>()

function seenOf(presence: PublicState['presence']): Seen {
  const known = seenIn.get(presence)
  if (known) return known
  const byPlayer = (list: Int32Array): Map<number, number> => {
    const found = new Map<number, number>()
    eachGroup(list, 2, (place, player) => found.set(player, place))
    return found
  }
  const seen = {
    codes: byPlayer(presence.named),
    systems: byPlayer(presence.namedFlying),
    others: new Set(presence.bound),
  }
  seenIn.set(presence, seen)
  return seen
}

function isOnline({ presence }: PublicState, number: number): boolean {
  const { codes, systems, others } = seenOf(presence)
  return others.has(number) || codes.has(number) || systems.has(number)
}

/** Renders the location of a player; nothing if it is not shown or the server shows no names. */
function renderLocation(state: PublicState, number: number, about: PublicInfo) {
  if (!about.showsNames) return {}
  const { chart, presence } = state
  const { codes, systems } = seenOf(presence)
  const code = codes.get(number)
  const place = code === undefined ? undefined : chart.pois[code >> 1]
  const system = systems.get(number) ?? place?.system
  if (system === undefined) return {}
  const { id: system_id, name: system_name } = chart.systems[system]
  const base = code !== undefined && (code & 1) === 1 ? place?.base_id : undefined
  const station = base === undefined ? undefined : docOf(state, 'stations', base)
  const docked = station ? { docked_station_id: station.id, docked_station_name: station.name } : {}
  return { location: { system_id, system_name, ...docked } }
}

/** Counters of a player without a record: records are written once an hour. */
const NO_STATS: PlayerBody['stats'] = {
  credits_earned: 0,
  ships_destroyed: 0,
  ships_lost: 0,
  pirates_destroyed: 0,
  damage_dealt: 0,
  ore_mined: 0,
  items_crafted: 0,
  trades_completed: 0,
  exchange_credits_earned: 0,
  missions_completed: 0,
  systems_explored: 0,
  jumps_completed: 0,
  distance_traveled: 0,
  wormholes_traversed: 0,
  time_played: 0,
  times_docked: 0,
}

function renderPlayer(state: PublicState, key: string, about: PublicInfo): PlayerBody | undefined {
  const card = docOf(state, 'players', key)
  if (!card) return undefined
  const { stats, earned } = docOf(state, 'playerRecords', key) ?? { stats: NO_STATS, earned: [] }
  const madeAt = ranksMadeAt(state)
  return {
    ...card,
    online: isOnline(state, Number(key)),
    ...listed('titles', rewardsOf(ACHIEVEMENTS, earned, 'title')),
    ...renderLocation(state, Number(key), about),
    stats,
    ranks: ranksOf(state, 'players', card.username),
    ranks_top_n: PUBLIC_BOARD_ROWS_MAX,
    ...(madeAt === undefined ? {} : { ranks_generated_at: madeAt }),
    achievements: summaryOf(ACHIEVEMENTS, earned),
  }
}

function renderPlayerAchievements(
  state: PublicState,
  key: string,
  about: PublicInfo,
): AchievementsBody | undefined {
  const card = docOf(state, 'players', key)
  if (!card) return undefined
  const earned = docOf(state, 'playerRecords', key)?.earned ?? []
  const rarity = rarityIn(state.earners.players, state.figures.players)
  return {
    subject: {
      type: 'player',
      name: card.username,
      empire: card.empire,
      ...(card.faction ? { faction_tag: card.faction.tag } : {}),
      ...listed('titles', rewardsOf(ACHIEVEMENTS, earned, 'title')),
    },
    summary: summaryOf(ACHIEVEMENTS, earned),
    achievements: renderAchievements(ACHIEVEMENTS, publicTimes(earned, about), rarity),
  }
}

/* Factions */

const NO_RECORD = { earned: [], kills: {} }

function renderFaction(state: PublicState, id: string): FactionBody | undefined {
  const faction = docOf(state, 'factions', id)
  if (!faction) return undefined
  const { earned, kills }: { earned: readonly EarnedAt[]; kills: Record<string, unknown> } =
    docOf(state, 'factionRecords', id) ?? NO_RECORD
  const killsOf = (enemy: string) => (kills[enemy] ?? [0, 0]) as readonly [number, number]
  return {
    ...faction,
    // Enemies are private; the field exists for clients that read it.
    enemies: [],
    wars: faction.wars.map(({ enemy, ...war }) => {
      const [our_kills, their_kills] = killsOf(enemy)
      return { ...war, our_kills, their_kills }
    }),
    ...listed('titles', rewardsOf(FACTION_ACHIEVEMENTS, earned, 'title')),
    ...listed('emblems', rewardsOf(FACTION_ACHIEVEMENTS, earned, 'emblem')),
    ranks: ranksOf(state, 'factions', faction.tag),
    ranks_top_n: PUBLIC_BOARD_ROWS_MAX,
    achievements: summaryOf(FACTION_ACHIEVEMENTS, earned),
  }
}

function renderFactionAchievements(
  state: PublicState,
  id: string,
  about: PublicInfo,
): AchievementsBody | undefined {
  const faction = docOf(state, 'factions', id)
  if (!faction) return undefined
  const earned = docOf(state, 'factionRecords', id)?.earned ?? []
  const rarity = rarityIn(state.earners.factions, state.docs.factions.size)
  return {
    subject: {
      type: 'faction',
      name: faction.name,
      faction_tag: faction.tag,
      ...listed('titles', rewardsOf(FACTION_ACHIEVEMENTS, earned, 'title')),
      ...listed('emblems', rewardsOf(FACTION_ACHIEVEMENTS, earned, 'emblem')),
    },
    summary: summaryOf(FACTION_ACHIEVEMENTS, earned),
    achievements: renderAchievements(FACTION_ACHIEVEMENTS, publicTimes(earned, about), rarity),
  }
}

const found = (body: unknown) => (body === undefined ? fail('not_found') : ok(body))
const playerKey = (state: PublicState, name: string): string =>
  state.playerNumbers.get(usernameKey(name)) ?? ''
const factionKey = (state: PublicState, tag: string): string =>
  state.factionIds.get(tag.toUpperCase()) ?? ''

const NAME = { name: 'name', about: 'Name of a player, in any case.', example: 'Ada' }
const TAG = { name: 'tag', about: 'Tag of a faction, in any case.', example: 'ORE1' }

export const PLAYER_ROWS: readonly PublicRow[] = [
  {
    path: '/api/players/:name',
    operationId: 'getPublicPlayer',
    about: 'a player: who they are, what they have done, where they are seen',
    param: NAME,
    cache: 'T',
    bucket: 'page',
    schema: playerBody,
    source: 'frame',
    reads: ['tick'],
    body: (state, { params, about }) =>
      found(renderPlayer(state, playerKey(state, params.name), about)),
  },
  {
    path: '/api/players/:name/achievements',
    operationId: 'getPublicPlayerAchievements',
    about: 'the achievements of a player',
    param: NAME,
    cache: 'M',
    bucket: 'page',
    schema: achievementsBody,
    source: 'frame',
    reads: ['players', 'playerRecords'],
    body: (state, { params, about }) =>
      found(renderPlayerAchievements(state, playerKey(state, params.name), about)),
  },
  {
    path: '/api/factions/:tag',
    operationId: 'getPublicFaction',
    about: 'a faction: roster, allies, wars, stations',
    param: TAG,
    cache: 'M',
    bucket: 'page',
    schema: factionBody,
    source: 'frame',
    reads: ['factions', 'factionRecords', 'boards'],
    body: (state, { params }) => found(renderFaction(state, factionKey(state, params.tag))),
  },
  {
    path: '/api/factions/:tag/achievements',
    operationId: 'getPublicFactionAchievements',
    about: 'the achievements of a faction',
    param: TAG,
    cache: 'M',
    bucket: 'page',
    schema: achievementsBody,
    source: 'frame',
    reads: ['factions', 'factionRecords'],
    body: (state, { params, about }) =>
      found(renderFactionAchievements(state, factionKey(state, params.tag), about)),
  },
]
