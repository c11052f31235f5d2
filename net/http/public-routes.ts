/**
 * Routes that need no game session: catalogue, OpenAPI documents, explorers, public data, and the
 * MCP addresses, which carry their session inside. Source: accounts.md 10 and 11, WIRE 6 and 9.
 */
import { runForPlayer } from '../dispatch.ts'
import { entryRoutes } from '../docs/entry-routes.ts'
import { docsRoutes, TYPES } from '../docs/routes.ts'
import { SECURE } from '../docs/shell.ts'
import { docsTools } from '../mcp/docs.ts'
import { createMcpEndpoint, type McpEndpoint } from '../mcp/endpoint.ts'
import { createMcp } from '../mcp/mcp.ts'
import type { EventsReply } from '../mcp/messages.ts'
import { namesOf } from '../names.ts'
import { pageRoutes } from '../public/pages.ts'
import { publicDataRoutes } from '../public/routes.ts'
import type { Method, Route } from '../router.ts'
import { passSessionAttempt } from '../session/gate.ts'
import { addressRefusal, limitRefusal, timeOutRefusal } from '../session/limited.ts'
import type { Session } from '../session/session.ts'
import type { Net } from '../session/types.ts'
import { respondFlat, respondLimited } from './answers.ts'
import { CATALOG_CACHE, CATALOG_QUERY, createCatalogJson } from './catalog-json.ts'
import type { Exchange } from './exchange.ts'
import { explorerPage } from './explorer.ts'
import { bodyFailure, guardOf, type HttpFloods, ipOf, turn } from './http.ts'
import { openapiV1, openapiV2 } from './openapi.ts'
import {
  conditionsOf,
  fileOnce,
  fileReply,
  type StaticFile,
  type StaticReply,
  staticFile,
} from './static-file.ts'

/** A document changes only with the release, but a development server restarts often. */
const DOCUMENT_CACHE = 'public, max-age=60'

interface PublicRoutes {
  readonly routes: Route[]
  /** Returns the login on a protocol session of MCP. */
  mcpLogin(id: string): Session | undefined
  /** Closes the protocol sessions of MCP. */
  close(): Promise<void>
}

export function createPublicRoutes(net: Net, floods: HttpFloods): PublicRoutes {
  const mcp = createMcp(net)
  const docs = createMcpEndpoint({
    config: net.config,
    tools: docsTools({
      registry: net.registry,
      info: net.config,
      guide: (name) => runForPlayer(net, 0, 'get_guide', name === undefined ? {} : { guide: name }),
    }),
    monoMs: () => net.clock.monoMs(),
    endLogin: () => undefined,
    withNames: (text) => namesOf(net.registry).text(2, text),
    onBug: (error, requestId) => net.log.error({ err: error, requestId }, 'an MCP call failed'),
  })
  return {
    routes: [
      ...fileRoutes(net),
      ...explorerRoutes(net),
      ...docsRoutes(net, floods),
      ...entryRoutes(net, floods),
      ...publicDataRoutes(net),
      ...pageRoutes(net),
      ...mcpRoutes(net, floods, '/mcp', mcp.v1),
      ...mcpRoutes(net, floods, '/mcp/v2', mcp.v2),
      ...mcpRoutes(net, floods, '/mcp/docs', docs),
    ],
    mcpLogin: (id) => mcp.v1.loginOf(id) ?? mcp.v2.loginOf(id),
    close: async () => {
      await Promise.all([mcp.v1.close(), mcp.v2.close(), docs.close()])
    },
  }
}

const send = (exchange: Exchange, { status, headers, body = '' }: StaticReply): void =>
  exchange.respond(status, headers, body)

/** Sends events as they arrive. They are read to the end even if the client is gone. */
async function sendEvents(exchange: Exchange, reply: EventsReply): Promise<void> {
  const { write, end } = exchange.stream(reply.status, reply.headers)
  try {
    for await (const event of reply.events) write(event)
  } finally {
    end()
  }
}

