/** The selected ship: its state, its modules, and its shots in the tick. */
import type { Combatant, FireLine, Frame } from '../battle-model.ts'
import { percent, RINGS } from '../battle-model.ts'
import { formatId, formatInt, plural } from '../parts/format.ts'
import { PlayerLink } from '../parts/link.tsx'
import { Empty } from '../parts/state.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Chip, MeterFact, toneOfRest } from '../parts/tabs.tsx'
import { nameOf, type SideName, SideSign } from './battle-panels.tsx'

interface ShipProps {
  readonly frame: Frame
  readonly id: string
  readonly sideName: SideName
}

const namesIn = (frame: Frame) => {
  const names = new Map(frame.ships.map((ship) => [ship.id, nameOf(ship)]))
  return (id: string): string => names.get(id) ?? 'an unknown ship'
}

function Facts({ ship, frame }: { readonly ship: Combatant; readonly frame: Frame }) {
  const { fate, fateTick, ring, stance, autopilot, target, kind } = ship
  const name = namesIn(frame)
  return (
    <dl class="facts">
      <MeterFact label="Shield" value={ship.shield} max={ship.shieldMax} tone="info" />
      <MeterFact
        label="Hull"
        value={ship.hull}
        max={ship.hullMax}
        tone={toneOfRest(ship.hull, ship.hullMax)}
      />
      <dt>State</dt>
      <dd>
        {fate === 'fighting'
          ? `${RINGS[ring]} ring, stance ${stance || 'unknown'}`
          : `${fate} in tick ${formatInt(fateTick)}`}
        {fate === 'fighting' && autopilot && <span class="muted">, on autopilot</span>}
      </dd>
      {fate === 'fighting' && target && (
        <>
          <dt>Target</dt>
          <dd class="name">{name(target)}</dd>
        </>
      )}
      <dt>Damage</dt>
      <dd>
        {formatInt(ship.dealt)} dealt <span class="muted">·</span> {formatInt(ship.taken)} taken{' '}
        <span class="muted">·</span> {plural(ship.kills, 'kill')}
      </dd>
      {ship.effects.length > 0 && (
        <>
          <dt>Effects</dt>
          <dd class="warn">{ship.effects.join('; ')}</dd>
        </>
      )}
      {kind === 'player' && ship.name && (
        <>
          <dt>Pilot</dt>
          <dd>
            <PlayerLink name={ship.name} />
          </dd>
        </>
      )}
    </dl>
  )
}

const hitText = ({ hit, stages }: FireLine): string => {
  if (stages?.isSplash) return 'splash'
  const word = hit ? 'hit' : 'miss'
  return stages ? `${word} ${Math.round(stages.roll)} / ${Math.round(stages.chance)}` : word
}

const SHOTS_MAX = 24

function Shots({ frame, id }: { readonly frame: Frame; readonly id: string }) {
  const name = namesIn(frame)
  const shots = frame.lines.filter(({ from, to }) => from === id || to === id).slice(0, SHOTS_MAX)
  const columns: readonly Column<FireLine>[] = [
    {
      name: 'who',
      title: 'Shot',
      cell: ({ from, to, killed }) => (
        <span class="name">
          {from === id ? `at ${name(to)}` : `by ${name(from)}`}
          {killed && <b class="bad"> killed</b>}
        </span>
      ),
    },
    { name: 'type', title: 'Type', cell: ({ type }) => type },
    { name: 'roll', title: 'Roll / chance', cell: hitText },
    {
      name: 'damage',
      title: 'Shield + hull',
      isNumber: true,
      cell: ({ damage, stages }) =>
        stages ? `${formatInt(stages.shield)} + ${formatInt(stages.hull)}` : formatInt(damage),
    },
  ]
  if (shots.length === 0) return <p class="muted">No shots by or at this ship in this tick.</p>
  return (
    <Table
      caption="Shots of this tick"
      columns={columns}
      rows={shots}
      keyOf={(shot) => String(frame.lines.indexOf(shot))}
    />
  )
}

function Fittings({ ship }: { readonly ship: Combatant }) {
  if (ship.magazines.length === 0) return null
  return (
    <>
      <h3>Modules</h3>
      <ul class="list">
        {ship.magazines.map(
          ({ name, category, current_ammo, magazine_size, loaded_ammo }, index) => (
            <li key={index}>
              {name}
              <span class="muted">{category}</span>
              {magazine_size !== undefined && (
                <span class="end">
                  {loaded_ammo && <span class="muted">{formatId(loaded_ammo)} </span>}
                  {formatInt(current_ammo ?? 0)} / {formatInt(magazine_size)}
                </span>
              )}
            </li>
          ),
        )}
      </ul>
    </>
  )
}

export function Inspector({ frame, id, sideName }: ShipProps) {
  const ship = frame.ships.find((one) => one.id === id)
  if (!ship) {
    return <Empty>Choose a ship in the rings or in the scoreboard to see its state.</Empty>
  }
  return (
    <section class="ship" aria-label={`Ship: ${nameOf(ship)}`}>
      <header>
        <SideSign side={ship.side} />
        <h2 class="name">{nameOf(ship)}</h2>
        <Chip>{ship.shipClass ? formatId(ship.shipClass) : 'class unknown'}</Chip>
        {ship.kind && ship.kind !== 'player' && <Chip>{ship.kind}</Chip>}
        <span class="muted">
          {sideName(ship.side)} · hull {percent(ship.hull, ship.hullMax)} %
        </span>
      </header>
      <Facts ship={ship} frame={frame} />
      <Shots frame={frame} id={id} />
      <Fittings ship={ship} />
    </section>
  )
}
