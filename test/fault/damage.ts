/**
 * Flips a bit, cuts a value or deletes a row in what is stored of a world. A start must then either
 * have the same world (from an older snapshot if needed) or refuse with a sentence, and never be
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

type Kind = 'bytes' | 'integer' | 'text' | 'boolean'

/** Columns that hold a world; archive and accounts are no part of it. */
const COLUMNS: readonly (readonly [table: string, column: string, kind: Kind])[] = [
  ['journal', 'batch', 'integer'],
  ['journal', 'tick', 'integer'],
  ['journal', 'part', 'integer'],
  ['journal', 'rules_version', 'integer'],
  ['journal', 'wall_ms', 'integer'],
  ['journal', 'body', 'bytes'],
  ['journal', 'hash', 'text'],
  ['journal', 'checksum', 'bytes'],
  ['snapshot', 'batch', 'integer'],
  ['snapshot', 'tick', 'integer'],
  ['snapshot', 'seed', 'integer'],
  ['snapshot', 'rules_version', 'integer'],
  ['snapshot', 'hash', 'text'],
  ['snapshot', 'chain', 'bytes'],
  ['snapshot', 'layout', 'bytes'],
  ['snapshot', 'sha256', 'bytes'],
  ['snapshot', 'complete', 'boolean'],
  ['snapshot_part', 'place', 'integer'],
  ['snapshot_part', 'sha256', 'bytes'],
  ['snapshot_chunk', 'sha256', 'bytes'],
  ['snapshot_chunk', 'raw_bytes', 'integer'],
  ['snapshot_chunk', 'bytes', 'bytes'],
  ['world', 'head_batch', 'integer'],
  ['world', 'head_checksum', 'bytes'],
]
/** Columns with most of the bytes, which are damaged most often. */
const BODIES = COLUMNS.filter(([, column]) => column === 'bytes' || column === 'body')

interface Damage {
  readonly column: (typeof COLUMNS)[number]
  readonly how: 'flip' | 'cut' | 'gone'
  /** Index of the row, modulo their number. */
  readonly row: number
  /** Index of the byte or bit, modulo their number. */
  readonly position: number
}

const DAMAGE: fc.Arbitrary<Damage> = fc.record({
  column: fc.oneof(fc.constantFrom(...COLUMNS), fc.constantFrom(...BODIES)),
  how: fc.constantFrom('flip', 'flip', 'flip', 'cut', 'gone'),
  row: fc.nat(1_000_000),
  position: fc.nat(100_000_000),
})

/** Thrown to roll a transaction back. */
const ROLLBACK = new Error('rolled back')

async function inflict(tx: Tx, damage: Damage): Promise<void> {
  const { how, row, position: at } = damage
  const [table, column, kind] = damage.column
  const rows = await tx<{ id: string }[]>`select ctid::text as id from ${tx(table)} order by ctid`
  const whereRow = tx`where ctid = ${rows[row % rows.length].id}::tid`
  const name = tx(column)
  if (how === 'gone') {
    await tx`delete from ${tx(table)} ${whereRow}`
  } else if (kind === 'boolean') {
    await tx`update ${tx(table)} set ${name} = not ${name} ${whereRow}`
  } else if (kind === 'integer') {
    // One of the 31 bits that each of these columns has.
    await tx`update ${tx(table)} set ${name} = ${name} # (1 << ${at % 31}::int) ${whereRow}`
  } else if (kind === 'text') {
    // A hexadecimal digit with any of its lower six bits flipped is still valid text.
    await tx`
      update ${tx(table)} set ${name} = convert_from(set_bit(convert_to(${name}, 'UTF8'),
        (${at}::bigint % length(${name})) * 8 + ${at % 6}::int,
        1 - get_bit(convert_to(${name}, 'UTF8'),
          (${at}::bigint % length(${name})) * 8 + ${at % 6}::int)), 'UTF8') ${whereRow}`
  } else if (how === 'cut') {
    await tx`
      update ${tx(table)} set ${name} =
        substr(${name}, 1, (${at}::bigint % length(${name}))::int) ${whereRow}`
  } else {
    await tx`
      update ${tx(table)} set ${name} = set_bit(${name},
        (${at}::bigint % (length(${name})::bigint * 8)),
        1 - get_bit(${name}, (${at}::bigint % (length(${name})::bigint * 8)))) ${whereRow}`
  }
}

