/**
 * Keeps a replica of the leader's world: runs the rows of the journal, answers queries, notifies
 * the players of its node, and forwards commands that change the world. A replica whose hash
 * differs from that of a row ends, and starts again from a snapshot. Source: SCALE 1 and 4.
 */
import { type Bus, processOf, subjectsOf } from '../core/bus.ts'
import { answerTo, type Engine } from '../core/engine.ts'
import { fail } from '../core/errors.ts'
import { createInbox, readsOnly, takeImmediates } from '../core/inbox.ts'
import { IMMEDIATES_PER_BATCH_MAX, PUBLIC_FRAME_MS_MIN } from '../core/limits.ts'
import { COMMAND_BYTES_MAX, KEPT_ROWS_MAX } from '../core/limits-cluster.ts'
import type { ClusterFigures, ToWorld } from '../core/ports.ts'
import type { Submission } from '../core/types.ts'
import { forgetFeeds } from '../core/wire/feed.ts'
import { unpackMessage } from '../storage/bus-messages.ts'
import { LEADER_BEAT } from '../storage/bus-shapes.ts'
import type { ReplicaStore } from '../storage/replica.ts'
import { firstImage, newEngine, recover } from './catch-up.ts'
import { endedLogins } from './ended-logins.ts'
import { createForwarding, type Forwarding } from './forwarding.ts'
import { createFrames, type Frames } from './frames.ts'
import { createKeptWrites, type KeptWrites } from './kept-writes.ts'
import { type Knowledge, learn, newKnowledge } from './knowledge.ts'
import { isUnbindOf, unbindNode } from './leader-nodes.ts'
import type { LoopOptions } from './options.ts'
import type { Origin } from './origin.ts'
import { ranElsewhere } from './ran-elsewhere.ts'
import { createReception, type Reception } from './reception.ts'
import { type NodeIdentity, startNodeBeats } from './roster.ts'
import { createRowFeed, delayOf, type RowFeed } from './row-feed.ts'
import { forwardingNotes, runRow } from './row-run.ts'
import { nextTurn } from './slices.ts'

interface FollowerOptions extends Omit<LoopOptions, 'store' | 'seed'> {
  readonly bus: Bus
  readonly store: ReplicaStore
  /** The epoch of the world; the subjects on the bus carry it. */
  readonly worldName: string
  /** Incarnation of this process. */
  readonly node: number
  readonly identity: NodeIdentity
}

interface Follower {
  readonly options: FollowerOptions
  readonly engine: Engine
  readonly frames: Frames
  readonly forwarding: Forwarding
  /** Commands of this node whose outcome is not known yet. */
  readonly own: Set<number>
  readonly reception: Reception
  feed: RowFeed
  isApplying: boolean
  /** Resolves when the row in progress has run to its end. */
  running: Promise<unknown>
  /** Resolves when the rows received have been applied; rejects when one could not be. */
  applying: Promise<void>
  isOver: boolean
  readonly kept: KeptWrites
  readonly knowledge: Knowledge
  /** The leader considered this node gone: players logged in here must be bound again. */
  wasUnbound: boolean
  published: (batch: number) => void
}

/** Selects the answers and players that this node serves. */
function herePart({ registry, node }: FollowerOptions, engine: Engine, own: Set<number>) {
  const { world } = engine
  const hasPlayer = (player: number): boolean => registry.players.isBoundAt(world, player, node)
  return {
    hasPlayer,
    hasAnswer({ ref, player: number }: { readonly ref: number; readonly player: number }): boolean {
      // Main still awaits the answers to commands that an earlier thread of this node sent.
      const sender = processOf(ref)
      if (sender === node || own.has(ref)) return true
      const player = world.rowOf(registry.players.table, number)
      if (player === 0 || !hasPlayer(player)) return false
      // The node that took the command answers its player while they are logged in there.
      return !registry.players.isBoundAt(world, player, sender)
    },
  }
}

const mayLead = ({ identity }: FollowerOptions): boolean => identity.role === 'standby'

