/**
 * Players: finding them, the rules for user names, lifetime counters, standing with empires and
 * presence. Registering and binding are in presence.ts and register.ts.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES, RESERVED_CONTAINS, RESERVED_EQUALS } from '../../core/catalog/index.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { USERNAME_CHARACTERS_MAX, USERNAME_CHARACTERS_MIN } from '../../core/limits.ts'
import { MAX_SAFE } from '../../core/math.ts'
import { usernameKey } from '../../core/text-rules.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { noteStat } from '../achievement/counter-rules.ts'
import { Base } from '../base/columns.ts'
import {
  EMPIRES_WIDTH,
  Player,
  PlayerStats,
  STATS,
  STATS_WIDTH,
  type StatName,
  USERNAMES,
} from './columns.ts'

export { areAllied } from './bonds.ts'

/* Finding players */

/** The UUID of a player on the wire. */
export const playerId = (view: WorldView, player: Eid): string => idOf(view, Player, player)

export const usernameOf = (view: WorldView, player: Eid): string =>
  view.texts.get(view.read(Player).username[player])

/** A player by wire id or, failing that, by user name; 0 none. Source: accounts.md section 2. */
export function playerById(view: WorldView, idOrName: string): Eid {
  const row = rowOfId(view, Player, idOrName)
  if (row !== 0) return row
  const number = view.records(USERNAMES).get(usernameKey(idOrName))
  return number === undefined ? 0 : view.rowOf(Player, number)
}

/** Ledger account of the player's credits. */
export const walletOf = (view: WorldView, player: Eid): Row => view.read(Player).wallet[player]

/** Notes the wall time of a player's command: "last seen". Source: accounts.md section 12. */
export function noteCommand(world: World, player: Eid): void {
  world.write(Player).lastCommandMs[player] = world.wallMs
}

/** True while some socket or session of the player is live. */
export const isBound = (view: WorldView, player: Eid): boolean =>
  view.read(Player).bound[player] !== 0

/* User names. Source: accounts.md section 2 */

/** The name as it is stored. */
export const storedUsername = (name: string): string => name.normalize('NFC')

/**
 * Parts that join or modify emoji: joiner, variation selectors, keycap, skin tones, flags, tags.
 */
const EMOJI_PARTS =
  /[\u{200d}\u{fe00}-\u{fe0f}\u{20e3}\u{1f3fb}-\u{1f3ff}\u{1f1e6}-\u{1f1ff}\u{e0000}-\u{e007f}]/u

const LETTER = String.raw`[[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]&&\p{Script=Latin}]\p{Mn}{0,2}`
const SIGN = String.raw`[0-9 _\-'.!]`
const EMOJI = String.raw`[[\p{Emoji}&&\p{Extended_Pictographic}]--[\u00a9\u00ae\u2122]]`
const ALLOWED = new RegExp(`^(?:${LETTER}|${SIGN}|${EMOJI})+$`, 'v')

const RUN_OF_MARKS = /\p{Mn}{3}/u

/** The rule on the letters and the length of names that a name breaks; undefined for none. */
export function brokenRule(name: string, max = USERNAME_CHARACTERS_MAX): string | undefined {
  const length = [...name].length
  if (length < USERNAME_CHARACTERS_MIN || length > max) {
    return `A name has ${USERNAME_CHARACTERS_MIN} to ${max} characters.`
  }
  if (name !== name.trim()) return 'A name neither starts nor ends with a space.'
  if (name.includes('  ')) return 'A name has no two spaces in a row.'
  if (EMOJI_PARTS.test(name)) return 'A name has no joined or modified emoji and no flags.'
  if (RUN_OF_MARKS.test(name)) return 'A letter carries two marks at most.'
  if (!ALLOWED.test(name)) {
    return "A name is made of Latin letters, digits, simple emoji and space _ - ' . ! only."
  }
  return undefined
}

function isReserved(key: string): boolean {
  const bare = key.normalize('NFKD').replace(/\p{M}/gu, '')
  return [key, bare]
    .map((form) => form.replaceAll(' ', ''))
    .some(
      (form) =>
        RESERVED_EQUALS.includes(form) || RESERVED_CONTAINS.some((word) => form.includes(word)),
    )
}

/** Keys of station names; made again when stations were added. */
const STATION_KEYS = defineIndex('account.station-keys', () => ({
  count: 0,
  keys: new Set<string>(),
}))

/** Has the names of stations be listed anew: one came, went or changed. */
export const forgetStationNames = (view: WorldView): void => {
  view.index(STATION_KEYS).count = -1
}

/** True for the key of the name of a station. */
export function isStationName(view: WorldView, key: string): boolean {
  const known = view.index(STATION_KEYS)
  if (known.count !== view.countOf(Base)) {
    known.count = view.countOf(Base)
    known.keys.clear()
    const base = view.read(Base)
    for (let row = 1; row <= view.highOf(Base); row++) {
      if (base.alive[row] === 1) known.keys.add(usernameKey(view.texts.get(base.name[row])))
    }
  }
  return known.keys.has(key)
}

/**
 * Why nobody may register this name, the first rule broken; undefined if it is free.
 * Refusals: `invalid_username`, `username_taken`. Source: accounts.md section 2.
 */
export function checkUsername(view: WorldView, name: string): Failure | undefined {
  const stored = storedUsername(name)
  const broken = brokenRule(stored)
  if (broken) return fail('invalid_username', undefined, broken)
  const key = usernameKey(stored)
  if (isReserved(key)) {
    return fail('invalid_username', undefined, 'This name contains a reserved word.')
  }
  if (isStationName(view, key)) {
    return fail('invalid_username', undefined, 'This is the name of a station.')
  }
  return view.records(USERNAMES).has(key) ? fail('username_taken') : undefined
}

/* Counters */

const STAT_INDEX = new Map<StatName, number>(STATS.map((name, index) => [name, index]))

/** Adds to a lifetime counter; it stops at 2^53-1. */
export function addStat(world: World, player: Eid, stat: StatName, n: number): void {
  assert(Number.isSafeInteger(n) && n >= 0, `counting ${n} ${stat}`)
  const values = world.write(PlayerStats).values
  const index = statIndex(stat)
  const at = player * STATS_WIDTH + index
  const before = values[at]
  values[at] = Math.min(MAX_SAFE, before + n)
  noteStat(world, player, index, before, values[at])
}

export const statOf = (view: WorldView, player: Eid, stat: StatName): number =>
  view.read(PlayerStats).values[player * STATS_WIDTH + statIndex(stat)]

function statIndex(stat: StatName): number {
  const index = STAT_INDEX.get(stat)
  assert(index !== undefined && index < STATS_WIDTH, `there is no counter ${stat}`)
  return index
}

/* Empires */

export const isCitizen = (view: WorldView, player: Eid, empire: number): boolean =>
  view.read(Player).citizenSinceMs[player * EMPIRES_WIDTH + empire] !== 0

/** What a standing decays towards. Source: factions.md section 10. */
export function reputationBaseline(view: WorldView, player: Eid, empire: number): number {
  const { rep_baseline_citizen, rep_baseline_outsider } = EMPIRES[empire].policy
  return isCitizen(view, player, empire) ? rep_baseline_citizen : rep_baseline_outsider
}

/** Standing with an empire, -100…100. */
export const reputationOf = (view: WorldView, player: Eid, empire: number): number =>
  view.read(Player).reputation[player * EMPIRES_WIDTH + empire]
