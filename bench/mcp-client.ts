/** The client of the MCP channel: JSON-RPC over streamable HTTP. */
import { asParams, type Client, lost, type Params, refusalOf } from './client.ts'
import { type Posted, post } from './post.ts'

interface ToolAnswer {
  readonly isError?: boolean
  readonly structuredContent?: unknown
  readonly content?: readonly { type: string; text: string }[]
}

/** Parses a JSON-RPC answer, which is plain JSON or one server-sent event. */
function readRpc({ headers, text }: Posted): { result?: unknown; error?: Params } {
  if (!headers['content-type']?.includes('text/event-stream')) return JSON.parse(text)
  const data = text
    .split('\n')
    .filter((line) => line.startsWith('data:') && line.includes('jsonrpc'))
  return JSON.parse(data[data.length - 1].slice(5))
}

/** Connects a client over MCP, with a session of its own. */
export async function connectMcp(base: string): Promise<Client> {
  let next = 1
  let protocolSession = ''
  let session: string | undefined
  const send = async (method: string, params: Params, notify = false): Promise<Posted> => {
    const id = notify ? {} : { id: next++ }
    const answer = await post(
      `${base}/mcp`,
      JSON.stringify({ jsonrpc: '2.0', ...id, method, params }),
      {
        accept: 'application/json, text/event-stream',
        ...(protocolSession ? { 'mcp-session-id': protocolSession } : {}),
        ...(method === 'initialize' ? {} : { 'mcp-protocol-version': '2025-06-18' }),
      },
    )
    protocolSession = String(answer.headers['mcp-session-id'] ?? protocolSession)
    return answer
  }
  readRpc(
    await send('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'orrery-client', version: '1' },
    }),
  )
  await send('notifications/initialized', {}, true)
  return {
    channel: 'mcp',
    onPush: undefined,
    closed: undefined,
    async call(command, params = {}) {
      const isAuth = /^(register|login)$/.test(command)
      const args = session && !isAuth ? { ...params, session_id: session } : params
      const answer = await send('tools/call', {
        name: command,
        arguments: args,
      })
        .then(readRpc)
        .catch(() => undefined)
      if (!answer) return lost(undefined)
      if (answer.error)
        return refusalOf({
          code: `rpc_${answer.error.code}`,
          message: answer.error.message,
        })
      const result = answer.result as ToolAnswer
      const text = result.content?.map((part) => part.text).join('\n') ?? ''
      if (result.isError) {
        const [, code, message] = /^Error: ([a-z_]+): ([\s\S]*)/.exec(text) ?? ['', 'unknown', text]
        return refusalOf({
          code,
          message,
          ...asParams(result.structuredContent),
        })
      }
      session = /Session ID: ([0-9a-f]+)/.exec(text)?.[1] ?? session
      return { ok: true, result: asParams(result.structuredContent) }
    },
    pushes: () => [],
    async close() {},
  }
}
