/**
 * Runs a program of this project. Where Node strips types, it runs the sources directly. Elsewhere
 * (on Node 20, or in a package installed below node_modules) it runs the compiled files in `dist`,
 * after compiling what has changed; types are not checked here but by `npm test`.
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

/** What to compile for a program: the compiler's settings, its time stamp, and unused folders. */
const SERVER = {
  config: 'tsconfig.run.json',
  stamp: 'dist/.run.tsbuildinfo',
  unused: ['test', 'web'],
}
const TESTS = { config: 'tsconfig.tools.json', stamp: 'dist/.tools.tsbuildinfo', unused: ['web'] }
/** Written by `npm run build`, which compiles everything. */
const BUILT = 'dist/.tsbuildinfo'
/** Written after the bundle of the server (server-build.ts). */
const BUNDLED = 'dist/bundle/stamp'
/** Holds the pid of the process that is compiling; only one may at a time. */
const LOCK = inRoot('dist/.compiling')
const POLL_MS = 50
/** How long a start waits for another process before it prints a message. */
const SILENT_MS = 1_000
/** Longer than any compilation takes: an older lock is stale, even if its pid is in use again. */
const LOCK_MS_MAX = 600_000
/** How old a lock without a pid may be: it is just being written, unless a crash left it behind. */
const EMPTY_LOCK_MS_MAX = 2_000

const hasSources = existsSync(inRoot('main.ts'))
// Node does not strip types below node_modules.
const runsSources =
  hasSources && Boolean(process.features.typescript) && !ROOT.pathname.includes('/node_modules/')

const changedAt = (path) => statSync(inRoot(path), { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Returns when a source in a folder was last changed, without the folders in `unused`. */
function sourcesChangedAt(folder, unused) {
  let latest = 0
  for (const entry of readdirSync(inRoot(folder), { withFileTypes: true })) {
    const path = `${folder}${entry.name}`
    if (entry.isDirectory()) {
      if (/^(dist|data|node_modules|\.\w+)$/.test(entry.name) || unused.includes(path)) continue
      latest = Math.max(latest, sourcesChangedAt(`${path}/`, unused))
    } else if (entry.name.endsWith('.ts')) latest = Math.max(latest, changedAt(path))
  }
  return latest
}

const compiledAt = ({ stamp }) => Math.max(changedAt(stamp), changedAt(BUILT))
const isStale = (program) => compiledAt(program) <= sourcesChangedAt('./', program.unused)

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Returns the pid in the lock: 0 if it holds none, undefined if there is no lock. */
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

/** Waits for the lock: without it, this process could load a file that another is still writing. */
async function takeLock() {
  mkdirSync(inRoot('dist'), { recursive: true })
  const since = performance.now()
  let isContested = false
  let isAnnounced = false
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
    if (!isAnnounced && performance.now() - since > SILENT_MS) {
      isAnnounced = true
      console.error(`Waiting for process ${pid}, which compiles the sources ...`)
    }
    await sleep(POLL_MS)
  }
}

/** Compiles what has changed; returns the exit code of the compiler. */
function compile(program) {
  const compiler = inRoot('node_modules/typescript/bin/tsc')
  if (!existsSync(compiler)) {
    console.error(
      `Node ${process.versions.node} cannot run TypeScript, and no compiler is installed: ` +
        'run npm ci without --omit=dev, or use Node 22.18 or later.',
    )
    return 1
  }
  console.error(
    compiledAt(program) === 0
      ? 'Compiling the sources: this takes some seconds; later starts compile only what changed ...'
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
    // The process that held the lock may have compiled everything.
    if (isStale(program)) {
      code = compile(program)
      if (code === 0) await bundleServer()
    }
  } finally {
    rmSync(LOCK, { force: true })
  }
  if (code !== 0) process.exit(code)
}

/** Bundles the compiled server, which only loads faster from its bundle. */
async function bundleServer() {
  const builder = inRoot('dist/server-build.js')
  if (!existsSync(builder)) return
  try {
    await import(pathToFileURL(builder).href)
  } catch (error) {
    console.error(`The server was not bundled (${error.message}): it takes longer to start.`)
  }
}

/** Bundles the live page if its sources changed. Without it the server shows a plain page. */
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

/** Returns the compiled file of a program: its bundle unless something was compiled after it. */
export function compiledFile(path) {
  const bundled = inRoot(`dist/bundle/${path}.js`)
  const isFresh = changedAt(BUNDLED) > Math.max(compiledAt(SERVER), compiledAt(TESTS))
  return isFresh && existsSync(bundled) ? bundled : inRoot(`dist/${path}.js`)
}

/** Runs a program in this process; `path` is its source file without the extension. */
export async function launch(path, args) {
  if (runsSources) module.enableCompileCache?.()
  else if (hasSources) await transpile(path.startsWith('test/') ? TESTS : SERVER)
  if (path === 'main' && existsSync(inRoot('web'))) await bundlePage()
  const file = runsSources ? inRoot(`${path}.ts`) : compiledFile(path)
  process.argv.splice(1, process.argv.length, file, ...args)
  await import(pathToFileURL(file).href)
}
