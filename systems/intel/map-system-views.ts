/**
 * A system of the intel map: its chart, what the players of an account see where they are, and what
 * their factions know. Source: WEB 1.4.
 */
import { EMPIRES } from '../../core/catalog/index.ts'
import { INTEL_CONTACTS_MAX } from '../../core/limits.ts'
import type { IntelContact, IntelSystem } from '../../core/public/intel-map.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { playerId } from '../account/model.ts'
import { baseId, baseName, workingServices } from '../base/model.ts'
import { creatureLists } from '../creature/views.ts'
import { factionIdOf, factionTag } from '../faction/model.ts'
import { npcLists } from '../npc/listing-model.ts'
import { gatheringAt, sensesSignature } from '../sensing/model.ts'
import { ownerOfBase } from '../station/model.ts'
import { isBetweenSystems, poiOf, systemOf, vesselOf } from '../travel/location-model.ts'
import {
  neighboursOf,
  poiId,
  poiName,
  poisOf,
  poiType,
  systemId,
  systemName,
  visitedBy,
} from '../travel/model.ts'
import { renderCrowd, showTo } from '../travel/nearby-views.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import { securityStatus } from '../travel/views.ts'
import { renderFaction, renderVia, revealedPlaces } from './map-views.ts'
import { recordOf } from './model.ts'
import { type IntelSource, sourcesOf } from './sources-model.ts'
import { liveSystems, renderKnown, renderResources } from './views.ts'

function renderHead(view: WorldView, system: Row): IntelSystem['system'] {
  const { description, empire, police, stronghold } = view.read(StarSystem)
  return {
    id: systemId(view, system),
    name: systemName(view, system),
    description: view.texts.get(description[system]),
    security_status: securityStatus(police[system]),
    police_level: police[system],
    is_stronghold: stronghold[system] === 1,
    connections: neighboursOf(view, system).map(({ to }) => systemId(view, to)),
    ...(empire[system] === 0 ? {} : { empire: EMPIRES[empire[system] - 1].id }),
  }
}

/** Thousandths of an AU in one: the unit of coordinates. */
const MILLI = 1_000

/** Renders a POI, with its deposits if a player of the account is there (`isSeen`). */
function renderPlace(view: WorldView, poi: Row, isSeen: boolean): IntelSystem['pois'][number] {
  const { class: kinds, x, y, base, hidden, system } = view.read(Poi)
  const kind = view.texts.get(kinds[poi])
  const resources = isSeen ? renderResources(view, { system: system[poi], isLive: true }, poi) : []
  return {
    id: poiId(view, poi),
    name: poiName(view, poi),
    type: poiType(view, poi),
    x: x[poi] / MILLI,
    y: y[poi] / MILLI,
    ...(kind === '' ? {} : { class: kind }),
    ...(base[poi] === 0
      ? {}
      : { base_id: baseId(view, base[poi]), station_name: baseName(view, base[poi]) }),
    ...(hidden[poi] === 1 ? { hidden: true } : {}),
    ...(resources.length === 0 ? {} : { resources, resource_source: 'live' }),
  }
}

/* Ships nearby */

const contact = (id: string, name: string, ship_class?: string): IntelContact => ({
  player_id: id,
  username: name,
  ...(ship_class === undefined ? {} : { ship_class }),
})

