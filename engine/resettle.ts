/**
 * Starts a world with other settings than it ran with. Rules read the length of a tick and the
 * capacities, so a journal replays only with the settings it was written with.
 */
import { captureWorld, createImageMemory } from '../core/image.ts'
import type { WorldImage } from '../core/ports.ts'
import type { LoopOptions } from './options.ts'
import { asItRan, loadWorld, openEngine, replayRow } from './start.ts'

/**
 * Returns the image to start from: the one given, or, if settings have changed, the world at the
 * end of its journal, replayed with the former settings. The caller must store that image before
 * the world goes on, so that no replay ever spans both.
 */
export async function resettle(options: LoopOptions, image: WorldImage): Promise<WorldImage> {
  const { registry, store, tickMs, maxEntities, post } = options
  const former = asItRan(options, image)
  if (former.tickMs === tickMs && former.maxEntities === maxEntities) return image
  const before = { tickMs: former.tickMs, maxEntities: former.maxEntities }
  const fields = { before, now: { tickMs, maxEntities } }
  const text = 'the settings of the world have changed: storing it first as the old ones left it'
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
