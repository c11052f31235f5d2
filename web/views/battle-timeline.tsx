/** The timeline of a replay: damage and kills by tick, a slider, and playback controls. */
import { type Signal, useComputed } from '@preact/signals'
import { type Frame, indexAt, nextKill, type Replay } from '../battle-model.ts'
import { formatInt } from '../parts/format.ts'
import { type Playhead, SPEEDS, toggle } from '../playhead.ts'

const COLUMNS_MAX = 240
const HEIGHT = 36
const WIDTH = 1_000

interface Column {
  readonly damage: number
  readonly kills: number
}

/** Sums damage and kills into as many columns as the strip can show. */
function columnsOf(frames: readonly Frame[], columnsMax = COLUMNS_MAX): Column[] {
  const count = Math.min(frames.length, columnsMax)
  const columns = Array.from({ length: count }, () => ({ damage: 0, kills: 0 }))
  for (const [index, { damage, kills }] of frames.entries()) {
    const column = columns[Math.floor((index * count) / frames.length)]
    column.damage += damage
    column.kills += kills
  }
  return columns
}

/** Shows damage and kills as lines, each above its place on the slider; fewer lines are wider. */
function Strip({ replay }: { readonly replay: Signal<Replay> }) {
  const columns = columnsOf(replay.value.frames)
  const damageMax = Math.max(1, ...columns.map(({ damage }) => damage))
  const last = Math.max(1, columns.length - 1)
  const place = (at: number): string => ((WIDTH * at) / last).toFixed(1)
  const width = last < 40 ? 10 : last < 100 ? 5 : 2
  return (
    <svg
      class="damage-strip"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {columns.map(({ damage, kills }, index) => (
        <g key={index}>
          <path
            d={`M${place(index)} ${HEIGHT}v${-(damage / damageMax) * (HEIGHT - 8)}`}
            stroke-width={width}
          />
          {kills > 0 && <path class="kill" d={`M${place(index)} 0V${HEIGHT}`} stroke-width={2} />}
        </g>
      ))}
    </svg>
  )
}

interface TimelineProps {
  readonly replay: Signal<Replay>
  readonly head: Playhead
  readonly isFollowing: boolean
  /** Goes to a tick and pauses. */
  readonly goTo: (tick: number) => void
  /** Goes to the newest tick of an active battle; absent: the battle is over. */
  readonly goLive?: () => void
}

export function Timeline({ replay, head, isFollowing, goTo, goLive }: TimelineProps) {
  const { frames } = replay.value
  const time = useComputed(() => Math.floor(head.time.value)).value
  const at = indexAt(replay.value, time)
  const tick = frames[at]?.tick ?? time
  const first = frames[0]?.tick ?? 0
  const last = frames.at(-1)?.tick ?? 0
  const kill = (step: 1 | -1) => {
    const found = nextKill(replay.value, tick, step)
    return { isThere: found !== undefined, go: () => found !== undefined && goTo(found) }
  }
  const [previous, next] = [kill(-1), kill(1)]
  const place = `tick ${formatInt(tick)}, ${at + 1} of ${frames.length}`
  return (
    <section class="timeline" aria-label="Replay">
      <Strip replay={replay} />
      <input
        type="range"
        min={first}
        max={Math.max(first, last)}
        step={1}
        value={tick}
        aria-label="Moment of the battle"
        aria-valuetext={place}
        onInput={(event) => goTo(Number(event.currentTarget.value))}
      />
      <div class="transport">
        <button
          type="button"
          class="primary play"
          aria-keyshortcuts="Space"
          disabled={frames.length < 2}
          onClick={() => (isFollowing ? goTo(tick) : toggle(head, first, last))}
        >
          {head.isPlaying.value || isFollowing ? 'Pause' : 'Play'}
        </button>
        <button type="button" disabled={!previous.isThere} onClick={previous.go}>
          Previous kill
        </button>
        <button type="button" disabled={!next.isThere} onClick={next.go}>
          Next kill
        </button>
        <label>
          <span class="hidden">Speed, in ticks per second</span>
          <select
            value={String(head.speed.value)}
            onChange={(event) => {
              const speed = Number(event.currentTarget.value)
              head.speed.value = SPEEDS.find((one) => one === speed) ?? 1
            }}
          >
            {SPEEDS.map((speed) => (
              <option key={speed} value={String(speed)}>
                {speed}×
              </option>
            ))}
          </select>
        </label>
        {goLive && !isFollowing && (
          <button type="button" onClick={goLive}>
            To the newest tick
          </button>
        )}
        <span class="place muted">{place}</span>
      </div>
    </section>
  )
}
