/** The map as a table with the same facts and links, and as a sentence. */

import type { ActivityBody, MapBody, TerritoryBody } from '../../../core/public/world.ts'
import { battleHref } from '../../hrefs.ts'
import { formatId, formatInt, plural } from '../../parts/format.ts'
import { Link, SystemLink } from '../../parts/link.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { securityOf } from './system-card.tsx'

type System = MapBody['systems'][number]

interface TableProps {
  readonly map: MapBody
  readonly activity?: ActivityBody
  readonly territory?: TerritoryBody
  readonly stationed: ReadonlySet<string>
}

function columnsOf({ activity, territory, stationed }: TableProps): readonly Column<System>[] {
  const holderOf = ({ id, empire }: System): string =>
    territory?.systems[id]?.faction_tag ?? (empire ? formatId(empire) : '')
  const leaving = new Map<string, number>()
  for (const { from_system, count } of activity?.transits ?? [])
    leaving.set(from_system, (leaving.get(from_system) ?? 0) + count)
  const numbers = (
    name: string,
    title: string,
    numberOf: (system: System) => number,
    isWide = false,
  ): Column<System> => ({
    name,
    title,
    by: numberOf,
    isNumber: true,
    isWide,
    cell: (system) => formatInt(numberOf(system)),
  })
  return [
    {
      name: 'name',
      title: 'System',
      by: ({ name }) => name,
      cell: ({ id, name }) => <SystemLink id={id} name={name} />,
    },
    { name: 'holder', title: 'Held by', by: holderOf, cell: holderOf },
    {
      name: 'security',
      title: 'Security',
      by: ({ police_level }) => police_level,
      cell: ({ police_level }) => securityOf(police_level),
      isWide: true,
    },
    numbers('online', 'Players', ({ id }) => activity?.online[id] ?? 0),
    numbers('npc', 'NPC ships', ({ id }) => activity?.npc[id] ?? 0, true),
    numbers('leaving', 'Leaving', ({ id }) => leaving.get(id) ?? 0, true),
    numbers('lanes', 'Lanes', ({ connections }) => connections.length, true),
    {
      name: 'station',
      title: 'Station',
      by: ({ id }) => (stationed.has(id) ? 0 : 1),
      cell: ({ id }) => (stationed.has(id) ? 'yes' : ''),
      isWide: true,
    },
    {
      name: 'battle',
      title: 'Battle',
      by: ({ id }) => (activity?.battles[id] ? 0 : 1),
      cell: ({ id }) =>
        activity?.battles[id] && (
          <Link to={battleHref(activity.battles[id])} keepsMoment>
            watch
          </Link>
        ),
    },
  ]
}

export function MapTable(props: TableProps) {
  return (
    <div class="view">
      <Table
        caption="Systems"
        columns={columnsOf(props)}
        rows={props.map.systems}
        keyOf={({ id }) => id}
        sort="online"
        isDescending
        json="/api/map/activity"
      />
    </div>
  )
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

/** Counts what happens on the map. */
export const figuresOf = ({ online, transits, battles }: ActivityBody) => ({
  players: sum(Object.values(online)),
  inFlight: sum(transits.map(({ count }) => count)),
  battles: Object.keys(battles).length,
})

/** Describes the map in a sentence. */
export function describeMap(map: MapBody, activity: ActivityBody): string {
  const { players, inFlight, battles } = figuresOf(activity)
  return [
    `Map of ${plural(map.systems.length, 'system')}: ${plural(players, 'player')} online,`,
    `${plural(inFlight, 'ship')} in flight, ${plural(battles, 'battle')}.`,
  ].join(' ')
}
