/**
 * Starts a real NATS server on a free port, for measurements of a cluster and for tests that kill
 * it. Tests fall back on bus-server.ts where no `nats-server` is installed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import type { BusServer } from './bus-server.ts'
import { freePort } from './servers.ts'

const READY_MS_MAX = 10_000
const POLL_MS = 20

/** Where Debian installs it, which is not on the PATH of everyone. */
const ADMIN_FOLDERS = ['/usr/local/sbin', '/usr/sbin']

export const NO_NATS_SERVER =
  'No nats-server is found on the PATH: install one (https://github.com/nats-io/nats-server/releases).'

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Returns the path of the program; undefined if it is neither on the PATH nor in these folders. */
export const findNatsServer = (): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), ...ADMIN_FOLDERS]
    .map((folder) => join(folder, 'nats-server'))
    .find(isExecutable)

const isAnswering = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => socket.destroy())
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(socket.bytesRead > 0))
  })

/** Starts a NATS server; `down` kills it at once. Rejects where the program is not installed. */
export async function startNatsServer(): Promise<BusServer> {
  const program = findNatsServer()
  if (program === undefined) throw new Error(NO_NATS_SERVER)
  const port = await freePort()
  let child: ChildProcess | undefined
  const end = (signal: NodeJS.Signals): Promise<void> =>
    new Promise((resolve) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return resolve()
      child.once('exit', () => resolve())
      child.kill(signal)
    })
  const up = async (): Promise<void> => {
    child = spawn(program, ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
    const endMs = performance.now() + READY_MS_MAX
    while (!(await isAnswering(port))) {
      if (performance.now() > endMs || child.exitCode !== null) {
        await end('SIGKILL')
        throw new Error(`${program} does not answer on port ${port}`)
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
  await up()
  return {
    url: `nats://127.0.0.1:${port}`,
    up,
    down: () => end('SIGKILL'),
    close: () => end('SIGTERM'),
  }
}
