/**
 * The public frame, put together from parts that each read their own columns. It writes nothing to
 * the world, so hash, journal and replay do not depend on it. Source: WEB 3.
 */
import {
  PUBLIC_CROSSING_BYTES,
  PUBLIC_FRAME_BYTES_MAX,
  PUBLIC_SECTIONS_BYTES_MIN,
} from '../../core/limits.ts'
import type { PublicFrame, PublicProjection } from '../../core/public/frame.ts'
import type { WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { StarSystem } from '../travel/state.ts'
import { chartedBattles, createHeat } from './battle-views.ts'
import { createBooks } from './book-views.ts'
import { type Charted, chartSignature, readChart } from './chart-views.ts'
import { createDocs } from './docs-views.ts'
import { createEvents } from './events-views.ts'
import { createPresence } from './presence-views.ts'
import { createRounds } from './rounds-views.ts'
import { createThinner } from './thin-views.ts'

/** Creates the projection that builds the public frames of a world. */
export function createProjection(): PublicProjection {
  let charted: Charted | undefined
  const events = createEvents()
  const countPresence = createPresence()
  const heat = createHeat()
  const docs = createDocs()
  const updateDocs = createRounds(docs)
  const books = createBooks()
  const thin = createThinner()
  return {
    observe: events.observe,
    *build(view, isFull) {
      const isNewChart = charted?.signature !== chartSignature(view)
      if (!charted || isNewChart) charted = readChart(view)
      yield
      const { presence, flights, online } = yield* countPresence(view, charted)
      const fought = chartedBattles(view)
      yield* updateDocs(view)
      const changed = yield* books.take(view, isFull)
      yield* events.render()
      const { turns, ...published } = events.take(view, charted.chart, presence)
      const { going, ...battles } = thin.battles(view, fought, isFull)
      yield
      const rest: Omit<PublicFrame, 'bytes' | 'docs'> = {
        tick: view.tick,
        wallMs: view.wallMs,
        isFull,
        figures: figuresOf(view, online),
        ...(isFull || isNewChart ? { chart: charted.chart } : {}),
        presence,
        flights,
        heat: heat(view, fought),
        ...battles,
        ...(isFull ? {} : { going }),
        ...(changed ? { books: changed } : {}),
        ...published,
        turns: yield* thin.turns(turns, going, isFull),
      }
      yield
      const bytes = sizeOf(rest)
      const room = Math.max(PUBLIC_SECTIONS_BYTES_MIN, PUBLIC_CROSSING_BYTES - bytes)
      const frame = { ...rest, docs: docs.take(isFull, room) }
      const all = bytes + bytesOfDocs(frame.docs)
      return all > PUBLIC_FRAME_BYTES_MAX ? countsAlone(frame) : { ...frame, bytes: all }
    },
  }
}

/**
 * Reduces a frame that is too large to counts: how many players are where, but not who, and no
 * flights within systems.
 */
export function countsAlone(frame: Omit<PublicFrame, 'bytes'>): PublicFrame {
  const none = new Int32Array()
  const { named, namedFlying, bound } = frame.presence
  // Players who are no longer named are still listed as online.
  const lists = [bound, numbersIn(named), numbersIn(namedFlying)]
  const online = Int32Array.from(lists.flatMap((list) => [...list]))
  const presence = { ...frame.presence, named: none, namedFlying: none, bound: online }
  const cut = { ...frame, isCut: true, presence, flights: { ...frame.flights, local: none } }
  return { ...cut, bytes: sizeOf(cut) }
}

/** Lists the numbers of the players in a list of [where, player]. */
const numbersIn = (list: Int32Array): Int32Array => list.filter((_, index) => index % 2 === 1)

/** Estimates the bytes that the sections take. */
function bytesOfDocs(docs: PublicFrame['docs']): number {
  let bytes = 0
  for (const { set, gone } of Object.values(docs)) {
    for (const [key, text] of set) bytes += key.length + text.length + WORD_BYTES
    for (const key of gone) bytes += key.length + WORD_BYTES
  }
  return bytes
}

const figuresOf = (view: WorldView, online: number): PublicFrame['figures'] => ({
  online,
  players: view.countOf(Player),
  systems: view.countOf(StarSystem),
})

/** Approximate bytes in memory of a number, and of an object besides its contents. */
const WORD_BYTES = 8
const OBJECT_BYTES = 32

/** Estimates the bytes that plain data takes in memory. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return OBJECT_BYTES + value.length
  if (typeof value !== 'object' || value === null) return WORD_BYTES
  if (ArrayBuffer.isView(value)) return OBJECT_BYTES + value.byteLength
  // A list that begins with a number holds only numbers.
  if (Array.isArray(value) && typeof value[0] === 'number')
    return OBJECT_BYTES + 2 * WORD_BYTES * value.length
  let bytes = OBJECT_BYTES
  for (const entry of Object.values(value)) bytes += WORD_BYTES + sizeOf(entry)
  return bytes
}
