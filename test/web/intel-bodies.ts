/** Canned bodies of the intel map of an account: players docked, in flight, hidden, and hostile. */
import type {
  IntelAgent,
  IntelMap,
  IntelMovements,
  IntelSystem,
} from '../../core/public/intel-map.ts'
import * as galaxy from './galaxy-bodies.ts'

const [home, next, far] = galaxy.map().systems

const agent = (username: string, overrides: Partial<IntelAgent>): IntelAgent => ({
  id: `id-${username}`,
  username,
  empire: 'solarian',
  system: home.id,
  ship_class: 'penny',
  ship_name: 'Long Haul',
  fuel: 40,
  max_fuel: 100,
  hidden: false,
  online: true,
  cloaked: false,
  last_active_at: '2026-11-26T10:00:00.000Z',
  ...overrides,
})

/** A hostile name, which must be shown as plain text. */
export const HOSTILE = '<img src=x onerror=alert(1)>'

export const intelMap = (tick: number): IntelMap => ({
  generated_at: '2026-11-26T10:00:00.000Z',
  current_tick: tick,
  truncated: false,
  agents: [
    agent('Ann', { poi: `${home.id}_station`, docked_at: `${home.id}_station` }),
    agent('Ben', {
      faction_id: 'f1',
      faction_tag: 'FREE',
      faction_name: 'Free Haulers',
      in_transit: {
        type: 'jump',
        from: home.id,
        to: next.id,
        start_tick: tick - 3,
        arrival_tick: tick + 7,
      },
    }),
    agent('Cid', { cloaked: true, hidden: true, online: false, poi: `${home.id}_belt` }),
    agent(HOSTILE, { ship_class: '', ship_name: '', fuel: 0, max_fuel: 0 }),
  ],
  explored_systems: [home.id, next.id],
  revealed_pois: ['deep_rock'],
  known_wormholes: [],
  faction_intel: {
    sources: [
      { faction_id: 'f1', tag: 'FREE', name: 'Free Haulers', intel_level: 1, system_count: 1 },
      {
        faction_id: 'f2',
        tag: 'HUSH',
        name: 'Quiet Neighbours',
        intel_level: 2,
        system_count: 1,
        via_ally_of: 'FREE',
      },
    ],
    systems: {
      [far.id]: { sources: ['f1', 'f2'], latest_tick: tick, poi_count: 4, has_resources: true },
    },
  },
})

export const intelMovements = (): IntelMovements => ({
  movements: [
    {
      player_id: 'id-Ann',
      username: 'Ann',
      from: next.id,
      to: home.id,
      first_visit: true,
      at: '2026-11-26T09:00:00.000Z',
    },
  ],
  truncated: false,
  window_minutes: 1_440,
  window_hours: 24,
})

export function intelSystem(id: string, tick: number): IntelSystem | undefined {
  const system = galaxy.map().systems.find((row) => row.id === id)
  if (!system) return undefined
  const { name, police_level, connections } = system
  return {
    system: {
      id,
      name,
      description: '',
      security_status: 'high',
      police_level,
      is_stronghold: false,
      connections,
    },
    has_intel: true,
    truncated: false,
    pois: [
      {
        id: `${id}_belt`,
        name: 'Old Belt',
        type: 'asteroid_belt',
        x: 1,
        y: 2,
        resource_source: 'live',
        resources: [{ resource_id: 'iron_ore', richness: 40, remaining: 900 }],
      },
      { id: 'deep_rock', name: 'Deep Rock', type: 'asteroid', x: 3, y: 4, hidden: true },
    ],
    agents_here: ['id-Cid'],
    nearby_by_poi: {
      [`${id}_belt`]: {
        poi_id: `${id}_belt`,
        nearby: [],
        pirates: [],
        empire_npcs: [],
        creatures: [],
        count: 2,
        offline_collapsed: 0,
        pirate_count: 1,
        empire_npc_count: 0,
        creature_count: 0,
        unknown_signature: false,
      },
    },
    stations: [],
    intel_entries: [
      {
        source_faction_id: 'f1',
        source_tag: 'FREE',
        intel_level: 1,
        live: false,
        entry: {
          system_id: id,
          name,
          police_level,
          submitted_by: 'id-Ben',
          submitter_name: 'Ben',
          submitted_at_tick: tick - 100,
          pois: [],
        },
      },
    ],
  }
}
