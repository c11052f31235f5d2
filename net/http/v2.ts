/**
 * HTTP v2: POST /api/v2/session, /api/v2/{tool}/{action} (or the action in the body), help and
 * notifications. The result is a text, with structuredContent beside it. Source: interface, HTTP
 * API v2.
 */
import type { TProperties } from 'typebox'
import type { CommandDef } from '../../core/command.ts'
import { type Failure, fail, invalidFields } from '../../core/errors.ts'
import { findV2, isFailure } from '../addresses.ts'
import { helpDef, toolHelp } from '../help.ts'
import { resultText } from '../publish/frames.ts'
import type { Route } from '../router.ts'
import {
  POLL_ENTRIES,
  pollLimitRefusal,
  pollNotifications,
  pollText,
} from '../session/get-notifications.ts'
import type { Net } from '../session/types.ts'
import type { Params } from '../validate.ts'
import { type HttpVersion, respondSuccess } from './answers.ts'
import type { Exchange } from './exchange.ts'
import {
  createSessionRoute,
  type HttpFloods,
  type Incoming,
  readIncoming,
  runCommand,
} from './http.ts'

export const HTTP_V2: HttpVersion = {
  framing: 'http2',
  pool: 'http2',
  success: (def, payload) => ({
    result: resultText(def, payload),
    structuredContent: payload,
  }),
  sessionMade: (session) => ({
    result: `Session ${session.id} created. Send it as X-Session-Id, then log in or register.`,
  }),
}

/**
 * Finds the command of a path and body. The action may be in either; two different ones are
 * refused.
 */
function commandOf(net: Net, tool: string, action: string, params: Params): CommandDef | Failure {
  const inBody = typeof params.action === 'string' ? params.action : ''
  const def = findV2(net.addresses, tool, action || inBody)
  if (isFailure(def) || inBody === '' || action === '' || inBody === action) return def
  // The command has its own parameter of this name.
  if ('action' in (def.params.properties as TProperties)) return def
  return invalidFields({ field: 'action', expected: `${action}, as in the path, or nothing` })
}

async function command(
  net: Net,
  floods: HttpFloods,
  exchange: Exchange,
  address: { readonly tool: string; readonly action: string },
): Promise<void> {
  const incoming = await readIncoming(net, floods, exchange, HTTP_V2)
  if (!incoming) return
  const { params } = incoming
  const { tool, action } = address
  if ((action || params.action) === 'help') return help(net, exchange, incoming, { tool, params })
  const def = commandOf(net, tool, action, params)
  if (isFailure(def)) return incoming.refuse(def)
  runCommand(net, exchange, HTTP_V2, { ...incoming, def })
}

/** Answers with the help of a tool; needs no session, but includes the one in the request. */
function help(
  net: Net,
  exchange: Exchange,
  incoming: Incoming,
  about: { readonly tool: string; readonly params: Params },
): void {
  const outcome = toolHelp(net.registry, about.tool, about.params)
  if (!outcome.ok) {
    incoming.refuse(outcome)
    return
  }
  const { session } = incoming
  const result = resultText(helpDef(net.registry), outcome.result)
  respondSuccess(exchange, { members: { result }, ...('ok' in session ? {} : { session }) })
}

async function getHelp(
  net: Net,
  floods: HttpFloods,
  exchange: Exchange,
  tool: string,
): Promise<void> {
  const incoming = await readIncoming(net, floods, exchange, HTTP_V2)
  if (!incoming) return
  const topic = exchange.query.get('topic')
  help(net, exchange, incoming, { tool, params: topic === null ? {} : { topic } })
}

async function notifications(net: Net, floods: HttpFloods, exchange: Exchange): Promise<void> {
  const incoming = await readIncoming(net, floods, exchange, HTTP_V2)
  if (!incoming) return
  const { session, refuse } = incoming
  if ('ok' in session) return refuse(session)
  if (!session.identity) return refuse(fail('not_authenticated'))
  const { query } = exchange
  const limit = Number(query.get('limit') ?? POLL_ENTRIES.default)
  const refusal = pollLimitRefusal(limit)
  if (refusal) return refuse(refusal)
  // In any case: some languages write False.
  const clear = (query.get('clear') ?? 'true').toLowerCase()
  if (clear !== 'true' && clear !== 'false')
    return refuse(invalidFields({ field: 'clear', expected: 'true or false' }))
  const types = query.getAll('types').flatMap((part) => part.split(',').filter(Boolean))
  const polled = pollNotifications(net, session, {
    limit,
    types,
    clear: clear === 'true',
  })
  const dropped = polled.dropped ? { notifications_dropped: polled.dropped } : {}
  const members = { result: pollText(polled), ...dropped }
  respondSuccess(exchange, { members, session, notifications: polled.notifications })
}

export function httpV2Routes(net: Net, floods: HttpFloods): Route[] {
  return [
    {
      method: 'POST',
      path: '/api/v2/session',
      handle: (exchange) => createSessionRoute(net, exchange, HTTP_V2),
    },
    {
      method: 'GET',
      path: '/api/v2/notifications',
      handle: (exchange) => notifications(net, floods, exchange),
    },
    {
      method: 'GET',
      path: '/api/v2/:tool/help',
      handle: (exchange, { tool }) => getHelp(net, floods, exchange, tool),
    },
    {
      method: 'POST',
      path: '/api/v2/:tool/:action',
      handle: (exchange, { tool, action }) => command(net, floods, exchange, { tool, action }),
    },
    {
      method: 'POST',
      path: '/api/v2/:tool',
      handle: (exchange, { tool }) => command(net, floods, exchange, { tool, action: '' }),
    },
  ]
}