/** Loads the newest snapshot, catches up with the journal, and tells main that it is ready. */
async function openFollower(options: FollowerOptions): Promise<Follower> {
  const { bus, store, post } = options
  const image = await firstImage(options)
  const own = new Set<number>()
  const bare = await newEngine(options, image)
  const engine: Engine = { ...bare, here: herePart(options, bare, own) }
  const { world } = engine
  const inbox = createInbox()
  const { rows: subject } = subjectsOf(options.worldName)
  const kept = createKeptWrites(world.batch, mayLead(options) ? KEPT_ROWS_MAX : 0)
  const knowledge = newKnowledge(options.clock.monotonicMs())
  const { held, checksum, wasUnbound } = await recover(options, engine, { kept, knowledge })
  knowledge.applied = world.batch
  const forwarding = openForwarding(options, await store.takeIncarnation(), { knowledge, own })
  const follower: Follower = {
    options,
    engine,
    own,
    forwarding,
    frames: createFrames(world, { ...options, tickMs: world.tickMs }),
    reception: forwardingNotes(createReception(engine, inbox, options, { count: () => {} }), () =>
      forwarding.send(takeImmediates(inbox, IMMEDIATES_PER_BATCH_MAX)),
    ),
    feed: createRowFeed({
      bus,
      store,
      checksum,
      subject,
      batch: world.batch,
      arrived: () => pump(follower),
      failed: (error) => die(follower, error),
      warn: (text) => post({ kind: 'log', level: 'warn', fields: {}, text }),
    }),
    // Until the first frame is built.
    isApplying: true,
    running: Promise.resolve(),
    applying: Promise.resolve(),
    isOver: false,
    kept,
    knowledge,
    wasUnbound,
    published: () => {},
  }
  const { seed, tickMs, tick, batch } = world
  post({ kind: 'ready', tick, batch, seed, tickMs, held, cpuFigures: options.cpuFigures })
  return follower
}

/** Follows the world from its newest snapshot on. */
export async function createFollower(options: FollowerOptions) {
  const { bus, post } = options
  const follower = await openFollower(options)
  const { engine, forwarding, kept, knowledge } = follower
  await follower.frames.build()
  follower.isApplying = false
  pump(follower)
  const endBeats = bus.subscribe(subjectsOf(options.worldName).leader, (bytes) => {
    const beat = unpackMessage(LEADER_BEAT, bytes)
    follower.feed.follow(beat)
    // A standby has no players, and nothing to send.
    if (!mayLead(options)) forwarding.follow(beat)
    learn(knowledge, beat, options.clock.monotonicMs())
  })
  const endNodeBeats = startNodeBeats({
    bus,
    post,
    world: options.worldName,
    identity: options.identity,
    position: () => positionOf(follower),
  })
  return {
    receive(message: ToWorld): void {
      try {
        handle(follower, message)
      } catch (error) {
        die(follower, error)
      }
    },
    /** Drops the kept archive writes of batches up to this one: the archive has them. */
    archived: kept.written,
    /** Stops following; resolves with the replica as it is. Rejects if the replica has failed. */
    async handOver(): Promise<Origin & { readonly keptFrom: number }> {
      follower.isOver = true
      endBeats()
      endNodeBeats()
      await follower.applying
      await forwarding.close()
      await follower.feed.close()
      const { world, section } = engine
      const written = { kept: kept.batches(), keptFrom: kept.from() }
      return { world, section, part: knowledge.part, ...written, isNew: false }
    },
    /** Stops following, and has the leader unbind this node's players. */
    async leave(): Promise<void> {
      // Commands already taken are answered first, if there is a leader to run them.
      await forwarding.settled()
      follower.isOver = true
      endBeats()
      endNodeBeats()
      await forwarding.close(unbindNode(options.node))
      await follower.feed.close()
      await follower.running
      await engine.section.close()
      post({ kind: 'stopped' })
    },
  }
}

function openForwarding(
  { bus, worldName, node, post }: FollowerOptions,
  sender: number,
  { knowledge, own }: Pick<Follower, 'knowledge' | 'own'>,
): Forwarding {
  return createForwarding({
    bus,
    world: worldName,
    node,
    sender,
    applied: () => knowledge.applied,
    answered: (answers) => {
      for (const { ref, stage } of answers) if (stage === 'final') own.delete(ref)
      post({ kind: 'answers', answers })
    },
  })
}

function die(follower: Follower, error: unknown): void {
  if (follower.isOver) return
  follower.isOver = true
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  follower.options.post({ kind: 'fatal', text: `this replica cannot follow the world: ${text}` })
}

