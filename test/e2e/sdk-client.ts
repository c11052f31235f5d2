/**
 * Wraps the client of the public MCP SDK, which implements the whole protocol, in the interface of
 * our other clients.
 */
import {
  type CallToolResult,
  Client as SdkClient,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { addressOf, renamed } from '../../bench/addresses.ts'
import { asParams, type Client, type Params, refusalOf } from '../../bench/client.ts'

export type Revision = '2025-11-25' | '2026-07-28'

/** Opens a client that has completed its handshake or discovery. */
export async function openSdk(
  base: string,
  path: string,
  revision: Revision,
): Promise<{ client: SdkClient; transport: StreamableHTTPClientTransport }> {
  const client = new SdkClient(
    { name: 'orrery-test', version: '1' },
    { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : 'auto' } },
  )
  const transport = new StreamableHTTPClientTransport(new URL(base + path))
  await client.connect(transport)
  return { client, transport }
}

export const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => ('text' in part ? part.text : '')).join('\n')

/**
 * Connects to one address. With 2025-11-25 the protocol session stays logged in; with 2026-07-28
 * each call sends the session_id as an argument.
 */
export async function connectSdk(
  base: string,
  path: '/mcp' | '/mcp/v2',
  revision: Revision,
): Promise<Client> {
  const { client } = await openSdk(base, path, revision)
  let session: string | undefined
  return {
    channel: 'mcp',
    onPush: undefined,
    closed: undefined,
    async call(command, params = {}) {
      const { tool, action } = addressOf(command, params)
      const own: Params =
        path === '/mcp' ? params : { ...renamed(command, params), ...(action ? { action } : {}) }
      const handle = revision === '2026-07-28' && session ? { session_id: session } : {}
      const result = await client.callTool({
        name: path === '/mcp' ? command : tool,
        arguments: { ...own, ...handle },
      })
      const answer = asParams(result.structuredContent)
      if (result.isError) return refusalOf(asParams(answer.error))
      if (typeof answer.session_id === 'string') session = answer.session_id
      return { ok: true, result: path === '/mcp' ? answer : asParams(answer.details ?? answer) }
    },
    pushes: () => [],
    close: () => client.close(),
  }
}
