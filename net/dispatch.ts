/**
 * The single path of a command on every channel: it is authenticated and validated, then handled on
 * the main thread, or checked against the rate limits and sent to the world. The answer goes back
 * to its exchange, or to the player once the exchange is gone. Framings differ only in what they do
 * before and after. Source: accounts.md sections 7 and 9, DESIGN 2.
 */
import { type CommandDef, commandKey, isMutation } from '../core/command.ts'
import { type Failure, type FieldError, fail, invalidFields, type Outcome } from '../core/errors.ts'
import { isImmediate } from '../core/inbox.ts'
import type { Answer, RanElsewhere } from '../core/ports.ts'
import { unpack } from '../core/wire/packed.ts'
import { isV2 } from './addresses.ts'
import { inTurn } from './session/archive-turns.ts'
import { passBattleOrder, passImmediate } from './session/gate.ts'
import { addressRefusal, limited } from './session/limited.ts'
import type { MainAnswer, Net, Reply, Request } from './session/types.ts'
import { type Params, validate } from './validate.ts'

const replyOf = (request: Request, tick: number, outcome: Outcome<unknown>): Reply => {
  const { def, requestId } = request
  const head = { def, stage: 'final' as const, acknowledged: false, tick, outcome }
  return requestId === undefined ? head : { ...head, requestId }
}

/** Refuses a command that exceeds the rate limits of its player or address. */
function rateRefusal(net: Net, request: Request, params: Params): Failure | undefined {
  const { def, client } = request
  const player = client.identity?.player ?? 0
  if (def.name === 'self_destruct') {
    const refusal = addressRefusal(net.gate, 'selfDestruct', client.ip)
    if (refusal) return refusal
  }
  // Without a login the archive is read as over the public API, and counts like that.
  if (player === 0 && def.kind === 'archive') return addressRefusal(net.gate, 'public', client.ip)
  const bucket = isImmediate(def, { params }) ? bucketOf(def) : undefined
  if (bucket === undefined || player === 0) return undefined
  const { tick, tickMs } = net.link.state()
  if (bucket === 'battleOrder') {
    const isPassed = passBattleOrder(net.gate, player, tick)
    return isPassed ? undefined : limited('battleOrder', Math.ceil(tickMs / 1000))
  }
  const wait = passImmediate(net.gate, player, request.bytes)
  return wait > 0 ? limited('immediate', wait) : undefined
}

/** Returns which rate limit of the player a command counts against if it writes without a slot. */
function bucketOf(def: CommandDef): 'immediate' | 'battleOrder' | undefined {
  const mayBeImmediate =
    def.kind === 'immediate' ||
    (def.kind === 'archive' && def.as === 'immediate') ||
    (def.kind === 'mutation' && def.isImmediate !== undefined)
  // Chat has its own bucket in the world: 20 per minute.
  if (!mayBeImmediate || def.name === 'chat') return undefined
  return def.name === 'battle' || def.v2?.tool === 'game_battle' ? 'battleOrder' : 'immediate'
}

/** Counts immediates that players ran on other nodes; their size is unknown and counts as 0. */
export function countElsewhere(net: Net, commands: readonly RanElsewhere[]): void {
  const { tick } = net.link.state()
  for (const { player, command } of commands) {
    const def = net.registry.commands.get(command)
    const bucket = def && bucketOf(def)
    if (bucket === 'immediate') passImmediate(net.gate, player, 0)
    else if (bucket === 'battleOrder') passBattleOrder(net.gate, player, tick)
  }
}

/** Turns a `login` with a token in place of name and password into `login_token`. */
function withTokenLogin(net: Net, request: Request): Request {
  const { def, params } = request
  if (def.name !== 'login' || params.token === undefined || params.password !== undefined)
    return request
  return { ...request, def: net.registry.commands.get('login_token') ?? def }
}

/** Returns the request with a `reply` that measures the time until the final answer. */
function withTiming(net: Net, request: Request): Request {
  const { framing: channel, def } = request
  const kind = isMutation(def) ? 'mutation' : 'other'
  const startedMs = net.clock.monoMs()
  const reply = (made: Reply): boolean => {
    const isTaken = request.reply(made)
    if (made.stage === 'final') {
      const seconds = (net.clock.monoMs() - startedMs) / 1000
      net.metrics.commandDuration.observe({ channel, kind }, seconds)
    }
    return isTaken
  }
  return { ...request, reply }
}

/** Runs a command; exactly one final reply is sent. */
export function dispatch(net: Net, received: Request): void {
  const request = withTiming(net, withTokenLogin(net, received))
  const { def, client, framing } = request
  net.metrics.commands.inc({ channel: framing })
  const { tick } = net.link.state()
  const refuse = (failure: Failure): void => {
    request.reply(replyOf(request, tick, failure))
  }
  if (!def.open && !client.identity) {
    refuse(fail('not_authenticated'))
    return
  }
  const checked = validate(net.validators, def, request.params, isV2(framing))
  if (!checked.ok) {
    refuse(checked)
    return
  }
  const handler = net.mainHandlers.get(def.name)
  if (handler) {
    runOnMain(net, request, handler(request, checked.params))
    return
  }
  if (def.kind === 'session') {
    net.log.error(
      { command: commandKey(def), requestId: request.requestId },
      'a session command has no handler',
    )
    refuse(fail('internal_error'))
    return
  }
  const refusal = rateRefusal(net, request, checked.params)
  if (refusal) {
    refuse(refusal)
    return
  }
  submit(net, request, checked.params)
}

