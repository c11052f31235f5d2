/**
 * Runs one tool call: finds its game session, sends the command through dispatch, waits for rate
 * limits that other channels report, and keeps the session of a login. Source: accounts.md 6 and 9,
 * RELIABILITY 6 (MCP), WIRE 9.3-9.5.
 */
import { type CommandDef, isMutation } from '../../core/command.ts'
import { type Failure, fail, invalidFields, type Outcome } from '../../core/errors.ts'
import {
  BLOCKED_REQUEST_MS,
  MCP_PROGRESS_EVERY_SECONDS,
  MCP_WAIT_SECONDS_MAX,
  MCP_WAITS_PER_ADDRESS_MAX,
  MCP_WAITS_PER_PLAYER_MAX,
} from '../../core/limits.ts'
import { counted } from '../../core/say.ts'
import { dispatch } from '../dispatch.ts'
import {
  ackPayload,
  errorPayload,
  loginPayload,
  refusalPayload,
  structured,
} from '../publish/frames.ts'
import { renderError, renderText } from '../render.ts'
import { admitCommand, finishCommand } from '../session/in-flight.ts'
import { limited, waitSeconds } from '../session/limited.ts'
import { endSession } from '../session/logins.ts'
import {
  type Client,
  dropSession,
  findSession,
  openSession,
  type Session,
  touchSession,
} from '../session/session.ts'
import type { Net, Reply } from '../session/types.ts'
import type { Meaning, Toolset } from './tools.ts'

/** The exchange of a call, as far as the call needs it. */
export interface CallContext {
  /** Key of the address. */
  readonly ip: string
  /** Id in log lines about this call. */
  readonly requestId: string
  readonly bytes: number
  /** The login on this protocol session (2025 revisions); absent without one. */
  readonly protocol?: { login: Session | undefined }
  /** Reports the progress of a call, if its client requested it; `progress` grows each time. */
  readonly reportProgress?: (progress: number, total: number | undefined, message: string) => void
  /** Returns true if nobody reads the answer any more. */
  isGone(): boolean
}

/** The fields of an MCP tool result that the game fills. */
export interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: true
}

const MUST_LOG_IN = 'Call login or register first, then pass its session_id.'

export const textResult = (text: string): ToolResult => ({ content: [{ type: 'text', text }] })

/** Renders a refusal as text and code, so that a model can correct itself. */
export const refusedResult = (failure: Failure, reply?: Reply): ToolResult => ({
  content: [{ type: 'text', text: renderError(failure) }],
  structuredContent: { error: reply ? refusalPayload(reply, failure) : errorPayload(failure) },
  isError: true,
})

/** Runs a call of a toolset; resolves with undefined if there is no such tool. */
export async function callTool(
  net: Net,
  toolset: Toolset,
  call: { readonly tool: string; readonly args: Record<string, unknown> },
  context: CallContext,
): Promise<ToolResult | undefined> {
  const meaning = toolset.meaning(call.tool, call.args)
  if (!meaning) return undefined
  const { session_id: sessionId } = call.args
  if (sessionId !== undefined && typeof sessionId !== 'string')
    return refusedResult(invalidFields({ field: 'session_id', expected: 'string' }))
  if ('text' in meaning)
    return meaning.text.ok ? textResult(meaning.text.result) : refusedResult(meaning.text)
  return isLogin(meaning.def)
    ? runLogin(net, toolset, meaning, context)
    : runCommand(net, toolset, meaning, context)
}

type Command = Extract<Meaning, { def: CommandDef }>

const LOGINS = new Set(['login', 'login_token', 'login_link_poll', 'register'])
const isLogin = (def: CommandDef): boolean => def.kind === 'session' && LOGINS.has(def.name)

