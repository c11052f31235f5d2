/** The operator's page: the parts of ticks, queues, connections and memory. */
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { OpsBody } from '../../core/public/ops.ts'
import { css, readPalette } from '../canvas/colour.ts'
import { drawBars, partColors, tickAt } from '../canvas/ops-bars.ts'
import { useKeys } from '../keys.ts'
import {
  anatomyOf,
  formatMs,
  momentOf,
  type OpsTick,
  type PartFigures,
  partsOf,
  sentenceOf,
  shownTicks,
  spansOf,
  totalOf,
  worstOf,
} from '../ops-model.ts'
import { giveToken, isPaused, OPS_PATH, ops, opsState, retryOps, watchOps } from '../ops-store.ts'
import { formatInt } from '../parts/format.ts'
import { Empty, ErrorBar, Skeleton } from '../parts/state.tsx'
import { AsJson, type Column, Table } from '../parts/table.tsx'
import { Chip } from '../parts/tabs.tsx'
import { TokenForm } from '../parts/token-form.tsx'
import { theme } from '../settings.ts'
import { Memory, Queues, Slow, Sockets } from './ops/panels.tsx'

/** How often the chart's label for screen readers is updated at most. */
const LABEL_RENEW_MS = 10_000

const ABOUT =
  'On this machine the page opens without a token; from elsewhere it needs the METRICS_TOKEN that ' +
  'the server was started with. The token is kept in memory only.'

export function OpsView() {
  useEffect(watchOps, [])
  const isTable = useSignal(false)
  const keys = useMemo(
    () => [
      {
        key: 'p',
        about: 'pause or continue',
        run: () => {
          isPaused.value = !isPaused.value
        },
      },
      {
        key: 't',
        about: 'ticks as a table',
        run: () => {
          isTable.value = !isTable.value
        },
      },
    ],
    [isTable],
  )
  useKeys(keys)
  const state = opsState.value
  const body = ops.value
  return (
    <div class="view">
      <header>
        <h1>Operator</h1>
        {body && state.kind !== 'locked' && <Marks body={body} />}
      </header>
      {state.kind === 'locked' && (
        <TokenForm
          title="This page is the operator's"
          about={ABOUT}
          label="Token"
          why={state.wasWrong ? 'That is not the token of this server.' : ''}
          give={giveToken}
        />
      )}
      {state.kind === 'loading' && !body && <Skeleton />}
      {state.kind === 'failed' && (
        <ErrorBar code={state.code} message={state.message} remedy="Retry" onPress={retryOps} />
      )}
      {body && state.kind !== 'locked' && <Figures body={body} isTable={isTable.value} />}
    </div>
  )
}

interface BodyProps {
  readonly body: OpsBody
}

function Marks({ body }: BodyProps) {
  const { tick, tick_ms, world, database, snapshot } = body
  return (
    <>
      <span class="muted">
        tick {formatInt(tick)}, {formatInt(tick_ms)} ms each
      </span>
      {world === 'up' && <Chip tone="good">world up</Chip>}
      {database && (
        <Chip tone={database.state === 'up' ? 'good' : 'bad'}>database {database.state}</Chip>
      )}
      {snapshot && <Chip>snapshot {formatInt(snapshot.age_ticks)} ticks old</Chip>}
      <button
        type="button"
        aria-pressed={isPaused}
        onClick={() => {
          isPaused.value = !isPaused.value
        }}
      >
        {isPaused.value ? 'Continue' : 'Pause'}
      </button>
      <AsJson path={OPS_PATH} />
    </>
  )
}

function Figures({ body, isTable }: BodyProps & { readonly isTable: boolean }) {
  return (
    <>
      {body.world !== 'up' && (
        <p class="alarm" role="alert">
          The world thread is {body.world}. Players get no answers until it is back.
        </p>
      )}
      {body.ticks.length === 0 ? (
        <Empty>No tick has run yet. The first will appear here when it is complete.</Empty>
      ) : isTable ? (
        <TickTable body={body} />
      ) : (
        <Anatomy body={body} />
      )}
      <div class="thirds">
        <Queues body={body} />
        <Sockets body={body} />
        <Memory body={body} />
      </div>
      <Slow body={body} />
    </>
  )
}

