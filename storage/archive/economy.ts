/**
 * The closed books: credits and goods of the named accounts and containers at the end of each day.
 */
import { type Outcome, ok } from '../../core/errors.ts'
import type { Sql } from '../db.ts'
import type { WriteCall, WriteContext } from './call.ts'
import { storableText } from './fields.ts'

export interface ClosedBooks {
  readonly tick: number
  /** Credits by named account. */
  readonly credits: Readonly<Record<string, number>>
  /** Units by good, by named container. */
  readonly goods: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** `closeBooks` { tick, credits, goods }: stores the balances at a tick. */
export async function closeBooks(
  { tx, batch, at }: WriteContext,
  calls: readonly WriteCall<'closeBooks'>[],
): Promise<Outcome<unknown>[]> {
  for (const { args } of calls) {
    const text = (value: unknown): string => storableText(JSON.stringify(value ?? {}))
    await tx`
      insert into closed_books (tick, credits, goods, batch, at)
      values (${args.tick}, ${text(args.credits)}::text::json,
        ${text(args.goods)}::text::json, ${batch}, ${at})`
  }
  return calls.map(() => ok({}))
}

/** Returns the latest closed books, oldest first. */
export async function lastBooks(sql: Sql, limit: number): Promise<ClosedBooks[]> {
  const rows = await sql<ClosedBooks[]>`
    select tick, credits, goods from closed_books order by tick desc limit ${limit}`
  return rows.reverse()
}
