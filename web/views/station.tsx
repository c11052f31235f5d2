/** A station: its condition, defences, facilities and services, with a link to its market. */

import type { StationBody } from '../../core/public/world.ts'
import { useBody } from '../api.ts'
import { factionHref, marketHref } from '../hrefs.ts'
import { formatId, formatInt, plural } from '../parts/format.ts'
import { Link, SystemLink } from '../parts/link.tsx'
import { Empty, Skeleton, Stateful } from '../parts/state.tsx'
import { AsJson } from '../parts/table.tsx'
import { Chip, Meter, MeterFact, Swatch, toneOfRest } from '../parts/tabs.tsx'
import type { ViewProps } from '../view-rows.ts'

type Facility = StationBody['facilities'][number]

export function StationView({ params }: ViewProps) {
  const path = `/api/stations/${encodeURIComponent(params.id)}`
  const body = useBody<StationBody>(path, 'T')
  return (
    <div class="view">
      <Stateful
        path={path}
        body={body}
        gone="No station with this name is on the map."
        skeleton={<Skeleton rows={12} />}
      >
        {(station) => <Station station={station} path={path} />}
      </Stateful>
    </div>
  )
}

function Station({ station, path }: { readonly station: StationBody; readonly path: string }) {
  const { id, name, system_id, system_name, faction_name, faction_tag, services } = station
  return (
    <>
      <header>
        <h1 class="name">{name}</h1>
        <Chip>{station.type}</Chip>
        {station.empire_name && <Chip>{station.empire_name}</Chip>}
        {faction_name && (
          <Chip>
            <Swatch {...(station.faction_color ? { color: station.faction_color } : {})} />
            <span class="name">{faction_name}</span>
          </Chip>
        )}
        <span class="muted">
          in <SystemLink id={system_id} name={system_name} />
          {faction_tag && (
            <>
              {' '}
              · held by{' '}
              <Link class="name" to={factionHref(faction_tag)}>
                {faction_tag}
              </Link>
            </>
          )}
        </span>
        <AsJson path={path} />
      </header>
      {station.wrecked && (
        <div class="bar bad" data-state="wrecked">
          <span>
            <b>Wrecked</b> Nothing works here until it is rebuilt: no docking, no market, no
            services.
          </span>
        </div>
      )}
      {station.description && <p class="prose">{station.description}</p>}
      <div class="split">
        <Facilities facilities={station.facilities} />
        <aside class="panel pile">
          <Condition station={station} />
          {services.includes('market') && !station.wrecked && (
            <a class="button" href={marketHref(id)}>
              Its market
            </a>
          )}
          <section>
            <h2>Services</h2>
            {services.length === 0 ? (
              <Empty>None.</Empty>
            ) : (
              <ul class="services">
                {services.map((service) => (
                  <li key={service}>
                    <Chip>{formatId(service)}</Chip>
                  </li>
                ))}
              </ul>
            )}
          </section>
        </aside>
      </div>
    </>
  )
}

function Condition({ station }: { readonly station: StationBody }) {
  const { condition, condition_text, hull, max_hull, shield, max_shield } = station
  const satisfied = station.satisfaction_pct
  return (
    <section>
      <h2>Condition</h2>
      <dl class="facts">
        <dt>State</dt>
        <dd>
          <b>{formatId(condition)}</b>
          {condition_text && <span class="muted">: {condition_text}</span>}
        </dd>
        <MeterFact label="Hull" value={hull} max={max_hull} tone={toneOfRest(hull, max_hull)} />
        <MeterFact label="Shield" value={shield} max={max_shield} tone="info" />
        <dt>Supplied</dt>
        <dd class="measure">
          <Meter value={satisfied} max={100} tone={toneOfRest(satisfied, 100)} label="Supplied" />
          <span>{satisfied} %</span>
        </dd>
        <dt>Armor</dt>
        <dd>{formatInt(station.armor)}</dd>
        <dt>Weapons</dt>
        <dd>
          {station.weapon_dps > 0
            ? `${formatInt(station.weapon_dps)} damage per tick, reach ${station.weapon_reach}`
            : 'none'}
        </dd>
        <dt>Docking</dt>
        <dd>{station.public_access ? 'open to everybody' : 'for guests of its owner'}</dd>
      </dl>
    </section>
  )
}

/** Shows facilities by category, in the order of the body. */
function Facilities({ facilities }: { readonly facilities: readonly Facility[] }) {
  if (facilities.length === 0) return <Empty>No public facilities.</Empty>
  const categories = [...new Set(facilities.map(({ category }) => category))]
  return (
    <section class="pile">
      <h2>{plural(facilities.length, 'facility', 'facilities')}</h2>
      {categories.map((category) => (
        <section key={category}>
          <h3>{formatId(category)}</h3>
          <ul class="facilities">
            {facilities
              .filter((facility) => facility.category === category)
              .map((facility) => (
                <Row key={facility.id} facility={facility} />
              ))}
          </ul>
        </section>
      ))}
    </section>
  )
}

function Row({ facility }: { readonly facility: Facility }) {
  const { name, level, active, maintenance_satisfied, active_description, description } = facility
  return (
    <li>
      <span class="head">
        <b class="name">{name}</b>
        <span class="muted">level {level}</span>
        {!active ? (
          <Chip tone="bad">inactive</Chip>
        ) : (
          !maintenance_satisfied && <Chip tone="warn">lacks upkeep</Chip>
        )}
        {facility.unique && <Chip>unique</Chip>}
      </span>
      <span class="muted">{(active && active_description) || description}</span>
    </li>
  )
}
