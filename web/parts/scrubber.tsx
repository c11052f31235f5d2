/**
 * The scrubber: a strip of the past, a handle to go there, and a play button. The moment is in the
 * address as `t`; without it the page is live. Source: WEB 4.
 */
import { effect, signal, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { HistoryBody } from '../../core/public/past.ts'
import { readPalette } from '../canvas/colour.ts'
import { drawStrip } from '../canvas/strip.ts'
import { isLive, newestTick, shownTick, tickMs, timeOf } from '../clock.ts'
import { type KeyRow, useKeys } from '../keys.ts'
import { changeQuery } from '../router.ts'
import { theme } from '../settings.ts'
import { KEYFRAME_TICKS, useHistory } from '../world.ts'
import { formatAgo, formatInt } from './format.ts'
import { goLive } from './moment.tsx'

const DAY_MS = 86_400_000
/** How many days the strip can show; the last value is how long the server keeps frames. */
const SPANS = [1, 5, 30] as const
type Span = (typeof SPANS)[number]
const LONGEST: Span = 30
const RATES = [1, 5, 20, 60] as const
/** The shortest time between changes of the address while the past plays. */
const STEP_MS_MIN = 200
/** How long a dragged handle must rest before its frame is loaded. */
const DRAG_MS = 150

/** The playback speed, as a multiple of real time; 0: paused. */
const playRate = signal(0)

/** The days chosen for the strip. */
const spanDays = signal<Span>(5)

/** Returns the first tick of this many days; never 0, which the server reads as one day ago. */
const firstTick = (days: Span, end: number): number =>
  Math.max(1, end - Math.ceil((days * DAY_MS) / tickMs.value))

/** Goes to a tick; the newest or a later one means live. */
function goTo(tick: number): void {
  const newest = newestTick.peek()
  const to = Math.max(1, Math.round(tick))
  changeQuery({ t: to >= newest ? undefined : String(to) }, isLive.peek() ? 'push' : 'replace')
}

const stepBy = (ticks: number) => () => goTo(shownTick.peek() + ticks)

/** Returns a function that goes to the previous or next keyframe. */
const keyframe = (by: -1 | 1) => () => {
  const at = shownTick.peek() / KEYFRAME_TICKS
  goTo((by < 0 ? Math.ceil(at) - 1 : Math.floor(at) + 1) * KEYFRAME_TICKS)
}

const KEYS: readonly KeyRow[] = [
  { key: '[', about: 'one tick back', run: stepBy(-1) },
  { key: ']', about: 'one tick forward', run: stepBy(1) },
  { key: '{', about: 'previous keyframe', run: keyframe(-1) },
  { key: '}', about: 'next keyframe', run: keyframe(1) },
  { key: 'l', about: 'back to live', run: goLive },
]

/** Advances the tick in the address while the past plays. */
function usePlay(): void {
  const rate = playRate.value
  const isOver = isLive.value
  useEffect(() => {
    if (rate === 0) return
    if (isOver) {
      playRate.value = 0
      return
    }
    const stepMs = Math.max(STEP_MS_MIN, tickMs.peek() / rate)
    const stepTicks = Math.max(1, Math.round((stepMs * rate) / tickMs.peek()))
    const timer = setInterval(() => goTo(shownTick.peek() + stepTicks), stepMs)
    return () => clearInterval(timer)
  }, [rate, isOver])
  useEffect(
    () => () => {
      playRate.value = 0
    },
    [],
  )
}

interface StripProps {
  readonly ticks: HistoryBody['ticks']
  readonly from: number
  readonly to: number
}

function Strip({ ticks, from, to }: StripProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current as HTMLCanvasElement
    const context = element.getContext('2d') as CanvasRenderingContext2D
    const draw = () => {
      const { clientWidth: width, clientHeight: height } = element
      const density = Math.min(2, devicePixelRatio || 1)
      element.width = width * density
      element.height = height * density
      context.setTransform(density, 0, 0, density, 0, 0)
      drawStrip(context, ticks, { from, to, width, height, palette: readPalette() })
    }
    const watch = new ResizeObserver(draw)
    watch.observe(element)
    const stop = effect(() => {
      theme.value
      requestAnimationFrame(draw)
    })
    return () => {
      watch.disconnect()
      stop()
    }
  }, [ticks, from, to])
  return <canvas ref={canvas} />
}

