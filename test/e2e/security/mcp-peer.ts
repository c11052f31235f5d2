/** Somebody at an MCP address, with or without a protocol session. */
import type { Params } from '../../../bench/client.ts'
import type { Answer } from '../wire.ts'
import type { Visitor } from './stage.ts'

/** The one revision that has batches. */
const REVISION = '2025-03-26'

export const rpc = (method: string, params: Params = {}, id: unknown = 1): Params => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

export const handshake = (who: Visitor, path = '/mcp'): Promise<Answer> => {
  const clientInfo = { name: 'visitor', version: '1' }
  return who.post(
    path,
    rpc('initialize', { protocolVersion: REVISION, capabilities: {}, clientInfo }),
  )
}

export interface Peer {
  send(message: object): Promise<Answer>
  call(name: string, args?: Params): Promise<Answer>
}

/** Returns a peer that posts to the protocol session made by a handshake. */
function peerOf(who: Visitor, opened: Answer, path = '/mcp'): Peer {
  const id = opened.headers.get('mcp-session-id')
  if (!id) throw new Error(`no handshake: ${opened.text}`)
  const headers = { 'mcp-session-id': id, 'mcp-protocol-version': REVISION }
  const send = (message: object) => who.post(path, message, headers)
  return { send, call: (name, args = {}) => send(rpc('tools/call', { name, arguments: args })) }
}

export const openPeer = async (who: Visitor, path = '/mcp'): Promise<Peer> =>
  peerOf(who, await handshake(who, path), path)
