/**
 * The database of a simulation: journal, snapshots, archive and accounts in memory. It is slow,
 * fails, goes away and loses acknowledgements as the fault plan says. Each life of the world (from
 * the start of its thread to its end) has its own connection.
 */
import type { ArchiveWrite } from '../../core/archive-calls.ts'
import type { Dice } from '../../core/dice.ts'
import { fail, ok } from '../../core/errors.ts'
import type { BatchStore, JournalRow, WorldImage } from '../../core/ports.ts'
import type { AccountsPort, ArchivePort, PlayerAccount } from '../../net/ports.ts'
import { ForeignWriterError, WorldLockedError } from '../../storage/errors.ts'
import {
  CHAIN_START,
  decodeJournalRow,
  type EncodedRow,
  encodeJournalRow,
  sameBytes,
} from '../../storage/journal-row.ts'
import type { ReplicaStore } from '../../storage/replica.ts'
import { type MemoryArchive, memoryArchive } from '../memory-archive.ts'
import type { Audit } from './audit.ts'
import type { Saboteur } from './canary.ts'
import type { FaultPlan } from './faults.ts'

const SNAPSHOTS_KEPT = 3
const COMMIT_STEPS_MAX = 6
const SNAPSHOT_STEPS_MAX = 20
const AWAY_STEPS_MAX = 40
const OLDER_SNAPSHOT_PCT = 20

/** The life of a world or replica, from the start of its thread to its end. */
export interface Life {
  isOver: boolean
  /** Ends it as a crash would: nothing it has begun continues. */
  end(reason: string): void
  /** Runs a continuation in its process; if absent, it runs at once. */
  enter?(run: () => void): void
}

/** What a replica reads from the database in addition to the journal. */
type Numbers = Pick<ReplicaStore, 'takeIncarnation' | 'lease'>

/** The store of one life. */
export interface SimStore extends BatchStore {
  /** Returns the row committed last, as it is stored. */
  lastRow(): EncodedRow | undefined
}

export interface SimStorage {
  /** Connects a life, which from now on is the only one that may write. */
  connect(life: Life): SimStore
  /** Connects a replica, which only reads. */
  connectReplica(life: Life, numbers: Numbers): ReplicaStore
  /** Runs a function once the database is available; resolves with its result. */
  whenAvailable<T>(life: Life, run: () => T): Promise<T>
  /** Resolves if this life is the one that may write; rejects otherwise. */
  prove(life: Life): Promise<void>
  /** Returns the durable row of a batch. */
  rowOf(batch: number): EncodedRow | undefined
  /** Called when a life is over: some of its commits in flight become durable. */
  ended(life: Life): void
  /** Advances time by a step and runs what is due. */
  step(): void
  /** Makes the database available. */
  heal(): void
  readonly accounts: AccountsPort
  readonly archive: ArchivePort
  readonly rows: readonly string[]
  /** The image at which the journal begins. */
  readonly first: WorldImage
}

/** The last durable row. */
type Head = Pick<EncodedRow, 'batch' | 'checksum'>

interface Operation {
  readonly life: Life
  readonly dueStep: number
  readonly isCommit: boolean
  /** Makes a write durable or does a read, and answers. */
  run(): void
}

interface State {
  readonly options: StorageOptions
  readonly rows: string[]
  /** The same rows, encoded as they are stored. */
  readonly chain: EncodedRow[]
  /** The life that connected last; no other may write. */
  writer: Life | undefined
  head: Head
  readonly snapshots: WorldImage[]
  readonly archive: MemoryArchive
  readonly players: Map<string, PlayerAccount>
  readonly operations: Operation[]
  nowStep: number
  awayUntilStep: number
}

interface StorageOptions {
  readonly first: WorldImage
  readonly plan: FaultPlan
  readonly dice: Dice
  readonly audit: Audit
  readonly saboteur: Saboteur
}

const never = <T>(): Promise<T> => new Promise(() => {})

/** Returns a copy that shares no memory with the next snapshot that is captured. */
export function copyImage(image: WorldImage): WorldImage {
  const tables = image.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => ({ ...column, bytes: new Uint8Array(column.bytes) })),
  }))
  return { ...image, tables }
}

const resumeLife = (life: Life, run: () => void): void => (life.enter ? life.enter(run) : run())

const isAway = (state: State): boolean => state.nowStep < state.awayUntilStep

/** Runs an operation after some steps, or at once where there are none to wait for. */
function schedule(state: State, operation: Omit<Operation, 'dueStep'>, steps: number): void {
  if (steps === 0 && !isAway(state)) operation.run()
  else state.operations.push({ ...operation, dueStep: state.nowStep + steps })
}

/** Runs a read or write that waits only while the database is away. */
function whenAvailable<T>(state: State, life: Life, run: () => T): Promise<T> {
  return new Promise((resolve) => {
    const answer = (): void => resumeLife(life, () => resolve(run()))
    schedule(state, { life, isCommit: false, run: answer }, 0)
  })
}

