/** The server of the SDK behind an MCP address: it knows no state, the exchange has it. */
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

/** Where the tools of an address come from. */
export interface McpTools {
  readonly title: string
  readonly instructions: string
  /** How to get at tools that the list leaves out. */
  unlisted?(query: URLSearchParams): string
  list(query: URLSearchParams): readonly McpTool[]
  /** Undefined: there is no such tool. */
  call(
    query: URLSearchParams,
    call: { readonly tool: string; readonly args: Record<string, unknown> },
    context: CallContext,
  ): Promise<ToolResult | undefined>
}

/** What the handlers may know of the request they serve. */
export interface McpExchange {
  readonly query: URLSearchParams
  readonly context: CallContext
  /** The tools that were asked for; the SDK answers with an empty list in their place. */
  listed?: readonly McpTool[]
}

interface McpServerOptions {
  readonly tools: McpTools
  readonly version: string
  readonly exchanges: WeakMap<Request, McpExchange>
  /** Hears of a call that threw; its client is told `internal_error`. */
  onBug(error: unknown, requestId: string): void
}

/** Returns a server for one message: kept ones would mix answers that bear the same id. */
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
    cursorRefusal(params)
    const exchange = exchangeOf(context.http?.req)
    exchange.listed = tools.list(exchange.query)
    return { tools: [] } as ListToolsResult
  })
  server.setRequestHandler('tools/call', async (request, context) => {
    const { query, context: known } = exchangeOf(context.http?.req)
    const { name, arguments: args = {}, _meta } = request.params
    const progressToken = _meta?.progressToken
    const tellProgress: CallContext['tellProgress'] = (progress, total, message) => {
      const params = { progressToken: progressToken ?? '', progress, total, message }
      // Whoever is gone hears nothing; the call itself goes on.
      context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
    }
    const call = progressToken === undefined ? known : { ...known, tellProgress }
    const result = await tools.call(query, { tool: name, args }, call).catch((error: unknown) => {
      onBug(error, known.requestId)
      return refusedResult(fail('internal_error'))
    })
    if (!result) {
      const said = [`Unknown tool: ${name.slice(0, 64)}`, tools.unlisted?.(query)].filter(Boolean)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, said.join('. '))
    }
    return { ...result }
  })
  server.setRequestHandler('resources/list', ({ params }) => {
    cursorRefusal(params)
    return { resources: [] }
  })
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    cursorRefusal(params)
    return { resourceTemplates: [] }
  })
  server.setRequestHandler('resources/read', ({ params }) => {
    throw new ResourceNotFoundError(params.uri.slice(0, 256))
  })
  return server
}

/** Lists are whole: there is no second page to ask for. */
function cursorRefusal(params: { readonly cursor?: string } | undefined): void {
  if (params?.cursor === undefined) return
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor')
}
