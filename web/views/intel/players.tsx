/** The players of an account: the place, the ship and the flight of each. */
import type { IntelAgent, IntelMap } from '../../../core/public/intel-map.ts'
import { formatId, formatInt, plural } from '../../parts/format.ts'
import { PlayerLink } from '../../parts/link.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Chip, Meter } from '../../parts/tabs.tsx'
import { When } from '../../parts/time.tsx'
import { SystemButton, useSystemNames } from './system.tsx'

/** Shows the progress of a flight, in ticks. */
function Transit({ agent, tick }: { readonly agent: IntelAgent; readonly tick: number }) {
  const names = useSystemNames()
  const { in_transit: transit, username } = agent
  if (!transit) return <span class="muted">{agent.docked_at ? 'docked' : 'in space'}</span>
  const { start_tick, arrival_tick, type, from, to } = transit
  const [total, elapsed] = [arrival_tick - start_tick, tick - start_tick]
  const nameOf = (id: string): string => (type === 'travel' ? formatId(id) : names(id))
  return (
    <>
      {to === '' ? `adrift from ${nameOf(from)}` : `${nameOf(from)} to ${nameOf(to)}`}{' '}
      <Meter value={Math.min(total, elapsed)} max={total} label={`Flight of ${username}, ticks`} />{' '}
      <span class="muted">{plural(Math.max(0, arrival_tick - tick), 'tick')} left</span>
    </>
  )
}

export function Players({ map }: { readonly map: IntelMap }) {
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
      title: 'In transit',
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
          <span class="muted">aboard another ship</span>
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
