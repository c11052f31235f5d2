/** The tables of tools over all commands: bounds, presets, and what /mcp/docs can find. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ok } from '../../../core/errors.ts'
import {
  BLOCKED_REQUEST_MS,
  MCP_DOCS_COMMANDS_MAX,
  MCP_DOCS_TEXT_CHARACTERS_MAX,
  MCP_DOCS_TYPES_MAX,
  MCP_INSTRUCTIONS_CHARACTERS_MAX,
  MCP_TOOL_CHARACTERS_MAX,
  MCP_TOOL_DESCRIPTION_CHARACTERS_MAX,
  MCP_TOOL_LIST_CHARACTERS_MAX,
  MCP_TOOL_NAME_CHARACTERS_MAX,
  MCP_WAIT_SECONDS_MAX,
} from '../../../core/limits.ts'
import { createRegistry } from '../../../core/registry.ts'
import { createAddresses } from '../../../net/addresses.ts'
import { v1Commands, v2Commands } from '../../../net/command-view.ts'
import { helpFor, listCommands, renderHelp } from '../../../net/help.ts'
import { openapiV1, openapiV2 } from '../../../net/http/openapi.ts'
import type { ToolResult } from '../../../net/mcp/calls.ts'
import { docsTools } from '../../../net/mcp/docs.ts'
import { groupedInstructions, INSTRUCTIONS } from '../../../net/mcp/mcp.ts'
import { commandTools, groupedTools, type McpTool } from '../../../net/mcp/tools.ts'
import { renderText } from '../../../net/render.ts'
import { DOMAINS } from '../../../systems/registry.ts'
import { INFO } from './fake-registry.ts'

const registry = createRegistry(DOMAINS)
const names = createAddresses(registry)
const docs = docsTools({ registry, info: INFO, guide: async () => ok({ guides: [] }) })
const NO_QUERY = new URLSearchParams()
const grouped = (preset: string, exclude = '') =>
  groupedTools(registry, { names, preset, exclude }).tools
const namesOf = (tools: readonly McpTool[]) => tools.map(({ name }) => name)

describe('the lists of tools', () => {
  const lists = {
    '/mcp': commandTools(registry).tools,
    '/mcp/v2?preset=full': grouped('full'),
    '/mcp/docs': docs.list(NO_QUERY),
  }

  test.each(Object.entries(lists))('%s keeps its bounds', (_, tools) => {
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(MCP_TOOL_LIST_CHARACTERS_MAX)
    expect(new Set(namesOf(tools)).size).toBe(tools.length)
    for (const tool of tools) {
      expect(tool.name).toMatch(/^[a-zA-Z0-9_-]+$/)
      expect(tool.name.length).toBeLessThanOrEqual(MCP_TOOL_NAME_CHARACTERS_MAX)
      expect(tool.description.length).toBeLessThanOrEqual(MCP_TOOL_DESCRIPTION_CHARACTERS_MAX)
      expect(JSON.stringify(tool).length).toBeLessThanOrEqual(MCP_TOOL_CHARACTERS_MAX)
      // A schema that takes anything tells a model nothing.
      for (const [name, schema] of Object.entries(tool.inputSchema.properties))
        expect({ tool: tool.name, name, isTyped: 'type' in schema || 'anyOf' in schema }).toEqual({
          tool: tool.name,
          name,
          isTyped: true,
        })
    }
  })

  test('the list of the standard preset has at most 60 KB', () => {
    const bytes = Buffer.byteLength(JSON.stringify({ tools: grouped('standard') }))
    expect(bytes).toBeLessThanOrEqual(60_000)
    const [game] = grouped('standard')
    // Short is not empty: meanings, ranges and mutations are described.
    expect(game.description).toContain('  mine() — [M] ')
    expect(game.description).toMatch(/\[M\] takes one tick/)
    expect(game.inputSchema.properties.id.description).toMatch(/jump: .+/)
    expect(
      game.inputSchema.properties.jobs.anyOf ?? game.inputSchema.properties.jobs.items,
    ).toBeTruthy()
  })

  test('the instructions keep their bound', () => {
    for (const answer of [INSTRUCTIONS, groupedInstructions(registry), docs.instructions])
      expect(answer.length).toBeLessThanOrEqual(MCP_INSTRUCTIONS_CHARACTERS_MAX)
  })

  test('every command is a tool of /mcp, and every address one of the full preset', () => {
    expect(namesOf(lists['/mcp'])).toEqual(v1Commands(registry).map(({ address }) => address))
    const { meaning } = groupedTools(registry, { names, preset: 'full', exclude: '' })
    for (const { tool, action, def } of v2Commands(registry))
      expect(meaning(tool, action === '' ? {} : { action })).toMatchObject(
        action === 'help' ? {} : { def },
      )
  })
})

test('the text of get_commands lists every command on both versions', () => {
  const def = registry.commands.get('get_commands')
  if (!def) throw new Error('no get_commands')
  const v2 = renderText(def, listCommands(registry, true))
  for (const { address } of v2Commands(registry)) expect(v2).toContain(`\n  ${address} — `)
  const v1 = renderText(def, listCommands(registry, false))
  for (const { address } of v1Commands(registry)) expect(v1).toContain(`\n  ${address}(`)
  expect(v1).toContain('\n  mine() — [M] ')
  expect(v2).toContain('\n  game/mine — [M] ')
  expect(v2).not.toContain('\n  game/get_cargo — [M]')
})

test('help lists the values of a choice that its description leaves out', () => {
  const help = helpFor(registry, 'distress_signal', true)
  expect(help.ok ? renderHelp(help.result) : '').toMatch(
    /distress_type \(string, optional\): Fuel unless given\. One of fuel, [a-z, ]+\.$/,
  )
})

test('docs/mcp.md, which is written by hand, has the limits and tools of the server', () => {
  const page = readFileSync('docs/mcp.md', 'utf8').replaceAll('\n  ', ' ')
  const [basic, standard, full] = ['basic', 'standard', 'full'].map((name) => grouped(name).length)
  for (const answer of [
    `a call waits, at most ${MCP_WAIT_SECONDS_MAX} s in all`,
    `at most ${BLOCKED_REQUEST_MS / 1000} s, then it is answered as pending`,
    `\`basic\` lists ${basic} tools, \`standard\` ${standard} in at most`,
    `\`full\` ${full}.`,
    namesOf(docs.list(NO_QUERY))
      .map((name) => `\`${name}\``)
      .join(', '),
  ])
    expect(page).toContain(answer)
})

test('the configurations in docs/mcp.md are valid and have the address of the server', () => {
  const page = readFileSync('docs/mcp.md', 'utf8')
  const blocks = [...page.matchAll(/```(json|toml|sh)\n([\s\S]*?)```/g)]
  expect(blocks.map(([, language]) => language).sort()).toEqual(
    ['json', 'json', 'json', 'json', 'json', 'sh', 'toml'].sort(),
  )
  for (const [, language, block] of blocks) {
    expect(block).toContain('http://127.0.0.1:8080/mcp/v2')
    if (language === 'json') expect(Object.keys(JSON.parse(block))).toHaveLength(1)
  }
})

describe('presets', () => {
  test('each preset contains the smaller ones, and an unknown name means standard', () => {
    const [basic, standard, full] = ['basic', 'standard', 'full'].map((name) =>
      namesOf(grouped(name)),
    )
    expect(basic.length).toBeLessThan(standard.length)
    expect(standard.length).toBeLessThan(full.length)
    expect(basic.filter((name) => !standard.includes(name))).toEqual([])
    expect(standard.filter((name) => !full.includes(name))).toEqual([])
    expect(full).toHaveLength(20)
    for (const unknown of ['', 'FULL', 'everything', '__proto__'])
      expect(namesOf(grouped(unknown))).toEqual(standard)
  })

  test('the basic preset has the tools that are needed to play', () => {
    const tools = new Set(namesOf(grouped('basic')))
    for (const name of ['game', 'game_auth', 'game_market', 'game_ship', 'game_social'])
      expect(tools).toContain(name)
  })

  test('tools that a preset does not list can be called, and every text names them', () => {
    const { meaning, unlisted } = groupedTools(registry, { names, preset: 'standard', exclude: '' })
    const unlistedNames = namesOf(grouped('full')).filter(
      (name) => !namesOf(grouped('standard')).includes(name),
    )
    expect(unlistedNames).toContain('game_arena')
    expect(meaning('game_arena', { action: 'status' })).toMatchObject({ def: { name: 'status' } })
    const help = meaning('game', { action: 'help' }) as { text: { result: string } }
    for (const answer of [unlisted, groupedInstructions(registry), help.text.result]) {
      expect(answer).toContain('?preset=full')
      for (const name of unlistedNames) expect(answer).toContain(name)
    }
    expect(groupedTools(registry, { names, preset: 'full', exclude: '' }).unlisted).toBe('')
  })

  test('excluded tools and actions are neither listed nor callable', () => {
    const choice = { names, preset: 'full', exclude: ' game_arena ,game/mine,nonsense,' }
    const { tools, meaning } = groupedTools(registry, choice)
    expect(namesOf(tools)).toEqual(namesOf(grouped('full')).filter((name) => name !== 'game_arena'))
    expect(meaning('game_arena', { action: 'help' })).toBeUndefined()
    const mine = meaning('game', { action: 'mine' }) as { text: { code: string } }
    expect(mine.text.code).toBe('invalid_action')
    const game = tools.find(({ name }) => name === 'game') as McpTool
    expect(game.inputSchema.properties.action.enum).not.toContain('mine')
    expect(game.description).not.toMatch(/^ {2}mine\b/m)
  })

  test('excluded actions are neither suggested nor explained', () => {
    const choice = { names, preset: 'full', exclude: 'game/mine,game_arena' }
    const { meaning } = groupedTools(registry, choice)
    const said = (args: object) => JSON.stringify(meaning('game', { action: 'help', ...args }))
    const wrong = JSON.stringify(meaning('game', { action: 'mine' }))
    expect(wrong).toContain('invalid_action')
    expect(wrong).not.toContain('game/mine')
    expect(said({})).toContain('game/dock')
    for (const text of [said({}), said({ topic: 'mine' }), said({ topic: 'arena' })]) {
      expect(text).not.toMatch(/"?game\/mine\b|game_arena/)
    }
  })

  test('commands that only read the archive are read-only too', () => {
    const hintOf = (tools: readonly McpTool[], name: string) =>
      tools.find((tool) => tool.name === name)?.annotations.readOnlyHint
    const { tools } = commandTools(registry)
    expect(hintOf(tools, 'get_action_log')).toBe(true)
    expect(hintOf(tools, 'get_status')).toBe(true)
    expect(hintOf(tools, 'mine')).toBe(false)
  })
})

const callTool = async (tool: string, args: Record<string, unknown> = {}): Promise<ToolResult> => {
  const context = { ip: '', requestId: 'a', bytes: 0, isGone: () => false }
  const result = await docs.call(NO_QUERY, { tool, args }, context)
  if (!result) throw new Error(`no tool ${tool}`)
  return result
}
const textOf = ({ content }: ToolResult): string => content[0].text
// biome-ignore lint/suspicious/noExplicitAny: the tests read answers untyped
const dataOf = (result: ToolResult): any => result.structuredContent

describe('/mcp/docs', () => {
  const v1 = v1Commands(registry)
  const v2 = v2Commands(registry)

  test('finds every command first by its name, and describes it', async () => {
    for (const { address } of v2) {
      const found = await callTool('search_commands', { query: address })
      const [first] = dataOf(found).commands
      expect(first.address.replace(/\/$/, '')).toBe(address.replace(/\/$/, ''))
      expect(textOf(found).split('\n').length).toBeLessThanOrEqual(MCP_DOCS_COMMANDS_MAX + 2)
    }
    for (const view of [...v1, ...v2]) {
      const answer = await callTool('get_command', { name: view.address })
      expect({ name: view.address, isError: answer.isError }).toEqual({ name: view.address })
      const { v1: byName, v2: byAddress } = dataOf(answer)
      expect([byName?.command, byAddress?.address]).toContain(view.address)
      const [tool, action = ''] = view.address.split('/')
      if (view.mutation && action !== '')
        expect(dataOf(await callTool('get_command', { action, tool })).v2.address).toBe(
          view.address,
        )
      for (const form of [byName, byAddress]) {
        if (!form) continue
        expect(form.parameters).toMatchObject({ type: 'object' })
        // `help` of v2 is answered with text alone; everything else has a type.
        if (form.response_type === null) expect(form.address).toBe('game/help')
        else
          expect((await callTool('get_type', { name: form.response_type })).isError).toBeUndefined()
      }
    }
  })

  test('asks for the tool if several tools have the action', async () => {
    const answer = await callTool('get_command', { action: 'cancel' })
    expect(textOf(answer)).toMatch(/^Error: unknown_command: Several .*game_\w+\/cancel/)
    const { actions: candidates } = dataOf(answer).error.details
    expect(candidates.length).toBeGreaterThan(1)
    for (const action of candidates)
      expect(dataOf(await callTool('get_command', { action })).v2.address).toBe(action)
  })

  test('reports how many more commands a search finds', async () => {
    const all = dataOf(await callTool('search_commands', { query: 'get' }))
    expect(all.commands).toHaveLength(MCP_DOCS_COMMANDS_MAX)
    expect(all.more).toBe(all.total - MCP_DOCS_COMMANDS_MAX)
    expect(all.more).toBeGreaterThan(0)
    expect(textOf(await callTool('search_commands', { query: 'get' }))).toContain(
      `${all.more} more`,
    )
  })

  test('knows every type, and everything a type refers to', async () => {
    const documents = [openapiV1(registry, INFO), openapiV2(registry, INFO)]
    const names = documents.flatMap((document) => {
      const { schemas } = (document as { components: { schemas: object } }).components
      return Object.keys(schemas)
    })
    const listed = await callTool('get_type', { name: 'no such type' })
    const { types, more } = dataOf(listed).error.details
    expect([...types].sort()).toEqual([...new Set(names)].sort().slice(0, MCP_DOCS_TYPES_MAX))
    expect(more).toBe(new Set(names).size - types.length)
    for (const name of names) {
      const answer = await callTool('get_type', { name })
      expect({ name, isError: answer.isError }).toEqual({ name })
      for (const [, ref] of textOf(answer).matchAll(/"\$ref": "#\/components\/schemas\/(\w+)"/g))
        expect(names).toContain(ref)
    }
    const suggested = dataOf(await callTool('get_type', { name: 'otificationm' })).error.details
      .types
    expect(suggested).toContain('NotificationMiningYield')
    expect(suggested).not.toContain('Session')
  })

  test('lists every event with its type in the description of the protocol', async () => {
    const answer = textOf(await callTool('get_websocket_protocol'))
    const named = [...answer.matchAll(/Type: (Notification\w+)\./g)].map(([, name]) => name)
    expect(named.length).toBeGreaterThan(40)
    for (const name of named) expect((await callTool('get_type', { name })).isError).toBeUndefined()
  })

  test('refuses arguments that are too long or no text', async () => {
    const long = 'x'.repeat(MCP_DOCS_TEXT_CHARACTERS_MAX + 1)
    for (const [tool, field] of [
      ['search_commands', 'query'],
      ['get_command', 'action'],
      ['get_type', 'name'],
    ])
      for (const word of [undefined, long, 7, null, ['mine'], {}]) {
        const answer = await callTool(tool, { [field]: word })
        expect(textOf(answer)).toMatch(new RegExp(`^Error: invalid_payload: .*${field} must be`))
      }
    expect(textOf(await callTool('get_guide', { guide: long }))).toMatch(
      /^Error: invalid_payload: /,
    )
    expect((await callTool('get_guide')).isError).toBeUndefined()
    expect(textOf(await callTool('search_commands', { query: ' ' }))).toMatch(
      /^Error: topic_not_found/,
    )
  })
})
