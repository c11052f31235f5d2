/** An account's intel: where its players are and have been, and what their factions know. */
import { useEffect } from 'preact/hooks'
import type { IntelMap, IntelMovements } from '../../core/public/intel-map.ts'
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
import { formatInt, plural } from '../parts/format.ts'
import { PlayerLink } from '../parts/link.tsx'
import { Empty, ErrorBar, Skeleton } from '../parts/state.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Chip } from '../parts/tabs.tsx'
import { When } from '../parts/time.tsx'
import { TokenForm } from '../parts/token-form.tsx'
import { query } from '../router.ts'
import { Players } from './intel/players.tsx'
import { SeenSystem, SystemButton } from './intel/system.tsx'

const ABOUT =
  'This page needs an API key or a token of your account, and shows only your own players. What ' +
  "you type here is kept in this tab's memory only."

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
      {state.kind === 'locked' && (
        <TokenForm
          title="Your account only"
          about={ABOUT}
          label="API key or token of your account"
          why={state.why}
          give={giveToken}
        />
      )}
      {state.kind === 'loading' && !data && <Skeleton />}
      {state.kind === 'failed' && (
        <ErrorBar code={state.code} message={state.message} remedy="Retry" onPress={retryIntel} />
      )}
      {data && <Known intel={data} />}
    </div>
  )
}

function Known({ intel: { map, movements } }: { readonly intel: Intel }) {
  if (map?.agents.length === 0) {
    return (
      <Empty>
        No player is linked to this account. A player that claims its registration code is listed
        here.
      </Empty>
    )
  }
  return (
    <>
      {map?.truncated && (
        <p class="bar warn">
          <span>The lists are incomplete: there is more data than fits.</span>
        </p>
      )}
      <SeenSystem />
      {map && <Players map={map} />}
      {movements && <Moves movements={movements} />}
      {map && <Knowledge map={map} />}
    </>
  )
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