/** Appends a row to the journal, after the row with this checksum. */
function makeDurable(
  state: State,
  row: JournalRow,
  writes: readonly ArchiveWrite[],
  previous: Uint8Array,
): JournalRow {
  const archived: Record<string, unknown> = {}
  for (const write of writes) {
    const outcome = state.archive.write(write, row)
    if (write.method === 'createPlayer') keepPlayer(state, write)
    if (write.ref !== undefined) archived[String(write.ref)] = outcome
  }
  const text = JSON.stringify({ ...row, archived })
  const durable = JSON.parse(text) as JournalRow
  state.options.audit.committed(durable, writes)
  state.rows.push(text)
  const encoded = encodeJournalRow(durable, previous)
  state.chain.push(encoded)
  state.head = encoded
  return durable
}

const archivedOf = (writes: readonly ArchiveWrite[]) =>
  Object.fromEntries(writes.map((write) => [String(write.ref), ok({})]))

function keepPlayer(state: State, write: ArchiveWrite): void {
  if (write.method !== 'createPlayer') return
  const { playerId, number, username, usernameKey, empire } = write.args
  state.players.set(String(usernameKey), {
    playerId: String(playerId),
    number: Number(number),
    username: String(username),
    empire: String(empire),
    passwordHash: Buffer.from(write.secret?.passwordHash ?? '', 'hex'),
    accountId: null,
    claimedAt: null,
  })
}

/** A life and the last row it knows of the journal that it writes. */
interface Writer {
  readonly life: Life
  head: Head
}

/** Returns whether a write is fenced off: only the last life may write, after the row it knows. */
const isFenced = ({ writer, head, options }: State, { life, head: known }: Writer): boolean =>
  (writer !== life || head.batch !== known.batch || !sameBytes(head.checksum, known.checksum)) &&
  !options.saboteur.strikes('no_fence')

function commit(state: State, writer: Writer, row: JournalRow, writes: readonly ArchiveWrite[]) {
  const { plan, dice, saboteur } = state.options
  const { life } = writer
  if (life.isOver) return never<JournalRow>()
  const unsaved = { ...row, archived: archivedOf(writes) }
  if (saboteur.strikes('lost_row')) return Promise.resolve(unsaved)
  if (saboteur.strikes('early_publish')) {
    const run = (): void => {
      makeDurable(state, row, writes, state.head.checksum)
      writer.head = state.head
    }
    schedule(state, { life, isCommit: true, run }, 1)
    return Promise.resolve(unsaved)
  }
  if (plan.ends('crash_before_commit')) {
    life.end('crash_before_commit')
    return never<JournalRow>()
  }
  const steps = plan.strikes('commit_delay') ? 1 + dice.below(COMMIT_STEPS_MAX) : 0
  return new Promise<JournalRow>((resolve, reject) => {
    const refuse = (): void => {
      const text = `batch ${row.batch} cannot follow ${writer.head.batch}: another server wrote`
      reject(new ForeignWriterError(text))
    }
    const run = (): void => {
      if (isFenced(state, writer)) {
        resumeLife(life, refuse)
        return
      }
      const durable = makeDurable(state, row, writes, writer.head.checksum)
      writer.head = state.head
      if (life.isOver) return
      if (plan.ends('lost_acknowledgement')) life.end('lost_acknowledgement')
      else resumeLife(life, () => resolve(durable))
    }
    schedule(state, { life, isCommit: true, run }, steps)
  })
}

function saveSnapshot(state: State, life: Life, image: WorldImage): Promise<void> {
  const { plan, dice } = state.options
  if (life.isOver) return never()
  if (plan.ends('crash_in_snapshot')) {
    life.end('crash_in_snapshot')
    return never()
  }
  if (plan.strikes('snapshot_failure')) return Promise.reject(new Error('injected failure'))
  const copy = copyImage(image)
  const steps = plan.strikes('snapshot_delay') ? 1 + dice.below(SNAPSHOT_STEPS_MAX) : 0
  return new Promise((resolve) => {
    const run = (): void => {
      state.snapshots.push(copy)
      if (state.snapshots.length > SNAPSHOTS_KEPT) state.snapshots.shift()
      resumeLife(life, resolve)
    }
    schedule(state, { life, isCommit: false, run }, steps)
  })
}

