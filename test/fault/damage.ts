/**
 * One flipped bit, a cut value or a missing row in what is stored of a world: a start either
 * has the same world (from an older snapshot where need be) or refuses with a sentence; it is never
 * silently wrong. Each damage is done in a transaction that is rolled back.
 * Source: RELIABILITY 5, F10. `node dist/test/fault/damage.js --count 500 [--seed 1]`.
 */
import fc from 'fast-check'
import type { WorldImage } from '../../core/ports.ts'
import { RULES_VERSION } from '../../core/version.ts'
import { type ConnectionOptions, connect, disconnect, type Sql, type Tx } from '../../storage/db.ts'
import { StorageDamageError } from '../../storage/errors.ts'
import { KEEPING_DEFAULT } from '../../storage/keeping.ts'
import { migrate } from '../../storage/migrations/index.ts'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { imageAt, journalRow, openStore, someBytes } from '../unit/storage/fixture.ts'
import { runAsProgram, type Verdict } from './program.ts'
import { type Recovered, recover } from './tiny.ts'

interface DamageOptions {
  readonly database: TestDatabase
  readonly count: number
  readonly seed: number
}

type Kind = 'bytes' | 'whole' | 'text' | 'truth'

/** What a world stands in. The rest (archive, accounts) is no part of it. */
const PLACES: readonly (readonly [table: string, column: string, kind: Kind])[] = [
  ['journal', 'batch', 'whole'],
  ['journal', 'tick', 'whole'],
  ['journal', 'part', 'whole'],
  ['journal', 'rules_version', 'whole'],
  ['journal', 'wall_ms', 'whole'],
  ['journal', 'body', 'bytes'],
  ['journal', 'hash', 'text'],
  ['journal', 'checksum', 'bytes'],
  ['snapshot', 'batch', 'whole'],
  ['snapshot', 'tick', 'whole'],
  ['snapshot', 'seed', 'whole'],
  ['snapshot', 'rules_version', 'whole'],
  ['snapshot', 'hash', 'text'],
  ['snapshot', 'chain', 'bytes'],
  ['snapshot', 'layout', 'bytes'],
  ['snapshot', 'sha256', 'bytes'],
  ['snapshot', 'complete', 'truth'],
  ['snapshot_part', 'place', 'whole'],
  ['snapshot_part', 'sha256', 'bytes'],
  ['snapshot_chunk', 'sha256', 'bytes'],
  ['snapshot_chunk', 'raw_bytes', 'whole'],
  ['snapshot_chunk', 'bytes', 'bytes'],
  ['world', 'head_batch', 'whole'],
  ['world', 'head_checksum', 'bytes'],
]
/** Most of what is stored are chunks and bodies: bits there flip most. */
const BODIES = PLACES.filter(([, column]) => column === 'bytes' || column === 'body')

interface Damage {
  readonly place: (typeof PLACES)[number]
  readonly how: 'flip' | 'cut' | 'gone'
  /** Which row, which byte or bit: taken by the remainder. */
  readonly row: number
  readonly at: number
}

const DAMAGE: fc.Arbitrary<Damage> = fc.record({
  place: fc.oneof(fc.constantFrom(...PLACES), fc.constantFrom(...BODIES)),
  how: fc.constantFrom('flip', 'flip', 'flip', 'cut', 'gone'),
  row: fc.nat(1_000_000),
  at: fc.nat(100_000_000),
})

const undo = new Error('undo')

async function hurt(tx: Tx, { place, how, row, at }: Damage): Promise<void> {
  const [table, column, kind] = place
  const rows = await tx<{ id: string }[]>`select ctid::text as id from ${tx(table)} order by ctid`
  const here = tx`where ctid = ${rows[row % rows.length].id}::tid`
  const name = tx(column)
  if (how === 'gone') {
    await tx`delete from ${tx(table)} ${here}`
  } else if (kind === 'truth') {
    await tx`update ${tx(table)} set ${name} = not ${name} ${here}`
  } else if (kind === 'whole') {
    // 31 bits: what fits each of the columns.
    await tx`update ${tx(table)} set ${name} = ${name} # (1 << ${at % 31}::int) ${here}`
  } else if (kind === 'text') {
    // Hexadecimal digits stay text whichever of six bits flips.
    await tx`
      update ${tx(table)} set ${name} = convert_from(set_bit(convert_to(${name}, 'UTF8'),
        (${at}::bigint % length(${name})) * 8 + ${at % 6}::int,
        1 - get_bit(convert_to(${name}, 'UTF8'),
          (${at}::bigint % length(${name})) * 8 + ${at % 6}::int)), 'UTF8') ${here}`
  } else if (how === 'cut') {
    await tx`
      update ${tx(table)} set ${name} =
        substr(${name}, 1, (${at}::bigint % length(${name}))::int) ${here}`
  } else {
    await tx`
      update ${tx(table)} set ${name} = set_bit(${name},
        (${at}::bigint % (length(${name})::bigint * 8)),
        1 - get_bit(${name}, (${at}::bigint % (length(${name})::bigint * 8)))) ${here}`
  }
}

