/**
 * The messages of a batch whose journal row is durable: answers with the sections of state they
 * carry, and events with their recipients. All of it runs at replay too.
 */
import { assert } from '../assert.ts'
import { answerTo, type BatchRun, definitionOf, type Engine } from '../engine.ts'
import { type Outcome, ok } from '../errors.ts'
import { playerNumber } from '../pending.ts'
import type { Answer, JournalRow, PackedList, PublishedBatch, PublishedEmission } from '../ports.ts'
import { runSteps } from '../steps.ts'
import type { Eid, Emission, FeedDiff, LongList, PendingAnswer, World } from '../types.ts'
import { RULES_VERSION } from '../version.ts'
import { endFeeds, forgetFeed } from './feed.ts'

/** Answers and events that are finished between two heartbeats. */
const STEPS_PER_HEARTBEAT = 256
const FRAMINGS_WITH_SECTIONS = new Set(['ws2', 'http2', 'mcp2'])

/** Returns the journal row of a batch that has run, without the outcomes of its archive writes. */
export const rowOfBatch = (world: World, run: BatchRun, part: number): JournalRow => ({
  batch: world.batch + 1,
  tick: world.tick,
  part,
  rulesVersion: RULES_VERSION,
  wallMs: world.wallMs,
  inputs: run.inputs,
  archived: {},
  hash: run.hash,
})

/** Finishes a batch of a world without a store: its archive writes count as done. */
export function finishUnstored(engine: Engine, run: BatchRun, part: number): PublishedBatch {
  const written = run.outbox.writes.map(({ ref }) => [String(ref), ok({})] as const)
  const row = { ...rowOfBatch(engine.world, run, part), archived: Object.fromEntries(written) }
  return finishBatch(engine, run, row)
}

/** Makes the messages of a durable batch. Runs at replay too: `notify` may write to the world. */
export function finishBatch(engine: Engine, run: BatchRun, row: JournalRow): PublishedBatch {
  return runSteps(finishSteps(engine, run, row))
}

/** Takes the messages of a batch one by one, in order. */
export interface MessageSink {
  answer(answer: Answer): void
  emission(emission: PublishedEmission): void
  /** Returns the messages that it has kept. */
  kept(): Pick<PublishedBatch, 'answers' | 'emissions'>
}

/** Returns a sink that keeps the messages as they are. */
function plainSink(): MessageSink {
  const answers: Answer[] = []
  const emissions: PublishedEmission[] = []
  return {
    answer: (answer) => void answers.push(answer),
    emission: (emission) => void emissions.push(emission),
    kept: () => ({ answers, emissions }),
  }
}

/** A batch that is being finished. */
interface Finishing {
  readonly engine: Engine
  readonly run: BatchRun
  readonly row: JournalRow
  readonly sink: MessageSink
  readonly countStep: () => void
}

/**
 * Finishes a batch in steps of one answer or event, between which queries may read the world. Where
 * the archive has no say in the events, they come first: then an answer may be sent at once.
 */
export function* finishSteps(
  engine: Engine,
  run: BatchRun,
  row: JournalRow,
  sink = plainSink(),
): Generator<void, PublishedBatch> {
  const { world, here } = engine
  world.batch = row.batch
  let done = 0
  const countStep = (): void => {
    if (++done % STEPS_PER_HEARTBEAT === 0) engine.heartbeat(0)
  }
  const finishing = { engine, run, row, sink, countStep }
  const hasArchived = run.archived.length > 0
  if (!hasArchived) yield* finishEvents(finishing, run.outbox.emissions)
  const given = here ? run.answers.filter((answer) => here.hasAnswer(answer)) : run.answers
  for (const answer of given) sink.answer(withArchived(answer, row))
  for (const { pending, outcome } of run.outbox.settled) {
    if (here && !here.hasAnswer(pending)) continue
    sink.answer(settledAnswer(engine, pending, outcome))
    countStep()
    yield
  }
  if (hasArchived) {
    const notified = yield* finishArchived(finishing)
    yield* finishEvents(finishing, [...run.outbox.emissions, ...notified])
  }
  if (row.part === 0) endFeeds(world)
  const ran = run.inputs.map((input) => input.ref)
  return { batch: row.batch, tick: row.part === 0 ? row.tick : 0, ran, ...sink.kept() }
}

/** Answers the commands whose archive writes are durable; returns the events that they raise. */
function* finishArchived({
  engine,
  run,
  row,
  sink,
  countStep,
}: Finishing): Generator<void, Emission[]> {
  const { world, here } = engine
  const notified: Emission[] = []
  for (const entry of run.archived) {
    const written = row.archived[String(entry.input.ref)]
    assert(written, `batch ${row.batch} lacks the outcome of ${entry.input.command}`)
    let outcome = written
    if (written.ok) {
      recordActed(engine, entry.input.player)
      notified.push(...(entry.def.notify?.(world, entry.scope, written.result) ?? []))
      if (entry.def.answer) outcome = ok(entry.def.answer(world, entry.scope, written.result))
    }
    if (here && !here.hasAnswer(entry.input)) continue
    sink.answer(
      entry.pending
        ? settledAnswer(engine, entry.pending, outcome)
        : answerTo(world, entry.input, outcome),
    )
    countStep()
    yield
  }
  return notified
}

