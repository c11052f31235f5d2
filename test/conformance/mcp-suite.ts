/**
 * Runs the public conformance suite of MCP in its own process and reads its findings. The suite is
 * written for Node 22; a preload adds an import that Node 20 lacks and only other commands use.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}

/** Checks by scenario. */
export type Findings = ReadonlyMap<string, readonly Check[]>

const NODE_22_FS = `data:text/javascript,${encodeURIComponent(
  "export * from 'node:fs'; export const globSync = () => []",
)}`
const RESOLVE = `export const resolve = (name, context, next) =>
  name === 'fs' && context.parentURL?.includes('/conformance/dist/')
    ? { url: ${JSON.stringify(NODE_22_FS)}, shortCircuit: true }
    : next(name, context)`
const PRELOAD = `import { register } from 'node:module'
register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(RESOLVE)}`)})`

const { resolve } = createRequire(import.meta.url)
const SUITE = join(dirname(resolve('@modelcontextprotocol/conformance/package.json')), 'dist')

/**
 * Runs all server scenarios of a revision against an address; rejects if the suite found nothing.
 */
export async function runSuite(url: string, revision: string): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-mcp-'))
  try {
    const log = await runToEnd([
      ...['--import', `data:text/javascript,${encodeURIComponent(PRELOAD)}`],
      join(SUITE, 'index.js'),
      'server',
      '--url',
      url,
      '--suite',
      'all',
      ...['--spec-version', revision, '--output-dir', folder],
    ])
    const found = readFindings(folder)
    if (found.size === 0) throw new Error(`the suite found nothing: ${log.slice(-2_000)}`)
    return found
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs Node and resolves with its output; the exit code says no more than the checks do. */
function runToEnd(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      log += String(chunk)
    })
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('close', () => done(log))
  })
}

function readFindings(folder: string): Findings {
  const found = new Map<string, readonly Check[]>()
  for (const name of readdirSync(folder)) {
    const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[^/]*$/.exec(name) ?? []
    if (scenario === undefined) throw new Error(`${name} is not named as a scenario`)
    found.set(scenario, JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')))
  }
  return found
}
