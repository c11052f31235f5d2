/**
 * A world thread in this process, for tests of net: it journals batches, answers queries, can crash
 * and stall, and recovers as the real one does. Its commands are the few of `fakeRegistry`.
 */
import Type from 'typebox'
import { defineEntity, u8 } from '../../../core/columns.ts'
import { immediate, isMutation, mutation, query, session } from '../../../core/command.ts'
import { type Failure, fail, type Outcome, ok } from '../../../core/errors.ts'
import { defineEvent } from '../../../core/event.ts'
import type {
  Answer,
  EndedLogins,
  PublishedBatch,
  PublishedEmission,
  ToMain,
  ToWorld,
} from '../../../core/ports.ts'
import { createRegistry, type Registry } from '../../../core/registry.ts'
import type { Submission } from '../../../core/types.ts'
import { defineFeed } from '../../../core/wire/feed.ts'
import {
  type ProgressCell,
  progressCell,
  setBusy,
  setRunning,
} from '../../../core/wire/progress.ts'
import type { SpawnOptions, WorldThread } from '../../../net/world-thread.ts'

const base = { category: 'test', needs: [], errors: [], result: Type.Object({}) }
const text = (description: string) => Type.String({ description })
const never = (): never => {
  throw new Error('the fake world runs commands by name')
}

const login = (name: string, params: Parameters<typeof Type.Object>[0], errors = {}) =>
  session({
    name,
    v2: { tool: 'game_auth', action: name },
    summary: `Does ${name}.`,
    category: 'authentication',
    params: Type.Object(params),
    result: Type.Object({}),
    errors: ['invalid_credentials'],
    open: true,
    ...errors,
  })

const COMMANDS = [
  login('login', { username: text('name'), password: text('password') }),
  login('login_token', { token: text('token') }, { errors: ['invalid_token'] }),
  login(
    'register',
    { username: text('name'), empire: text('empire'), registration_code: text('code') },
    { errors: ['registration_code_required', 'invalid_empire'] },
  ),
  session({ ...login('logout', {}), open: undefined }),
  session({
    ...login('help', { topic: Type.Optional(text('topic')) }),
    v2: { tool: 'game', action: 'help' },
  }),
  session({
    ...login('get_notifications', {
      limit: Type.Optional(Type.Integer()),
      clear: Type.Optional(Type.Boolean()),
      types: Type.Optional(Type.Array(Type.String())),
    }),
    v2: { tool: 'game', action: 'get_notifications' },
    open: undefined,
  }),
  query({
    ...base,
    name: 'get_status',
    v2: { tool: 'game', action: 'get_status' },
    summary: 'Shows the status.',
    params: Type.Object({}),
    run: never,
  }),
  query({
    ...base,
    name: 'get_version',
    v2: { tool: 'game', action: 'get_version' },
    summary: 'Shows the version.',
    params: Type.Object({}),
    open: true,
    run: never,
  }),
  query({
    ...base,
    name: 'slow_query',
    v2: { tool: 'game', action: 'slow_query' },
    summary: 'Answers when the test says so.',
    params: Type.Object({}),
    run: never,
  }),
  query({
    ...base,
    name: 'catalog',
    v2: { tool: 'game_catalog', action: '' },
    summary: 'Lists.',
    params: Type.Object({ type: text('what') }),
    open: true,
    run: never,
  }),
  mutation({
    ...base,
    name: 'sell',
    v2: { tool: 'game', action: 'sell', rename: { item_id: 'id' } },
    summary: 'Sells.',
    order: 'plain',
    changes: ['cargo'],
    params: Type.Object({
      item_id: text('item'),
      quantity: Type.Integer({ minimum: 1, description: 'how many' }),
    }),
    run: never,
  }),
  mutation({
    ...base,
    name: 'mine',
    v2: { tool: 'game', action: 'mine' },
    summary: 'Mines.',
    order: 'request',
    changes: [],
    params: Type.Object({}),
    run: never,
  }),
  immediate({
    ...base,
    name: 'set_status',
    v2: { tool: 'game_social', action: 'set_status' },
    summary: 'Sets a status.',
    params: Type.Object({ status_message: Type.Optional(text('status')) }),
    run: never,
  }),
]

