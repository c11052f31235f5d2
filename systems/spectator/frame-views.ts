/**
 * The public frame: everything of it is put together here, from parts that each name the columns
 * they read. Nothing is written: hash, journal and replay know nothing of it. Source: WEB 3.
 */
import type { FeedMessage } from '../../core/public/events.ts'
import type { PublicFrame, PublicProjection } from '../../core/public/frame.ts'
import type { WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { renderPublicBattle } from '../combat/public-views.ts'
import { StarSystem } from '../travel/state.ts'
import { chartedBattles, createHeat } from './battle-views.ts'
import { createBooks } from './book-views.ts'
import { type Charted, chartSignature, readChart } from './chart-views.ts'
import { createDocs } from './docs-views.ts'
import { countPresence } from './presence-views.ts'
import { createRounds } from './rounds-views.ts'

/** Most events kept for a frame; the feed bounds each type by itself. */
const EVENTS_MAX = 1_024

export function createProjection(): PublicProjection {
  let charted: Charted | undefined
  let events: FeedMessage[] = []
  const heat = createHeat()
  const docs = createDocs()
  const rounds = createRounds(docs)
  const books = createBooks()
  return {
    observe: () => {},
    *build(view, isAsked) {
      const isNewChart = charted?.signature !== chartSignature(view)
      if (!charted || isNewChart) charted = readChart(view)
      yield
      const isFull = isAsked || isNewChart
      const { presence, flights } = yield* countPresence(view, charted)
      const battles = chartedBattles(view)
      yield* rounds.look(view)
      const changed = yield* books.take(view)
      const patches = docs.take(isFull)
      yield
      const told = events.slice(0, EVENTS_MAX)
      events = []
      const frame: Omit<PublicFrame, 'bytes'> = {
        tick: view.tick,
        wallMs: view.wallMs,
        isFull,
        figures: figuresOf(view, presence.bound.length),
        ...(isFull ? { chart: charted.chart } : {}),
        presence,
        flights,
        heat: heat(view, battles),
        battles: battles.map((battle) => renderPublicBattle(view, battle)),
        docs: patches,
        ...(changed ? { books: changed } : {}),
        events: told,
        turns: [],
      }
      return { ...frame, bytes: sizeOf(frame) }
    },
  }
}

const figuresOf = (view: WorldView, online: number): PublicFrame['figures'] => ({
  online,
  players: view.countOf(Player),
  systems: view.countOf(StarSystem),
})

/** Bytes of a number, and of an object beside what it holds, in memory: about. */
const WORD_BYTES = 8
const OBJECT_BYTES = 32

/** Returns about what plain data takes. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return OBJECT_BYTES + value.length
  if (typeof value !== 'object' || value === null) return WORD_BYTES
  if (ArrayBuffer.isView(value)) return OBJECT_BYTES + value.byteLength
  let bytes = OBJECT_BYTES
  for (const entry of Object.values(value)) bytes += WORD_BYTES + sizeOf(entry)
  return bytes
}