/** Runs a login in a new session; if it succeeds, the previous sessions end. */
async function runLogin(
  net: Net,
  toolset: Toolset,
  meaning: Command,
  context: CallContext,
): Promise<ToolResult> {
  const session = openSession(net.pools, 'mcp', { framing: toolset.framing, ip: context.ip })
  if (!session) return refusedResult(limited('sessions', MCP_WAIT_SECONDS_MAX))
  session.inFlight += 1
  const reply = await runToEnd(net, session, { toolset, meaning, context }).finally(() => {
    session.inFlight -= 1
  })
  if (!reply.outcome.ok || !reply.login) {
    dropSession(net.pools, session, false)
    return resultOf(toolset, reply)
  }
  const named = meaning.sessionId && findSession(net.pools, 'mcp', meaning.sessionId)
  for (const older of [named || undefined, context.protocol?.login])
    if (older && !older.gone && older !== session) endSession(net, older, false)
  if (context.protocol) context.protocol.login = session
  const result = loginPayload(net, session, reply.login)
  return {
    content: [{ type: 'text', text: renderText(meaning.def, result) }],
    structuredContent: result,
  }
}

async function runCommand(
  net: Net,
  toolset: Toolset,
  meaning: Command,
  context: CallContext,
): Promise<ToolResult> {
  const found = clientOf(net, toolset, meaning, context)
  if (!found.ok) return refusedResult(found)
  const client = found.result
  const session = 'pool' in client ? (client as Session) : undefined
  if (session) session.ip = context.ip
  const refused = session && (await waitForPlace(session))
  if (refused) return refusedResult(refused)
  try {
    const reply = await runToEnd(net, client, { toolset, meaning, context })
    if (meaning.def.name === 'logout' && reply.outcome.ok && session) {
      dropSession(net.pools, session, false)
      if (context.protocol?.login === session) context.protocol.login = undefined
    }
    return resultOf(toolset, reply)
  } finally {
    if (session) {
      finishCommand(session)
      if (!session.gone) touchSession(net.pools, session)
    }
  }
}

/**
 * Waits for a place among the unanswered commands of a session; resolves with a refusal if too many
 * wait.
 */
const waitForPlace = (session: Session): Promise<Failure | undefined> =>
  new Promise((resolve) => {
    const isAdmitted = admitCommand(session, () => resolve(undefined))
    if (!isAdmitted) resolve(limited('unanswered', 1))
  })

/**
 * Returns the session that a call names, otherwise the login of its protocol session, otherwise, if
 * the command allows that, a client without a login.
 */
function clientOf(
  net: Net,
  toolset: Toolset,
  meaning: Command,
  context: CallContext,
): Outcome<Client> {
  const { def, sessionId } = meaning
  const login = context.protocol?.login
  const id = sessionId || login?.id
  const session = id === undefined ? undefined : findSession(net.pools, 'mcp', id)
  if (session) return { ok: true, result: session }
  if (def.open) {
    const { framing } = toolset
    const client: Client = {
      channel: 'mcp',
      framing,
      ip: context.ip,
      identity: undefined,
      authenticating: false,
      gone: false,
    }
    return { ok: true, result: client }
  }
  if (id === undefined) return fail('session_required', undefined, MUST_LOG_IN)
  const details = net.pools.replaced.has(id) ? { reason: 'replaced' } : undefined
  return fail('session_invalid', details, `This session has expired. ${MUST_LOG_IN}`)
}

interface CommandCall {
  readonly toolset: Toolset
  readonly meaning: Command
  readonly context: CallContext
}

interface RunningCall extends CommandCall {
  /** Reports what a call waits for, and the seconds left if known. */
  report(message: string, secondsLeft?: number): void
}

/**
 * Returns the `report` of a call. Progress is the seconds since the call started, and grows by at
 * least one each time.
 */
function progressReporter(net: Net, { reportProgress }: CallContext): RunningCall['report'] {
  const startMs = net.clock.monoMs()
  let progress = -1
  return (message, secondsLeft) => {
    progress = Math.max(progress + 1, Math.trunc((net.clock.monoMs() - startMs) / 1000))
    const total = secondsLeft === undefined ? undefined : progress + secondsLeft
    reportProgress?.(progress, total, message)
  }
}

/**
 * Sends a command and waits for its outcome; retries after the wait of a rate limit, unless that is
 * longer than a call may wait. Source: interface, Errors (MCP clients wait).
 */
