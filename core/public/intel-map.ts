/**
 * What account holders may read: their own players, and what those and their factions know.
 * Strangers read none of it. Source: WEB 1.4.
 */
import {
  bools,
  ints,
  list,
  mapOf,
  named,
  numbers,
  obj,
  opt,
  type Static,
  strings,
  Type,
} from '../params.ts'

/* What a faction knows about a system, as its members read it too */

const knownResource = obj({
  ...strings('resource_id'),
  ...ints('remaining', 'richness'),
  ...opt({ ...numbers('depletion_percent'), ...ints('max_remaining') }),
  ...opt(strings('remaining_display')),
})

export const chartedPoiSchema = obj({
  ...strings('id', 'name', 'type'),
  position: obj(numbers('x', 'y')),
  ...opt({
    ...strings('base_id', 'base_name', 'class', 'description'),
    resources: list(knownResource),
  }),
})

export const chartedSystemSchema = obj({
  ...strings('system_id', 'name', 'submitted_by', 'submitter_name'),
  ...ints('police_level', 'submitted_at_tick'),
  ...opt({
    ...strings('description', 'empire'),
    ...bools('auto_synced'),
    connections: list(
      obj({ ...strings('system_id'), ...opt({ ...strings('name'), ...ints('distance') }) }),
    ),
    pois: list(chartedPoiSchema),
  }),
})
export type ChartedPoi = Static<typeof chartedPoiSchema>
export type ChartedSystem = Static<typeof chartedSystemSchema>

/* The map */

const agent = named('IntelAgent', {
  ...strings('id', 'username', 'empire', 'system', 'ship_class', 'ship_name', 'last_active_at'),
  ...ints('fuel', 'max_fuel'),
  /** `hidden`: their name is not shown to others. */
  ...bools('hidden', 'online', 'cloaked'),
  ...opt({
    ...strings('faction_id', 'faction_tag', 'faction_name', 'poi', 'docked_at'),
    /**
     * `from` and `to` are systems for a `jump` or a `drift`, places for a `travel`. Nobody knows
     * where a drift ends, so its `to` is empty.
     */
    in_transit: named('IntelTransit', {
      ...strings('type', 'from', 'to'),
      ...ints('start_tick', 'arrival_tick'),
    }),
  }),
})
export type IntelAgent = Static<typeof agent>

const source = named('IntelSource', {
  ...strings('faction_id', 'tag', 'name'),
  ...ints('intel_level', 'system_count'),
  /** Tag of the account's own faction with which an ally shares this. */
  ...opt(strings('via_ally_of')),
})

const summary = named('IntelSummary', {
  /** Ids of factions. */
  sources: list(Type.String()),
  ...ints('latest_tick', 'poi_count'),
  ...bools('has_resources'),
})

export const intelMapBody = named('IntelMap', {
  ...strings('generated_at'),
  ...ints('current_tick'),
  /** True if lists were cut because they are too long. */
  ...bools('truncated'),
  agents: list(agent),
  explored_systems: list(Type.String()),
  revealed_pois: list(Type.String()),
  known_wormholes: list(
    named('IntelWormhole', {
      ...strings('id', 'entry_system', 'entry_poi', 'exit_system', 'exit_poi', 'expires_at'),
    }),
  ),
  faction_intel: named('IntelOfFactions', { sources: list(source), systems: mapOf(summary) }),
})
export type IntelMap = Static<typeof intelMapBody>

/* A system */

const place = named('IntelPlace', {
  ...strings('id', 'name', 'type'),
  ...numbers('x', 'y'),
  ...opt({
    ...strings('class', 'base_id', 'station_name'),
    /** Off the chart, and revealed to a player of the account. */
    ...bools('hidden'),
    /** As seen by a player of the account who is there. */
    resources: list(knownResource),
    ...strings('resource_source'),
  }),
})

/** Somebody nearby, as players who are there see them; anonymous ones have no name. */
const contact = named('IntelContact', {
  ...strings('player_id', 'username'),
  ...opt({
    ...strings('status', 'clan_tag', 'ship_class', 'ship_name', 'faction_tag'),
    ...bools('in_combat', 'offline'),
  }),
})
export type IntelContact = Static<typeof contact>

const company = named('IntelCompany', {
  ...strings('poi_id'),
  nearby: list(contact),
  pirates: list(contact),
  empire_npcs: list(contact),
  creatures: list(contact),
  ...ints('count', 'offline_collapsed', 'pirate_count', 'empire_npc_count', 'creature_count'),
  ...bools('unknown_signature'),
})

const station = named('IntelStation', {
  ...strings('base_id', 'name'),
  services: list(Type.String()),
  ...opt(strings('faction_id', 'faction_name', 'faction_tag')),
})

const entry = named('IntelEntry', {
  ...strings('source_faction_id', 'source_tag'),
  ...ints('intel_level'),
  ...bools('live'),
  entry: chartedSystemSchema,
  ...opt(strings('via_ally_of')),
})

export const intelSystemBody = named('IntelSystem', {
  system: named('IntelSystemHead', {
    ...strings('id', 'name', 'description', 'security_status'),
    ...ints('police_level'),
    ...bools('is_stronghold'),
    connections: list(Type.String()),
    ...opt(strings('empire')),
  }),
  /** `has_intel` is false if the account knows no more about the system than any stranger. */
  ...bools('has_intel', 'truncated'),
  pois: list(place),
  /** Ids of players. */
  agents_here: list(Type.String()),
  nearby_by_poi: mapOf(company),
  stations: list(station),
  intel_entries: list(entry),
})
export type IntelSystem = Static<typeof intelSystemBody>

/* Movements */

export const intelMovementsBody = named('IntelMovements', {
  /** Jumps, the latest first; `from` is empty if it was not recorded. */
  movements: list(
    named('IntelMovement', {
      ...strings('player_id', 'username', 'from', 'to', 'at'),
      ...bools('first_visit'),
    }),
  ),
  ...bools('truncated'),
  ...ints('window_minutes', 'window_hours'),
})
export type IntelMovements = Static<typeof intelMovementsBody>
