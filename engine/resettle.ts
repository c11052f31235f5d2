/**
 * The start of a world with other settings than it ran by. Rules read the length of a tick and the
 * capacities, so that its journal replays only under those it was written by.
 */
import { captureWorld, createImageMemory } from '../core/image.ts'
import type { WorldImage } from '../core/ports.ts'
import type { LoopOptions } from './options.ts'
import { asItRan, loadWorld, openEngine, replayRow } from './start.ts'

/**
 * Returns the image to start from: the one given, or where settings have changed the end of its
 * journal, replayed under the former ones. That is to be stored before the world goes on, so that
 * no replay ever spans both.
 */
export async function resettle(options: LoopOptions, image: WorldImage): Promise<WorldImage> {
  const { registry, store, tickMs, maxEntities, post } = options
  const former = asItRan(options, image)
  if (former.tickMs === tickMs && former.maxEntities === maxEntities) return image
  const before = { tickMs: former.tickMs, maxEntities: former.maxEntities }
  const fields = { before, now: { tickMs, maxEntities } }
  const text = 'the settings of the world have changed: storing it as the former ones left it'
  post({ kind: 'log', level: 'info', fields, text })
  const engine = await openEngine(loadWorld(former, image), registry, { checksWrites: false })
  for await (const row of store.journalAfter(image.batch)) {
    options.busy(true)
    replayRow(engine, row)
    options.busy(false)
    await store.project?.(row, engine.world.outbox.writes)
    await engine.section.settled()
  }
  await store.projected?.()
  await engine.section.close()
  return { ...captureWorld(engine.world, createImageMemory()), tickMs, maxEntities }
}
