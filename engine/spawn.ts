/** Starts world threads. */
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { moduleUrl } from '../core/module-url.ts'

/** Without `workerData` the thread loads its modules and waits for it as its first message. */
export const spawnThread = (options: WorkerOptions = {}): Worker =>
  new Worker(moduleUrl(import.meta.url, './thread'), options)
