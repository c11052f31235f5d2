/** The public profile of a faction: roster, wars, allies, stations, ranks, achievements. */

import type { FactionBody } from '../../core/public/world.ts'
import { useBody } from '../api.ts'
import { stationHref, systemHref } from '../hrefs.ts'
import { formatInt, plural } from '../parts/format.ts'
import { FactionLink, PlayerLink } from '../parts/link.tsx'
import { Achievements, Ranks } from '../parts/profile.tsx'
import { Empty, Stateful } from '../parts/state.tsx'
import { AsJson, type Column, Table } from '../parts/table.tsx'
import { Chip, Swatch } from '../parts/tabs.tsx'
import { When } from '../parts/time.tsx'
import type { ViewProps } from '../view-rows.ts'

export function FactionView({ params }: ViewProps) {
  const path = `/api/factions/${encodeURIComponent(params.tag)}`
  const body = useBody<FactionBody>(path, 'M')
  return (
    <div class="view">
      <Stateful path={path} body={body} gone={`No faction has the tag “${params.tag}”.`}>
        {(faction) => (
          <>
            <Head faction={faction} path={path} />
            <div class="split">
              <div class="stack">
                <Roster faction={faction} path={path} />
                <Wars faction={faction} />
              </div>
              <div class="stack">
                <Identity faction={faction} />
                <Stations faction={faction} />
                <Ranks ranks={faction.ranks} topN={faction.ranks_top_n} prefix="factions." />
                <Achievements path={`${path}/achievements`} />
              </div>
            </div>
          </>
        )}
      </Stateful>
    </div>
  )
}

interface FactionProps {
  readonly faction: FactionBody
}

function Head({ faction, path }: FactionProps & { readonly path: string }) {
  const { name, tag, primary_color, secondary_color, wars } = faction
  return (
    <header>
      <h1>
        <Swatch color={primary_color} /> <Swatch color={secondary_color} />{' '}
        <bdi class="name">{name}</bdi>
      </h1>
      <bdi class="mono muted">{tag}</bdi>
      {wars.length > 0 && <Chip tone="bad">{plural(wars.length, 'war')}</Chip>}
      <AsJson path={path} />
    </header>
  )
}

function Identity({ faction }: FactionProps) {
  const { description, charter, leader, founder, created_at, member_count } = faction
  return (
    <section class="panel">
      <h2>About</h2>
      {description && <p class="words">{description}</p>}
      <dl class="facts">
        <dt>Leader</dt>
        <dd>{leader ? <PlayerLink name={leader} /> : <span class="muted">not named</span>}</dd>
        {founder && founder !== leader && (
          <>
            <dt>Founder</dt>
            <dd>
              <PlayerLink name={founder} />
            </dd>
          </>
        )}
        <dt>Members</dt>
        <dd>{formatInt(member_count)}</dd>
        <dt>Founded</dt>
        <dd>
          <When at={created_at} />
        </dd>
        <dt>Allies</dt>
        <dd>
          {faction.allies.length === 0 && <span class="muted">none</span>}
          {faction.allies.map(({ name, tag }) => (
            <div key={tag}>
              <FactionLink name={name} tag={tag} />
            </div>
          ))}
        </dd>
      </dl>
      {charter && (
        <details>
          <summary>Charter</summary>
          <p class="words">{charter}</p>
        </details>
      )}
    </section>
  )
}

type Member = FactionBody['members'][number]

const MEMBERS: readonly Column<Member>[] = [
  {
    name: 'name',
    title: 'Name',
    cell: ({ username }) => <PlayerLink name={username} />,
    by: ({ username }) => username.toLowerCase(),
  },
  {
    name: 'role',
    title: 'Role',
    cell: ({ role = '' }) => <bdi class="name">{role}</bdi>,
    by: ({ role_priority }) => role_priority,
  },
  {
    name: 'joined',
    title: 'Joined',
    isWide: true,
    cell: ({ joined_at }) => <When at={joined_at} />,
    by: ({ joined_at }) => joined_at,
  },
  {
    name: 'seen',
    title: 'Last seen',
    cell: ({ last_seen }) => <When at={last_seen} />,
    by: ({ last_seen }) => last_seen,
  },
]

function Roster({ faction, path }: FactionProps & { readonly path: string }) {
  const { members, member_count } = faction
  const unnamed = member_count - members.length
  return (
    <section>
      {members.length === 0 ? (
        <>
          <h2>Roster</h2>
          <Empty>No member shows their name.</Empty>
        </>
      ) : (
        <Table
          caption="Roster"
          columns={MEMBERS}
          rows={members}
          keyOf={({ username }) => username}
          json={path}
        />
      )}
      {members.length > 0 && unnamed > 0 && (
        <p class="muted">and {plural(unnamed, 'member')} without a name</p>
      )}
    </section>
  )
}

function Wars({ faction }: FactionProps) {
  return (
    <section>
      <h2>Wars</h2>
      {faction.wars.length === 0 && <Empty>Not at war.</Empty>}
      <ul class="list tall">
        {faction.wars.map((war) => (
          <li key={war.target_tag}>
            <span>
              {war.aggressor ? 'declared on ' : 'declared by '}
              <FactionLink name={war.target_name} tag={war.target_tag} />
              {war.reason && (
                <>
                  <br />
                  <bdi class="name muted">{war.reason}</bdi>
                </>
              )}
            </span>
            <span class="end">
              {formatInt(war.our_kills)} : {formatInt(war.their_kills)}{' '}
              <span class="muted">kills</span>
              <br />
              <span class="muted">
                <When at={war.started_at} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Stations({ faction }: FactionProps) {
  return (
    <section class="panel">
      <h2>Stations</h2>
      {faction.stations.length === 0 && <Empty>None on the map.</Empty>}
      <ul class="list">
        {faction.stations.map(({ id, name, system_id, system_name }) => (
          <li key={id}>
            <a href={stationHref(id)}>
              <bdi class="name">{name}</bdi>
            </a>
            {system_id && (
              <a class="end" href={systemHref(system_id)}>
                {system_name}
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
