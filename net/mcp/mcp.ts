/**
 * The MCP addresses of the game: /mcp with one tool per command, /mcp/v2 with the grouped tools and
 * their presets.
 */
import { MCP_EXCLUDE_CHARACTERS_MAX, MCP_TOOLSETS_MAX } from '../../core/limits.ts'
import type { Registry } from '../../core/registry.ts'
import { toolsOf, v2Commands } from '../command-view.ts'
import { namesOf, type Version } from '../names.ts'
import { endSession } from '../session/logins.ts'
import type { Net } from '../session/types.ts'
import { callTool } from './calls.ts'
import { createMcpEndpoint, type McpEndpoint } from './endpoint.ts'
import type { McpTools } from './server.ts'
import { commandTools, groupedTools, PRESETS, type Toolset, unlistedText } from './tools.ts'

/** The instructions that a model reads before it sees the tools. */
export const INSTRUCTIONS = [
  'A persistent multiplayer space game. Call register once (keep the password) or login, then pass the session_id',
  'they return to every other tool. Queries answer at once. Mutations (mine, travel, buy and so on) take the slot of',
  'one tick: the call waits until it has run; a second one waits behind it, a third is refused. Events are queued in',
  'get_notifications. Start with get_status, get_guide and help.',
].join(' ')

/**
 * Returns the instructions of the grouped tools, including the tools that the standard preset
 * leaves out.
 */
export function groupedInstructions(registry: Registry): string {
  const unlisted = unlistedText(toolsOf(v2Commands(registry)), 'standard')
  const lists = 'The tool game with action get_commands lists every action.'
  return [INSTRUCTIONS, unlisted, lists].filter(Boolean).join(' ')
}

interface GameMcp {
  readonly v1: McpEndpoint
  readonly v2: McpEndpoint
}

/** Creates the endpoints of both addresses. */
export function createMcp(net: Net): GameMcp {
  const v1 = commandTools(net.registry)
  const commands = { title: 'Game commands', instructions: INSTRUCTIONS }
  const grouped = { title: 'Game tools', instructions: groupedInstructions(net.registry) }
  return {
    v1: endpoint(
      net,
      1,
      gameTools(net, commands, () => v1),
    ),
    v2: endpoint(net, 2, gameTools(net, grouped, toolsetsByQuery(net))),
  }
}

function endpoint(net: Net, version: Version, tools: McpTools): McpEndpoint {
  return createMcpEndpoint({
    config: net.config,
    tools,
    monoMs: () => net.clock.monoMs(),
    endLogin: (session) => endSession(net, session, false),
    withNames: (text) => namesOf(net.registry).text(version, text),
    onBug: (error, requestId) => net.log.error({ err: error, requestId }, 'an MCP call failed'),
  })
}

function gameTools(
  net: Net,
  about: Pick<McpTools, 'title' | 'instructions'>,
  toolsetOf: (query: URLSearchParams) => Toolset,
): McpTools {
  return {
    ...about,
    unlisted: (query) => toolsetOf(query).unlisted,
    list: (query) => toolsetOf(query).tools,
    call: (query, call, context) => callTool(net, toolsetOf(query), call, context),
  }
}

const isPreset = (name: string): boolean => (PRESETS as readonly string[]).includes(name)

/**
 * Returns a lookup of the toolset for `?preset=…&exclude=…`, which caches the most recently used
 * ones.
 */
function toolsetsByQuery(net: Net): (query: URLSearchParams) => Toolset {
  const kept = new Map<string, Toolset>()
  return (query) => {
    const wanted = query.get('preset') ?? ''
    const preset = isPreset(wanted) ? wanted : 'standard'
    const exclude = (query.get('exclude') ?? '').slice(0, MCP_EXCLUDE_CHARACTERS_MAX)
    const key = `${preset} ${exclude}`
    const toolset =
      kept.get(key) ?? groupedTools(net.registry, { names: net.addresses, preset, exclude })
    kept.delete(key)
    if (kept.size >= MCP_TOOLSETS_MAX) kept.delete(kept.keys().next().value as string)
    kept.set(key, toolset)
    return toolset
  }
}
