/** An account's own intel: where its players are, where they have been, what their factions know. */
import { useEffect } from 'preact/hooks'
import type { IntelAgent, IntelMap, IntelMovements } from '../../core/public/intel-map.ts'
import {
  forgetToken,
  giveToken,
  type Intel,
  intel,
  intelState,
  lookAt,
  retryIntel,
  watchIntel,
} from '../intel-store.ts'
import { formatId, formatInt, plural } from '../parts/format.ts'
import { PlayerLink } from '../parts/link.tsx'
import { Empty, Skeleton } from '../parts/state.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Chip, Meter } from '../parts/tabs.tsx'
import { When } from '../parts/time.tsx'
import { query } from '../router.ts'
import { SeenSystem, SystemButton, useSystemNames } from './intel/system.tsx'

export function IntelView() {
  useEffect(watchIntel, [])
  const { system } = query.value
  const state = intelState.value
  const data = intel.value
  useEffect(() => lookAt(state.kind === 'locked' ? undefined : system), [system, state.kind])
  return (
    <div class="view">
      <header>
        <h1>Intel</h1>
        <span class="muted">your players, and what they and their factions know</span>
        {state.kind !== 'locked' && (
          <button type="button" onClick={() => forgetToken()}>
            Close
          </button>
        )}
      </header>
      {state.kind === 'locked' && <Lock why={state.why} />}
      {state.kind === 'loading' && !data && <Skeleton />}
      {state.kind === 'failed' && (
        <div class="bar bad" role="alert" data-state="error">
          <span>
            <b>{state.code.replaceAll('_', ' ')}</b> {state.message}
          </span>
          <button type="button" onClick={retryIntel}>
            Retry
          </button>
        </div>
      )}
      {data && <Known intel={data} />}
    </div>
  )
}

function Lock({ why }: { readonly why: string }) {
  return (
    <form
      class="panel login"
      onSubmit={(event) => {
        event.preventDefault()
        giveToken(String(new FormData(event.currentTarget).get('token') ?? ''))
      }}
    >
      <h2>This is yours alone</h2>
      <p class="muted">
        It opens with an API key or a token of your account, and shows no player but your own. What
        you type here stays in this tab's memory.
      </p>
      {why && (
        <p class="bad" role="alert">
          {why}
        </p>
      )}
      <label class="field">
        <span>API key or token of your account</span>
        <input name="token" type="password" required autocomplete="off" />
      </label>
      <button type="submit" class="primary">
        Open
      </button>
    </form>
  )
}

function Known({ intel: { map, movements } }: { readonly intel: Intel }) {
  if (map.agents.length === 0) {
    return (
      <Empty>
        No player is linked to this account. Each that claims its registration code stands here.
      </Empty>
    )
  }
  return (
    <>
      {map.truncated && (
        <p class="bar warn">
          <span>There is more than is listed here.</span>
        </p>
      )}
      <SeenSystem />
      <Players map={map} />
      <Moves movements={movements} />
      <Knowledge map={map} />
    </>
  )
}

/* Players */

/** How far a flight has come, in ticks. */
function Transit({ agent, tick }: { readonly agent: IntelAgent; readonly tick: number }) {
  const names = useSystemNames()
  const { in_transit: transit, username } = agent
  if (!transit) return <span class="muted">{agent.docked_at ? 'docked' : 'in space'}</span>
  const { start_tick, arrival_tick, type, from, to } = transit
  const [whole, gone] = [arrival_tick - start_tick, tick - start_tick]
  const nameOf = (id: string): string => (type === 'travel' ? formatId(id) : names(id))
  return (
    <>
      {to === '' ? `adrift from ${nameOf(from)}` : `${nameOf(from)} to ${nameOf(to)}`}{' '}
      <Meter value={Math.min(whole, gone)} max={whole} label={`Way of ${username}, ticks`} />{' '}
      <span class="muted">{plural(Math.max(0, arrival_tick - tick), 'tick')} left</span>
    </>
  )
}

