/**
 * The action log: one row for what a player did, and one for each movement of credits. Rows are
 * archive text; they leave with the batch, as one bulk write. The captain's log is in commands.ts
 * and queries.ts.
 */
import { assert } from '../../core/assert.ts'
import { balanceOf, post } from '../../core/ledger.ts'
import type { ArchiveWrite, Eid, Row, World } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'

/** Source: social.md section 8. */
export const LOG_CATEGORIES = [
  'combat',
  'trading',
  'ship',
  'crafting',
  'faction',
  'mission',
  'skill',
  'salvage',
  'storage',
  'achievement',
  'mining',
  'navigation',
  'exploration',
  'reputation',
  'drone',
  'session',
  'other',
] as const
export type LogCategory = (typeof LOG_CATEGORIES)[number]

/** Scalars only: an entry is read by people and filtered by programs. */
export type LogData = Readonly<Record<string, string | number | boolean>>

/**
 * What the archive method `logActions` gets, in posting order; the archive numbers and dates the
 * entries.
 */
export interface ActionLogRow {
  /** Durable number of the player. */
  readonly player: number
  /** Wire id of the faction whose log it belongs to, instead of the player's. */
  readonly factionId?: string
  readonly category: LogCategory
  /** category.verb */
  readonly eventType: string
  readonly summary: string
  readonly data: LogData
}

/** The bulk write of the batch being made; stale once the outbox has been taken. */
const OPEN_WRITE = defineIndex('log.open_write', () => ({
  at: 0,
  write: undefined as ArchiveWrite | undefined,
  rows: [] as ActionLogRow[],
}))

function rowsOfBatch(world: World): ActionLogRow[] {
  const open = world.index(OPEN_WRITE)
  const writes = world.outbox.writes
  if (open.write && writes[open.at] === open.write) return open.rows
  open.rows = []
  open.at = writes.length
  open.write = { method: 'logActions', args: { rows: open.rows } }
  writes.push(open.write)
  return open.rows
}

/**
 * Adds an entry to a player's action log; a verb with a dot in it is the whole event type, where
 * the sheets name one outside the categories. Source: social.md section 8.
 */
export function logAction(
  world: World,
  player: Eid,
  category: LogCategory,
  verb: string,
  summary: string,
  data: LogData = {},
): void {
  const { alive, seq } = world.read(Player)
  assert(alive[player] === 1, 'an action is logged for nobody')
  assert(verb !== '' && summary !== '', 'an action is logged without words')
  rowsOfBatch(world).push({
    player: seq[player],
    category,
    eventType: verb.includes('.') ? verb : `${category}.${verb}`,
    summary,
    data,
  })
}

/** Adds an entry to the log of a faction; `player` is who did it. Source: social.md section 8. */
export function logFactionAction(
  world: World,
  entry: Pick<ActionLogRow, 'eventType' | 'summary'> & { player: Eid; factionId: string },
  data: LogData = {},
): void {
  const { alive, seq } = world.read(Player)
  assert(alive[entry.player] === 1, 'an action of a faction is logged for nobody')
  rowsOfBatch(world).push({ ...entry, player: seq[entry.player], category: 'faction', data })
}

/**
 * Logs that a player's wallet changed by `delta` in a posting already made: for the second player
 * of a deal, whose counterpart called `creditMove`.
 */
export function logCredits(
  world: World,
  player: Eid,
  delta: number,
  category: LogCategory,
  verb: string,
  summary: string,
  data: LogData = {},
): void {
  const balance = balanceOf(world, world.read(Player).wallet[player])
  logAction(world, player, category, verb, summary, { ...data, delta, balance })
}

/**
 * Posts credits between two accounts, one of them the player's wallet, and logs delta and balance;
 * nothing for 0 credits. Every movement of a wallet goes through here, so the log rebuilds it.
 * Source: social.md sections 8, 12.
 */
export function creditMove(
  world: World,
  player: Eid,
  from: Row,
  to: Row,
  credits: number,
  category: LogCategory,
  verb: string,
  summary: string,
  data: LogData = {},
): void {
  const wallet = world.read(Player).wallet[player]
  assert(from !== to, 'credits move from an account to itself')
  assert(wallet === from || wallet === to, 'the movement does not touch the wallet of the player')
  post(world, from, to, credits)
  if (credits === 0) return
  const delta = wallet === to ? credits : -credits
  logCredits(world, player, delta, category, verb, summary, data)
}
