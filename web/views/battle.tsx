/**
 * A battle: rings, timeline and the panels beside them. While it is active the newest tick is
 * shown, unless the address names one in `t`. Source: WEB 4.
 */
import { type Signal, useComputed, useSignalEffect } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { BattleSummary } from '../../core/public/past.ts'
import type { StatsBody } from '../../core/public/world.ts'
import { useBody } from '../api.ts'
import { followLog, isFull, type LogState, ROWS_MAX } from '../battle-load.ts'
import { type Frame, indexAt, nextKill } from '../battle-model.ts'
import { newestTick } from '../clock.ts'
import { type KeyRow, useKeys } from '../keys.ts'
import { formatId, formatInt, plural } from '../parts/format.ts'
import { SystemLink } from '../parts/link.tsx'
import { Empty, FailureBar, Skeleton, Stateful } from '../parts/state.tsx'
import { Chip, type Choice, choiceIn, QueryTabs } from '../parts/tabs.tsx'
import { Tick, When } from '../parts/time.tsx'
import { advance, newPlayhead, type Playhead, SPEEDS, seek, toggle } from '../playhead.ts'
import { changeQuery, hrefOf, pastTick, query } from '../router.ts'
import { useSlowBody } from '../slow-body.ts'
import type { ViewProps } from '../view-rows.ts'
import { Events, Scoreboard, type SideName, Sides } from './battle-panels.tsx'
import { DamageLegend, Rings } from './battle-rings.tsx'
import { Inspector } from './battle-ship.tsx'
import { Timeline } from './battle-timeline.tsx'

/** How often the address is updated during playback. */
const ADDRESS_MS = 1_000
/** How long ships take to move to their places in the newest tick. */
const GLIDE_MS = 600
const LEAP_TICKS = 10

const isOn = ({ status }: BattleSummary): boolean => status === 'active'

export function BattleView({ params }: ViewProps) {
  const path = hrefOf('/api/battle/summary', { battle_id: params.id })
  const body = useSlowBody<BattleSummary>(path, isOn)
  const stats = useBody<StatsBody>('/api/stats', 'M').value
  const epoch = stats.data?.epoch
  return (
    <div class="view battle-view">
      <Stateful
        path={path}
        body={body}
        gone="No battle has this name, or it was not fought on the chart."
        skeleton={<Skeleton rows={14} />}
      >
        {(summary) =>
          stats.isSettled ? (
            <Battle key={`${summary.battle_id} ${epoch}`} summary={summary} epoch={epoch} />
          ) : (
            <Skeleton rows={14} />
          )
        }
      </Stateful>
    </div>
  )
}

const sideNameOf =
  ({ sides }: BattleSummary): SideName =>
  (side) => {
    const tag = sides.find(({ side_id }) => side_id === side)?.faction_tag
    return tag ? `Side ${side}, ${tag}` : `Side ${side}`
  }

function Head({ summary }: { readonly summary: BattleSummary }) {
  const { system_id, system_name, category, start_tick, duration_ticks } = summary
  const isActive = isOn(summary)
  return (
    <header>
      <h1>
        Battle in <SystemLink id={system_id} name={system_name} />
      </h1>
      <Chip>{category}</Chip>
      <Chip tone={isActive ? 'warn' : 'plain'}>{isActive ? 'being fought' : 'over'}</Chip>
      <span class="muted">
        {isActive ? 'since ' : ''}
        <Tick tick={start_tick} /> · {plural(duration_ticks, 'tick')} ·{' '}
        {plural(summary.participant_count, 'ship')} · {formatInt(summary.total_damage)} damage
        {summary.outcome && <> · {formatId(summary.outcome).toLowerCase()}</>}
        {summary.ended_at && (
          <>
            {' '}
            · ended <When at={summary.ended_at} />
          </>
        )}
      </span>
      <a class="json" href={hrefOf('/battles')}>
        all battles
      </a>
    </header>
  )
}

/** Returns the first tick to load: that of the battle, or one shortly before a late moment `t`. */
const firstTickFor = ({ start_tick, duration_ticks }: BattleSummary, t = 0): number => {
  const at = Math.min(t, start_tick + duration_ticks)
  return at - start_tick > ROWS_MAX - 200 ? at - 200 : start_tick
}

interface BattleProps {
  readonly summary: BattleSummary
  readonly epoch: string | undefined
}

function Battle({ summary, epoch }: BattleProps) {
  const { battle_id } = summary
  // A battle that ends while it is shown is followed to its end, and keeps its log.
  const isActive = useMemo(() => isOn(summary), [battle_id])
  const from = useMemo(() => firstTickFor(summary, pastTick.peek()), [battle_id])
  const ships = summary.participant_count
  const log = useMemo(() => followLog({ id: battle_id, from, isActive, ships, epoch }), [battle_id])
  useEffect(() => log.close, [log])
  const { isComplete, failure, path, replay } = log.state.value
  const [first] = replay.frames
  return (
    <>
      <Head summary={summary} />
      {failure && <FailureBar failure={failure} path={path} />}
      {first ? (
        <Field summary={summary} log={log.state} isActive={isActive} />
      ) : isComplete ? (
        <Pruned summary={summary} />
      ) : (
        failure === undefined && <Skeleton rows={14} />
      )}
    </>
  )
}

