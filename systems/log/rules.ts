/** Writes to action logs of players, and moves credits together with a log entry. */
import { assert } from '../../core/assert.ts'
import { balanceOf, canReceive, namedAccount, post } from '../../core/ledger.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { rowsOfBatch } from './model.ts'
import type { LogCategory, LogData } from './state.ts'

/**
 * Adds an entry to a player's action log. The event type is `category.verb`, or the verb alone if
 * it contains a dot. Source: social.md section 8.
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
  assert(alive[player] === 1, 'a logged action has no player')
  assert(verb !== '' && summary !== '', 'an action is logged without a verb or summary')
  rowsOfBatch(world).push({
    player: seq[player],
    category,
    eventType: verb.includes('.') ? verb : `${category}.${verb}`,
    summary,
    data,
  })
}

/**
 * Logs that a player's wallet changed by `delta` in a posting already made. Used for the second
 * player of a deal, after `creditMove` for the first.
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
  logAction(world, player, category, verb, summary, { delta, balance, ...data })
}

/**
 * Posts credits between two accounts, one of them the player's wallet, and logs delta and balance;
 * does nothing for 0 credits. Every movement of a wallet is logged, so that its balance can be
 * rebuilt from the log. Source: social.md sections 8, 12.
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

/**
 * Pays a player what something in progress earns them, and logs it; returns the credits. ours: a
 * full wallet does not stop it. The credits then go to the fee sink, as the log says.
 */
export function payPlayer(
  world: World,
  player: Eid,
  from: Row,
  credits: number,
  category: LogCategory,
  verb: string,
  summary: string,
  data: LogData = {},
): number {
  const wallet = world.read(Player).wallet[player]
  if (canReceive(world, wallet, credits)) {
    creditMove(world, player, from, wallet, credits, category, verb, summary, data)
    return credits
  }
  post(world, from, namedAccount('fee_sink'), credits)
  const lost = `${summary} Your wallet is full, so the ${counted(credits, 'credit')} are lost.`
  logAction(world, player, category, verb, lost, data)
  return 0
}
