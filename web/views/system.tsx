/** A system: the plan of its charted places, the players there, and its lanes. Source: WEB 4. */

import { type Signal, useSignal } from '@preact/signals'
import { Fragment } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { ActivityBody, SystemBody } from '../../core/public/world.ts'
import { useBody } from '../api.ts'
import type { System } from '../canvas/chart.ts'
import { isLive } from '../clock.ts'
import { battleHref, stationHref, systemHref } from '../hrefs.ts'
import { type KeyRow, useKeys } from '../keys.ts'
import { formatId, formatInt, plural } from '../parts/format.ts'
import { Link, PlayerLink } from '../parts/link.tsx'
import { NotKept } from '../parts/moment.tsx'
import { Scrubber } from '../parts/scrubber.tsx'
import { Empty, Stateful } from '../parts/state.tsx'
import { AsJson } from '../parts/table.tsx'
import { Chip, Swatch } from '../parts/tabs.tsx'
import { go, hrefNow } from '../router.ts'
import type { ViewProps } from '../view-rows.ts'
import { useMap, useWorld } from '../world.ts'
import { chosen } from './map/board.ts'
import { Holder, securityOf } from './map/system-card.tsx'
import { PlanView } from './system/plan.tsx'

type Poi = SystemBody['pois'][number]

const CONDITION_TONES: Readonly<Record<string, 'good' | 'warn' | 'bad'>> = {
  thriving: 'good',
  operational: 'good',
  damaged: 'warn',
  struggling: 'warn',
  wrecked: 'bad',
}

function Station({ poi }: { readonly poi: Poi }) {
  if (!poi.has_base) return null
  const { station_condition: condition = '', station_services: services = [] } = poi
  return (
    <p class="station">
      <Swatch color={poi.station_faction_color} />
      <Link to={stationHref(poi.base_id ?? '')}>{poi.station_name}</Link>
      {poi.station_faction_tag && <span class="muted">[{poi.station_faction_tag}]</span>}
      {condition && <Chip tone={CONDITION_TONES[condition] ?? 'plain'}>{formatId(condition)}</Chip>}
      {services.length > 0 && (
        <span class="muted" title={services.map(formatId).join(', ')}>
          {plural(services.length, 'service')}
        </span>
      )}
    </p>
  )
}

function Players({ poi }: { readonly poi: Poi }) {
  const players = poi.players ?? []
  if (poi.online === 0) return null
  const others = poi.online - players.length
  return (
    <p class="who">
      {players.map(({ username, clan_tag, status, primary_color }) => (
        <span key={username} title={status}>
          <Swatch color={primary_color} />
          {clan_tag && <span class="muted">[{clan_tag}] </span>}
          <PlayerLink name={username} />
        </span>
      ))}
      {others > 0 && (
        <span class="muted">
          {players.length > 0 ? `and ${others} more` : plural(others, 'nameless pilot')}
        </span>
      )}
    </p>
  )
}

interface PlacesProps {
  readonly pois: readonly Poi[]
  readonly pointed: Signal<string | undefined>
}

function Places({ pois, pointed }: PlacesProps) {
  return (
    <ul class="places">
      {pois.map((poi) => (
        <li
          key={poi.id}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: Tab walks the places of the plan
          tabIndex={0}
          class={pointed.value === poi.id ? 'pointed' : undefined}
          onFocus={() => (pointed.value = poi.id)}
          onMouseEnter={() => (pointed.value = poi.id)}
          onMouseLeave={() => (pointed.value = undefined)}
        >
          <p>
            <b class="name">{poi.name}</b>
            <span class="muted">
              {formatId(poi.type)}
              {poi.class ? `, ${formatId(poi.class).toLowerCase()}` : ''}
            </span>
            <span class="end">{poi.online > 0 ? formatInt(poi.online) : ''}</span>
          </p>
          <Station poi={poi} />
          <Players poi={poi} />
        </li>
      ))}
    </ul>
  )
}

/**
 * Returns a system as known of the past: its places without players, since the map's frames have
 * none.
 */
function asOfThen(system: SystemBody): SystemBody {
  const pois = system.pois.map(({ players: _, ...poi }) => ({ ...poi, online: 0 }))
  return { ...system, pois, flights: [] }
}

interface InnerProps {
  readonly now: SystemBody
  readonly path: string
}

