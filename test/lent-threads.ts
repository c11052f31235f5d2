/**
 * Lends world threads to the servers of tests, one after another: loading the modules of a world
 * takes a third of a server's start.
 */
import { Worker } from 'node:worker_threads'
import type { ToMain } from '../core/ports.ts'
import type { WorldThreadData } from '../engine/thread-data.ts'
import type { WorldThread } from '../net/world-thread.ts'

const idle: Worker[] = []

function startWorker(): Worker {
  const worker = new Worker(new URL('./lent-thread.js', import.meta.url))
  worker.on('exit', () => {
    const place = idle.indexOf(worker)
    if (place >= 0) idle.splice(place, 1)
  })
  return worker
}

/** Lends a thread until its world stops; a thread that ends in any other way is not reused. */
export function lendThread(data: WorldThreadData, isSmallMap = false): WorldThread {
  const worker = idle.pop() ?? startWorker()
  let reason = 'ended'
  let handleMessage = (_message: ToMain): void => undefined
  let handleExit = (_reason: string): void => undefined
  const onMessage = (message: ToMain | 'over'): void => {
    if (message !== 'over') {
      handleMessage(message)
      return
    }
    worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    worker.unref()
    idle.push(worker)
    handleExit('ended (exit 0)')
  }
  const onError = (error: unknown): void => {
    reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  const onExit = (code: number): void => handleExit(`${reason} (exit ${code})`)
  worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  worker.ref()
  worker.postMessage({ begin: data, isSmallMap })
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (handler) => {
      handleMessage = handler
    },
    onExit: (handler) => {
      handleExit = handler
    },
    terminate: () => void worker.terminate(),
  }
}