/** Returns the route of a file with its own rate limit. */
function fileRoute(
  net: Net,
  path: string,
  bucket: 'openapi' | 'catalog',
  file: { make(): Promise<StaticFile>; readonly cache: string },
): Route {
  return {
    method: 'GET',
    path,
    handle: async (exchange) => {
      const limitFailure = addressRefusal(net.gate, bucket, ipOf(net, exchange))
      if (limitFailure) return respondLimited(net, exchange, limitFailure)
      send(exchange, fileReply(await file.make(), conditionsOf(exchange), file.cache))
    },
  }
}

const jsonOnce = (make: () => unknown): (() => Promise<StaticFile>) =>
  fileOnce(async () => staticFile(JSON.stringify(make()), 'application/json'))

function fileRoutes(net: Net): Route[] {
  const { registry, config } = net
  const catalog = {
    make: createCatalogJson(() => runForPlayer(net, 0, CATALOG_QUERY, {}), config.version),
    cache: CATALOG_CACHE,
  }
  const v1 = { make: jsonOnce(() => openapiV1(registry, config)), cache: DOCUMENT_CACHE }
  const v2 = { make: jsonOnce(() => openapiV2(registry, config)), cache: DOCUMENT_CACHE }
  return [
    fileRoute(net, '/api/catalog.json', 'catalog', catalog),
    fileRoute(net, '/api/openapi.json', 'openapi', v1),
    fileRoute(net, '/api/v1/openapi.json', 'openapi', v1),
    fileRoute(net, '/api/v2/openapi.json', 'openapi', v2),
  ]
}

function explorerRoutes(net: Net): Route[] {
  const pageOf = (version: 1 | 2) =>
    fileOnce(async () => staticFile(explorerPage(net.registry, net.config, version), TYPES.html))
  const [v1, v2] = [pageOf(1), pageOf(2)]
  const routeOf = (path: string, page: () => Promise<StaticFile>): Route => ({
    method: 'GET',
    path,
    handle: async (exchange) => {
      const limitFailure = addressRefusal(net.gate, 'public', ipOf(net, exchange))
      if (limitFailure) return respondLimited(net, exchange, limitFailure)
      const reply = fileReply(await page(), conditionsOf(exchange), DOCUMENT_CACHE)
      send(exchange, { ...reply, headers: { ...reply.headers, ...SECURE } })
    },
  })
  return [routeOf('/api/docs', v1), routeOf('/api/v1/docs', v1), routeOf('/api/v2/docs', v2)]
}

const MCP_METHODS: readonly Method[] = ['POST', 'GET', 'DELETE']

function mcpRoutes(net: Net, floods: HttpFloods, path: string, endpoint: McpEndpoint): Route[] {
  const handle = async (exchange: Exchange): Promise<void> => {
    const ip = ipOf(net, exchange)
    const timeOut = timeOutRefusal(net.gate, ip)
    if (timeOut) return respondLimited(net, exchange, timeOut)
    const body = await exchange.body
    if (typeof body === 'string') {
      const failure = bodyFailure(body)
      return failure && respondFlat(net, exchange, failure)
    }
    // Without a login, a protocol session counts by its address.
    const login = endpoint.loginOf(exchange.header('mcp-session-id'))
    const key = `mcp ${login?.id ?? ip}`
    const reply = await endpoint.handle({
      method: exchange.method,
      query: exchange.query,
      header: exchange.header,
      body: body.toString(),
      ip,
      requestId: exchange.requestId,
      isGone: exchange.isDone,
      admit: async (what) => {
        if (!net.gate.isLimited) return undefined
        if (what === 'handshake')
          return limitRefusal(net.gate, 'session', ip, passSessionAttempt(net.gate, ip))
        const guard = { flood: guardOf(net, floods, key), holds: login !== undefined }
        return turn(net, guard, what.messages)
      },
    })
    if ('ok' in reply) respondLimited(net, exchange, reply)
    else if ('events' in reply) await sendEvents(exchange, reply)
    else send(exchange, reply)
  }
  return MCP_METHODS.map((method) => ({ method, path, handle }))
}
