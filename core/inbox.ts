/**
 * The world's inbox: what waits for the next batch. Mutations wait for the tick, at most one a
 * player, and behind it one more of a channel whose requests block; immediates for the next gap
 * between batches. All are bounded: a full inbox refuses, it never drops.
 */
import type { ArchiveRead } from './archive-calls.ts'
import { type CommandDef, isMutation } from './command.ts'
import { definitionOf, type Engine } from './engine.ts'
import { type Failure, fail, type Outcome, ok } from './errors.ts'
import { holdsNoMoreGoods } from './goods.ts'
import { INBOX_MAX } from './limits.ts'
import { pendingOf } from './pending.ts'
import type { Answer } from './ports.ts'
import { readReferences } from './reference.ts'
import type { Registry } from './registry.ts'
import type { Eid, Submission, World, WorldView } from './types.ts'

/** The ref of a command that no exchange waits for: its answer goes nowhere. */
export const NOBODY_WAITS = 0

export interface Inbox {
  readonly mutations: Map<number, Submission>
  /**
   * Second mutations, by player: HTTP and MCP wait instead of failing (interface, Limits). They are
   * acknowledged, and judged again when the first is answered.
   */
  readonly behind: Map<number, Submission>
  readonly immediates: Submission[]
}

export const createInbox = (): Inbox => ({
  mutations: new Map(),
  behind: new Map(),
  immediates: [],
})

const sizeOf = ({ mutations, behind, immediates }: Inbox): number =>
  mutations.size + behind.size + immediates.length

/** A socket is told at once; a request over HTTP or MCP blocks anyway. */
const blocks = ({ framing }: Submission): boolean => framing !== 'ws1' && framing !== 'ws2'

export function takeMutations(inbox: Inbox): Submission[] {
  const taken = [...inbox.mutations.values()]
  inbox.mutations.clear()
  return taken
}

export function takeImmediates(inbox: Inbox, most: number): Submission[] {
  return inbox.immediates.splice(0, most)
}

/**
 * Gives the slots that have become free to who waits behind them; returns the refusals of those who
 * may not have them any more. Before each tick.
 */
export function moveUp(
  { world, registry, beat }: Pick<Engine, 'world' | 'registry' | 'beat'>,
  inbox: Inbox,
): Answer[] {
  const refusals: Answer[] = []
  for (const [player, submission] of inbox.behind) {
    if (inbox.mutations.has(player)) continue
    beat(submission.ref)
    const row = world.rowOf(world.players, player)
    if (pendingOf(world, row)) continue
    inbox.behind.delete(player)
    const def = definitionOf(registry, submission.command)
    const refused = inadmissible(world, registry, def, row)
    if (refused) refusals.push(answer(world, submission, 'final', refused))
    else inbox.mutations.set(player, submission)
  }
  beat(0)
  return refusals
}

/** Refuses who still waits behind another mutation when the world stops: it has not run. */
export function turnAway({ world }: Pick<Engine, 'world'>, inbox: Inbox): Answer[] {
  const waiting = [...inbox.behind.values()]
  inbox.behind.clear()
  return waiting.map((submission) => answer(world, submission, 'final', fail('restarting')))
}

/**
 * Answers a query at once, acknowledges a mutation, or puts an immediate in the queue (no answer
 * yet). Nothing here writes, so whatever throws is cut off alone (DESIGN 4).
 */
export function receive(
  world: World,
  registry: Registry,
  inbox: Inbox,
  submission: Submission,
): Answer | undefined {
  try {
    return judge(world, registry, inbox, submission)
  } catch (error) {
    const sentence = `The server failed at this: ${String(error)}`
    return answer(world, submission, 'final', fail('internal_error', undefined, sentence))
  }
}