function* finishEvents(
  { engine, sink, countStep }: Finishing,
  emissions: readonly Emission[],
): Generator<void> {
  for (const emission of emissions) {
    const sent = publishedEmission(engine, emission)
    if (sent && emission.list) {
      sink.emission({ ...sent, list: yield* packList(emission.list, countStep) })
    } else if (sent) sink.emission(sent)
    countStep()
    yield
  }
}

/**
 * Records that a player acted, only after the write: a command whose write the archive refuses is a
 * refused command (I12).
 */
function recordActed({ world, registry }: Engine, number: number): void {
  const player = number === 0 ? 0 : world.rowOf(registry.players.table, number)
  if (player !== 0) registry.players.recordActed?.(world, player, false)
}

/** Fails an immediate whose own archive write (register) was refused. */
function withArchived(answer: Answer, row: JournalRow): Answer {
  const written = row.archived[String(answer.ref)]
  return written && !written.ok ? { ...answer, outcome: written } : answer
}

function settledAnswer(engine: Engine, pending: PendingAnswer, outcome: Outcome<unknown>): Answer {
  const { world, registry } = engine
  const answer: { -readonly [K in keyof Answer]: Answer[K] } = answerTo(world, pending, outcome)
  const { autoDocked, autoUndocked } = pending
  if (autoDocked) answer.autoDocked = true
  if (autoUndocked) answer.autoUndocked = true
  const def = definitionOf(registry, pending.command)
  const changes = def.kind === 'mutation' || def.kind === 'archive' ? (def.changes ?? []) : []
  if (!outcome.ok || !FRAMINGS_WITH_SECTIONS.has(pending.framing)) return answer
  const player = world.rowOf(registry.players.table, pending.player)
  const sections: Answer['sections'] = {}
  const isPacked = pending.framing === 'ws2'
  for (const name of changes) {
    if (registry.moved.get(name)?.(world, player) === false) continue
    const pack = isPacked ? registry.packedSections.get(name) : undefined
    const section = pack ? pack(world, player) : world.section(name, player)
    if (section !== undefined) sections[name] = section
  }
  if (autoDocked || autoUndocked) {
    sections.location = world.section('location', player)
  }
  answer.sections = sections
  return answer
}

function audienceRows(engine: Engine, audience: Emission['audience']): readonly Eid[] {
  if (audience.kind === 'player') return [audience.row]
  if (audience.kind === 'players') return audience.rows
  const resolve = engine.registry.audiences.get(audience.kind)
  assert(resolve, `no domain resolves audience ${audience.kind}`)
  const rows = resolve(engine.world, 'row' in audience ? audience.row : 0)
  const except = 'except' in audience ? audience.except : undefined
  return except === undefined ? rows : rows.filter((row) => row !== except)
}

/** Returns the emission for the bound players of its audience; undefined if there are none. */
function publishedEmission(engine: Engine, emission: Emission): PublishedEmission | undefined {
  const { world, registry } = engine
  const { type, payload, feed } = emission
  const rows = audienceRows(engine, emission.audience)
  const to: number[] = []
  const places: number[] = []
  for (let place = 0; place < rows.length; place++) {
    if (!registry.players.isBound(world, rows[place])) continue
    if (engine.here && !engine.here.hasPlayer(rows[place])) continue
    to.push(playerNumber(world, rows[place]))
    places.push(place)
  }
  if (feed && to.length === 0) forgetFeed(world, type, feed.feed)
  if (to.length === 0) return undefined
  if (!feed) return { type, payload, to }
  return { type, payload, to, feed: withHeads(feed, rows.length, places) }
}

/** Writes each entry as JSON, one per step, so that main only has to join thousands of them. */
function* packList(list: LongList, showLife: () => void): Generator<void, PackedList> {
  const { name, about, keys } = list
  const entries: string[] = []
  for (let place = 0; place < keys.length; place++) {
    entries.push(JSON.stringify(list.entry(place)))
    showLife()
    yield
  }
  return { name, about, keys, entries }
}

/** Returns the diff with only the heads at these places, out of `count`. */
function withHeads(feed: FeedDiff, count: number, places: readonly number[]): FeedDiff {
  if (places.length === count) return feed
  const width = feed.heads.length / count
  const heads = new Int32Array(places.length * width)
  for (let i = 0; i < places.length; i++) {
    heads.set(feed.heads.subarray(places[i] * width, (places[i] + 1) * width), i * width)
  }
  return { ...feed, heads }
}
