/** The examples on the pages of commands: the server accepts each, in every language. */
import { expect, test } from 'vitest'
import { createRegistry } from '../../../core/registry.ts'
import { createAddresses, findV1, findV2, isFailure } from '../../../net/addresses.ts'
import { type CommandExample, commandExamples } from '../../../net/docs/command-examples.ts'
import { documentedCommands } from '../../../net/docs/commands-page.ts'
import { commandTools, groupedTools } from '../../../net/mcp/tools.ts'
import { createValidators, type Params, validate } from '../../../net/validate.ts'
import { DOMAINS } from '../../../systems/registry.ts'

const BASE = 'http://127.0.0.1:8080'
const registry = createRegistry(DOMAINS)
const addresses = createAddresses(registry)
const validators = createValidators()
const v1Tools = commandTools(registry)
const v2Tools = groupedTools(registry, { names: addresses, preset: 'full', exclude: '' })
const commands = documentedCommands({ registry }).map((command) => {
  return { command, examples: commandExamples(command, BASE) }
})

const textOf = (examples: readonly CommandExample[], title: string): string =>
  examples.find((example) => example.title === title)?.text ?? ''

/** Return the address and the body of a request from the text of an example. */
const READERS: Readonly<Record<string, (text: string) => readonly [string, unknown]>> = {
  curl: (text) => {
    const [, url, body] = /^curl -sS (\S+) [\s\S]* -d '([\s\S]*)'$/.exec(text) ?? []
    return [url, JSON.parse(body.replaceAll("'\\''", "'"))]
  },
  TypeScript: (text) => {
    const [, url, body] =
      /fetch\('([^']+)'[\s\S]*JSON\.stringify\(([\s\S]*)\),\n\}\)/.exec(text) ?? []
    return [url, JSON.parse(body)]
  },
  Python: (text) => {
    const [, url, body] =
      /Request\(\n {4}"([^"]+)",\n {4}data=json\.dumps\((.*)\)\.encode/.exec(text) ?? []
    const json = body.replace(/"(?:[^"\\]|\\.)*"|True|False|None/g, (word) => {
      return { True: 'true', False: 'false', None: 'null' }[word] ?? word
    })
    return [url, JSON.parse(json)]
  },
}

test.each(Object.entries(READERS))(
  'the %s example sends valid parameters to its command',
  (title, read) => {
    for (const { command, examples } of commands) {
      const [url, body] = read(textOf(examples, title))
      const [, version, ...parts] = url.slice(BASE.length + 1).split('/')
      const isV2 = version === 'v2'
      const found = isV2 ? findV2(addresses, parts[0], parts[1] ?? '') : findV1(addresses, parts[0])
      expect({ url, found }).toEqual({ url, found: command.def })
      if (isFailure(found)) continue
      const checked = validate(validators, found, body as Params, isV2)
      expect({ url, body, checked }).toMatchObject({ checked: { ok: true } })
    }
  },
)

test('the MCP example calls the tool of its command with valid parameters', () => {
  for (const { command, examples } of commands) {
    const { method, params } = JSON.parse(textOf(examples, 'MCP'))
    expect(method).toBe('tools/call')
    const isV2 = command.v2 !== undefined
    const meaning = (isV2 ? v2Tools : v1Tools).meaning(params.name, params.arguments)
    // The help of a tool is answered without a command.
    if (meaning && 'text' in meaning && params.arguments.action === 'help') {
      expect(meaning.text.ok).toBe(true)
      continue
    }
    if (!meaning || !('def' in meaning)) throw new Error(`${params.name} means no command`)
    expect(meaning.def).toBe(command.def)
    const checked = validate(validators, command.def, meaning.params, isV2)
    expect({ params, checked }).toMatchObject({ checked: { ok: true } })
  }
})

test('examples send a session only if it is needed, and no two pages share a name', () => {
  const login = commands.find(({ command }) => command.page === 'login')?.examples ?? []
  const buy = commands.find(({ command }) => command.page === 'buy')?.examples ?? []
  for (const title of ['curl', 'TypeScript', 'Python', 'MCP']) {
    expect(textOf(login, title)).not.toContain('SESSION')
    expect(textOf(buy, title)).toContain('SESSION')
  }
  const names = commands.map(({ command }) => command.page)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[a-z0-9_]+$/)
})