function judge(
  world: World,
  registry: Registry,
  inbox: Inbox,
  submission: Submission,
): Answer | undefined {
  const def = registry.commands.get(submission.command)
  if (!def) return answer(world, submission, 'final', fail('unknown_command'))
  const player = submission.player === 0 ? 0 : world.rowOf(world.players, submission.player)
  if (player === 0 && !def.open)
    return answer(world, submission, 'final', fail('not_authenticated'))
  const { params } = submission
  if (readsOnly(def, submission)) {
    const read = readReferences(world, registry.references, { def, player, params })
    if (!read.ok) return answer(world, submission, 'final', read)
    const asked = { ...submission, params: read.result.params }
    const answered = answerQuery(world, def, player, asked)
    if (answered.outcome.ok) addTouch(world, inbox, def, { player, submission: asked })
    return answered
  }
  if (sizeOf(inbox) >= INBOX_MAX) {
    return answer(world, submission, 'final', fail('rate_limited', { wait_seconds: 1 }))
  }
  if (!isMutation(def) || isImmediate(def, submission)) {
    inbox.immediates.push(submission)
    return undefined
  }
  const refused = inadmissible(world, registry, def, player)
  if (refused) return answer(world, submission, 'final', refused)
  const { mutations, behind } = inbox
  const first = mutations.get(submission.player) ?? pendingOf(world, player)
  const waiting = first ?? behind.get(submission.player)
  if (waiting) return putBehind(world, inbox, submission, waiting)
  const foreseen = preview(world, registry, { def, player, params })
  inbox.mutations.set(submission.player, submission)
  return answer(world, submission, 'accepted', ok({ pending: true, ...foreseen }))
}

/** Lets a second mutation wait where its channel blocks; refuses it elsewhere, and a third. */
function putBehind(
  world: World,
  inbox: Inbox,
  submission: Submission,
  first: { readonly command: string },
): Answer {
  const { player } = submission
  if (!blocks(submission) || inbox.behind.has(player)) {
    const pending = fail('action_pending', { pending_command: first.command })
    return answer(world, submission, 'final', pending)
  }
  inbox.behind.set(player, submission)
  return answer(world, submission, 'accepted', ok({ pending: true }))
}

/** Further fields of the acknowledgement; none of what will be refused. */
function preview(
  view: WorldView,
  registry: Registry,
  asked: { def: CommandDef; player: Eid; params: Submission['params'] },
) {
  const { def, player } = asked
  if (def.kind !== 'mutation' || !def.foresee) return undefined
  const read = readReferences(view, registry.references, asked)
  return read.ok ? def.foresee(view, player, read.result.params) : undefined
}

function readsOnly(def: CommandDef, submission: Submission): boolean {
  if (def.kind === 'query') return true
  if (def.kind === 'archive') return def.as === 'query'
  return def.kind === 'mutation' && (def.readsOnly?.(submission.params) ?? false)
}

const isImmediate = (def: CommandDef, { params }: Submission): boolean =>
  def.kind === 'mutation' && (def.isImmediate?.(params) ?? false)

/** Adds what reading changes to the next batch; dropped when the inbox is full. */
function addTouch(
  view: WorldView,
  inbox: Inbox,
  def: CommandDef,
  { player, submission }: { player: Eid; submission: Submission },
): void {
  if (player === 0 || (def.kind !== 'query' && def.kind !== 'archive')) return
  const touch = def.touch?.(view, player, submission.params)
  if (!touch || inbox.immediates.length >= INBOX_MAX) return
  const { player: number, framing } = submission
  inbox.immediates.push({ ref: NOBODY_WAITS, player: number, framing, ...touch })
}

function inadmissible(
  view: WorldView,
  registry: Registry,
  def: CommandDef,
  player: Eid,
): Failure | undefined {
  for (const domain of registry.domains) {
    const refused = domain.admission?.(view, player, def)
    if (refused) return refused
  }
  if (def.kind === 'mutation' && def.changes.includes('cargo') && holdsNoMoreGoods(view)) {
    return fail('limit_reached', { full: 'goods' }, 'This world holds no more goods.')
  }
  return undefined
}

function answerQuery(world: World, def: CommandDef, player: Eid, submission: Submission): Answer {
  const outcome = look(world, def, player, submission.params)
  if (def.kind !== 'archive' || !outcome.ok) return answer(world, submission, 'final', outcome)
  const archive = { method: def.method, args: outcome.result } as ArchiveRead
  return { ...answer(world, submission, 'final', outcome), archive }
}

function look(
  world: World,
  def: CommandDef,
  player: Eid,
  params: Submission['params'],
): Outcome<unknown> {
  if (def.kind === 'session') return fail('unknown_command')
  for (const need of def.needs) {
    const refused = player === 0 ? undefined : need.check(world, player)
    if (refused) return refused
  }
  if (def.kind === 'archive') return def.scope(world, player, params)
  const outcome = def.run(world, player, params)
  return typeof outcome === 'symbol' ? fail('internal_error') : outcome
}

function answer(
  view: WorldView,
  submission: Submission,
  stage: Answer['stage'],
  outcome: Outcome<unknown>,
): Answer {
  const { ref, player, command, framing, requestId } = submission
  return { ref, player, command, framing, requestId, stage, tick: view.tick, outcome }
}
