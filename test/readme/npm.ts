/** Runs `npm start` as people type it, in a process group of its own, as a terminal does. */
import { spawn } from 'node:child_process'
import { PROJECT } from '../servers.ts'

export interface NpmStart {
  /** Process id of npm and of the process group of all that it started. */
  readonly pid: number
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>
  /** Returns what was logged so far. */
  log(): string
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
}

interface Where {
  readonly cwd?: string
  readonly env: Readonly<Record<string, string>>
}

/** Starts the server; resolves once it is open to players. */
export async function npmStart({ cwd = PROJECT, env }: Where): Promise<NpmStart> {
  const child = spawn('npm', ['start'], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = child.pid as number
  let log = ''
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      log += String(chunk)
      if (log.includes('"msg":"open to players')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}: ${log}`)))
  })
  const stop = (): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) process.kill(pid, 'SIGTERM')
    return ended
  }
  return { pid, ended, log: () => log, stop }
}
