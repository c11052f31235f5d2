/** The world thread: runs the world that main gives it, then ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '../core/assert.ts'
import { collectWhenIdle } from './collect.ts'
import { runWorld } from './run-world.ts'
import type { WorldThreadData } from './thread-data.ts'

assert(parentPort, 'the world thread must be started by main')
/** Resolves with the first message, which brings a thread started in advance its data. */
const firstMessage = () => new Promise((resolve) => parentPort?.once('message', resolve))
const data = (workerData ?? (await firstMessage())) as WorldThreadData
collectWhenIdle()
await runWorld(data, parentPort)
parentPort.close()