function handle(follower: Follower, message: ToWorld): void {
  const { post } = follower.options
  switch (message.kind) {
    case 'submit':
      submit(follower, message.commands)
      return
    case 'published':
      if (message.isLost) forgetFeeds(follower.engine.world)
      follower.published(message.batch)
      return
    case 'public_again':
      follower.frames.requestFull()
      return
    case 'slow_ticks':
    case 'snapshot':
      post({ kind: 'snapshotted', token: message.token, error: 'only the leader does this' })
  }
}

function submit(follower: Follower, commands: readonly Submission[]): void {
  const { engine, forwarding, own } = follower
  const queries: Submission[] = []
  const others: Submission[] = []
  for (const command of commands) {
    const def = engine.registry.commands.get(command.command)
    if (!def || readsOnly(def, command)) queries.push(command)
    else others.push(command)
  }
  if (queries.length > 0) follower.reception.take(queries)
  for (const { ref } of others) own.add(ref)
  if (others.length === 0) return
  const refused = fail('payload_too_large', { bytes_max: COMMAND_BYTES_MAX })
  const tooLong = forwarding.send(others)
  for (const { ref } of tooLong) own.delete(ref)
  const answers = tooLong.map((command) => answerTo(engine.world, command, refused))
  if (answers.length > 0) follower.options.post({ kind: 'answers', answers })
}

function pump(follower: Follower): void {
  if (follower.isApplying || follower.isOver) return
  follower.isApplying = true
  follower.applying = applyRows(follower)
  follower.applying.catch((error: unknown) => die(follower, error))
}

function positionOf({ knowledge, engine, options, feed, forwarding }: Follower) {
  const { applied } = knowledge
  const head = Math.max(knowledge.head, applied)
  const figures: ClusterFigures = {
    leads: false,
    leadership: knowledge.leadership,
    isBusUp: options.bus.isUp(),
    staleMs: options.clock.monotonicMs() - knowledge.freshMs,
    lagBatches: head - applied,
    rowsApplied: knowledge.rowsApplied,
    rowsFilled: feed.filled(),
    forwarded: forwarding.taken(),
    forwardedBytes: forwarding.bytes(),
    sentRowBytes: 0,
    sentInputs: 0,
    largestMessage: options.bus.largest(),
  }
  return { applied, head, tick: engine.world.tick, figures }
}

async function applyRows(follower: Follower): Promise<void> {
  const { engine, options, reception, frames, forwarding, own, kept, knowledge } = follower
  const { world } = engine
  const { clock } = options
  let framedMs = clock.monotonicMs()
  for (;;) {
    await nextTurn()
    const row = follower.isOver ? undefined : follower.feed.next()
    if (!row) {
      follower.isApplying = false
      // Only once the replica knows which players have logged in at other nodes meanwhile.
      if (!follower.wasUnbound || knowledge.head > world.batch) return
      follower.wasUnbound = false
      options.post({ kind: 'unbound' })
      return
    }
    const startedMs = clock.monotonicMs()
    const running = runRow({ ...options, engine, reception }, row)
    follower.running = running.catch(() => {})
    const published = await running
    const ended = endedLogins(row.inputs, options.node, own)
    // A row read from the database ran long ago: its commands no longer count against limits.
    const elsewhere = row.durableMs === undefined ? [] : ranElsewhere(row, options.node, own)
    const batch = { ...published, ended, elsewhere }
    const appliedMs = clock.monotonicMs()
    kept.add(row, world.outbox.writes)
    knowledge.part = row.part
    knowledge.rowsApplied += 1
    if (row.batch >= knowledge.head) knowledge.freshMs = appliedMs
    forwarding.dropHeld(batch.ran)
    knowledge.applied = row.batch
    follower.wasUnbound ||= row.inputs.some((input) => isUnbindOf(input, options.node))
    const handedOver = new Promise<void>((resolve) => {
      follower.published = (number) => {
        if (number === row.batch) resolve()
      }
    })
    const delay = delayOf(row.durableMs, clock.wallMs(row.tick), appliedMs - startedMs)
    options.post({ kind: 'batch', batch, ...delay })
    await handedOver
    for (const { ref, stage } of batch.answers) if (stage === 'final') own.delete(ref)
    frames.observe(world.outbox)
    await engine.section.settled()
    if (row.part !== 0 || !frames.isDue(row.tick)) continue
    // A replica that is catching up builds one public frame a second, not one for each tick.
    if (follower.feed.hasNext() && clock.monotonicMs() - framedMs < PUBLIC_FRAME_MS_MIN) continue
    framedMs = clock.monotonicMs()
    await frames.build()
  }
}
