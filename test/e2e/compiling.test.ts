/** Where Node runs no TypeScript, the launcher compiles first, and says so in one line. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { PROJECT } from '../servers.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-compiling-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

for (const path of ['bin', 'package.json', 'tsconfig.json', 'tsconfig.run.json']) {
  cpSync(join(PROJECT, path), join(folder, path), { recursive: true })
}
symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
const source = join(folder, 'main.ts')

/** Newer ones strip types unless they are told not to. */
const FLAGS = 'typescript' in process.features ? ['--no-experimental-strip-types'] : []

function run() {
  const { stdout, stderr } = spawnSync(process.execPath, [...FLAGS, 'bin/run.mjs', 'main'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { stdout, stderr }
}

test('the first start says that it compiles, a later one only where something has changed', () => {
  writeFileSync(source, "const text: string = 'first'\nconsole.log(text)\n")
  expect(run()).toEqual({
    stdout: 'first\n',
    stderr: expect.stringMatching(/^Compiling the sources: [^\n]+\n$/),
  })
  expect(run()).toEqual({ stdout: 'first\n', stderr: '' })
  writeFileSync(source, "const text: string = 'second'\nconsole.log(text)\n")
  const later = new Date(Date.now() + 5_000)
  utimesSync(source, later, later)
  expect(run()).toEqual({ stdout: 'second\n', stderr: 'Compiling what has changed ...\n' })
})
