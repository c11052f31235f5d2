/**
 * Runs a program of this project. Where Node strips types it runs the sources as they are; elsewhere
 * (Node 20, or a published package, below node_modules) what `dist` holds of them, which is brought
 * up to date first, without checking types: `npm test` does that.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import * as module from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = new URL('../', import.meta.url)
const inRoot = (path) => fileURLToPath(new URL(path, ROOT))

/** What is compiled for the programs of a folder, and the file that says when it last was. */
const SERVER = { config: 'tsconfig.run.json', stamp: 'dist/.run.tsbuildinfo', leaves: ['test'] }
const TESTS = { config: 'tsconfig.tools.json', stamp: 'dist/.tools.tsbuildinfo', leaves: [] }
/** Written by `npm run build`, which compiles everything. */
const BUILT = 'dist/.tsbuildinfo'

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

function transpile({ config, stamp, leaves }) {
  const compiledAt = Math.max(changedAt(stamp), changedAt(BUILT))
  if (compiledAt > sourcesChangedAt('./', leaves)) return
  const compiler = inRoot('node_modules/typescript/bin/tsc')
  if (!existsSync(compiler)) {
    console.error(
      `Node ${process.versions.node} runs no TypeScript by itself, and no compiler is installed: ` +
        'run npm ci without --omit=dev, or use Node 22.18 or later.',
    )
    process.exit(1)
  }
  console.error(
    compiledAt === 0
      ? 'Compiling the sources: this takes some seconds, later starts compile what has changed ...'
      : 'Compiling what has changed ...',
  )
  const { status } = spawnSync(process.execPath, [compiler, '-p', inRoot(config)], {
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) process.exit(status ?? 1)
  const now = new Date()
  utimesSync(inRoot(stamp), now, now)
}

/** Runs `path`, as it is called in the sources and without its ending, in this process. */
export async function launch(path, args) {
  if (runsSources) module.enableCompileCache?.()
  else if (hasSources) transpile(path.startsWith('test/') ? TESTS : SERVER)
  const file = inRoot(runsSources ? `${path}.ts` : `dist/${path}.js`)
  process.argv.splice(1, process.argv.length, file, ...args)
  await import(pathToFileURL(file).href)
}