interface HeadProps {
  readonly system: SystemBody
  readonly battle?: string
}

function Head({ system, battle }: HeadProps) {
  return (
    <header>
      <p class="muted">
        <a href={hrefNow('/map')}>Map</a> / system
      </p>
      <h1 class="name">{system.name}</h1>
      <p class="chips">
        <Chip>{securityOf(system.police_level)}</Chip>
        {system.is_stronghold && <Chip tone="warn">stronghold</Chip>}
        {battle && (
          <>
            <Chip tone="bad">fighting</Chip>
            <Link to={battleHref(battle)} keepsMoment>
              Watch the battle
            </Link>
          </>
        )}
      </p>
    </header>
  )
}

interface LanesProps {
  readonly ids: readonly string[]
  readonly systems: ReadonlyMap<string, System>
  readonly activity?: ActivityBody
}

function Lanes({ ids, systems, activity }: LanesProps) {
  return (
    <section>
      <h2>Lanes</h2>
      <ul class="list">
        {ids.map((id) => (
          <li key={id}>
            <a class="name" href={hrefNow(systemHref(id))}>
              {systems.get(id)?.name ?? formatId(id)}
            </a>
            <span class="end muted">
              {activity?.battles[id] && <Chip tone="bad">fighting</Chip>}{' '}
              {activity?.online[id] ? plural(activity.online[id], 'player') : ''}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Returns the keys of the view; `battle` is the active one in this system. */
const keysOf = (battle: string | undefined): readonly KeyRow[] => [
  { key: 'Backspace', about: 'back to the map', run: () => go(hrefNow('/map')) },
  {
    key: 'b',
    about: 'the battle in this system',
    run: () => {
      if (battle) go(hrefNow(battleHref(battle)))
    },
  },
]

function Inner({ now, path }: InnerProps) {
  const { activity, territory } = useWorld()
  const map = useMap().value.data
  const systems = useMemo(() => new Map((map?.systems ?? []).map((row) => [row.id, row])), [map])
  const pointed = useSignal<string | undefined>(undefined)
  const live = isLive.value
  const system = useMemo(() => (live ? now : asOfThen(now)), [now, live])
  const data = activity.value.data
  const battle = data?.battles[system.id]
  const there = systems.get(system.id)
  const online = live
    ? system.pois.reduce((total, poi) => total + poi.online, 0)
    : (data?.online[system.id] ?? 0)
  useEffect(() => {
    document.title = `${system.name} · Orrery`
    chosen.value = system.id
  }, [system.name])
  useKeys(useMemo(() => keysOf(battle), [battle]))
  const npcs: readonly (readonly [string, number])[] = live
    ? [
        ['Pirates', system.pirates],
        ['Empire ships', system.empire_npcs],
      ]
    : [['NPC ships', data?.npc[system.id] ?? 0]]
  const facts = [['Police', system.police_level] as const, ['Players', online] as const, ...npcs]
  return (
    <div class="map-view system-view">
      {!live && activity.value.failure?.status === 404 && <NotKept />}
      <div class="map-frame">
        <PlanView system={system} systems={systems} isFought={Boolean(battle)} pointed={pointed} />
      </div>
      <div class="side">
        <Head system={system} battle={battle} />
        {system.description && <p>{system.description}</p>}
        <dl class="facts">
          <dt>Held by</dt>
          <dd>{there && <Holder system={there} territory={territory.value.data} />}</dd>
          {facts.map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{formatInt(value)}</dd>
            </Fragment>
          ))}
        </dl>
        <section>
          <h2>
            Places <AsJson path={path} />
          </h2>
          {!live && (
            <Empty>
              Of the past, the server keeps the number of ships in a system, not where they were.
            </Empty>
          )}
          {system.pois.length === 0 && <Empty>No place of this system is charted.</Empty>}
          <Places pois={system.pois} pointed={pointed} />
        </section>
        <Lanes ids={system.connections} systems={systems} activity={data} />
      </div>
      <Scrubber />
    </div>
  )
}

export function SystemView({ params: { id } }: ViewProps) {
  const path = `/api/map/system/${encodeURIComponent(id)}`
  const body = useBody<SystemBody>(path, 'T')
  return (
    <Stateful path={path} body={body} gone="No system with this name is on the map.">
      {(system) => <Inner key={id} now={system} path={path} />}
    </Stateful>
  )
}
