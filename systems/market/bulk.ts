/**
 * Order commands of one row or up to fifty: each row is refused or worked out alone, in the order
 * given. Source: market.md sections 0, 1.
 */
import { assert } from '../../core/assert.ts'
import { LATER, type Later } from '../../core/command.ts'
import { badFields, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { LIST_ROWS_MAX } from '../../core/limits.ts'
import { answerLater } from '../../core/pending.ts'
import type { Eid, World } from '../../core/types.ts'
import { type Asked, enter, enterCommand, mayEnter } from './entry.ts'
import type { Done } from './settle-request.ts'

/** A row of a command: refused at once, or a request with how to answer it. */
export type OrderRow =
  | Failure
  | {
      readonly ok: true
      readonly asked: Asked
      /** Of a faction: what the row may come to at worst. */
      readonly reserved?: Reserved
      answer(world: World, done: Done): Outcome<object>
    }

/** What a treasury and a store hold for a row. */
export interface Reserved {
  readonly credits: number
  /** Units of the item. */
  readonly goods: number
}

export interface OrderCommand {
  readonly action: string
  readonly player: Eid
  readonly base: Eid
  /** Answered as a list, whatever the number of rows. */
  readonly isBulk: boolean
  readonly rows: readonly OrderRow[]
}

/** The rows asked for: those of the list, or the one of the command itself. */
export function rowsGiven<R>(
  listed: readonly R[] | undefined,
  alone: R | undefined,
): Outcome<readonly R[]> {
  const rows = listed ?? (alone === undefined ? [] : [alone])
  if (rows.length < 1 || rows.length > LIST_ROWS_MAX) {
    return badFields({ field: 'orders', expected: `a list of 1 to ${LIST_ROWS_MAX} rows` })
  }
  return ok(rows)
}

/** One row's answer in a list. */
const listed = (index: number, outcome: Outcome<object>): object =>
  outcome.ok
    ? { index, success: true, ...outcome.result }
    : { index, success: false, error_code: outcome.code, error: outcome.message }

function answerOf({ action, isBulk }: OrderCommand, outcomes: readonly Outcome<object>[]) {
  if (!isBulk) {
    const [only] = outcomes
    return only.ok ? ok({ action, kind: 'single', ...only.result }) : only
  }
  const succeeded = outcomes.filter((outcome) => outcome.ok).length
  const failed = outcomes.length - succeeded
  return ok({
    action,
    kind: 'bulk',
    mode: 'bulk',
    results: outcomes.map((outcome, index) => listed(index, outcome)),
    summary: { total: outcomes.length, succeeded, failed },
  })
}

type EnteredRow = Exclude<OrderRow, Failure>

/** A faction's rows share what was reserved for all of them: one hands over to the next. */
function withMeans({ asked, reserved }: EnteredRow, rows: readonly EnteredRow[]): Asked {
  if (!reserved) return asked
  let credits = 0
  let goods = 0
  for (const { asked: other, reserved: held } of rows) {
    if (!held) continue
    credits += held.credits
    if (other.item === asked.item && other.bucket === asked.bucket) goods += held.goods
  }
  return { ...asked, credits, goods }
}

/**
 * Enters the rows that were not refused; the answer comes when they have been worked out. Refusal:
 * limit_reached (the tick takes no more requests).
 */
export function enterRows(world: World, command: OrderCommand): Outcome<unknown> | Later {
  const { player, base, rows } = command
  const entered = rows.filter((row) => row.ok)
  if (entered.length === 0) return answerOf(command, rows as readonly Failure[])
  if (!mayEnter(world, entered.length)) return fail('limit_reached')
  const requests = enterCommand(world, {
    player,
    base,
    reply(at, done) {
      let next = 0
      const outcomes = rows.map((row) => (row.ok ? row.answer(at, done[next++]) : row))
      assert(next === done.length, 'a request was not answered')
      answerLater(at, player, answerOf(command, outcomes))
    },
  })
  for (const row of entered) enter(world, requests, withMeans(row, entered))
  return LATER
}
