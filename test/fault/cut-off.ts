/**
 * A client in its own network namespace, whose link goes down: from then on none of its packets
 * reaches the server, not even one that closes the connection. Needs root and `ip`.
 */
import { execFileSync, spawn } from 'node:child_process'

interface CutOff {
  /** A moment at which the server certainly still received from it. */
  readonly heardMs: number
  /** The moment at which the link went down. */
  readonly cutAtMs: number
  end(): void
}

const PEER = new URL('./peer.js', import.meta.url).pathname
const [HERE, THERE] = ['10.213.7.1', '10.213.7.2']

/** Longest time between the answer to the peer's last frame and its report of it. */
const REPORT_MS = 1_000

const ip = (...args: string[]): void => void execFileSync('ip', args, { stdio: 'pipe' })

export async function cutOffPeer(port: number): Promise<CutOff> {
  const name = `orrery${process.pid}`
  const [near, far] = [`on${process.pid}`, `of${process.pid}`]
  ip('netns', 'add', name)
  ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', name)
  ip('addr', 'add', `${HERE}/30`, 'dev', near)
  ip('link', 'set', near, 'up')
  ip('-n', name, 'addr', 'add', `${THERE}/30`, 'dev', far)
  ip('-n', name, 'link', 'set', far, 'up')
  const url = `http://${HERE}:${port}`
  const peer = spawn('ip', ['netns', 'exec', name, process.execPath, PEER, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = (): void => {
    peer.kill('SIGKILL')
    // The namespace exists until the peer has ended, but the next call may need the link.
    ip('link', 'del', near)
    ip('netns', 'del', name)
  }
  try {
    await new Promise<void>((resolve, reject) => {
      peer.stdout.once('data', () => resolve())
      peer.once('exit', () => reject(new Error('the peer did not log in')))
    })
    const heardMs = performance.now() - REPORT_MS
    ip('-n', name, 'link', 'set', far, 'down')
    return { heardMs, cutAtMs: performance.now(), end }
  } catch (error) {
    end()
    throw error
  }
}
