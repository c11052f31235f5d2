/**
 * The MCP addresses of the game: /mcp with one tool a command, /mcp/v2 with the grouped tools and
 * their presets.
 */
import { endSession } from './auth.ts'
import type { Net } from './context.ts'
import { callTool } from './mcp-calls.ts'
import { createMcpEndpoint, type McpEndpoint, type McpTools } from './mcp-endpoint.ts'
import { commandTools, groupedTools, type Toolset } from './mcp-tools.ts'

/** Toolsets kept for /mcp/v2: presets are few, lists of exclusions are anybody's. */
const TOOLSETS_MAX = 64

const INSTRUCTIONS = [
  'A persistent multiplayer space game. Call register once (keep the password) or login, then pass the session_id they',
  'return to every other tool. Queries answer at once. Mutations (mine, travel, buy and so on) take the slot of one',
  'tick: the call waits until it has run, and only one may be pending. Events wait in get_notifications. Start with',
  'get_status, get_guide and help.',
].join(' ')

export interface GameMcp {
  readonly v1: McpEndpoint
  readonly v2: McpEndpoint
}

/** Both addresses over one net. */
export function createMcp(net: Net): GameMcp {
  const v1 = commandTools(net.registry)
  const chosen = toolsetsByQuery(net)
  return {
    v1: endpoint(
      net,
      gameTools(net, 'Game commands', () => v1),
    ),
    v2: endpoint(net, gameTools(net, 'Game tools', chosen)),
  }
}

function endpoint(net: Net, tools: McpTools): McpEndpoint {
  return createMcpEndpoint({
    config: net.config,
    tools,
    monoMs: () => net.clock.monoMs(),
    endLogin: (session) => endSession(net, session, false),
  })
}

function gameTools(
  net: Net,
  title: string,
  toolsetOf: (query: URLSearchParams) => Toolset,
): McpTools {
  return {
    title,
    instructions: INSTRUCTIONS,
    list: (query) => toolsetOf(query).tools,
    call: (query, call, context) => callTool(net, toolsetOf(query), call, context),
  }
}

/** The toolset of `?preset=…&exclude=…`; the most recent ones are kept. */
function toolsetsByQuery(net: Net): (query: URLSearchParams) => Toolset {
  const kept = new Map<string, Toolset>()
  return (query) => {
    const preset = query.get('preset') ?? 'standard'
    const exclude = (query.get('exclude') ?? '').slice(0, 1024)
    const key = `${preset.slice(0, 16)} ${exclude}`
    let toolset = kept.get(key)
    if (!toolset) {
      toolset = groupedTools(net.registry, { preset, exclude })
      if (kept.size >= TOOLSETS_MAX) kept.delete(kept.keys().next().value as string)
      kept.set(key, toolset)
    }
    return toolset
  }
}
