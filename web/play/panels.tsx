/** Shows the state of the player: ship, place, hold, missions. */

import type { ComponentChildren } from 'preact'
import { systemHref } from '../hrefs.ts'
import { formatId, formatInt, plural } from '../parts/format.ts'
import { Empty } from '../parts/state.tsx'
import { Chip, Meter, type Tone, toneOfRest } from '../parts/tabs.tsx'
import type { Call } from './console.ts'
import type { Mission, Ship } from './state.ts'
import { openForm, play, send } from './store.ts'

export function Panels() {
  const { game } = play.value
  return (
    <div class="stack panels">
      {game.ship && <ShipPanel ship={game.ship} />}
      <PlacePanel />
      <CargoPanel />
      <MissionsPanel />
    </div>
  )
}

function Panel({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="panel">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function Gauge(props: { title: string; value: number; max: number; tone?: Tone }) {
  const { title, value, max, tone = toneOfRest(value, max) } = props
  return (
    <div class="gauge">
      <span class="muted">{title}</span>
      <Meter value={value} max={max} tone={tone} label={title} />
      <span class="num">
        {formatInt(value)}
        <span class="unit">/ {formatInt(max)}</span>
      </span>
    </div>
  )
}

export function Gauges({ ship }: { readonly ship: Ship }) {
  return (
    <div class="gauges">
      <Gauge title="Hull" value={ship.hull} max={ship.max_hull} />
      <Gauge title="Shield" value={ship.shield} max={ship.max_shield} />
      <Gauge title="Fuel" value={ship.fuel} max={ship.max_fuel} />
      <Gauge title="Hold" value={ship.cargo_used} max={ship.cargo_capacity} tone="info" />
    </div>
  )
}

function ShipPanel({ ship }: { readonly ship: Ship }) {
  const modules = play.value.game.modules ?? []
  return (
    <Panel title="Ship">
      <p>
        <bdi class="name">{ship.name}</bdi>{' '}
        {ship.class_name !== ship.name && <span class="muted">{ship.class_name}</span>}
      </p>
      <Gauges ship={ship} />
      <p class="muted">
        {modules.length === 0
          ? 'No modules are fitted.'
          : modules.map(({ name }) => String(name)).join(', ')}
      </p>
    </Panel>
  )
}

interface CommandButtonProps {
  readonly call: Call
  readonly children: string
  /** The target, for users of screen readers. */
  readonly to: string
  readonly isForm?: boolean
}

/** Shows a button that sends a command, or opens its form if it needs more input. */
function CommandButton({ call, children, to, isForm }: CommandButtonProps) {
  return (
    <button
      type="button"
      aria-label={`${children}: ${to}`}
      onClick={() => (isForm ? openForm(call) : send(call))}
    >
      {children}
    </button>
  )
}

function PlacePanel() {
  const { location = {} } = play.value.game
  return (
    <Panel title="Place">
      <p>
        {location.system_id ? (
          <a href={systemHref(location.system_id)}>{location.system_name}</a>
        ) : (
          <span class="muted">in deep space</span>
        )}
        {location.poi_name && `, ${location.poi_name}`}
      </p>
      <p class="filters">
        {location.docked_at && <Chip tone="good">docked</Chip>}
        {location.in_transit && <Chip tone="info">in transit</Chip>}
        {location.security_status && <Chip>security {location.security_status}</Chip>}
        {(location.nearby_player_count ?? 0) > 0 && (
          <Chip>{plural(location.nearby_player_count ?? 0, 'player')} here</Chip>
        )}
        {(location.nearby_pirates?.length ?? 0) > 0 && (
          <Chip tone="bad">{plural(location.nearby_pirates?.length ?? 0, 'pirate')} here</Chip>
        )}
      </p>
      {(location.resources?.length ?? 0) > 0 && (
        <p class="muted">
          Can be mined: {location.resources?.map(({ item_name }) => item_name).join(', ')}
        </p>
      )}
      <Destinations />
    </Panel>
  )
}

/** Shows the places in the system and the lanes out of it, each with a button to fly there. */
function Destinations() {
  const { game, around } = play.value
  const { location = {} } = game
  const pois = around.system?.pois ?? []
  const lanes = around.system?.connections ?? []
  const canFly = !location.in_transit
  return (
    <>
      <details open>
        <summary>{plural(pois.length, 'place')} in the system</summary>
        <ul class="list">
          {pois.map(({ id, name, type, has_base }) => (
            <li key={id}>
              <span>
                {name} <span class="muted">{has_base ? 'station' : formatId(type)}</span>
              </span>
              <span class="end">
                {id === location.poi_id ? (
                  <span class="muted">here</span>
                ) : (
                  canFly && (
                    <CommandButton to={name} call={{ address: 'game/travel', payload: { id } }}>
                      Travel
                    </CommandButton>
                  )
                )}
              </span>
            </li>
          ))}
        </ul>
      </details>
      <details>
        <summary>{plural(lanes.length, 'lane')} out</summary>
        <ul class="list">
          {lanes.map(({ system_id, name }) => (
            <li key={system_id}>
              <a href={systemHref(system_id)}>{name}</a>
              <span class="end">
                {canFly && (
                  <CommandButton
                    to={name}
                    call={{ address: 'game/jump', payload: { id: system_id } }}
                  >
                    Jump
                  </CommandButton>
                )}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </>
  )
}

function CargoPanel() {
  const { cargo = [], location } = play.value.game
  const isDocked = Boolean(location?.docked_at)
  return (
    <Panel title="Hold">
      {cargo.length === 0 && <Empty>Empty.</Empty>}
      <ul class="list">
        {cargo.map(({ item_id, item_name, quantity }) => (
          <li key={item_id}>
            <span>{item_name}</span>
            <span class="end">
              {formatInt(quantity)}{' '}
              {isDocked && (
                <CommandButton
                  isForm
                  to={item_name}
                  call={{ address: 'game/sell', payload: { id: item_id, quantity } }}
                >
                  Sell
                </CommandButton>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function MissionsPanel() {
  const { game, around } = play.value
  const active = game.missions?.active ?? []
  const isDocked = Boolean(game.location?.docked_at)
  const known = new Set(active.map(({ template_id }) => template_id))
  const offered = (around.offered ?? []).filter(({ template_id }) => !known.has(template_id))
  return (
    <Panel title="Missions">
      {active.length === 0 && (
        <Empty>None accepted.{!isDocked && ' Dock at a station to see its missions.'}</Empty>
      )}
      {active.map((mission) => (
        <MissionRow key={mission.mission_id} mission={mission} />
      ))}
      {isDocked && offered.length > 0 && (
        <details>
          <summary>{plural(offered.length, 'mission')} offered here</summary>
          <ul class="list tall">
            {offered.map(({ mission_id, title, description, rewards }) => (
              <li key={mission_id}>
                <span>
                  <b>{title}</b>
                  <br />
                  <span class="muted">
                    {description}
                    {rewards?.credits ? ` ${formatInt(rewards.credits)} cr` : ''}
                  </span>
                </span>
                <span class="end">
                  <CommandButton
                    to={title}
                    call={{ address: 'game/accept_mission', payload: { id: mission_id } }}
                  >
                    Accept
                  </CommandButton>
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Panel>
  )
}

function MissionRow({ mission }: { readonly mission: Mission }) {
  const { mission_id, title, objectives = [], percent_complete } = mission
  return (
    <div class="mission">
      <p class="ends">
        <b>{title}</b>
        {percent_complete >= 100 ? (
          <CommandButton
            to={title}
            call={{ address: 'game/complete_mission', payload: { id: mission_id } }}
          >
            Hand in
          </CommandButton>
        ) : (
          <span class="muted">{percent_complete} %</span>
        )}
      </p>
      <Meter value={percent_complete} max={100} label={title} />
      <ul>
        {objectives.map(({ description, current, required, completed }) => (
          <li key={description} class={completed ? 'good' : 'muted'}>
            {completed ? '✓ ' : ''}
            {description} ({formatInt(current)} of {formatInt(required)})
          </li>
        ))}
      </ul>
    </div>
  )
}
