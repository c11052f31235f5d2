/**
 * Archives what strangers are shown when it becomes public: every sixtieth frame whole, and of each
 * tick between them what it changed. What the archive does not accept is missing from the past.
 * Source: WEB 1.3.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { FRAME_KEPT_TICKS, PUBLIC_WRITES_MAX } from '../../core/limits.ts'
import { differenceOf } from '../../core/public/difference.ts'
import type { MomentBody } from '../../core/public/past.ts'
import { isoTime } from '../../core/time.ts'
import type { Net } from '../session/types.ts'
import { renderActivity } from './map-rows.ts'
import type { PublicState } from './state.ts'
import { renderTerritory } from './system-rows.ts'

const zip = promisify(gzip)

const slotOf = (tick: number): number => Math.floor(tick / FRAME_KEPT_TICKS)

const renderMoment = (state: PublicState): MomentBody => ({
  tick: state.tick,
  at: isoTime(state.wallMs),
  activity: renderActivity(state),
  territory: renderTerritory(state),
  battles: [...state.battles],
})

/** Writes one after the other; a write is refused where many wait already. */
function createWriter() {
  let writing = Promise.resolve()
  let waiting = 0
  return async (work: () => Promise<void>): Promise<void> => {
    if (waiting >= PUBLIC_WRITES_MAX) throw new Error(`${waiting} writes wait already`)
    waiting += 1
    const written = writing.then(work)
    writing = written.catch(() => {})
    try {
      await written
    } finally {
      waiting -= 1
    }
  }
}

type Keeping = Pick<Net, 'frames' | 'archive' | 'link' | 'log'>

/**
 * Creates what writes frames, each as the difference to the one before if that is in the archive.
 * Of several processes (`isAlone` is false) the one whose whole frame is there writes the steps
 * behind it: a step of another would follow on what that one had shown.
 */
function createChain({ archive, link, log }: Keeping, isAlone: boolean) {
  /** What the next step is the difference to; absent: it is whole. */
  let base: MomentBody | undefined
  /** The last tick that is in the archive. */
  let keptTick = 0
  let isOwner = isAlone
  let isMissing = false
  const write = createWriter()
  const warn = (error: unknown): void => {
    base = undefined
    if (!isMissing) log.warn({ err: error }, 'the archive did not keep what is public')
    isMissing = true
  }
  const keep = async (moment: MomentBody, work: () => Promise<boolean>): Promise<void> => {
    base = moment
    try {
      await write(async () => {
        if (await work()) keptTick = moment.tick
        else if (base?.tick === moment.tick) base = undefined
      })
      isMissing = false
    } catch (error) {
      warn(error)
    }
  }
  return {
    warn,
    isOwner: () => isOwner,
    /** Lets the next step be whole. */
    cut(): void {
      base = undefined
    },
    keepWhole(moment: MomentBody, { figures, wallMs }: PublicState, ticks: number): void {
      const { tick, battles } = moment
      const head = { tick, atMs: wallMs, ticks, tickMs: link.state().tickMs }
      const counts = { online: figures.online, battles: battles.length }
      const text = JSON.stringify(moment)
      void keep(moment, async () => {
        isOwner = isAlone
        const frame = { ...head, ...counts, body: await zip(text) }
        const isKept = (await archive.keepFrame?.(frame)) === true
        isOwner = isAlone || isKept
        return isKept
      })
    },
    keepStep(moment: MomentBody): void {
      const text = JSON.stringify(base === undefined ? moment : differenceOf(base, moment))
      const head = { tick: moment.tick, base: base?.tick ?? null }
      void keep(moment, async () => {
        if (!isOwner || (head.base !== null && head.base !== keptTick)) return false
        await archive.keepStep?.({ ...head, body: await zip(text) })
        return true
      })
    },
  }
}

/** Keeps what becomes public; `isAlone`: no other process does. */
export function keepFrames(net: Keeping, isAlone: boolean): void {
  /** The last public tick; at first, the one before the first. */
  let last: number | undefined
  /** The last tick whose frame was to be kept whole. */
  let lastWhole = 0
  const chain = createChain(net, isAlone)
  // O(systems, flights and battles) a public tick.
  net.frames.onPublic((state) => {
    const { tick } = state
    if (last === undefined) [last, lastWhole] = [tick - 1, tick - 1]
    // A world thread that was replaced begins some ticks before: those are kept already.
    if (tick <= last) {
      chain.cut()
      return
    }
    const ticks = tick - lastWhole
    const isWhole = slotOf(tick) > slotOf(lastWhole)
    last = tick
    if (isWhole) lastWhole = tick
    else if (!chain.isOwner()) return
    try {
      const moment = renderMoment(state)
      if (isWhole) chain.keepWhole(moment, state, Math.max(ticks, FRAME_KEPT_TICKS))
      else chain.keepStep(moment)
    } catch (error) {
      chain.warn(error)
    }
  })
}
