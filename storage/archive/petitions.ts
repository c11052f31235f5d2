/** Petitions to an empire by players, and reports about them. Source: social.md section 5. */
import type { ArchiveWriteArgs } from '../../core/archive-calls.ts'
import { type Outcome, ok } from '../../core/errors.ts'
import { arrayLiteral, type Sql } from '../db.ts'
import type { WriteCall, WriteContext } from './call.ts'
import { storableText } from './fields.ts'

/** How many petitions an empire keeps, and for how long. */
const PETITIONS_PER_EMPIRE_MAX = 10_000
export const PETITION_DAYS = 90

type Petition = ArchiveWriteArgs['filePetition']

/**
 * `filePetition` { empire, player, playerId, username, kind, content }: inserts petitions, with one
 * statement for all calls.
 */
export async function filePetitions(
  { tx, batch, at }: WriteContext,
  calls: readonly WriteCall<'filePetition'>[],
): Promise<Outcome<unknown>[]> {
  const column = (fieldOf: (args: Petition) => string | number): string =>
    arrayLiteral(calls.map((call) => fieldOf(call.args)))
  const texts = (name: keyof Omit<Petition, 'player'>): string =>
    column((args) => storableText(args[name]))
  await tx`
    insert into petition (empire, player, player_id, username, kind, content, batch, at)
    select empire, player, player_id, username, kind, content, ${batch}::bigint, ${at}::timestamptz
    from unnest(${texts('empire')}::text[],
      ${column((args) => args.player)}::bigint[], ${texts('playerId')}::text[],
      ${texts('username')}::text[], ${texts('kind')}::text[], ${texts('content')}::text[])
      with ordinality as row (empire, player, player_id, username, kind, content, place)
    order by place`
  return calls.map(() => ok({}))
}

/** Deletes petitions before a date, and those beyond the newest of each empire. */
export async function prunePetitions(sql: Sql, before: Date): Promise<number> {
  const old = await sql`delete from petition where at < ${before}`
  const full = await sql`
    delete from petition where id in (
      select id from (
        select id, row_number() over (partition by empire order by id desc) as place
        from petition) as numbered
      where place > ${PETITIONS_PER_EMPIRE_MAX})`
  return old.count + full.count
}