async function runToEnd(net: Net, client: Client, given: CommandCall): Promise<Reply> {
  const call: RunningCall = { ...given, report: progressReporter(net, given.context) }
  let waitedSeconds = 0
  for (;;) {
    const reply = await dispatchOnce(net, client, call)
    const wait = reply.outcome.ok ? undefined : waitSeconds(reply.outcome)
    if (reply.outcome.ok || reply.outcome.code !== 'rate_limited' || wait === undefined)
      return reply
    if (waitedSeconds + wait > MCP_WAIT_SECONDS_MAX) {
      return { ...reply, outcome: withLongestWait(reply.outcome) }
    }
    if (call.context.isGone() || client.gone) return reply
    const { waits } = net.gate
    const { identity, ip } = client
    const waiter = identity ? `player ${identity.player}` : ip
    const own = waits.get(waiter) ?? 0
    // Many waiting calls would use up the sessions of all, and the memory of their parameters.
    if (own >= (identity ? MCP_WAITS_PER_PLAYER_MAX : MCP_WAITS_PER_ADDRESS_MAX)) return reply
    const seconds = Math.max(1, wait)
    waits.set(waiter, own + 1)
    await waitOutLimit(seconds, call)
    const left = (waits.get(waiter) ?? 1) - 1
    if (left > 0) waits.set(waiter, left)
    else waits.delete(waiter)
    waitedSeconds += seconds
  }
}

/** Adds the longest wait of a call to a refusal that requires a longer one. */
const withLongestWait = (failure: Failure): Failure => ({
  ...failure,
  message: `${failure.message} A call waits automatically for up to ${MCP_WAIT_SECONDS_MAX} seconds.`,
})

async function waitOutLimit(
  seconds: number,
  { context, meaning, report }: RunningCall,
): Promise<void> {
  const reason = `${meaning.def.name} waits for a rate limit to pass`
  for (let left = seconds; left > 0 && !context.isGone(); left -= MCP_PROGRESS_EVERY_SECONDS) {
    report(`${reason}: ${counted(left, 'second')} to go.`, left)
    const step = Math.min(left, MCP_PROGRESS_EVERY_SECONDS)
    await new Promise((resolve) => setTimeout(resolve, step * 1000))
  }
}

/** Reports an accepted mutation at intervals, until the returned function is called. */
function reportPending({ meaning, report }: RunningCall): () => void {
  const { name } = meaning.def
  report(`${name} is accepted and waits for its tick.`)
  let seconds = 0
  const timer = setInterval(() => {
    seconds += MCP_PROGRESS_EVERY_SECONDS
    report(`${name} has been pending for ${counted(seconds, 'second')}.`)
  }, MCP_PROGRESS_EVERY_SECONDS * 1000)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Sends a command through dispatch once. After 600 s the call is answered with the acknowledgement,
 * and the outcome goes to the queue of notifications.
 */
function dispatchOnce(net: Net, client: Client, call: RunningCall): Promise<Reply> {
  const { toolset, meaning, context } = call
  const { def, params } = meaning
  return new Promise((resolve) => {
    let accepted: Reply | undefined
    let isAnswered = false
    let stopReporting = (): void => undefined
    const timer = setTimeout(() => {
      if (isAnswered || !accepted) return
      isAnswered = true
      stopReporting()
      resolve(accepted)
    }, BLOCKED_REQUEST_MS)
    timer.unref()
    dispatch(net, {
      client,
      framing: toolset.framing,
      def,
      params,
      requestId: context.requestId,
      bytes: context.bytes,
      reply: (reply) => {
        if (reply.stage === 'accepted') {
          accepted = reply
          if (context.reportProgress) stopReporting = reportPending(call)
          return true
        }
        clearTimeout(timer)
        stopReporting()
        const isRead = !isAnswered && !context.isGone()
        if (!isAnswered) resolve(reply)
        isAnswered = true
        return isRead || !isMutation(def)
      },
    })
  })
}

function resultOf(toolset: Toolset, reply: Reply): ToolResult {
  if (!reply.outcome.ok) return refusedResult(reply.outcome, reply)
  if (reply.stage === 'accepted') {
    return {
      content: [{ type: 'text', text: 'Still pending: get_notifications will have the outcome.' }],
      structuredContent: ackPayload(toolset.framing, reply),
    }
  }
  const payload = structured(toolset.framing, reply)
  return {
    content: [{ type: 'text', text: renderText(reply.def, payload) }],
    structuredContent: payload,
  }
}
