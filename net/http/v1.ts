/**
 * HTTP v1: POST /api/v1/session and /api/v1/{command}; the result is an object. Source: interface,
 * HTTP API v1.
 */
import { findV1, isFailure } from '../addresses.ts'
import type { Route } from '../router.ts'
import type { Net } from '../session/types.ts'
import type { HttpVersion } from './answers.ts'
import type { Exchange } from './exchange.ts'
import { createSessionRoute, type HttpFloods, readIncoming, runCommand } from './http.ts'

export const HTTP_V1: HttpVersion = {
  framing: 'http1',
  pool: 'http1',
  success: (_def, payload) => ({ result: payload }),
  sessionMade: () => ({
    result: { message: 'Session created. Send its id as X-Session-Id, then log in or register.' },
  }),
}

async function command(
  net: Net,
  floods: HttpFloods,
  exchange: Exchange,
  name: string,
): Promise<void> {
  const incoming = await readIncoming(net, floods, exchange, HTTP_V1)
  if (!incoming) return
  const def = findV1(net.addresses, name)
  if (isFailure(def)) return incoming.refuse(def)
  runCommand(net, exchange, HTTP_V1, { ...incoming, def })
}

export function httpV1Routes(net: Net, floods: HttpFloods): Route[] {
  return [
    {
      method: 'POST',
      path: '/api/v1/session',
      handle: (exchange) => createSessionRoute(net, exchange, HTTP_V1),
    },
    {
      method: 'POST',
      path: '/api/v1/:command',
      handle: (exchange, path) => command(net, floods, exchange, path.command),
    },
  ]
}
