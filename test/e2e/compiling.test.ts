/**
 * Where Node cannot run TypeScript, the launcher compiles the sources first and says so in one
 * line; of several launchers that start together, only one compiles.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
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

/** Newer Node versions strip types by default; the flag makes them need the compiler too. */
const FLAGS = 'typescript' in process.features ? ['--no-experimental-strip-types'] : []

function run() {
  const { stdout, stderr } = spawnSync(process.execPath, [...FLAGS, 'bin/run.mjs', 'main'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { stdout, stderr }
}

test('the launcher compiles on the first start and then only when a source has changed', () => {
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

test('the build bundles the server, its tools and its threads', async () => {
  const { compiledFile } = await import(join(PROJECT, 'bin/launch.mjs'))
  for (const path of ['main', 'cli', 'engine/thread', 'kernel-thread', 'storage/packer']) {
    expect(compiledFile(path), 'run npm run build').toBe(join(PROJECT, `dist/bundle/${path}.js`))
  }
  expect(compiledFile('bench/load')).toBe(join(PROJECT, 'dist/bench/load.js'))
})

test('constants stay constants in the bundle', () => {
  const kernels = readFileSync(join(PROJECT, 'dist/bundle/systems/boarding/kernels.js'), 'utf8')
  const chunks = [...kernels.matchAll(/"\.\.\/\.\.\/(chunk-\w+\.js)"/g)].map(([, name]) =>
    readFileSync(join(PROJECT, 'dist/bundle', name), 'utf8'),
  )
  const text = [kernels, ...chunks].join('\n')
  expect(text).toMatch(/^const \w+ = /m)
  expect(text).not.toMatch(/^var [A-Z_]+ = \d/m)
})

test('the launcher runs the bundle of a program until something is compiled after it', () => {
  utimesSync(source, 0, 0)
  const bundle = join(folder, 'dist/bundle')
  mkdirSync(bundle)
  writeFileSync(join(bundle, 'main.js'), "console.log('bundled')\n")
  expect(run().stdout).toBe('second\n')
  const stamp = join(bundle, 'stamp')
  writeFileSync(stamp, '')
  const later = new Date(Date.now() + 6_000)
  utimesSync(stamp, later, later)
  expect(run()).toEqual({ stdout: 'bundled\n', stderr: '' })
  const latest = new Date(Date.now() + 7_000)
  utimesSync(join(folder, 'dist/.run.tsbuildinfo'), latest, latest)
  expect(run().stdout).toBe('second\n')
})

/** Starts the launcher without blocking; resolves with its output when it has ended. */
function startLauncher(onStderr: (text: string) => void = () => {}) {
  const child = spawn(process.execPath, [...FLAGS, 'bin/run.mjs', 'main'], { cwd: folder })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text) => {
    stdout += text
  })
  child.stderr.on('data', (text) => {
    stderr += text
    onStderr(stderr)
  })
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  )
}

const lock = join(folder, 'dist/.compiling')
const COMPILES = /^Compiling /m
const WAITS = /^Waiting for process (\d+), which compiles the sources/m

test('two simultaneous starts of a fresh copy compile once and both run', async () => {
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  writeFileSync(source, "const text: string = 'both'\nconsole.log(text)\n")
  const both = await Promise.all([startLauncher(), startLauncher()])
  for (const { code, stdout } of both)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'both\n' })
  expect(both.filter(({ stderr }) => COMPILES.test(stderr))).toHaveLength(1)
  expect(existsSync(lock)).toBe(false)
})

test('the launcher waits for a held compile lock and ignores that of a dead process', async () => {
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  writeFileSync(source, "const text: string = 'free'\nconsole.log(text)\n")
  mkdirSync(join(folder, 'dist'))
  writeFileSync(lock, String(process.pid))
  const waited = await startLauncher((text) => {
    if (WAITS.test(text)) rmSync(lock, { force: true })
  })
  expect(waited).toMatchObject({ code: 0, stdout: 'free\n' })
  expect(WAITS.exec(waited.stderr)?.[1]).toBe(String(process.pid))
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  mkdirSync(join(folder, 'dist'))
  const gone = spawnSync(process.execPath, ['-e', 'console.log(process.pid)'], { encoding: 'utf8' })
  writeFileSync(lock, gone.stdout.trim())
  const after = await startLauncher()
  expect(after).toMatchObject({ code: 0, stdout: 'free\n' })
  expect(after.stderr).toMatch(COMPILES)
  expect(after.stderr).not.toMatch(WAITS)
})

test('a live page that cannot be built is reported and the start continues', async () => {
  const build = join(folder, 'web-build.ts')
  mkdirSync(join(folder, 'web'))
  writeFileSync(build, "export const buildPage = () => Promise.reject(new Error('no bundler'))\n")
  writeFileSync(source, "console.log('on')\n")
  const later = new Date(Date.now() + 10_000)
  for (const path of [source, build]) utimesSync(path, later, later)
  const { code, stdout, stderr } = await startLauncher()
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'on\n' })
  expect(stderr).toContain(
    'The live page was not built (no bundler): the server shows a plain page.\n',
  )
  rmSync(join(folder, 'web'), { recursive: true })
})
