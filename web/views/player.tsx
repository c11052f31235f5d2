/** The public profile of a player: identity, counters, ranks, battles, achievements. */

import type { BattlesBody } from '../../core/public/past.ts'
import type { PlayerBody } from '../../core/public/world.ts'
import { useBody } from '../api.ts'
import { battleHref, stationHref, systemHref } from '../hrefs.ts'
import { formatId, formatInt, formatSpan } from '../parts/format.ts'
import { FactionLink } from '../parts/link.tsx'
import { Achievements, Ranks } from '../parts/profile.tsx'
import { Empty, Stateful } from '../parts/state.tsx'
import { AsJson } from '../parts/table.tsx'
import { Chip, Swatch } from '../parts/tabs.tsx'
import { Tick, When } from '../parts/time.tsx'
import { me } from '../play/me.ts'
import { hrefOf } from '../router.ts'
import type { ViewProps } from '../view-rows.ts'

const BATTLES_SHOWN = 10

/** The counters in display order, with their units. */
const COUNTERS: readonly (readonly [keyof PlayerBody['stats'], string, string?])[] = [
  ['credits_earned', 'Credits earned', 'cr'],
  ['exchange_credits_earned', 'Earned at exchanges', 'cr'],
  ['trades_completed', 'Trades'],
  ['missions_completed', 'Missions'],
  ['ore_mined', 'Ore mined'],
  ['items_crafted', 'Items crafted'],
  ['ships_destroyed', 'Ships destroyed'],
  ['pirates_destroyed', 'Pirates destroyed'],
  ['ships_lost', 'Ships lost'],
  ['damage_dealt', 'Damage dealt'],
  ['systems_explored', 'Systems explored'],
  ['jumps_completed', 'Jumps'],
  ['distance_traveled', 'Distance flown'],
  ['wormholes_traversed', 'Wormholes'],
  ['times_docked', 'Dockings'],
]

export function PlayerView({ params }: ViewProps) {
  const path = `/api/players/${encodeURIComponent(params.name)}`
  const body = useBody<PlayerBody>(path, 'T')
  return (
    <div class="view">
      <Stateful
        path={path}
        body={body}
        gone={`No player is called “${params.name}”, or the player is anonymous.`}
      >
        {(player) => (
          <>
            <Head player={player} path={path} />
            <div class="split">
              <div class="stack">
                <Counters player={player} />
                <Battles name={player.username} />
              </div>
              <div class="stack">
                <Identity player={player} />
                <Ranks ranks={player.ranks} topN={player.ranks_top_n} prefix="" />
                <Achievements path={`${path}/achievements`} />
              </div>
            </div>
          </>
        )}
      </Stateful>
    </div>
  )
}

interface PlayerProps {
  readonly player: PlayerBody
}

function Head({ player, path }: PlayerProps & { readonly path: string }) {
  const { username, clan_tag, online, status_message, primary_color, secondary_color } = player
  return (
    <header>
      <h1>
        <Swatch color={primary_color} /> <Swatch color={secondary_color} />{' '}
        <bdi class="name">{username}</bdi>
      </h1>
      {clan_tag && <bdi class="mono muted">{clan_tag}</bdi>}
      {online ? <Chip tone="good">online</Chip> : <Chip>offline</Chip>}
      {me.value === username && <Chip tone="info">you</Chip>}
      {status_message && <bdi class="name muted">{status_message}</bdi>}
      <AsJson path={path} />
    </header>
  )
}

function Identity({ player }: PlayerProps) {
  const { empire, empire_name, faction, titles = [], created_at, location, stats } = player
  return (
    <section class="panel">
      <h2>About</h2>
      <dl class="facts">
        <dt>Empire</dt>
        <dd>{empire_name ?? formatId(empire)}</dd>
        <dt>Faction</dt>
        <dd>
          {faction ? (
            <>
              <FactionLink name={faction.name} tag={faction.tag} />
              {faction.role && <bdi class="muted"> {faction.role}</bdi>}
            </>
          ) : (
            <span class="muted">none</span>
          )}
        </dd>
        {titles.length > 0 && (
          <>
            <dt>Titles</dt>
            <dd>{titles.join(', ')}</dd>
          </>
        )}
        <dt>Where</dt>
        <dd>
          {location ? (
            <>
              <a href={systemHref(location.system_id)}>{location.system_name}</a>
              {location.docked_station_id && (
                <>
                  , docked at{' '}
                  <a href={stationHref(location.docked_station_id)}>
                    {location.docked_station_name}
                  </a>
                </>
              )}
            </>
          ) : (
            <span class="muted">Position not public</span>
          )}
        </dd>
        <dt>Flying since</dt>
        <dd>
          <When at={created_at} />
        </dd>
        {stats.time_played > 0 && (
          <>
            <dt>Time played</dt>
            <dd>{formatSpan(stats.time_played * 1_000)}</dd>
          </>
        )}
      </dl>
    </section>
  )
}

function Counters({ player }: PlayerProps) {
  const { stats } = player
  return (
    <section>
      <h2>Counters</h2>
      <p class="muted">Updated once an hour.</p>
      <dl class="counters">
        {COUNTERS.map(([name, title, unit]) => (
          <div key={name}>
            <dt>{title}</dt>
            <dd class={stats[name] === 0 ? 'muted' : undefined}>
              {formatInt(stats[name])}
              {unit && <span class="unit">{unit}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Battles of a player. The server searches by prefix, so those of other players are left out. */
function Battles({ name }: { readonly name: string }) {
  const path = hrefOf('/api/battles', { search: name, limit: '50' })
  // Not with each tick: it is a query of the archive, of which an address has 60 a minute.
  const body = useBody<BattlesBody>(path, 'M')
  return (
    <section>
      <h2>Recent battles</h2>
      <Stateful path={path} body={body}>
        {({ battles }) => {
          const own = battles
            .filter(({ player_names = [] }) => player_names.includes(name))
            .slice(0, BATTLES_SHOWN)
          if (own.length === 0) return <Empty>None in the last 30 days.</Empty>
          return (
            <ul class="list">
              {own.map((battle) => (
                <BattleRow key={battle.battle_id} battle={battle} name={name} />
              ))}
            </ul>
          )
        }}
      </Stateful>
    </section>
  )
}

function BattleRow(props: { readonly battle: BattlesBody['battles'][number]; name: string }) {
  const { battle, name } = props
  const { battle_id, system_name, category, status, start_tick, destroyed_names = [] } = battle
  return (
    <li>
      <a href={battleHref(battle_id)}>{system_name}</a>
      <Chip>{category}</Chip>
      {status === 'active' && <Chip tone="warn">being fought</Chip>}
      {destroyed_names.includes(name) && <Chip tone="bad">lost the ship</Chip>}
      <span class="end muted">
        <Tick tick={start_tick} isShort />
      </span>
    </li>
  )
}
