/** A world thread that runs one world after another, so that modules are loaded only once. */
import { parentPort } from 'node:worker_threads'
import { assert } from '../core/assert.ts'
import { runWorld } from '../engine/run-world.ts'
import type { WorldThreadData } from '../engine/thread-data.ts'
import { bornWorld, smallBornWorld } from './born-world.ts'

assert(parentPort, 'lent-threads.ts starts it')
const port = parentPort

interface Begin {
  readonly begin: WorldThreadData
  readonly isSmallMap: boolean
}

/** Resolves with the next world to run; ignores messages that arrive after the last one stopped. */
const nextWorld = (): Promise<Begin> =>
  new Promise((resolve) => {
    const onMessage = (message: Partial<Begin>): void => {
      if (!message.begin) return
      port.off('message', onMessage)
      resolve(message as Begin)
    }
    port.on('message', onMessage)
  })

for (;;) {
  const { begin, isSmallMap } = await nextWorld()
  await runWorld(begin, port, { newWorld: isSmallMap ? smallBornWorld : bornWorld })
  port.postMessage('over')
}