/** Shows the summary of a battle whose log is no longer kept. */
function Pruned({ summary }: { readonly summary: BattleSummary }) {
  const { sides, destroyed_names = [], top_damage, winning_side } = summary
  return (
    <>
      <Empty>
        {summary.status === 'active'
          ? 'The first tick of this battle is not public yet.'
          : 'The log of a battle is kept for 30 days; only the summary of this one is left.'}
      </Empty>
      <ul class="list">
        {sides.map(({ side_id, faction_tag, participants = [] }) => (
          <li key={side_id}>
            <b>
              Side {side_id}
              {faction_tag ? `, ${faction_tag}` : ''}
            </b>
            {winning_side === side_id && <Chip tone="good">won</Chip>}
            <span class="name">{participants.join(', ')}</span>
          </li>
        ))}
      </ul>
      {destroyed_names.length > 0 && <p class="name">Lost: {destroyed_names.join(', ')}</p>}
      {top_damage && (
        <p class="name">
          Most damage: {top_damage.username}, {formatInt(top_damage.damage)}
        </p>
      )}
    </>
  )
}

/** Returns where the playhead begins: at the tick of the address, else at the newest or first. */
function startOf(log: LogState, isActive: boolean): number {
  const { frames } = log.replay
  const t = pastTick.peek()
  if (t !== undefined) return Math.max(t, frames[0]?.tick ?? 0)
  return (isActive ? frames.at(-1) : frames[0])?.tick ?? 0
}

interface FieldProps {
  readonly summary: BattleSummary
  readonly log: Signal<LogState>
  /** Whether the battle was active when the page opened it, so that it is followed. */
  readonly isActive: boolean
}