/** Resolves with the newest snapshot up to a batch, or sometimes with the one before it. */
const latestSnapshot = (
  state: State,
  life: Life,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<WorldImage> =>
  whenAvailable(state, life, () => {
    const { options } = state
    const upToBatch = state.snapshots.filter(({ batch }) => batch <= upTo)
    const snapshots = upToBatch.length > 0 ? upToBatch : [options.first]
    const isOlder = snapshots.length > 1 && options.dice.chance(OLDER_SNAPSHOT_PCT)
    return snapshots[snapshots.length - (isOlder ? 2 : 1)]
  })

function connect(state: State, life: Life): SimStore {
  const writer: Writer = { life, head: state.head }
  state.writer = life
  return {
    commit: (row, writes) => commit(state, writer, row, writes),
    lastRow: () => rowOf(state, writer.head.batch),
    saveSnapshot: (image) => saveSnapshot(state, life, image),
    latestSnapshot: () => latestSnapshot(state, life),
    async *journalAfter(batch) {
      const from = indexOf(state, batch) + 1
      const rows = await whenAvailable(state, life, () => state.rows.slice(from))
      for (const text of rows) yield JSON.parse(text) as JournalRow
    },
    async close() {},
  }
}

/** Returns the index of a row; batches follow each other without a gap. */
const indexOf = ({ options }: State, batch: number): number => batch - options.first.batch - 1

const rowOf = (state: State, batch: number): EncodedRow | undefined =>
  state.chain[indexOf(state, batch)]

const checksumAt = (state: State, batch: number): Uint8Array =>
  batch === state.options.first.batch ? CHAIN_START : (rowOf(state, batch) as EncodedRow).checksum

function connectReplica(state: State, life: Life, numbers: Numbers): ReplicaStore {
  return {
    latestSnapshot: (upTo) => latestSnapshot(state, life, upTo),
    checksumAt: (batch) => whenAvailable(state, life, () => checksumAt(state, batch)),
    async *rowsAfter(batch) {
      const from = indexOf(state, batch) + 1
      const rows = await whenAvailable(state, life, () => state.chain.slice(from))
      let previous = checksumAt(state, batch)
      for (const encoded of rows) {
        yield { row: decodeJournalRow(encoded, previous), checksum: encoded.checksum }
        previous = encoded.checksum
      }
    },
    hasWorld: async () => true,
    ...numbers,
    async close() {},
  }
}

/** Returns the accounts port of main. Every call rejects while the database is away. */
function accountsOf(state: State): AccountsPort {
  const read = async <T>(value: () => T): Promise<T> => {
    if (isAway(state)) throw new Error('injected: the database is away')
    return value()
  }
  const byId = (id: string) => [...state.players.values()].find((row) => row.playerId === id)
  const account = { accountId: 'a', email: null, username: null, newsletter: false }
  return {
    findByUsernameKey: (key) => read(() => state.players.get(key)),
    findByPlayerId: (id) => read(() => byId(id)),
    touchLastLogin: () => read(() => undefined),
    setPassword: () => read(() => false),
    accountByCode: () => read(() => undefined),
    linkPlayer: () => read(() => fail('invalid_registration_code')),
    accountOf: () => read(() => account),
    setNewsletter: () => read(() => undefined),
    registrationCode: () => read(() => 'code'),
    rotateRegistrationCode: () => read(() => 'code'),
    playersOf: () => read(() => []),
    issueLoginToken: () => read(() => ({ token: 'token', expiresAt: new Date(0) })),
    playerOfLoginToken: () => read(() => undefined),
    redeemLoginToken: () => read(() => fail('invalid_token')),
    openDeviceLink: () => read(() => fail('rate_limited')),
    pollDeviceLink: () => read(() => fail('expired_token')),
    deviceLinkStatus: () => read(() => undefined),
    decideDeviceLink: () => read(() => fail('expired_token')),
    createApiKey: () => read(() => fail('limit_reached')),
    apiKeysOf: () => read(() => []),
    deleteApiKey: () => read(() => false),
    accountByApiKey: () => read(() => undefined),
  }
}

export function createStorage(options: StorageOptions): SimStorage {
  const state: State = {
    options,
    rows: [],
    chain: [],
    writer: undefined,
    head: { batch: options.first.batch, checksum: CHAIN_START },
    snapshots: [options.first],
    archive: memoryArchive(),
    players: new Map(),
    operations: [],
    nowStep: 0,
    awayUntilStep: 0,
  }
  const { plan, dice } = options
  const runDue = (): void => {
    if (isAway(state)) return
    const due = state.operations.filter((operation) => operation.dueStep <= state.nowStep)
    const waiting = state.operations.filter((operation) => operation.dueStep > state.nowStep)
    state.operations.splice(0, state.operations.length, ...waiting)
    for (const operation of due) if (!operation.life.isOver) operation.run()
  }
  return {
    connect: (life) => connect(state, life),
    connectReplica: (life, numbers) => connectReplica(state, life, numbers),
    whenAvailable: (life, run) => whenAvailable(state, life, run),
    async prove(life) {
      const isMine = await whenAvailable(state, life, () => state.writer === life)
      if (!isMine) throw new WorldLockedError('another server runs the world')
    },
    rowOf: (batch) => rowOf(state, batch),
    ended(life) {
      const inFlight = state.operations.filter((operation) => operation.life === life)
      const others = state.operations.filter((operation) => operation.life !== life)
      state.operations.splice(0, state.operations.length, ...others)
      for (const operation of inFlight) {
        if (operation.isCommit && dice.below(2) === 0) operation.run()
      }
    },
    step() {
      state.nowStep += 1
      if (!isAway(state) && plan.strikes('database_away'))
        state.awayUntilStep = state.nowStep + 1 + dice.below(AWAY_STEPS_MAX)
      runDue()
    },
    heal() {
      state.awayUntilStep = 0
      runDue()
    },
    accounts: accountsOf(state),
    archive: {
      read: async (method) => {
        if (isAway(state)) return fail('persist_timeout')
        return ok({ method })
      },
    },
    rows: state.rows,
    first: options.first,
  }
}
