/** The operators' tools as an operator runs them: bin/orrery.mjs in a process of its own. */
import { spawn } from 'node:child_process'

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const BIN = new URL('../../../bin/orrery.mjs', import.meta.url).pathname
const RAN_MS_MAX = 60_000

/** Runs a tool to its end; the tester's own settings do not leak in. */
export function orrery(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const { PATH = '', HOME = '', TMPDIR } = process.env
  const env = { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}), ...settings }
  const child = spawn(process.execPath, [BIN, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: RAN_MS_MAX,
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}