type Seen = { readonly recovered: Recovered } | { readonly error: unknown } | 'impossible'

/**
 * Recovers from the damage, which is then undone; `impossible` if the database does not accept it.
 */
async function see(sql: Sql, damage: Damage): Promise<Seen> {
  let seen: Seen = 'impossible'
  await sql
    .begin(async (tx) => {
      await hurt(tx, damage)
      seen = await recover(tx as unknown as Sql).then(
        (recovered) => ({ recovered }),
        (error: unknown) => ({ error }),
      )
      throw undo
    })
    .catch((error: unknown) => {
      // 23: a key that stands already, or leads nowhere; 22: a number out of range.
      const isRefused = /^2[23]/.test(String((error as { code?: string }).code))
      if (error !== undo && !isRefused) throw error
    })
  return seen
}

interface Truth {
  /** What a start may come to: the newest snapshot, or the one before, with all rows behind. */
  readonly digests: ReadonlyMap<string, number>
  readonly newest: number
}

/** Returns what both snapshots lead to; any other result is silently wrong. */
async function findTruth(sql: Sql): Promise<Truth> {
  const newest = await recover(sql)
  let older: Recovered | undefined
  await sql
    .begin(async (tx) => {
      await tx`update snapshot set complete = false
        where batch = (select max(batch) from snapshot where complete)`
      older = await recover(tx as unknown as Sql)
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  if (!newest.image || !older?.image) throw new Error('two snapshots are needed')
  return {
    newest: newest.image.batch,
    digests: new Map([newest, older].map(({ digest, image }) => [digest, image?.batch ?? 0])),
  }
}

interface Tally {
  harmless: number
  older: number
  refused: number
  impossible: number
}

function judge(seen: Seen, truth: Truth, tally: Tally): void {
  if (seen === 'impossible') {
    tally.impossible++
  } else if ('error' in seen) {
    if (!(seen.error instanceof StorageDamageError)) throw new Error(`no sentence: ${seen.error}`)
    tally.refused++
  } else {
    const batch = truth.digests.get(seen.recovered.digest)
    if (batch === undefined) throw new Error('a start would be silently wrong')
    if (batch === truth.newest) tally.harmless++
    else tally.older++
  }
}

const ROWS_BETWEEN = 5
/** Makes columns of a few pages: small ones keep five hundred starts quick. */
const tablesAt = (batch: number): WorldImage['tables'] =>
  [1_000, 9_000, 40_000].map((length, i) => ({
    name: `table ${i}`,
    high: length - 1,
    nextSeq: 2 * length,
    free: [3, 2, 9],
    freed: [12],
    columns: [
      { name: 'kept', kind: 'u8', width: 1, bytes: someBytes(length, i) },
      { name: 'moved', kind: 'u8', width: 1, bytes: someBytes(length, batch + i) },
    ],
  }))

/** Stores two snapshots, with rows before, between and after them. */
async function fillStore(connection: ConnectionOptions): Promise<void> {
  await migrate(connection)
  const keep = { ...KEEPING_DEFAULT, newest: 2 }
  const store = await openStore(connection, { rulesVersion: RULES_VERSION, keep })
  for (let snapshot = 0; snapshot < 3; snapshot++) {
    for (let i = 0; i < ROWS_BETWEEN; i++) {
      const more = { rulesVersion: RULES_VERSION, hash: `${'ab'.repeat(7)}${snapshot}${i}` }
      await store.commit(journalRow(store.headBatch + 1, more), [])
    }
    const batch = store.headBatch
    const image = imageAt(batch, { tables: tablesAt(batch), hash: 'cd'.repeat(8) })
    if (snapshot < 2) await store.saveSnapshot(image)
  }
  await store.close()
}

/** Inflicts the given number of damages, one after the other, on one stored world. */
export async function damageAgainAndAgain(options: DamageOptions): Promise<Verdict & Tally> {
  const { database, count, seed } = options
  const connection = database.connection(database.schema())
  await fillStore(connection)
  const sql = connect(connection, { name: 'damage' })
  try {
    const truth = await findTruth(sql)
    const tally: Tally = { harmless: 0, older: 0, refused: 0, impossible: 0 }
    const property = fc.asyncProperty(DAMAGE, async (damage) =>
      judge(await see(sql, damage), truth, tally),
    )
    const found = await fc.check(property, { numRuns: count, seed })
    const { harmless, older, refused, impossible } = tally
    return {
      ...tally,
      summary:
        `${count} damages: ${refused} refused with a sentence, ${older} from the older snapshot, ` +
        `${harmless} of no account to a start, ${impossible} not taken by the database`,
      broken: found.failed
        ? [`${JSON.stringify(found.counterexample)}: ${found.errorInstance} (seed ${seed})`]
        : [],
    }
  } finally {
    await disconnect(sql)
  }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Damages what is stored of a world, and reads it as a start does.',
    defaults: { count: 500, seed: 1 },
  },
  ({ count, seed }) => withDatabase((database) => damageAgainAndAgain({ database, count, seed })),
)
