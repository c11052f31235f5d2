/** The operators' tools without a world: settings, help, and what makes no sense. */
import { expect, test } from 'vitest'
import type { Params } from '../../bench/client.ts'
import { createProgram } from '../../cli/program.ts'
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
  const bad = await refusalOf('config', { code: 1, settings: { TICK_MS: 'soon' } })
  expect(bad).toMatch(/^TICK_MS=soon cannot be used: [^\n]+\.\n$/)
})

test('--help everywhere, and a command line that makes no sense ends with 2', async () => {
  const top = createProgram().commands
  const tools = top.flatMap((one) => (one.commands.length > 0 ? one.commands : [one]))
  expect(tools).toHaveLength(20)
  for (const tool of tools) {
    expect(tool.description()).not.toBe('')
    expect(tool.helpInformation()).toMatch(/--json.*--help/s)
  }
  const help = await orrery(['snapshot', 'verify', '--help'])
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('Exit code 1 when') })
  expect(await refusalOf('snapshot', { code: 2 })).toContain('Usage')
  const fly = await orrery(['fly'])
  expect(fly).toMatchObject({ code: 2, stderr: expect.stringContaining('unknown command') })
  expect(await refusalOf('snapshot diff 1', { code: 2 })).toContain('missing required argument')
  expect(await refusalOf('replay --speed 3', { code: 2 })).toContain('unknown option')
  expect(await refusalOf('token', { code: 2 })).toContain('Usage')
  expect(await refusalOf('token player', { code: 2 })).toContain('missing required argument')
})
