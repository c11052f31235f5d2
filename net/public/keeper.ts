/**
 * Archives public frames as they become public: every sixtieth whole, and for each tick between
 * them the changes. A frame that the archive does not accept is missing from the past. Source: WEB
 * 1.3.
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

/** Runs writes one after the other; refuses a write while too many are pending. */
function createWriter() {
  let writing = Promise.resolve()
  let pending = 0
  return async (work: () => Promise<void>): Promise<void> => {
    if (pending >= PUBLIC_WRITES_MAX) throw new Error(`${pending} writes are pending already`)
    pending += 1
    const written = writing.then(work)
    writing = written.catch(() => {})
    try {
      await written
    } finally {
      pending -= 1
    }
  }
}

type Keeping = Pick<Net, 'frames' | 'archive' | 'link' | 'log'>

/**
 * Creates the writer of frames; each is stored as the difference to the previous one if that is in
 * the archive. With several processes (`isAlone` is false), the one that stored the whole frame
 * also writes the steps after it, since a step is relative to the state of the same process.
 */
function createChain({ archive, link, log }: Keeping, isAlone: boolean) {
  /** Base of the next step; undefined: the next step is stored whole. */
  let base: MomentBody | undefined
  /** The last tick that is in the archive. */
  let keptTick = 0
  /** The last tick whose whole frame is in the archive, from this process or another. */
  let wholeTick: number | undefined
  let isOwner = isAlone
  let hasFailed = false
  const write = createWriter()
  const warn = (error: unknown): void => {
    base = undefined
    if (!hasFailed) log.warn({ err: error }, 'the archive did not keep what is public')
    hasFailed = true
  }
  const keep = async (moment: MomentBody, work: () => Promise<boolean>): Promise<void> => {
    base = moment
    try {
      await write(async () => {
        if (await work()) keptTick = moment.tick
        else if (base?.tick === moment.tick) base = undefined
      })
      hasFailed = false
    } catch (error) {
      warn(error)
    }
  }
  return {
    warn,
    isOwner: () => isOwner,
    /** Makes the next step a whole frame. */
    cut(): void {
      base = undefined
    },
    keepWhole(moment: MomentBody, { figures, wallMs }: PublicState): void {
      const { tick, battles } = moment
      const head = { tick, atMs: wallMs, tickMs: link.state().tickMs }
      const counts = { online: figures.online, battles: battles.length }
      const text = JSON.stringify(moment)
      void keep(moment, async () => {
        isOwner = isAlone
        // The last frame of an earlier run is unknown: it is at most one slot old.
        const ticks = wholeTick === undefined ? FRAME_KEPT_TICKS : tick - wholeTick
        const frame = { ...head, ...counts, ticks, body: await zip(text) }
        const isKept = (await archive.keepFrame?.(frame)) === true
        wholeTick = tick
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

/** Archives public frames. `isAlone`: no other process does. */
export function keepFrames(net: Keeping, isAlone: boolean): void {
  /** The last public tick; initially the one before the first. */
  let last: number | undefined
  /** The last tick whose whole frame was due. */
  let lastWhole = 0
  const chain = createChain(net, isAlone)
  // Costs O(systems + flights + battles) per public tick.
  net.frames.onPublic((state) => {
    const { tick } = state
    if (last === undefined) [last, lastWhole] = [tick - 1, tick - 1]
    // A replacement world thread starts some ticks earlier: those are archived already.
    if (tick <= last) {
      chain.cut()
      return
    }
    const isWhole = slotOf(tick) > slotOf(lastWhole)
    last = tick
    if (isWhole) lastWhole = tick
    else if (!chain.isOwner()) return
    try {
      const moment = renderMoment(state)
      if (isWhole) chain.keepWhole(moment, state)
      else chain.keepStep(moment)
    } catch (error) {
      chain.warn(error)
    }
  })
}
