/** The operators' tools without a world: settings, help, completion, and what makes no sense. */
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

test('config: every setting with unit, default and meaning; a bad value is one sentence', async () => {
  const url = 'postgres://me:secret@127.0.0.1/x'
  const settings = { DATABASE_URL: url, METRICS_TOKEN: 'secret', TICK_MS: '500' }
  const ran = await orrery(['config', '--json', '--port', '9000'], settings)
  expect(ran.stdout).not.toContain('secret')
  const all = JSON.parse(ran.stdout) as Params[]
  for (const row of all) expect(row.meaning).toMatch(/\.$/)
  const by = (name: string) => all.find((row) => row.name === name)
  expect(by('PORT')).toMatchObject({ value: '9000', default: '8080', unit: 'port', source: 'flag' })
  expect(by('TICK_MS')).toMatchObject({ value: '500', source: 'environment' })
  expect(by('SEED')).toMatchObject({ value: '1', source: 'default' })
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

test('--help everywhere, and a command line that makes no sense ends with 2', async () => {
  const top = createProgram().commands
  const tools = top.flatMap((one) => (one.commands.length > 0 ? one.commands : [one]))
  expect(tools).toHaveLength(31)
  for (const tool of tools) {
    expect(tool.description()).not.toBe('')
    const isReport = !['start', 'completion'].includes(tool.name())
    expect(tool.helpInformation()).toMatch(isReport ? /--json.*--help/s : /--help/)
  }
  const start = await orrery(['start', '--help'])
  expect(start).toMatchObject({ code: 0, stderr: '' })
  const words = start.stdout.replaceAll(/\s+/g, ' ')
  for (const { name } of SETTINGS) expect(words).toContain(`[${name}, `)
  expect((await orrery(['help', 'start'])).stdout).toBe(start.stdout)
  const help = await orrery(['snapshot', 'verify', '--help'])
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('Exit code 1 when') })
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

test('start: a line that makes no sense ends with 2, a value that does not with 1', async () => {
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

/** What each shell does with the script to show what it offers behind a line. */
const ASKED: Readonly<Record<string, (line: string, words: readonly string[]) => string>> = {
  bash: (_, words) => `
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
    COMP_CWORD=${words.length - 1}
    _orrery
    printf '%s\n' "\${COMPREPLY[@]}"`,
  // The functions of its completion run only while a line is typed: those used here stand in.
  zsh: (_, words) => `
    compadd() { shift; print -l -- "\${(@M)@:#\${words[CURRENT]}*}" }
    _files() { }
    words=(${words.map((word) => `'${word}'`).join(' ')})
    CURRENT=${words.length}
    _orrery`,
  fish: (line) => `complete -C '${line}'`,
}

/** The start of its completion takes seconds. */
const BEFORE: Readonly<Record<string, string>> = { zsh: 'compdef() { }' }

const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', '']).status === 0

/**
 * Returns what a shell offers to complete a line; without files, which the shell finds by itself.
 */
function completed(shell: string, script: string, line: string): string[] {
  const asked = `${BEFORE[shell] ?? ''}\n${script}\n${ASKED[shell](line, line.split(' '))}`
  const empty = mkdtempSync(join(tmpdir(), 'orrery-completion-'))
  const options = { encoding: 'utf8', cwd: empty, env: { ...process.env, HOME: empty } } as const
  const { stdout, stderr } = spawnSync(shell, ['-c', asked], options)
  rmSync(empty, { recursive: true })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((word) => word !== '')
}

/** Bash is everywhere; the others are tried where somebody has them. */
const SHELLS = Object.keys(ASKED).filter((shell) => shell === 'bash' || isInstalled(shell))

describe.each(SHELLS)('completion: %s', (shell) => {
  test('offers commands, options and choices, for npx too', async () => {
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

test('completion: scripts for three shells, and no others', async () => {
  for (const shell of Object.keys(ASKED)) {
    const made = await orrery(['completion', shell])
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining("'orrery snapshot'") })
  }
  expect(await refusalOf('completion cmd', { code: 2 })).toContain('Allowed choices')
})
