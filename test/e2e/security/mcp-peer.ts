/** An MCP client at an IP address of its own, with or without a protocol session. */
import type { Params } from '../../../bench/client.ts'
import type { Answer } from '../wire.ts'
import type { Visitor } from './stage.ts'

/** The only revision that has batches. */
const REVISION = '2025-03-26'

export const rpc = (method: string, params: Params = {}, id: unknown = 1): Params => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

export const handshake = (visitor: Visitor, path = '/mcp'): Promise<Answer> => {
  const clientInfo = { name: 'visitor', version: '1' }
  return visitor.post(
    path,
    rpc('initialize', { protocolVersion: REVISION, capabilities: {}, clientInfo }),
  )
}

export interface Peer {
  send(message: object): Promise<Answer>
  call(name: string, args?: Params): Promise<Answer>
}

/** Returns a peer that posts to the protocol session made by a handshake. */
function peerOf(visitor: Visitor, opened: Answer, path = '/mcp'): Peer {
  const id = opened.headers.get('mcp-session-id')
  if (!id) throw new Error(`no handshake: ${opened.text}`)
  const headers = { 'mcp-session-id': id, 'mcp-protocol-version': REVISION }
  const send = (message: object) => visitor.post(path, message, headers)
  return { send, call: (name, args = {}) => send(rpc('tools/call', { name, arguments: args })) }
}

export const openPeer = async (visitor: Visitor, path = '/mcp'): Promise<Peer> =>
  peerOf(visitor, await handshake(visitor, path), path)
