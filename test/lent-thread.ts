/** A world thread that runs one world after the other, each with the modules already loaded. */
import { parentPort } from 'node:worker_threads'
import { assert } from '../core/assert.ts'
import { runWorld } from '../engine/run-world.ts'
import type { WorldThreadData } from '../engine/thread-data.ts'

assert(parentPort, 'lent-threads.ts starts it')
const port = parentPort

/** Resolves with the next world to run; what came after the stop of the last is passed over. */
const nextWorld = (): Promise<WorldThreadData> =>
  new Promise((resolve) => {
    const onMessage = (message: { begin?: WorldThreadData }): void => {
      if (!message.begin) return
      port.off('message', onMessage)
      resolve(message.begin)
    }
    port.on('message', onMessage)
  })

for (;;) {
  await runWorld(await nextWorld(), port)
  port.postMessage('over')
}