const EVENTS = [
  defineEvent({
    type: 'mining_yield',
    summary: 'Ore came in.',
    fields: Type.Object({ quantity: Type.Integer() }),
    queue: 'system',
    channel: () => 'activity',
  }),
  defineEvent({
    type: 'market_update',
    summary: 'Books changed.',
    fields: Type.Object({}),
    queue: 'market',
  }),
  defineFeed({
    type: 'battle_update',
    summary: 'A battle continues.',
    fields: Type.Object({}),
    queue: 'combat',
    channel: () => 'battle_ticker',
    feed: {
      list: 'participants',
      key: 'player_id',
      moving: { hull_pct: { kind: 'number', max: 100 } },
      head: { your_side_id: { kind: 'number', max: 10 }, your_target_id: { kind: 'entry' } },
    },
  }),
]

const Player = defineEntity('player', 10, { bound: u8('bound') })

export const fakeRegistry = (): Registry =>
  createRegistry([
    {
      name: 'fake',
      players: { table: Player, isBound: () => true, isBoundAt: () => false, boundNodes: () => [] },
      commands: COMMANDS,
      events: EVENTS,
    },
  ])

/** What outlives the thread: the journal, and the faults and answers that a test sets. */
export interface FakeDisk {
  readonly batches: PublishedBatch[]
  tick: number
  players: number
  /** Names of commands that end the thread before their batch is written. */
  readonly deadly: Set<string>
  /** Commands that end the thread after their batch is written, before it is published. */
  readonly deadlyAfter: Set<string>
  /** Commands that never end. */
  readonly endless: Set<string>
  /** Refs received, in order; a resent one appears twice. */
  readonly received: number[]
  /** Refs that ran in a batch. */
  readonly ran: number[]
  /** Starts of the thread, with the last batch main had published. */
  readonly starts: number[]
  mask: number
  /** A replacement recovers until `finishRecovery`. */
  isSlowToRecover: boolean
  /** Outcome of get_status, where the test gives one. */
  statusOutcome: Outcome<unknown> | undefined
  /** Outcome of sell. */
  sellOutcome: Outcome<unknown>
  /** Logins that each batch of an immediate ends. */
  ended: readonly EndedLogins[]
}

export const fakeDisk = (): FakeDisk => ({
  batches: [],
  tick: 0,
  players: 0,
  deadly: new Set(),
  deadlyAfter: new Set(),
  endless: new Set(),
  received: [],
  ran: [],
  starts: [],
  mask: 0,
  isSlowToRecover: false,
  statusOutcome: undefined,
  sellOutcome: ok({ item_id: 'ore_iron', quantity: 3 }),
  ended: [],
})

export interface FakeThread extends WorldThread {
  /** The progress that it shows the main thread. */
  readonly cell: ProgressCell
  end(reason: string): void
  /** Sends main a message as the world thread would. */
  tell(message: ToMain): void
  /** Publishes a batch of emissions. */
  emit(emissions: readonly PublishedEmission[]): void
  /** Answers the waiting slow queries. */
  releaseSlow(): void
  finishRecovery(): void
}

const answerOf = (submission: Submission, tick: number, outcome: Outcome<unknown>): Answer => ({
  ref: submission.ref,
  player: submission.player,
  command: submission.command,
  framing: submission.framing,
  ...(submission.requestId === undefined ? {} : { requestId: submission.requestId }),
  stage: 'final',
  tick,
  outcome,
})

