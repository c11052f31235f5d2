/** The picture of a battle: a canvas that is redrawn when the moment or the selection changes. */
import {
  type ReadonlySignal,
  type Signal,
  useComputed,
  useSignal,
  useSignalEffect,
} from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type Frame, indexAt, type Replay, scoresOf } from '../battle-model.ts'
import { INKS } from '../canvas/inks.ts'
import { dashOf, drawRings, type Scene, unitOf } from '../canvas/rings.ts'
import { plural } from '../parts/format.ts'
import { type Layout, layOut, markAt } from '../rings-model.ts'
import { isCalm, theme } from '../settings.ts'

const DPR_MAX = 2
/** A click within this many pixels of a ship selects it. */
const REACH = 22
const RENEW_LABEL_MS = 10_000

interface RingsProps {
  readonly replay: Signal<Replay>
  readonly time: Signal<number>
  readonly selected: ReadonlySignal<string>
  readonly choose: (ship: string) => void
  readonly sideName: (side: number) => string
}

/** Each frame is laid out once. */
const layouts = new WeakMap<Frame, Layout>()
function layoutOf(frame: Frame): Layout {
  let layout = layouts.get(frame)
  if (!layout) {
    layout = layOut(frame)
    layouts.set(frame, layout)
  }
  return layout
}

function sceneAt(props: RingsProps, hovered: string): Scene | undefined {
  const { frames } = props.replay.value
  const time = props.time.value
  const at = indexAt(props.replay.value, Math.ceil(time))
  const frame = frames[at]
  if (!frame) return undefined
  const ships = new Map(frame.ships.map((ship) => [ship.id, ship]))
  const before = at > 0 ? frames[at - 1] : undefined
  const share = isCalm.value || !before ? 1 : 1 - Math.max(0, Math.min(1, frame.tick - time))
  return {
    layout: layoutOf(frame),
    ...(before ? { before: layoutOf(before) } : {}),
    lines: frame.lines,
    tick: frame.tick,
    share: share === 0 ? 1 : share,
    theme: theme.value,
    selected: props.selected.value,
    hovered,
    nameOf: (id) => ships.get(id)?.name || 'unknown',
    lostAt: (id) => ships.get(id)?.fateTick ?? frame.tick,
    sideName: props.sideName,
  }
}

/** Describes the picture in a sentence. */
function sentenceOf(frame: Frame | undefined, sideName: (side: number) => string): string {
  if (!frame) return 'The rings of the battle.'
  const sides = scoresOf(frame).map(
    ({ side, fighting, lost }) => `${sideName(side)}: ${plural(fighting, 'ship')}, ${lost} lost`,
  )
  return `Tick ${frame.tick}. ${sides.join('; ')}. The scoreboard has the same as a table.`
}

/** Measures the largest square that fits the canvas's parent. */
function useWidth(canvas: { current: HTMLCanvasElement | null }): Signal<number> {
  const width = useSignal(0)
  useEffect(() => {
    const box = canvas.current?.parentElement
    if (!box) return
    const measure = () => {
      width.value = Math.floor(Math.min(box.clientWidth, box.clientHeight || box.clientWidth))
    }
    const watcher = new ResizeObserver(measure)
    watcher.observe(box)
    return () => watcher.disconnect()
  }, [])
  return width
}

export function Rings(props: RingsProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const hovered = useSignal('')
  const width = useWidth(canvas)
  const label = useSignal(sentenceOf(undefined, props.sideName))
  const describedMs = useRef(Number.NEGATIVE_INFINITY)
  useSignalEffect(() => {
    const scene = sceneAt(props, hovered.value)
    const size = width.value
    const c = canvas.current?.getContext('2d')
    if (!c || size <= 0) return
    const dpr = Math.min(DPR_MAX, devicePixelRatio || 1)
    // Whole, as the canvas keeps it, or it would be allocated anew in every frame.
    const side = Math.round(size * dpr)
    if (c.canvas.width !== side) {
      c.canvas.width = side
      c.canvas.height = side
      c.canvas.style.width = `${size}px`
      c.canvas.style.height = `${size}px`
    }
    c.setTransform(dpr, 0, 0, dpr, 0, 0)
    if (!scene) return c.clearRect(0, 0, size, size)
    drawRings(c, size, scene)
    if (performance.now() - describedMs.current < RENEW_LABEL_MS) return
    describedMs.current = performance.now()
    const { frames } = props.replay.peek()
    label.value = sentenceOf(
      frames.find(({ tick }) => tick === scene.tick),
      props.sideName,
    )
  })
  const shipAt = (event: MouseEvent): string => {
    const scene = sceneAt(props, '')
    const box = canvas.current?.getBoundingClientRect()
    if (!scene || !box) return ''
    const unit = unitOf(box.width)
    const x = (event.clientX - box.left - box.width / 2) / unit
    const y = (event.clientY - box.top - box.height / 2) / unit
    return markAt(scene.layout, x, y, REACH / unit)?.ids[0] ?? ''
  }
  return (
    <div class="rings">
      <canvas
        ref={canvas}
        role="img"
        aria-label={label.value}
        class={hovered.value ? 'pressable' : undefined}
        onMouseMove={(event) => {
          hovered.value = shipAt(event)
        }}
        onMouseLeave={() => {
          hovered.value = ''
        }}
        onClick={(event) => props.choose(shipAt(event))}
      />
    </div>
  )
}

/** Shows the legend of the lines: the damage types of this battle with their dash patterns. */
export function DamageLegend({ replay }: { readonly replay: Signal<Replay> }) {
  const types = useComputed(() => {
    const found = new Set(replay.value.frames.flatMap(({ lines }) => lines.map(({ type }) => type)))
    return [...found].sort().join(' ')
  })
  if (!types.value) return null
  const ink = INKS[theme.value]
  return (
    <ul class="line-legend" aria-label="Lines of fire by type of damage">
      {types.value.split(' ').map((type) => (
        <li key={type}>
          <svg width="28" height="8" aria-hidden="true">
            <line
              x1="0"
              y1="4"
              x2="28"
              y2="4"
              stroke={ink.damage[type] ?? ink.text}
              stroke-width="2"
              stroke-dasharray={dashOf(type).join(' ') || undefined}
            />
          </svg>
          {type}
        </li>
      ))}
      <li class="muted">faint: a miss</li>
      <li class="muted">outer arc: shield, inner: hull</li>
    </ul>
  )
}
