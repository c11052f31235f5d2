/**
 * Players: finding them, the rules for user names, lifetime counters, standing with empires and
 * presence. Registering and binding are in presence-commands.ts and register-commands.ts.
 */

import { assert } from '../../core/assert.ts'
import { EMPIRES, RESERVED_CONTAINS, RESERVED_EQUALS } from '../../core/catalog/index.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { exclude, include } from '../../core/groups.ts'
import { isGranted } from '../../core/guard.ts'
import { USERNAME_CHARACTERS_MAX, USERNAME_CHARACTERS_MIN } from '../../core/limits.ts'
import type { RecordsDef } from '../../core/records.ts'
import { usernameKey } from '../../core/text-rules.ts'
import type { Eid, Framing, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Base } from '../base/state.ts'
import {
  allied,
  type BindChannel,
  BOUND,
  EMPIRES_WIDTH,
  type Following,
  Player,
  PlayerStats,
  STATION_KEYS,
  STATS,
  STATS_WIDTH,
  type StatName,
  USERNAMES,
} from './state.ts'

/* Who stands by whom, whichever of the domains that bind players says so. */

/** Returns true for players of one fleet, one faction, or allied ones; nobody is their own ally. */
export const areAllied = (view: WorldView, player: Eid, other: Eid): boolean =>
  player !== other && isGranted(view, allied, { player, other })

/*
 * Who declined whom of late: whoever was declined often by one player waits before asking again.
 * Pairs are kept in the order of their newest refusal, so what is forgotten stands first.
 */

export interface DeclineRule {
  /** Latest ticks of refusals, by pair. */
  readonly records: RecordsDef<readonly number[]>
  /** Refusals within so many ticks count. */
  readonly ticks: number
  /** So many of them make a pair wait. */
  readonly most: number
}

/** Key of who asks and who is asked, by their durable numbers. */
export const pairOf = (asking: number, asked: number): string => `${asking}:${asked}`

export const recent = (
  view: WorldView,
  rule: DeclineRule,
  ticks: readonly number[] = [],
): number[] => ticks.filter((tick) => view.tick - tick < rule.ticks)

/** Ticks until one may ask the other again; 0 at once. */
export function declineWaitOf(view: WorldView, rule: DeclineRule, pair: string): number {
  const declines = recent(view, rule, view.records(rule.records).get(pair))
  return declines.length < rule.most ? 0 : rule.ticks - (view.tick - declines[0])
}

/*
 * Who follows what: players by the thing whose news they have asked for (an exchange, a place). The
 * column that says so stands in the domain; this is the index over it. A leaf.
 */

const CHANNELS: Readonly<Record<Framing, BindChannel>> = {
  ws1: 'ws',
  ws2: 'ws',
  http1: 'http',
  http2: 'http',
  mcp1: 'mcp',
  mcp2: 'mcp',
}

/** The bit of BOUND of the channel on which a command came. */
export const channelOf = (framing: Framing): number => BOUND[CHANNELS[framing]]

/** What somebody follows, in the order of rows: the same after a restore. */
export const followed = (following: Following): Eid[] => [...following.keys()].sort((a, b) => a - b)

/** Followers of a thing, in durable-id order. */
export function followersIn(view: WorldView, following: Following, what: Eid): Eid[] {
  const { seq } = view.read(Player)
  return [...(following.get(what) ?? [])].sort((a, b) => seq[a] - seq[b])
}

/** Fills the index from the column, after a restore. `what`: by player; 0 nothing. */
export function refill(view: WorldView, following: Following, what: ArrayLike<number>): void {
  following.clear()
  const { alive } = view.read(Player)
  for (let player = 1; player <= view.highOf(Player); player++) {
    if (alive[player] === 1 && what[player] !== 0) include(following, what[player], player)
  }
}

assert(STATS.length <= STATS_WIDTH, 'the column of counters is too narrow')
assert(EMPIRES.length <= EMPIRES_WIDTH, 'the columns by empire are too narrow')

/*
 * Open invitations of players into groups (factions, fleets): kept in the order of their making,
 * found by who is asked and by the group that asks.
 */

/** Numbers here are durable numbers of players and groups. */
interface Invitation {
  readonly player: number
  readonly expiresTick: number
}

interface InviteBook<I extends Invitation> {
  of(view: WorldView, group: number, player: number): I | undefined
  /** Those a player has, the oldest first. */
  to(view: WorldView, player: number): I[]
  /** Those a group has made, the oldest first. */
  from(view: WorldView, group: number): I[]
  /** Enters one, in place of one of the same group that waits. */
  open(world: World, invite: I): void
  drop(world: World, invite: I): void
  /** Drops what has lapsed. O(invitations dropped). */
  expire(world: World): void
  /** Fills the index from the records. */
  rebuild(world: World): void
}

/** `name` is that of its index; `groupOf` the number of the group that asks. */
export function inviteBook<I extends Invitation>(
  name: string,
  records: RecordsDef<I>,
  groupOf: (invite: I) => number,
): InviteBook<I> {
  const OPEN = defineIndex(name, () => ({
    incoming: new Map<number, Set<string>>(),
    outgoing: new Map<number, Set<string>>(),
  }))
  const keyOf = (group: number, player: number): string => `${group}:${player}`
  const listed = (view: WorldView, keys: ReadonlySet<string> | undefined): I[] =>
    [...(keys ?? [])].flatMap((key) => (view.records(records).get(key) as I | undefined) ?? [])
  const enter = (world: World, key: string, invite: I): void => {
    const { incoming, outgoing } = world.index(OPEN)
    include(incoming, invite.player, key)
    include(outgoing, groupOf(invite), key)
  }
  const drop = (world: World, invite: I): void => {
    const key = keyOf(groupOf(invite), invite.player)
    world.records(records).delete(key)
    const { incoming, outgoing } = world.index(OPEN)
    exclude(incoming, invite.player, key)
    exclude(outgoing, groupOf(invite), key)
  }
  return {
    of: (view, group, player) => view.records(records).get(keyOf(group, player)) as I | undefined,
    to: (view, player) => listed(view, view.index(OPEN).incoming.get(player)),
    from: (view, group) => listed(view, view.index(OPEN).outgoing.get(group)),
    open(world, invite) {
      const key = keyOf(groupOf(invite), invite.player)
      if (world.records(records).has(key)) drop(world, invite)
      world.records(records).set(key, invite)
      enter(world, key, invite)
    },
    drop,
    expire(world) {
      const due: I[] = []
      for (const [, invite] of world.records(records).entries()) {
        if (invite.expiresTick > world.tick) break
        due.push(invite as I)
      }
      for (const invite of due) drop(world, invite)
    },
    rebuild(world) {
      const { incoming, outgoing } = world.index(OPEN)
      incoming.clear()
      outgoing.clear()
      for (const [key, invite] of world.records(records).entries()) enter(world, key, invite as I)
    },
  }
}

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
export function checkUsername(
  view: WorldView,
  name: string,
): Failure<'invalid_username' | 'username_taken'> | undefined {
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

export const statOf = (view: WorldView, player: Eid, stat: StatName): number =>
  view.read(PlayerStats).values[player * STATS_WIDTH + statIndex(stat)]

export function statIndex(stat: StatName): number {
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
