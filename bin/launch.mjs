/**
 * Runs a program of this project. Where Node strips types it runs the sources as they are; elsewhere
 * (Node 20, or a published package, below node_modules) what `dist` holds of them, which is brought
 * up to date first, without checking types: `npm test` does that.
 */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import * as module from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = new URL('../', import.meta.url)
const inRoot = (path) => fileURLToPath(new URL(path, ROOT))

/** What is compiled for the programs of a folder, and the file that says when it last was. */
const SERVER = {
  config: 'tsconfig.run.json',
  stamp: 'dist/.run.tsbuildinfo',
  leaves: ['test', 'web'],
}
const TESTS = { config: 'tsconfig.tools.json', stamp: 'dist/.tools.tsbuildinfo', leaves: ['web'] }
/** Written by `npm run build`, which compiles everything. */
const BUILT = 'dist/.tsbuildinfo'
/** Holds the pid of the one process that compiles, for as long as it does. */
const LOCK = inRoot('dist/.compiling')
const POLL_MS = 50
/** How long a start waits before it says for whom. */
const SILENT_MS = 1_000
/** Longer than any compilation: by then the pid of the lock is another process's. */
const LOCK_MS_MAX = 600_000
/** A lock without a pid is being written, or a crash left it. */
const EMPTY_LOCK_MS_MAX = 2_000

const hasSources = existsSync(inRoot('main.ts'))
/** Node strips no types below node_modules. */
const runsSources =
  hasSources && Boolean(process.features.typescript) && !ROOT.pathname.includes('/node_modules/')

const changedAt = (path) => statSync(inRoot(path), { throwIfNoEntry: false })?.mtimeMs ?? 0

/** When a source was last changed. */
function sourcesChangedAt(folder, leaves) {
  let latest = 0
  for (const entry of readdirSync(inRoot(folder), { withFileTypes: true })) {
    const path = `${folder}${entry.name}`
    if (entry.isDirectory()) {
      if (/^(dist|data|node_modules|\.\w+)$/.test(entry.name) || leaves.includes(path)) continue
      latest = Math.max(latest, sourcesChangedAt(`${path}/`, leaves))
    } else if (entry.name.endsWith('.ts')) latest = Math.max(latest, changedAt(path))
  }
  return latest
}

const compiledAt = ({ stamp }) => Math.max(changedAt(stamp), changedAt(BUILT))
const isStale = (program) => compiledAt(program) <= sourcesChangedAt('./', program.leaves)

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Returns the pid in the lock; 0 where none is written, undefined where there is no lock. */
function lockHolder() {
  try {
    return Number(readFileSync(LOCK, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function isLockStale(pid) {
  const ageMs = Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  return pid === 0 ? ageMs > EMPTY_LOCK_MS_MAX : ageMs > LOCK_MS_MAX || !isRunning(pid)
}

function tryLock() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Waits until this process is the one that compiles: what another writes is read half-written. */
async function takeLock() {
  mkdirSync(inRoot('dist'), { recursive: true })
  const since = performance.now()
  let isContested = false
  let isSaid = false
  for (;;) {
    if (tryLock()) {
      if (!isContested) return
      // Another process that found the same stale lock may have removed ours instead.
      await sleep(POLL_MS)
      if (lockHolder() === process.pid) return
    }
    const pid = lockHolder()
    if (pid === undefined) continue
    if (isLockStale(pid)) {
      isContested = true
      rmSync(LOCK, { force: true })
      continue
    }
    if (!isSaid && performance.now() - since > SILENT_MS) {
      isSaid = true
      console.error(`Waiting for process ${pid}, which compiles the sources ...`)
    }
    await sleep(POLL_MS)
  }
}

/** Compiles what is stale; returns the exit code of the compiler. */
function compile(program) {
  const compiler = inRoot('node_modules/typescript/bin/tsc')
  if (!existsSync(compiler)) {
    console.error(
      `Node ${process.versions.node} runs no TypeScript by itself, and no compiler is installed: ` +
        'run npm ci without --omit=dev, or use Node 22.18 or later.',
    )
    return 1
  }
  console.error(
    compiledAt(program) === 0
      ? 'Compiling the sources: this takes some seconds, later starts compile what has changed ...'
      : 'Compiling what has changed ...',
  )
  const { status } = spawnSync(process.execPath, [compiler, '-p', inRoot(program.config)], {
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) return status ?? 1
  const now = new Date()
  utimesSync(inRoot(program.stamp), now, now)
  return 0
}

async function transpile(program) {
  if (!isStale(program)) return
  await takeLock()
  let code = 0
  try {
    // Whoever held the lock may have compiled it all.
    if (isStale(program)) code = compile(program)
  } finally {
    rmSync(LOCK, { force: true })
  }
  if (code !== 0) process.exit(code)
}

/** Bundles the live page where its sources changed. Without it the server shows a plain page. */
async function bundlePage() {
  try {
    const { buildPage } = await import(
      pathToFileURL(inRoot(runsSources ? 'web-build.ts' : 'dist/web-build.js')).href
    )
    await buildPage()
  } catch (error) {
    console.error(`The live page was not built (${error.message}): the server shows a plain page.`)
  }
}

/** Runs `path`, as it is called in the sources and without its ending, in this process. */
export async function launch(path, args) {
  if (runsSources) module.enableCompileCache?.()
  else if (hasSources) await transpile(path.startsWith('test/') ? TESTS : SERVER)
  if (path === 'main' && existsSync(inRoot('web'))) await bundlePage()
  const file = inRoot(runsSources ? `${path}.ts` : `dist/${path}.js`)
  process.argv.splice(1, process.argv.length, file, ...args)
  await import(pathToFileURL(file).href)
}
