/** An account's intel on the system that the address names. */
import type { IntelSystem } from '../../../core/public/intel-map.ts'
import { seenSystem } from '../../intel-store.ts'
import { formatId, formatInt, plural } from '../../parts/format.ts'
import { SystemLink } from '../../parts/link.tsx'
import { Empty, Skeleton } from '../../parts/state.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Chip } from '../../parts/tabs.tsx'
import { changeQuery } from '../../router.ts'
import { useMap } from '../../world.ts'

/** Returns a function that returns the name of a system by its id. */
export function useSystemNames(): (id: string) => string {
  const systems = useMap().value.data?.systems ?? []
  return (id) => systems.find((system) => system.id === id)?.name ?? formatId(id)
}

/** Shows a button that opens the intel on a system in this view. */
export function SystemButton({ id }: { readonly id: string }) {
  const names = useSystemNames()
  return (
    <button type="button" class="inline name" onClick={() => changeQuery({ system: id }, 'push')}>
      {names(id)}
    </button>
  )
}

export function SeenSystem() {
  const seen = seenSystem.value
  if (!seen) return null
  const close = () => changeQuery({ system: undefined }, 'push')
  return (
    <section class="panel stack" aria-label="A system">
      {seen.fault && (
        <p class="bad" role="alert">
          {seen.fault}
        </p>
      )}
      {seen.data ? <System body={seen.data} /> : !seen.fault && <Skeleton rows={4} />}
      <button type="button" onClick={close}>
        Close the system
      </button>
    </section>
  )
}

type Place = IntelSystem['pois'][number]

function System({ body }: { readonly body: IntelSystem }) {
  const { system, pois, nearby_by_poi, intel_entries, agents_here } = body
  const near = (id: string): string => {
    const there = nearby_by_poi[id]
    if (!there) return ''
    const { count, pirate_count, creature_count } = there
    return [
      plural(count, 'other player'),
      plural(pirate_count, 'pirate'),
      plural(creature_count, 'creature'),
    ].join(', ')
  }
  const columns: readonly Column<Place>[] = [
    {
      name: 'place',
      title: 'Place',
      cell: ({ name, type, hidden }) => (
        <>
          <span class="name">{name}</span> <span class="muted">{formatId(type)}</span>{' '}
          {hidden && <Chip tone="info">revealed to you</Chip>}
        </>
      ),
      by: ({ name }) => name,
    },
    {
      name: 'resources',
      title: 'Resources',
      cell: ({ resources = [] }) =>
        resources
          .map(({ resource_id, remaining }) =>
            remaining < 0
              ? formatId(resource_id)
              : `${formatId(resource_id)} ${formatInt(remaining)}`,
          )
          .join(', '),
    },
    { name: 'near', title: 'Near your players', isWide: true, cell: ({ id }) => near(id) },
  ]
  return (
    <>
      <h2>
        <SystemLink id={system.id} name={system.name} />{' '}
        <Chip>{formatId(system.security_status)}</Chip>{' '}
        {agents_here.length > 0 && (
          <Chip tone="good">{plural(agents_here.length, 'player')} of yours</Chip>
        )}
      </h2>
      {!body.has_intel && (
        <Empty>None of your players or their factions knows more than the public map shows.</Empty>
      )}
      <Table caption="Places" columns={columns} rows={pois} keyOf={({ id }) => id} />
      {intel_entries.map(({ source_faction_id, source_tag, live, entry }) => (
        <p key={source_faction_id}>
          <Chip>{source_tag}</Chip> knows {plural(entry.pois?.length ?? 0, 'place')}{' '}
          {live
            ? 'as of now'
            : `as of tick ${formatInt(entry.submitted_at_tick)}, from ${entry.submitter_name}`}
          .
        </p>
      ))}
    </>
  )
}
