/** Starts world threads. */
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { moduleUrl } from '../core/module-url.ts'

/**
 * Starts a thread. Without `workerData` it loads its modules and waits for that data as its first
 * message.
 */
export const spawnThread = (options: WorkerOptions = {}): Worker =>
  new Worker(moduleUrl(import.meta.url, './thread'), options)