/** Renders who is at a POI with players of the account, as get_nearby shows it to the first. */
function renderCompany(
  view: WorldView,
  poi: Row,
  players: readonly Eid[],
): IntelSystem['nearby_by_poi'][string] {
  const [viewer] = players
  const gathering = gatheringAt(view, poi)
  const shown = showTo(gathering, viewer, INTEL_CONTACTS_MAX)
  const npcs = npcLists(view, poi)
  const { creatures, creature_count } = creatureLists(view, poi)
  return {
    poi_id: poiId(view, poi),
    count: shown.count,
    offline_collapsed: shown.offlineCollapsed,
    unknown_signature: players.some((player) => sensesSignature(view, player, gathering.cloaked)),
    nearby: renderCrowd(view, viewer, shown.players).map((near) => ({
      ...contact(near.player_id ?? '', near.username ?? '', near.ship_class),
      ...(near.ship_name === undefined ? {} : { ship_name: near.ship_name }),
      ...(near.clan_tag === undefined ? {} : { clan_tag: near.clan_tag }),
      ...(near.faction_tag === undefined ? {} : { faction_tag: near.faction_tag }),
      ...(near.status_message === undefined ? {} : { status: near.status_message }),
      ...(near.in_combat === undefined ? {} : { in_combat: near.in_combat }),
      ...(near.offline === undefined ? {} : { offline: near.offline }),
    })),
    pirates: npcs.pirates.map((row) => contact(row.pirate_id, row.name)),
    pirate_count: npcs.pirate_count,
    empire_npcs: npcs.empire_npcs.map((row) => contact(row.npc_id, row.name, row.ship_class)),
    empire_npc_count: npcs.empire_npc_count,
    creatures: creatures.map((row) => contact(row.creature_id, row.name)),
    creature_count,
  }
}

/** Groups players by their POI; players in transit are in no group. */
function placesOf(view: WorldView, players: readonly Eid[]): Map<Row, Eid[]> {
  const places = new Map<Row, Eid[]>()
  for (const player of players) {
    const poi = poiOf(view, player)
    if (poi !== 0) places.set(poi, [...(places.get(poi) ?? []), player])
  }
  return places
}

/* Intelligence of their factions */

function renderEntry(
  view: WorldView,
  system: Row,
  source: IntelSource,
): IntelSystem['intel_entries'] {
  const { faction, level } = source
  const note = recordOf(view, faction, system)
  const isLive = liveSystems(view, faction).has(system)
  if (!note && !isLive) return []
  return [
    {
      source_faction_id: factionIdOf(view, faction),
      source_tag: factionTag(view, faction),
      intel_level: level,
      live: isLive,
      entry: renderKnown(view, faction, { system, note, isLive }),
      ...renderVia(view, source),
    },
  ]
}

function renderStation(view: WorldView, base: Row): IntelSystem['stations'][number] {
  return {
    base_id: baseId(view, base),
    name: baseName(view, base),
    services: workingServices(view, base),
    ...renderFaction(view, ownerOfBase(view, base)),
  }
}

/** Renders a system for the players of one account. */
export function renderIntelSystem(
  view: WorldView,
  players: readonly Eid[],
  system: Row,
): IntelSystem {
  const { hidden, base } = view.read(Poi)
  const revealed = new Set(revealedPlaces(view, players))
  const pois = poisOf(view, system).filter((poi) => hidden[poi] === 0 || revealed.has(poi))
  const here = players.filter(
    (player) =>
      systemOf(view, player) === system && !isBetweenSystems(view, vesselOf(view, player)),
  )
  const places = placesOf(view, here)
  const { sources, truncated } = sourcesOf(view, players)
  const entries = sources.flatMap((source) => renderEntry(view, system, source))
  const number = view.read(StarSystem).seq[system]
  const isExplored = players.some((player) => number in visitedBy(view, player))
  return {
    system: renderHead(view, system),
    has_intel:
      here.length + entries.length > 0 || isExplored || pois.some((poi) => hidden[poi] === 1),
    truncated,
    pois: pois.map((poi) => renderPlace(view, poi, places.has(poi))),
    agents_here: here.map((player) => playerId(view, player)),
    nearby_by_poi: Object.fromEntries(
      [...places].map(([poi, there]) => [poiId(view, poi), renderCompany(view, poi, there)]),
    ),
    stations: pois.flatMap((poi) => (base[poi] === 0 ? [] : [renderStation(view, base[poi])])),
    intel_entries: entries,
  }
}
