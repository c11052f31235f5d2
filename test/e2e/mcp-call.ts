/** Calls a grouped MCP tool once, as a client that has just made its handshake. */
import type { Params } from '../../bench/client.ts'
import { post } from './wire.ts'

const PROTOCOL = '2025-06-18'
const ACCEPT = { accept: 'application/json, text/event-stream' }

/** Calls a tool of /mcp/v2 and returns its structured content. */
export async function callMcp(base: string, name: string, args: Params): Promise<Params> {
  const address = `${base}/mcp/v2`
  const rpc = (method: string, params: Params) => ({ jsonrpc: '2.0', id: 1, method, params })
  const client = { protocolVersion: PROTOCOL, capabilities: {}, clientInfo: { name, version: '1' } }
  const opened = await post(address, rpc('initialize', client), ACCEPT)
  const headers = {
    ...ACCEPT,
    'mcp-protocol-version': PROTOCOL,
    'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
  }
  const answer = await post(address, rpc('tools/call', { name, arguments: args }), headers)
  return (answer.body.result as Params).structuredContent as Params
}
