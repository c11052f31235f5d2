/** Panels beside the rings: the sides, the scoreboard and the list of events. */
import {
  type BattleEvent,
  type Combatant,
  type Frame,
  percent,
  type Replay,
  RINGS,
  ranked,
  type SideScore,
  scoresOf,
} from '../battle-model.ts'
import { sideColor } from '../canvas/rings.ts'
import { formatId, formatInt, formatShort } from '../parts/format.ts'
import { Empty } from '../parts/state.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Chip, Meter, toneOfRest } from '../parts/tabs.tsx'
import { theme } from '../settings.ts'

export type SideName = (side: number) => string

const SHAPES = ['●', '▲', '◆', '■', '⬟', '▼']

/** Shows the shape and colour that a side has in the rings. */
export function SideSign({ side }: { readonly side: number }) {
  return (
    <span class="side-sign" aria-hidden="true" style={{ color: sideColor(theme.value, side) }}>
      {SHAPES[(side - 1) % SHAPES.length]}
    </span>
  )
}

interface SideRowProps {
  readonly score: SideScore
  readonly sideName: SideName
  readonly hasWon: boolean
}

function SideRow({ score, sideName, hasWon }: SideRowProps) {
  const { side, ships, fighting, lost, hull, hullMax, shield, shieldMax, dealt } = score
  return (
    <li>
      <SideSign side={side} />
      <b class="name">{sideName(side)}</b>
      {hasWon && <Chip tone="good">won</Chip>}
      <span class="two-bars">
        <Meter value={shield} max={shieldMax} label={`Shields of ${sideName(side)}`} />
        <Meter
          value={hull}
          max={hullMax}
          tone={toneOfRest(hull, hullMax)}
          label={`Hulls of ${sideName(side)}`}
        />
      </span>
      <span class="end">
        {formatInt(fighting)} of {formatInt(ships)} fighting
        <span class={lost > 0 ? 'bad' : 'muted'}>, {formatInt(lost)} lost</span>
        <span class="muted"> · {formatShort(dealt)} dealt</span>
      </span>
    </li>
  )
}

interface SidesProps {
  readonly frame: Frame
  readonly sideName: SideName
  readonly winner?: number
}

/** Shows the sides with their ships, shields and hulls. */
export function Sides({ frame, sideName, winner }: SidesProps) {
  return (
    <ul class="sides" aria-label="Sides">
      {scoresOf(frame).map((score) => (
        <SideRow
          key={score.side}
          score={score}
          sideName={sideName}
          hasWon={winner === score.side}
        />
      ))}
    </ul>
  )
}

/* Scoreboard */

const FATES: Readonly<Record<Combatant['fate'], string>> = {
  fighting: '',
  destroyed: 'destroyed',
  escaped: 'got away',
  captured: 'captured',
  left: 'left',
}

export const nameOf = (ship: Combatant): string => ship.name || 'An unknown ship'

interface ScoreboardProps {
  readonly frame: Frame
  readonly selected: string
  readonly choose: (ship: string) => void
  readonly json: string
}

const scoreColumns = ({ selected, choose }: ScoreboardProps): readonly Column<Combatant>[] => [
  {
    name: 'ship',
    title: 'Ship',
    by: nameOf,
    cell: (ship) => (
      <button
        type="button"
        class="link name"
        aria-pressed={selected === ship.id}
        onClick={() => choose(ship.id)}
      >
        <SideSign side={ship.side} />
        {nameOf(ship)}
      </button>
    ),
  },
  {
    name: 'class',
    title: 'Class',
    by: ({ shipClass }) => shipClass,
    isWide: true,
    cell: ({ shipClass }) => <span class="muted">{formatId(shipClass)}</span>,
  },
  {
    name: 'ring',
    title: 'Ring',
    by: ({ ring }) => ring,
    cell: ({ fate, ring }) =>
      fate === 'fighting' ? (
        RINGS[ring]
      ) : (
        <span class={fate === 'destroyed' ? 'bad' : 'muted'}>{FATES[fate]}</span>
      ),
  },
  {
    name: 'hull',
    title: 'Shield, hull',
    by: ({ hull, hullMax }) => percent(hull, hullMax),
    cell: (ship) => <Health ship={ship} />,
  },
  {
    name: 'dealt',
    title: 'Dealt',
    by: ({ dealt }) => dealt,
    isNumber: true,
    cell: ({ dealt }) => formatShort(dealt),
  },
  {
    name: 'kills',
    title: 'Kills',
    by: ({ kills }) => kills,
    isNumber: true,
    cell: ({ kills }) => kills || '',
  },
]

export function Scoreboard(props: ScoreboardProps) {
  const { frame, json } = props
  return (
    <Table
      caption={`Scoreboard of tick ${formatInt(frame.tick)}`}
      columns={scoreColumns(props)}
      rows={ranked(frame.ships)}
      keyOf={({ id }) => id}
      json={json}
    />
  )
}

function Health({ ship }: { readonly ship: Combatant }) {
  const { hull, hullMax, shield, shieldMax } = ship
  const name = nameOf(ship)
  return (
    <span class="two-bars">
      <Meter value={shield} max={shieldMax} label={`Shield of ${name}`} />
      <Meter
        value={hull}
        max={hullMax}
        tone={toneOfRest(hull, hullMax)}
        label={`Hull of ${name}`}
      />
    </span>
  )
}

/* Events */

const EVENTS_SHOWN_MAX = 120
/** With more ships, moves would crowd out all other events. */
const MOVES_LISTED_SHIPS_MAX = 24

const EVENT_TONES: Partial<Record<BattleEvent['kind'], string>> = {
  move: 'muted',
  kill: 'bad',
  capture: 'warn',
  boarding: 'warn',
  end: 'good',
}

interface EventsProps {
  readonly replay: Replay
  readonly tick: number
  readonly goTo: (tick: number) => void
  readonly choose: (ship: string) => void
}

/** Shows the events up to a tick: the newest tick first, and its most important events first. */
export function Events({ replay, tick, goTo, choose }: EventsProps) {
  const areMovesListed = (replay.frames.at(-1)?.ships.length ?? 0) <= MOVES_LISTED_SHIPS_MAX
  const events = replay.frames
    .filter((frame) => frame.tick <= tick)
    .reverse()
    .flatMap(({ events }) => events)
    .filter(({ kind }) => areMovesListed || kind !== 'move')
    .slice(0, EVENTS_SHOWN_MAX)
  if (events.length === 0) return <Empty>Nothing has happened up to this tick.</Empty>
  return (
    <ol class="events" aria-label="Events, newest first">
      {events.map((event, index) => (
        <li key={`${event.tick}/${index}`}>
          <button
            type="button"
            class="link"
            onClick={() => {
              goTo(event.tick)
              if (event.ids[0]) choose(event.ids[0])
            }}
          >
            {formatInt(event.tick)}
          </button>
          <span class={`name ${EVENT_TONES[event.kind] ?? ''}`}>{event.text}</span>
        </li>
      ))}
    </ol>
  )
}