type StartResult = { readonly recovered: Recovered } | { readonly error: unknown } | 'impossible'

/**
 * Inflicts a damage, reads the world as a start does, and undoes the damage; `impossible` if the
 * database does not accept it.
 */
async function startDamaged(sql: Sql, damage: Damage): Promise<StartResult> {
  let result: StartResult = 'impossible'
  await sql
    .begin(async (tx) => {
      await inflict(tx, damage)
      result = await recover(tx as unknown as Sql).then(
        (recovered) => ({ recovered }),
        (error: unknown) => ({ error }),
      )
      throw ROLLBACK
    })
    .catch((error: unknown) => {
      // Class 23: a key that exists already or refers to nothing; class 22: a number out of range.
      const isRefused = /^2[23]/.test(String((error as { code?: string }).code))
      if (error !== ROLLBACK && !isRefused) throw error
    })
  return result
}

interface Expected {
  /** Digests of the worlds that a start may have, with the batch of the snapshot used. */
  readonly digests: ReadonlyMap<string, number>
  readonly newest: number
}

/** Reads the world from either snapshot; any other world would be silently wrong. */
async function findExpected(sql: Sql): Promise<Expected> {
  const newest = await recover(sql)
  let older: Recovered | undefined
  await sql
    .begin(async (tx) => {
      await tx`update snapshot set complete = false
        where batch = (select max(batch) from snapshot where complete)`
      older = await recover(tx as unknown as Sql)
      throw ROLLBACK
    })
    .catch((error: unknown) => {
      if (error !== ROLLBACK) throw error
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

function judge(result: StartResult, expected: Expected, tally: Tally): void {
  if (result === 'impossible') {
    tally.impossible++
  } else if ('error' in result) {
    if (!(result.error instanceof StorageDamageError)) {
      throw new Error(`no sentence: ${result.error}`)
    }
    tally.refused++
  } else {
    const batch = expected.digests.get(result.recovered.digest)
    if (batch === undefined) throw new Error('a start would be silently wrong')
    if (batch === expected.newest) tally.harmless++
    else tally.older++
  }
}

const ROWS_BETWEEN = 5
/** Makes tables of a few pages, small enough for hundreds of quick starts. */
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
      const fields = { rulesVersion: RULES_VERSION, hash: `${'ab'.repeat(7)}${snapshot}${i}` }
      await store.commit(journalRow(store.headBatch + 1, fields), [])
    }
    const batch = store.headBatch
    const image = imageAt(batch, { tables: tablesAt(batch), hash: 'cd'.repeat(8) })
    if (snapshot < 2) await store.saveSnapshot(image)
  }
  await store.close()
}

/** Inflicts this number of damages on a stored world, each undone before the next. */
export async function damageAgainAndAgain(options: DamageOptions): Promise<Verdict & Tally> {
  const { database, count, seed } = options
  const connection = database.connection(database.schema())
  await fillStore(connection)
  const sql = connect(connection, { name: 'damage' })
  try {
    const expected = await findExpected(sql)
    const tally: Tally = { harmless: 0, older: 0, refused: 0, impossible: 0 }
    const property = fc.asyncProperty(DAMAGE, async (damage) =>
      judge(await startDamaged(sql, damage), expected, tally),
    )
    const found = await fc.check(property, { numRuns: count, seed })
    const { harmless, older, refused, impossible } = tally
    return {
      ...tally,
      summary:
        `${count} damages: ${refused} refused with a sentence, ${older} from the older snapshot, ` +
        `${harmless} without effect on a start, ${impossible} refused by the database`,
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
