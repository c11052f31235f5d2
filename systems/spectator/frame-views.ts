/**
 * The public frame: everything of it is put together here, from parts that each name the columns
 * they read. Nothing is written: hash, journal and replay know nothing of it. Source: WEB 3.
 */
import { PUBLIC_FRAME_BYTES_MAX } from '../../core/limits.ts'
import type { PublicFrame, PublicProjection } from '../../core/public/frame.ts'
import type { WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { renderPublicBattle } from '../combat/public-views.ts'
import { StarSystem } from '../travel/state.ts'
import { chartedBattles, createHeat } from './battle-views.ts'
import { createBooks } from './book-views.ts'
import { type Charted, chartSignature, readChart } from './chart-views.ts'
import { createDocs } from './docs-views.ts'
import { createEvents } from './events-views.ts'
import { countPresence } from './presence-views.ts'
import { createRounds } from './rounds-views.ts'

export function createProjection(): PublicProjection {
  let charted: Charted | undefined
  const events = createEvents()
  const heat = createHeat()
  const docs = createDocs()
  const look = createRounds(docs)
  const books = createBooks()
  return {
    observe: events.observe,
    *build(view, isAsked) {
      const isNewChart = charted?.signature !== chartSignature(view)
      if (!charted || isNewChart) charted = readChart(view)
      yield
      const isFull = isAsked || isNewChart
      const { presence, flights } = yield* countPresence(view, charted)
      const battles = chartedBattles(view)
      yield* look(view)
      const changed = yield* books.take(view)
      const patches = docs.take(isFull)
      yield
      const told = events.take(view, charted.chart, presence)
      yield
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
        ...told,
      }
      const bytes = sizeOf(frame)
      return bytes > PUBLIC_FRAME_BYTES_MAX ? countsAlone(frame) : { ...frame, bytes }
    },
  }
}

/** A frame that is too large: how many are where, but not who, and no flights within systems. */
function countsAlone(frame: Omit<PublicFrame, 'bytes'>): PublicFrame {
  const none = new Int32Array()
  const presence = { ...frame.presence, named: none, namedFlying: none }
  const cut = { ...frame, isCut: true, presence, flights: { ...frame.flights, local: none } }
  return { ...cut, bytes: sizeOf(cut) }
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