/** Starts a thread on the disk; messages leave in later turns of the loop, as through a port. */
export function fakeThread(disk: FakeDisk, options: SpawnOptions): FakeThread {
  const registry = fakeRegistry()
  const cell: ProgressCell = progressCell(options.progress)
  let onMessage: (message: ToMain) => void = () => {}
  let onExit: (reason: string) => void = () => {}
  let isOver = false
  const slow: Submission[] = []
  const waiting: Submission[] = []
  disk.starts.push(options.lastPublished)

  const post = (message: ToMain): void => {
    setImmediate(() => {
      if (!isOver) onMessage(message)
    })
  }
  const end = (reason: string): void => {
    if (isOver) return
    // What was posted before the end still arrives.
    setImmediate(() =>
      setImmediate(() => {
        isOver = true
        onExit(reason)
      }),
    )
  }
  const commit = (batch: Omit<PublishedBatch, 'batch'>, dies: boolean): void => {
    const published = { ...batch, batch: disk.batches.length + 1 }
    disk.batches.push(published)
    disk.ran.push(...batch.ran)
    if (dies) end('died after its commit')
    else post({ kind: 'batch', batch: published })
  }
  const outcomeOf = (submission: Submission): Outcome<unknown> => {
    switch (submission.command) {
      case 'internal:register':
        disk.players += 1
        return ok({
          player: disk.players,
          player_id: `id-${disk.players}`,
          username: submission.params.username,
        })
      case 'internal:bind':
        return ok({
          player: { id: `id-${submission.params.player}` },
          ship: {},
          system: {},
          poi: {},
          mask: disk.mask,
        })
      case 'sell':
        return disk.sellOutcome
      case 'get_status':
        return disk.statusOutcome ?? ok({ player: { id: submission.player }, tick: disk.tick })
      default:
        return ok({ message: `${submission.command} done` })
    }
  }
  const isDying = (submission: Submission): boolean => {
    if (!disk.deadly.has(submission.command) && !disk.endless.has(submission.command)) return false
    setRunning(cell, submission.ref)
    if (disk.endless.has(submission.command)) setBusy(cell, true)
    else end(`crashed at ${submission.command}`)
    return true
  }
  const runImmediate = (submission: Submission): void => {
    if (isDying(submission)) return
    const answers = [answerOf(submission, disk.tick, outcomeOf(submission))]
    const batch = { tick: 0, ran: [submission.ref], answers, emissions: [], ended: disk.ended }
    commit(batch, disk.deadlyAfter.has(submission.command))
  }
  const accept = (submission: Submission): void => {
    const refused: Failure | undefined = waiting.some((other) => other.player === submission.player)
      ? fail('action_pending', { pending_command: submission.command })
      : undefined
    if (refused) {
      post({ kind: 'answers', answers: [answerOf(submission, disk.tick, refused)] })
      return
    }
    waiting.push(submission)
    const ack: Answer = { ...answerOf(submission, disk.tick, ok({ eta: 1 })), stage: 'accepted' }
    post({ kind: 'answers', answers: [ack] })
  }
  const receive = (submission: Submission): void => {
    disk.received.push(submission.ref)
    const def = registry.commands.get(submission.command)
    if (def && isMutation(def)) accept(submission)
    else if (def?.kind === 'query') {
      if (submission.command === 'slow_query') slow.push(submission)
      else if (!isDying(submission))
        post({ kind: 'answers', answers: [answerOf(submission, disk.tick, outcomeOf(submission))] })
    } else runImmediate(submission)
  }
  const runTick = (): void => {
    const commands = waiting.splice(0)
    for (const submission of commands) if (isDying(submission)) return
    disk.tick += 1
    const answers = commands.map((submission) => ({
      ...answerOf(submission, disk.tick, outcomeOf(submission)),
      sections: { cargo: [] },
      autoDocked: true as const,
    }))
    const dies = commands.some((submission) => disk.deadlyAfter.has(submission.command))
    const ran = commands.map(({ ref }) => ref)
    commit({ tick: disk.tick, ran, answers, emissions: [] }, dies)
  }

  for (const batch of disk.batches)
    if (!options.firstStart && batch.batch > options.lastPublished) post({ kind: 'batch', batch })
  const finishRecovery = (): void =>
    post({
      kind: 'ready',
      tick: disk.tick,
      batch: disk.batches.length,
      seed: 1,
      tickMs: 1000,
      held: disk.batches.flatMap(({ ran }) => ran),
    })
  if (!disk.isSlowToRecover) finishRecovery()
  return {
    post: (message: ToWorld) => {
      if (isOver) return
      if (message.kind === 'submit') for (const command of message.commands) receive(command)
      else if (message.kind === 'step') {
        for (let tick = 0; tick < message.ticks; tick++) runTick()
        post({ kind: 'stepped', tick: disk.tick, hash: 'h' })
      } else if (message.kind === 'stop') post({ kind: 'stopped' })
    },
    onMessage: (handler) => {
      onMessage = handler
    },
    onExit: (handler) => {
      onExit = handler
    },
    terminate: () => end('terminated'),
    cell,
    tell: post,
    end,
    finishRecovery,
    emit: (emissions) => commit({ tick: 0, ran: [], answers: [], emissions }, false),
    releaseSlow: () => {
      for (const submission of slow.splice(0))
        post({ kind: 'answers', answers: [answerOf(submission, disk.tick, ok({ slow: true }))] })
    },
  }
}