/** Sends a reply; one that cannot be framed becomes internal_error (DESIGN 4). */
function sendReply(net: Net, request: Request, reply: Reply): boolean {
  try {
    return request.reply(reply)
  } catch (error) {
    net.log.error(
      { err: error, command: request.def.name, requestId: request.requestId },
      'a reply could not be framed',
    )
    return request.reply({ ...reply, outcome: fail('internal_error') })
  }
}

function runOnMain(net: Net, request: Request, work: Promise<MainAnswer>): void {
  const { tick } = net.link.state()
  const failed = (error: unknown): MainAnswer => {
    net.log.error(
      { err: error, command: request.def.name, requestId: request.requestId },
      'a command failed on the main thread',
    )
    return { outcome: fail('persist_timeout') }
  }
  void work.catch(failed).then(({ outcome, login, isLast }) => {
    const reply = replyOf(request, tick, outcome)
    sendReply(net, request, {
      ...reply,
      ...(login ? { login } : {}),
      ...(isLast ? { isLast } : {}),
    })
  })
}

function submit(net: Net, request: Request, params: Params): void {
  const { def, framing, requestId } = request
  let acknowledged = false
  const command = {
    player: request.client.identity?.player ?? 0,
    command: commandKey(def),
    params,
    framing,
    ...(requestId === undefined ? {} : { requestId }),
  }
  net.link.submit(command, (answer) => {
    if (answer.archive) {
      void readArchive(net, answer).then((outcome) =>
        sendReply(net, request, fromAnswer(def, { ...answer, outcome }, false)),
      )
      return true
    }
    const taken = sendReply(net, request, fromAnswer(def, answer, acknowledged))
    if (answer.stage === 'accepted') acknowledged = true
    return taken
  })
}

/** Names the parameters in a refusal as the version does; commands use their names on v1. */
function withParamNames({ v2 }: CommandDef, { framing, outcome }: Answer): Outcome<unknown> {
  if (outcome.ok || outcome.code !== 'invalid_payload' || !isV2(framing)) return outcome
  const fields = outcome.details?.fields as readonly FieldError[] | undefined
  if (!fields || !v2?.rename) return outcome
  const { rename } = v2
  return invalidFields(
    ...fields.map(({ field, expected }) => ({ field: rename[field] ?? field, expected })),
  )
}

/** Converts an answer of the world to a reply. */
export function fromAnswer(def: CommandDef, given: Answer, acknowledged: boolean): Reply {
  // Frames of acknowledged mutations are written from the packed text.
  const keepsPacked = acknowledged || !isMutation(def)
  const answer = keepsPacked ? given : unpack(given)
  const { stage, tick, requestId, autoDocked, autoUndocked, sections, packed } = answer
  return {
    def,
    stage,
    acknowledged,
    tick,
    outcome: withParamNames(def, answer),
    ...(requestId === undefined ? {} : { requestId }),
    ...(autoDocked ? { autoDocked } : {}),
    ...(autoUndocked ? { autoUndocked } : {}),
    ...(sections ? { sections } : {}),
    ...(packed ? { packed } : {}),
  }
}

/**
 * Reads the archive for an archive command that the world has admitted. Refuses with
 * persist_timeout when the database does not answer.
 */
async function readArchive(net: Net, answer: Answer): Promise<Outcome<unknown>> {
  const { archive, command, requestId } = answer
  if (!answer.outcome.ok || !archive) return answer.outcome
  try {
    return await inTurn(net.gate.reads, answer.player, () => net.archive.read(archive))
  } catch (error) {
    net.log.warn(
      { err: error, method: archive.method, command, requestId },
      'the archive does not answer',
    )
    return fail('persist_timeout')
  }
}

/**
 * Runs a query for a player outside of any exchange (website endpoints, public data). The caller
 * must have validated the parameters. Refuses with not_found if there is no such command.
 */
export async function runForPlayer(
  net: Net,
  player: number,
  name: string,
  params: Params,
): Promise<Outcome<unknown>> {
  const def = net.registry.commands.get(name)
  if (!def) return fail('not_found')
  const answer = await net.link.ask({ player, command: name, params, framing: 'http1' })
  return readArchive(net, answer)
}

/**
 * Delivers the outcome of a mutation whose exchange is gone: to the player's socket if it has the
 * same framing, else to the queues of their bound sessions. Drops it if the player is not
 * connected; the action log has it. Source: DESIGN 2.
 */
export function routeOrphan(net: Net, answer: Answer): void {
  const def = net.registry.commands.get(answer.command)
  if (!def || !isMutation(def)) return
  const bound = net.bindings.players.get(answer.player)
  if (!bound) return
  const reply = fromAnswer(def, answer, true)
  const { socket } = bound
  if (socket && socket.framing === answer.framing) {
    net.deliverOutcome(socket, reply)
    return
  }
  net.queueOutcome(bound.sessions, unpack(reply))
}