function Players({ map }: { readonly map: IntelMap }) {
  const columns: readonly Column<IntelAgent>[] = [
    {
      name: 'player',
      title: 'Player',
      by: ({ username }) => username,
      cell: (agent) => (
        <>
          <PlayerLink name={agent.username} />
          {agent.faction_tag && <span class="muted"> [{agent.faction_tag}]</span>}{' '}
          <Chip tone={agent.online ? 'good' : 'plain'}>{agent.online ? 'online' : 'offline'}</Chip>
          {agent.cloaked && <Chip>cloaked</Chip>}
          {agent.hidden && <Chip>anonymous</Chip>}
        </>
      ),
    },
    {
      name: 'place',
      title: 'Place',
      by: ({ system }) => system,
      cell: ({ system, poi }) => (
        <>
          <SystemButton id={system} />
          {poi && <span class="muted">, {formatId(poi)}</span>}
        </>
      ),
    },
    {
      name: 'way',
      title: 'Under way',
      by: ({ in_transit }) => in_transit?.arrival_tick,
      cell: (agent) => <Transit agent={agent} tick={map.current_tick} />,
    },
    {
      name: 'ship',
      title: 'Ship',
      isWide: true,
      by: ({ ship_class }) => ship_class,
      cell: ({ ship_class, ship_name }) =>
        ship_class === '' ? (
          <span class="muted">aboard another's</span>
        ) : (
          <span class="name">
            {formatId(ship_class)}
            {ship_name && `, ${ship_name}`}
          </span>
        ),
    },
    {
      name: 'fuel',
      title: 'Fuel',
      isNumber: true,
      by: ({ fuel }) => fuel,
      cell: ({ fuel, max_fuel }) => `${formatInt(fuel)} / ${formatInt(max_fuel)}`,
    },
    {
      name: 'active',
      title: 'Last active',
      isWide: true,
      by: ({ last_active_at }) => last_active_at,
      cell: ({ last_active_at }) => <When at={last_active_at} />,
    },
  ]
  return <Table caption="Your players" columns={columns} rows={map.agents} keyOf={({ id }) => id} />
}

/* Movements */

type Movement = IntelMovements['movements'][number]

const MOVE_COLUMNS: readonly Column<Movement>[] = [
  { name: 'when', title: 'When', cell: ({ at }) => <When at={at} />, by: ({ at }) => at },
  {
    name: 'player',
    title: 'Player',
    cell: ({ username }) => <PlayerLink name={username} />,
    by: ({ username }) => username,
  },
  {
    name: 'from',
    title: 'From',
    isWide: true,
    cell: ({ from }) => (from === '' ? null : <SystemButton id={from} />),
  },
  {
    name: 'to',
    title: 'To',
    cell: ({ to, first_visit }) => (
      <>
        <SystemButton id={to} /> {first_visit && <Chip tone="info">first visit</Chip>}
      </>
    ),
  },
]

function Moves({ movements: body }: { readonly movements: IntelMovements }) {
  if (body.movements.length === 0) {
    return <Empty>None of your players has jumped within {body.window_hours} hours.</Empty>
  }
  const more = body.truncated ? ', the latest' : ''
  return (
    <Table
      caption={`Jumps of the last ${body.window_hours} hours${more}`}
      columns={MOVE_COLUMNS}
      rows={body.movements}
      keyOf={({ player_id, at }) => `${player_id} ${at}`}
    />
  )
}

/* What is known */

interface KnownSystem {
  readonly id: string
  readonly about: IntelMap['faction_intel']['systems'][string]
}

const KNOWN_COLUMNS: readonly Column<KnownSystem>[] = [
  {
    name: 'system',
    title: 'System',
    cell: ({ id }) => <SystemButton id={id} />,
    by: ({ id }) => id,
  },
  {
    name: 'tick',
    title: 'As of tick',
    isNumber: true,
    cell: ({ about }) => formatInt(about.latest_tick),
    by: ({ about }) => about.latest_tick,
  },
  {
    name: 'places',
    title: 'Places',
    isNumber: true,
    cell: ({ about }) => formatInt(about.poi_count),
    by: ({ about }) => about.poi_count,
  },
  {
    name: 'resources',
    title: 'Resources',
    isWide: true,
    cell: ({ about }) => (about.has_resources ? 'known' : <span class="muted">none known</span>),
  },
]

function Knowledge({ map }: { readonly map: IntelMap }) {
  const { explored_systems, revealed_pois, known_wormholes, faction_intel } = map
  const rows = Object.entries(faction_intel.systems).map(([id, about]) => ({ id, about }))
  return (
    <section class="stack">
      <h2>What they know</h2>
      <p>
        {plural(explored_systems.length, 'system')} explored,{' '}
        {plural(revealed_pois.length, 'hidden place')} revealed,{' '}
        {plural(known_wormholes.length, 'open wormhole')} known.
      </p>
      {faction_intel.sources.length > 0 && (
        <ul class="list">
          {faction_intel.sources.map((source) => (
            <li key={source.faction_id}>
              <span class="name">{source.name}</span> <Chip>{source.tag}</Chip> knows{' '}
              {plural(source.system_count, 'system')}
              {source.via_ally_of && `, an ally of ${source.via_ally_of}`}
            </li>
          ))}
        </ul>
      )}
      {rows.length === 0 ? (
        <Empty>
          No faction of theirs knows a system yet: one with an intelligence desk collects them.
        </Empty>
      ) : (
        <Table
          caption="Systems that their factions know"
          columns={KNOWN_COLUMNS}
          rows={rows}
          keyOf={({ id }) => id}
        />
      )}
    </section>
  )
}
