/** Runs lines as if pasted into a shell: one bash for all of them, one answer for each. */
import { spawn } from 'node:child_process'

export interface Answer {
  readonly line: string
  readonly code: number | null
  readonly stdout: string
}

interface Shell {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Separates answers; no program prints it. */
const MARK = '\u001e'
const LINES_MS_MAX = 150_000

/**
 * From the second line on, `npx orrery` runs what the first one found: npx itself takes longer than
 * most tools.
 */
const NPX = `npx() {
  command npx "$@"
  local code=$?
  npx() { shift; node bin/orrery.mjs "$@"; }
  return $code
}
`

/** Runs the lines in order in one bash; a line that fails does not stop the next one. */
export function paste(lines: readonly string[], { cwd, env }: Shell): Promise<Answer[]> {
  const script = NPX + lines.map((line) => `${line}\nprintf '${MARK}%s${MARK}' $?\n`).join('')
  const child = spawn('bash', ['-c', script], {
    cwd,
    env,
    timeout: LINES_MS_MAX,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let stdout = ''
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => {
      const parts = stdout.split(MARK)
      resolve(
        lines.map((line, index) => ({
          line,
          stdout: (parts[2 * index] ?? '').trim(),
          code: Number(parts[2 * index + 1] ?? Number.NaN),
        })),
      )
    })
  })
}