const NO_TICKS: HistoryBody['ticks'] = []

/** Returns the points of the strip and the range of ticks it shows. */
function useStrip() {
  const newest = newestTick.value
  // The end changes only with a new keyframe, so that the strip is not requested more often.
  const end = Math.floor(newest / KEYFRAME_TICKS) * KEYFRAME_TICKS
  // For an earlier moment in the address the longest span is shown.
  const isWithin = shownTick.value >= firstTick(spanDays.value, end)
  const first = firstTick(isWithin ? spanDays.value : LONGEST, end)
  const body = useHistory(first, end)
  const last = useRef<HistoryBody | undefined>(undefined)
  last.current = body.value.data ?? last.current
  const ticks = last.current?.ticks ?? NO_TICKS
  const from = ticks[0]?.tick ?? first
  return { ticks, from, to: Math.max(newest, from + 1) }
}

/** Returns where the handle is being dragged; the page goes there once it rests. */
function useDrag() {
  const dragged = useSignal<number | undefined>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const drag = (tick: number) => {
    dragged.value = tick
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      dragged.value = undefined
      goTo(tick)
    }, DRAG_MS)
  }
  return { at: dragged.value, drag }
}

interface ChoiceProps<T extends number> {
  readonly label: string
  readonly value: T
  readonly values: readonly T[]
  readonly unit: string
  readonly onChoose: (value: T) => void
}

function Choice<T extends number>({ label, value, values, unit, onChoose }: ChoiceProps<T>) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(Number(event.currentTarget.value) as T)}
    >
      {values.map((one) => (
        <option key={one} value={one}>
          {one}
          {unit}
        </option>
      ))}
    </select>
  )
}

export function Scrubber() {
  useKeys(KEYS)
  usePlay()
  const { at, drag } = useDrag()
  const rate = useSignal<(typeof RATES)[number]>(5)
  const { ticks, from, to } = useStrip()
  const newest = newestTick.value
  const shown = Math.min(Math.max(at ?? shownTick.value, from), to)
  const share = Math.min(1, (shown - from) / (to - from))
  const isPlaying = playRate.value > 0
  const play = () => {
    if (!isPlaying && isLive.peek()) goTo(newest - KEYFRAME_TICKS)
    playRate.value = isPlaying ? 0 : rate.value
  }
  const label = useMemo(() => {
    const ago = formatAgo(timeOf(newest) - timeOf(shown))
    return at === undefined && isLive.value ? 'live' : `tick ${formatInt(shown)} · ${ago}`
  }, [shown, newest, at, isLive.value])
  return (
    <section class="scrubber" aria-label="Time">
      <button
        type="button"
        class="icon"
        aria-label={isPlaying ? 'Pause' : 'Play the past'}
        onClick={play}
      >
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <path d={isPlaying ? 'M3 2h4v12H3zM9 2h4v12H9z' : 'M3 1l11 7-11 7z'} />
        </svg>
      </button>
      <Choice
        label="Speed of the past"
        value={rate.value}
        values={RATES}
        unit="×"
        onChoose={(times) => {
          rate.value = times
          if (isPlaying) playRate.value = times
        }}
      />
      <Choice
        label="Days of the past"
        value={spanDays.value}
        values={SPANS}
        unit=" d"
        onChoose={(days) => {
          spanDays.value = days
        }}
      />
      <div class="strip">
        <Strip ticks={ticks} from={from} to={to} />
        <span class="playhead" style={{ left: `${share * 100}%` }} />
        <input
          type="range"
          aria-label="Moment shown"
          aria-valuetext={label}
          min={from}
          max={to}
          step={1}
          value={shown}
          onInput={(event) => drag(Number(event.currentTarget.value))}
        />
      </div>
      <output>{label}</output>
      <button type="button" disabled={isLive.value} onClick={goLive}>
        Live
      </button>
    </section>
  )
}
