/** Bodies of the map: statistics, chart, activity. Source: WEB 1.2. */
import { ok } from '../../core/errors.ts'
import {
  type ActivityBody,
  activityBody,
  type MapBody,
  mapBody,
  type StatsBody,
  statsBody,
} from '../../core/public/world.ts'
import { isoTime } from '../../core/time.ts'
import type { PublicRow } from './row.ts'
import { eachGroup, type PublicState } from './state.ts'

function renderMap({ chart }: PublicState): MapBody {
  return {
    systems: chart.systems.map(({ description: _, security_status: __, ...system }) => system),
    empires: Object.fromEntries(chart.empires.map(({ id, color }) => [id, color])),
  }
}

/** Returns values by system id, from [system, value] pairs. */
function bySystem({ chart }: PublicState, pairs: Int32Array): Record<string, number> {
  const listed: Record<string, number> = {}
  eachGroup(pairs, 2, (system, value) => {
    listed[chart.systems[system].id] = value
  })
  return listed
}

export function renderActivity(state: PublicState): ActivityBody {
  const { chart, presence, flights, battles } = state
  const { systems } = chart
  const transits: ActivityBody['transits'] = []
  eachGroup(flights.jumps, 5, (from, to, start_tick, arrival_tick, count) => {
    const [from_system, to_system] = [systems[from].id, systems[to].id]
    transits.push({ from_system, to_system, start_tick, arrival_tick, count })
  })
  const npc: Record<string, number> = {}
  eachGroup(presence.npcs, 3, (system, pirates, official) => {
    npc[systems[system].id] = pirates + official
  })
  const strongholds = systems.filter(({ is_stronghold }) => is_stronghold)
  return {
    current_tick: state.tick,
    online: bySystem(state, presence.onlineBySystem),
    battles: Object.fromEntries(battles.map((battle) => [battle.system_id, battle.battle_id])),
    strongholds: Object.fromEntries(strongholds.map(({ id }) => [id, true])),
    transits,
    npc,
    heat: bySystem(state, state.heat),
  }
}

export const MAP_ROWS: readonly PublicRow[] = [
  {
    path: '/api/stats',
    operationId: 'getStats',
    about: 'players, systems and forum in numbers, and the public tick',
    cache: 'T',
    bucket: 'page',
    schema: statsBody,
    source: 'frame',
    reads: ['tick'],
    async body(state, { about }) {
      const forum = await about.forum()
      const stats: StatsBody = {
        version: about.version,
        online_players: state.figures.online,
        total_players: state.figures.players,
        total_systems: state.figures.systems,
        tick: state.tick,
        forum_threads: forum.threads,
        forum_replies: forum.replies,
        tick_ms: about.tickMs,
        public_at: isoTime(state.wallMs),
        delay_ticks: about.delay,
        epoch: about.epoch,
      }
      return ok(stats)
    },
  },
  {
    path: '/api/map',
    operationId: 'getPublicMap',
    about: 'all systems with place and lanes',
    cache: 'M',
    bucket: 'page',
    schema: mapBody,
    source: 'frame',
    reads: ['chart'],
    body: (state) => ok(renderMap(state)),
  },
  {
    path: '/api/map/activity',
    operationId: 'getMapActivity',
    about: 'what happens on the map: players online, flights, battles',
    cache: 'T',
    bucket: 'page',
    schema: activityBody,
    source: 'frame',
    reads: ['tick'],
    body: (state) => ok(renderActivity(state)),
  },
]