/** Reads the colours of the chart from the current theme. */
function readColors(): { text: string; line: string; mark: string } {
  const { muted, line, text } = readPalette()
  return { text: css(muted), line: css(line), mark: css(text) }
}

function Anatomy({ body }: BodyProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const chosen = useSignal<number | undefined>(undefined)
  const label = useRef({ at: Number.NEGATIVE_INFINITY, text: '' })
  const ticks = shownTicks(body)
  const colors = partColors(theme.value === 'dark')
  const now = performance.now()
  if (now - label.current.at >= LABEL_RENEW_MS) label.current = { at: now, text: sentenceOf(body) }
  useEffect(() => {
    const draw = () => {
      if (canvas.current)
        drawBars(canvas.current, {
          ticks,
          chosen: chosen.value,
          look: { ...readColors(), parts: colors },
        })
    }
    draw()
    addEventListener('resize', draw)
    return () => removeEventListener('resize', draw)
  }, [body, theme.value, chosen.value])
  const find = (event: MouseEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect()
    return tickAt(ticks, event.clientX - box.left, box.width)
  }
  const tick = ticks.find((one) => one.tick === chosen.value) ?? ticks.at(-1)
  return (
    <section class="split">
      <div>
        <h2>Parts of the last {formatInt(ticks.length)} ticks</h2>
        <canvas
          ref={canvas}
          class="bars"
          role="img"
          aria-label={label.current.text}
          onMouseMove={(event) => {
            chosen.value = find(event)?.tick
          }}
          onMouseLeave={() => {
            chosen.value = undefined
          }}
        />
        {tick && <OneTick tick={tick} body={body} />}
      </div>
      <Parts figures={anatomyOf(body)} colors={colors} />
    </section>
  )
}

function OneTick({ tick, body }: BodyProps & { readonly tick: OpsTick }) {
  return (
    <p class="muted one-tick">
      <a href={momentOf(tick.tick)}>tick {formatInt(tick.tick)}</a> {formatMs(totalOf(tick))},{' '}
      {formatMs(tick.late_ms)} late, {formatInt(tick.inputs)} inputs, {formatInt(tick.emissions)}{' '}
      emissions: {worstOf(spansOf(tick), partsOf(body))}
    </p>
  )
}

function Parts(props: { figures: readonly PartFigures[]; colors: readonly string[] }) {
  const { figures, colors } = props
  const columns: readonly Column<PartFigures>[] = [
    {
      name: 'part',
      title: 'Part',
      cell: ({ name }) => {
        const color = colors[figures.findIndex((figure) => figure.name === name)]
        const isWhole = name === figures.at(-1)?.name
        return (
          <>
            {!isWhole && <span class="swatch" style={{ background: color }} />} {name}
          </>
        )
      },
    },
    { name: 'p50', title: 'p50', isNumber: true, cell: ({ p50 }) => formatMs(p50) },
    { name: 'p99', title: 'p99', isNumber: true, cell: ({ p99 }) => formatMs(p99) },
    { name: 'max', title: 'max', isNumber: true, cell: ({ max }) => formatMs(max) },
  ]
  return (
    <Table
      caption="Where the time goes"
      isCaptionHidden
      columns={columns}
      rows={figures}
      keyOf={({ name }) => name}
    />
  )
}

/** Shows the chart as a table, with the same facts and links. */
function TickTable({ body }: BodyProps) {
  const names = partsOf(body)
  const columns: readonly Column<OpsTick>[] = [
    {
      name: 'tick',
      title: 'Tick',
      cell: ({ tick }) => <a href={momentOf(tick)}>{formatInt(tick)}</a>,
      by: ({ tick }) => tick,
    },
    {
      name: 'whole',
      title: 'Whole',
      isNumber: true,
      cell: (tick) => formatMs(totalOf(tick)),
      by: totalOf,
    },
    ...names.map((name, index) => ({
      name,
      title: name,
      isNumber: true,
      cell: (tick: OpsTick) => formatMs(spansOf(tick)[index] ?? 0),
      by: (tick: OpsTick) => spansOf(tick)[index] ?? 0,
    })),
  ]
  return (
    <Table
      caption="Ticks"
      columns={columns}
      rows={[...shownTicks(body)].reverse()}
      keyOf={({ tick }) => String(tick)}
      json={OPS_PATH}
    />
  )
}
