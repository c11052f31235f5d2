/** The operators' tools without a world: settings, help, completion and invalid command lines. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Params } from '../../bench/client.ts'
import { createProgram } from '../../cli/program.ts'
import { SETTINGS } from '../../config.ts'
import { VERSION } from '../../core/catalog/changelog.ts'
import { PROJECT } from '../servers.ts'
import { orrery, refusalOf } from './cli.ts'

test('config lists every setting, hides secrets and refuses a bad value', async () => {
  const url = 'postgres://me:secret@127.0.0.1/x'
  const settings = { DATABASE_URL: url, METRICS_TOKEN: 'secret', TICK_MS: '500' }
  const ran = await orrery(['config', '--json', '--port', '9000'], settings)
  expect(ran.stdout).not.toContain('secret')
  const all = JSON.parse(ran.stdout) as Params[]
  for (const row of all) expect(row.meaning).toMatch(/\.$/)
  const rowOf = (name: string) => all.find((row) => row.name === name)
  const port = { value: '9000', default: '8080', unit: 'port', source: 'flag' }
  expect(rowOf('PORT')).toMatchObject(port)
  expect(rowOf('TICK_MS')).toMatchObject({ value: '500', source: 'environment' })
  expect(rowOf('SEED')).toMatchObject({ value: '1', source: 'default' })
  const folder = mkdtempSync(join(tmpdir(), 'orrery-config-'))
  const file = join(folder, 'token')
  writeFileSync(file, 'secret\n')
  const read = await orrery(['config', '--json'], { METRICS_TOKEN_FILE: file })
  rmSync(folder, { recursive: true })
  const token = (JSON.parse(read.stdout) as Params[]).find((row) => row.name === 'METRICS_TOKEN')
  expect(token).toMatchObject({ value: '(hidden)', source: 'file' })
  const bad = await refusalOf('config', { code: 1, settings: { TICK_MS: 'soon' } })
  expect(bad).toMatch(/^TICK_MS=soon cannot be used: [^\n]+\.\n$/)
})

test('every tool has --help, and an invalid command line exits with 2', async () => {
  const top = createProgram().commands
  const tools = top.flatMap((tool) => (tool.commands.length > 0 ? tool.commands : [tool]))
  expect(tools).toHaveLength(31)
  for (const tool of tools) {
    expect(tool.description()).not.toBe('')
    const isReport = !['start', 'completion'].includes(tool.name())
    expect(tool.helpInformation()).toMatch(isReport ? /--json.*--help/s : /--help/)
  }
  const start = await orrery(['start', '--help'])
  expect(start).toMatchObject({ code: 0, stderr: '' })
  const unwrapped = start.stdout.replaceAll(/\s+/g, ' ')
  for (const { name } of SETTINGS) expect(unwrapped).toContain(`[${name}, `)
  expect((await orrery(['help', 'start'])).stdout).toBe(start.stdout)
  const help = await orrery(['snapshot', 'verify', '--help'])
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('Exit code 1 if') })
  expect(await refusalOf('snapshot', { code: 2 })).toContain('Usage')
  const fly = await orrery(['fly'])
  expect(fly).toMatchObject({ code: 2, stderr: expect.stringContaining('unknown command') })
  expect(await refusalOf('snapshot diff 1', { code: 2 })).toContain('missing required argument')
  expect(await refusalOf('replay --hash 3', { code: 2 })).toContain('unknown option')
  expect(await refusalOf('token', { code: 2 })).toContain('Usage')
  expect(await refusalOf('token player', { code: 2 })).toContain('missing required argument')
})

test('--version names the release of the server and that of the interface', async () => {
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
  const output = await orrery(['--version'])
  expect(output).toMatchObject({ code: 0, stdout: `orrery ${version} (interface ${VERSION})\n` })
})

test('start exits with 2 on an invalid command line and with 1 on an invalid value', async () => {
  expect(await orrery(['start', '--speed', '3'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'There is no setting --speed. npx orrery config lists them.\n',
  })
  expect(await orrery(['start', '--port'])).toMatchObject({ code: 2 })
  const soon = await orrery(['start'], { TICK_MS: 'soon' })
  expect(soon).toMatchObject({ code: 1, stderr: '' })
  expect(JSON.parse(soon.stdout)).toMatchObject({
    level: 60,
    msg: expect.stringContaining('TICK_MS=soon cannot be used'),
  })
})

type OfferScript = (line: string, words: readonly string[]) => string

/** For each shell, the code that prints what a completion script offers for a line. */
const OFFER_SCRIPTS: Readonly<Record<string, OfferScript>> = {
  bash: (_, words) => `
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
    COMP_CWORD=${words.length - 1}
    _orrery
    printf '%s\n' "\${COMPREPLY[@]}"`,
  // The functions of zsh's completion run only while a line is typed, so stubs replace them.
  zsh: (_, words) => `
    compadd() { shift; print -l -- "\${(@M)@:#\${words[CURRENT]}*}" }
    _files() { }
    words=(${words.map((word) => `'${word}'`).join(' ')})
    CURRENT=${words.length}
    _orrery`,
  fish: (line) => `complete -C '${line}'`,
}

/** Code that runs first: zsh takes seconds to load its completion, so a stub replaces it. */
const PREAMBLES: Readonly<Record<string, string>> = { zsh: 'compdef() { }' }

const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', '']).status === 0

/** Returns what a shell offers to complete a line, in an empty folder that adds no file names. */
function completed(shell: string, script: string, line: string): string[] {
  const offer = OFFER_SCRIPTS[shell](line, line.split(' '))
  const code = `${PREAMBLES[shell] ?? ''}\n${script}\n${offer}`
  const empty = mkdtempSync(join(tmpdir(), 'orrery-completion-'))
  const options = { encoding: 'utf8', cwd: empty, env: { ...process.env, HOME: empty } } as const
  const { stdout, stderr } = spawnSync(shell, ['-c', code], options)
  rmSync(empty, { recursive: true })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((word) => word !== '')
}

/** Bash is required; the others are tested where they are installed. */
const SHELLS = Object.keys(OFFER_SCRIPTS).filter((shell) => shell === 'bash' || isInstalled(shell))

describe.each(SHELLS)('completion: %s', (shell) => {
  test('the script offers commands, options and choices, also after npx', async () => {
    const { code, stdout } = await orrery(['completion', shell])
    expect(code).toBe(0)
    const offers = (line: string) => completed(shell, stdout, line).sort()
    expect(offers('orrery s')).toEqual(['snapshot', 'start'])
    expect(offers('orrery snapshot cr')).toEqual(['create'])
    expect(offers('npx orrery snapshot re')).toEqual(['restore'])
    expect(offers('orrery start --tick')).toEqual(['--tick-ms', '--ticks'])
    expect(offers('orrery player Keeper --anonymous ')).toEqual(['off', 'on'])
    expect(offers('orrery player Keeper --anonymous on --j')).toEqual(['--json'])
    expect(offers('orrery snapshot export --f')).toEqual(['--force'])
    expect(offers('npx vitest r')).toEqual([])
  })
})

test('completion prints scripts for three shells and refuses any other', async () => {
  for (const shell of Object.keys(OFFER_SCRIPTS)) {
    const script = await orrery(['completion', shell])
    expect(script).toMatchObject({ code: 0, stdout: expect.stringContaining("'orrery snapshot'") })
  }
  expect(await refusalOf('completion cmd', { code: 2 })).toContain('Allowed choices')
})
