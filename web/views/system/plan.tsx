/** The orbit plan of a system: its places, the ships between them, and the lanes out. */

import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { SystemBody } from '../../../core/public/world.ts'
import type { System } from '../../canvas/chart.ts'
import { css, readPalette } from '../../canvas/colour.ts'
import { Flights } from '../../canvas/flights.ts'
import { makePlan, type Plan, type PlanPoi } from '../../canvas/plan.ts'
import { momentNow } from '../../clock.ts'
import { systemHref } from '../../hrefs.ts'
import { formatId, plural } from '../../parts/format.ts'
import { hrefNow } from '../../router.ts'
import { isCalm, theme } from '../../settings.ts'

const LANE_LABEL_CHARACTERS = 18

const clipped = (name: string): string =>
  name.length > LANE_LABEL_CHARACTERS ? `${name.slice(0, LANE_LABEL_CHARACTERS - 1)}…` : name

/** Shows the mark of a place: each type has its own shape. */
function Mark({ type, hasBase }: { readonly type: string; readonly hasBase: boolean }) {
  if (hasBase || type === 'station')
    return <rect class="mark station" x={-5} y={-5} width={10} height={10} />
  if (type === 'sun') return <circle class="mark sun" r={11} />
  if (type === 'asteroid_belt' || type === 'asteroid') {
    return (
      <g class="mark rocks">
        <circle cx={-4} cy={1} r={2.2} />
        <circle cx={1} cy={-4} r={1.8} />
        <circle cx={4} cy={2} r={2.6} />
        <circle cx={-1} cy={5} r={1.5} />
      </g>
    )
  }
  if (type === 'gas_cloud' || type === 'nebula')
    return <ellipse class="mark cloud" rx={10} ry={6} />
  if (type === 'relic') return <path class="mark relic" d="M0-7 7 0 0 7-7 0z" />
  return <circle class={`mark ${type}`} r={type === 'moon' ? 4 : 6} />
}

interface PoiProps {
  readonly place: PlanPoi
  readonly pointed: Signal<string | undefined>
}

function Poi({ place: { poi, x, y, label }, pointed }: PoiProps) {
  const isPointed = pointed.value === poi.id
  const shown = label ?? (isPointed ? { x: x + 14, y, isLeft: false } : undefined)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys select in the list beside the plan
    <g
      class={isPointed ? 'poi pointed' : 'poi'}
      onMouseEnter={() => (pointed.value = poi.id)}
      onMouseLeave={() => (pointed.value = undefined)}
    >
      <g transform={`translate(${x} ${y})`}>
        <circle class="reach" r={14} />
        <Mark type={poi.type} hasBase={poi.has_base} />
      </g>
      {shown && (
        <text x={shown.x} y={shown.y} text-anchor={shown.isLeft ? 'end' : 'start'}>
          {poi.name}
          {poi.online > 0 && (
            <tspan class="count" dx={5}>
              {poi.online}
            </tspan>
          )}
        </text>
      )}
    </g>
  )
}

/** Draws the flights within the system over the plan, in each animation frame. */
function useFlights(plan: Plan, flights: SystemBody['flights']) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const held = useMemo(() => new Flights(), [])
  useEffect(() => {
    const at = new Map(plan.pois.map(({ poi }, index) => [poi.id, index]))
    const x = Float32Array.from(plan.pois, (place) => place.x)
    const y = Float32Array.from(plan.pois, (place) => place.y)
    held.loadGroups({ at, x, y }, flights, ({ from_poi, to_poi }) => [from_poi, to_poi])
  }, [plan, flights])
  useEffect(() => {
    const element = canvas.current as HTMLCanvasElement
    const context = element.getContext('2d') as CanvasRenderingContext2D
    const density = Math.min(2, devicePixelRatio || 1)
    const { width, height } = plan
    element.width = width * density
    element.height = height * density
    const colour = css(readPalette().accent)
    const view = { scale: 1, dx: 0, dy: 0, width, height, areNumbersShown: true }
    let frame = 0
    const paint = () => {
      frame = requestAnimationFrame(paint)
      if (document.hidden) return
      context.setTransform(density, 0, 0, density, 0, 0)
      context.clearRect(0, 0, width, height)
      context.fillStyle = colour
      const now = momentNow()
      held.draw(context, isCalm.peek() ? Math.floor(now) : now, view)
    }
    paint()
    return () => cancelAnimationFrame(frame)
  }, [plan, theme.value])
  return canvas
}

interface PlanProps {
  readonly system: SystemBody
  readonly systems: ReadonlyMap<string, System>
  readonly isFought: boolean
  readonly pointed: Signal<string | undefined>
}

const NO_FLIGHTS: SystemBody['flights'] = []

export function PlanView({ system, systems, isFought, pointed }: PlanProps) {
  const host = useRef<HTMLDivElement>(null)
  const size = useSignal({ width: 800, height: 600 })
  useEffect(() => {
    const element = host.current as HTMLDivElement
    const watch = new ResizeObserver(() => {
      size.value = { width: element.clientWidth, height: element.clientHeight }
    })
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  const { width, height } = size.value
  const here = systems.get(system.id)
  const plan = useMemo(() => {
    const neighbours = system.connections.map((id) => {
      const there = systems.get(id)
      const [dx, dy] = there && here ? [there.x - here.x, there.y - here.y] : [1, 0]
      return { id, name: there?.name ?? formatId(id), dx, dy }
    })
    return makePlan(system.pois, neighbours, width, height)
  }, [system, systems, width, height])
  const canvas = useFlights(plan, system.flights ?? NO_FLIGHTS)
  return (
    <div class="plan" ref={host}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`Plan of ${system.name}: ${plural(system.pois.length, 'place')}`}
      >
        {plan.pois.map(({ poi, orbit }) =>
          orbit > 0 ? (
            <circle
              key={poi.id}
              class={`orbit ${poi.type}`}
              cx={width / 2}
              cy={height / 2}
              r={orbit}
            />
          ) : null,
        )}
        {isFought && <circle class="fight" cx={width / 2} cy={height / 2} r={24} />}
        {plan.pois.map((place) => (
          <Poi key={place.poi.id} place={place} pointed={pointed} />
        ))}
      </svg>
      <canvas ref={canvas} />
      <nav aria-label="Lanes out">
        {plan.lanes.map(({ id, name, x, y, isLeft }) => (
          <a
            key={id}
            class={isLeft ? 'lane left' : 'lane'}
            href={hrefNow(systemHref(id))}
            title={name}
            style={{ left: `${x}px`, top: `${y}px` }}
          >
            {clipped(name)}
          </a>
        ))}
      </nav>
    </div>
  )
}
