/**
 * The SDK behind an MCP address, loaded with the first message. Its servers are stateless: the
 * state is in the exchange.
 */
import {
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server'
import { fail } from '../../core/errors.ts'
import { type CallContext, refusedResult, type ToolResult } from './calls.ts'
import type { McpTool } from './tools.ts'

export {
  createMcpHandler,
  isLegacyRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

/** The source of the tools of an address. */
export interface McpTools {
  readonly title: string
  readonly instructions: string
  /** Returns how to call the tools that the list leaves out. */
  unlisted?(query: URLSearchParams): string
  list(query: URLSearchParams): readonly McpTool[]
  /** Runs a call; resolves with undefined if there is no such tool. */
  call(
    query: URLSearchParams,
    call: { readonly tool: string; readonly args: Record<string, unknown> },
    context: CallContext,
  ): Promise<ToolResult | undefined>
}

/** The request that the handlers serve. */
export interface McpExchange {
  readonly query: URLSearchParams
  readonly context: CallContext
  /** The requested tools; the SDK answers with an empty list, which they replace. */
  listed?: readonly McpTool[]
}

interface McpServerOptions {
  readonly tools: McpTools
  readonly version: string
  readonly exchanges: WeakMap<Request, McpExchange>
  /** Called with the error of a call; its client gets `internal_error`. */
  onBug(error: unknown, requestId: string): void
}

/** Returns a server for one message: a shared one would confuse answers with the same id. */
export function newServer({ tools, version, exchanges, onBug }: McpServerOptions): Server {
  const server = new Server(
    { name: 'game', title: tools.title, version },
    { capabilities: { tools: {}, resources: {} }, instructions: tools.instructions },
  )
  const exchangeOf = (request: Request | undefined): McpExchange => {
    const exchange = request && exchanges.get(request)
    if (!exchange) throw new ProtocolError(ProtocolErrorCode.InternalError, 'No exchange')
    return exchange
  }
  server.setRequestHandler('tools/list', ({ params }, context): ListToolsResult => {
    refuseCursor(params)
    const exchange = exchangeOf(context.http?.req)
    exchange.listed = tools.list(exchange.query)
    return { tools: [] } as ListToolsResult
  })
  server.setRequestHandler('tools/call', async (request, context) => {
    const { query, context: given } = exchangeOf(context.http?.req)
    const { name, arguments: args = {}, _meta } = request.params
    const progressToken = _meta?.progressToken
    const reportProgress: CallContext['reportProgress'] = (progress, total, message) => {
      const params = { progressToken: progressToken ?? '', progress, total, message }
      // If the client is gone, the call itself continues.
      context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
    }
    const call = progressToken === undefined ? given : { ...given, reportProgress }
    const result = await tools.call(query, { tool: name, args }, call).catch((error: unknown) => {
      onBug(error, given.requestId)
      return refusedResult(fail('internal_error'))
    })
    if (!result) {
      const sentences = [`Unknown tool: ${name.slice(0, 64)}`, tools.unlisted?.(query)]
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, sentences.filter(Boolean).join('. '))
    }
    return { ...result }
  })
  server.setRequestHandler('resources/list', ({ params }) => {
    refuseCursor(params)
    return { resources: [] }
  })
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    refuseCursor(params)
    return { resourceTemplates: [] }
  })
  server.setRequestHandler('resources/read', ({ params }) => {
    throw new ResourceNotFoundError(params.uri.slice(0, 256))
  })
  return server
}

/** Throws if a cursor is given: lists are complete, so there is no second page. */
function refuseCursor(params: { readonly cursor?: string } | undefined): void {
  if (params?.cursor === undefined) return
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor')
}