/** Advances the playhead with time, and updates the address with it. */
function useMotion(head: Playhead, log: Signal<LogState>, isFollowing: Signal<boolean>): void {
  useEffect(() => {
    let beforeMs = performance.now()
    let request = requestAnimationFrame(function step(nowMs) {
      const { frames } = log.peek().replay
      const last = frames.at(-1)?.tick ?? 0
      const ms = Math.min(250, nowMs - beforeMs)
      beforeMs = nowMs
      if (isFollowing.peek()) {
        const gap = last - head.time.peek()
        if (gap > 1 || gap < 0) head.time.value = gap > 1 ? last - 1 : last
        else if (gap > 0) head.time.value = Math.min(last, head.time.peek() + ms / GLIDE_MS)
      } else advance(head, ms, last)
      request = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(request)
  }, [head])
  useEffect(() => {
    const timer = setInterval(() => {
      if (head.isPlaying.peek()) changeQuery({ t: String(Math.floor(head.time.peek())) })
    }, ADDRESS_MS)
    return () => clearInterval(timer)
  }, [head])
  // A link, or the browser's history, leads to another tick.
  useSignalEffect(() => {
    const t = pastTick.value
    const first = log.peek().replay.frames[0]?.tick ?? 0
    if (t !== undefined && t !== Math.floor(head.time.peek()) && !head.isPlaying.peek()) {
      head.time.value = Math.max(t, first)
    }
  })
}

interface Moves {
  goTo(tick: number): void
  goLive(): void
  play(): void
}

function useBattleKeys(head: Playhead, log: Signal<LogState>, moves: Moves): void {
  const keys = useMemo((): readonly KeyRow[] => {
    const tick = () => {
      const { replay } = log.peek()
      return replay.frames[indexAt(replay, head.time.peek())]?.tick ?? 0
    }
    const by = (ticks: number) => () => moves.goTo(tick() + ticks)
    const end = (at: 0 | -1) => () => moves.goTo(log.peek().replay.frames.at(at)?.tick ?? 0)
    const kill = (step: 1 | -1) => () => {
      const found = nextKill(log.peek().replay, tick(), step)
      if (found !== undefined) moves.goTo(found)
    }
    const speeds = SPEEDS.slice(1).map(
      (speed, index): KeyRow => ({
        key: String(index + 1),
        about: `${speed} ticks per second`,
        run: () => {
          head.speed.value = speed
        },
      }),
    )
    return [
      { key: ' ', about: 'play or pause', run: moves.play },
      { key: 'ArrowLeft', about: 'one tick back', run: by(-1) },
      { key: 'ArrowRight', about: 'one tick forward', run: by(1) },
      { key: 'shift+ArrowLeft', about: '10 ticks back', run: by(-LEAP_TICKS) },
      { key: 'shift+ArrowRight', about: '10 ticks forward', run: by(LEAP_TICKS) },
      { key: 'Home', about: 'first tick', run: end(0) },
      { key: 'End', about: 'last tick', run: end(-1) },
      { key: 'n', about: 'next kill', run: kill(1) },
      { key: 'p', about: 'previous kill', run: kill(-1) },
      ...speeds,
      { key: 'l', about: 'newest tick', run: moves.goLive },
    ]
  }, [head])
  useKeys(keys)
}

function Field({ summary, log, isActive }: FieldProps) {
  const head = useMemo(() => newPlayhead(startOf(log.peek(), isActive)), [])
  const selected = useComputed(() => query.value.ship ?? '')
  const isFollowing = useComputed(() => isActive && pastTick.value === undefined)
  const replay = useComputed(() => log.value.replay)
  useMotion(head, log, isFollowing)
  const moves = useMemo((): Moves => {
    const frames = () => log.peek().replay.frames
    const ends = () => [frames()[0]?.tick ?? 0, frames().at(-1)?.tick ?? 0] as const
    const goTo = (tick: number) => {
      head.isPlaying.value = false
      seek(head, tick, ...ends())
      changeQuery({ t: String(Math.floor(head.time.peek())) })
    }
    return {
      goTo,
      goLive: () => (isActive ? changeQuery({ t: undefined }) : goTo(ends()[1])),
      play: () => {
        if (isFollowing.peek()) return goTo(Math.floor(head.time.peek()))
        toggle(head, ...ends())
      },
    }
  }, [head])
  useBattleKeys(head, log, moves)
  const tick = useComputed(() => Math.floor(head.time.value)).value
  const frame = replay.value.frames[indexAt(replay.value, tick)]
  const sideName = sideNameOf(summary)
  const live = isActive ? { goLive: moves.goLive } : {}
  return (
    <div class="battle">
      <div class="rings-side">
        <Rings
          replay={replay}
          time={head.time}
          selected={selected}
          choose={choose}
          sideName={sideName}
        />
        <Timeline
          replay={replay}
          head={head}
          isFollowing={isFollowing.value}
          goTo={moves.goTo}
          {...live}
        />
        <DamageLegend replay={replay} />
        <Reach log={log.value} summary={summary} />
      </div>
      <Panels
        {...{ frame, sideName, log: log.value, goTo: moves.goTo }}
        winner={summary.winning_side}
      />
    </div>
  )
}

/** Shows which part of the battle is loaded, if it is not the whole. */
function Reach({ log, summary }: { readonly log: LogState; readonly summary: BattleSummary }) {
  const { frames } = log.replay
  const first = frames[0]?.tick ?? 0
  const isLate = first > summary.start_tick
  const isCut = isFull(log.replay)
  const isBehind = !log.isComplete && frames.length > 0
  if (!isLate && !isCut && !isBehind) return null
  return (
    <p class="muted" data-state="part">
      {isLate && `From tick ${formatInt(first)}: earlier ticks are not loaded. `}
      {isCut && `The page keeps at most ${formatInt(frames.length)} ticks of a battle. `}
      {isBehind && `${formatInt(frames.length)} ticks loaded so far.`}
    </p>
  )
}

interface PanelsProps {
  readonly frame: Frame
  readonly sideName: SideName
  readonly log: LogState
  readonly goTo: (tick: number) => void
  readonly winner?: number
}

const TABS: readonly Choice[] = [
  { value: 'scores', title: 'Scoreboard' },
  { value: 'events', title: 'Events' },
  { value: 'ship', title: 'Ship' },
]

/** Selects a ship in the address and shows its tab; an empty id clears the selection. */
const choose = (ship: string): void =>
  changeQuery(ship ? { ship, tab: 'ship' } : { ship: undefined })

function Panels({ frame, sideName, log, goTo, winner }: PanelsProps) {
  const { ship = '' } = query.value
  const tab = choiceIn(TABS, 'tab')
  const panel = useRef<HTMLDivElement>(null)
  const inspect = (id: string) => {
    // The pressed button goes away with its tab, so the panel takes the focus.
    panel.current?.focus({ preventScroll: true })
    choose(id)
  }
  const isLast = frame.tick === log.replay.frames.at(-1)?.tick && newestTick.value > 0
  return (
    <div class="beside">
      <Sides frame={frame} sideName={sideName} {...(isLast && winner ? { winner } : {})} />
      <QueryTabs name="tab" label="About the battle" choices={TABS} />
      <div
        ref={panel}
        role="tabpanel"
        tabIndex={-1}
        aria-label={TABS.find(({ value }) => value === tab)?.title as string}
      >
        {tab === 'events' ? (
          <Events replay={log.replay} tick={frame.tick} goTo={goTo} choose={inspect} />
        ) : tab === 'ship' ? (
          <Inspector frame={frame} id={ship} sideName={sideName} />
        ) : (
          <Scoreboard frame={frame} selected={ship} choose={inspect} json={log.path} />
        )}
      </div>
    </div>
  )
}
