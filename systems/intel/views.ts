/** Wire forms of a faction's intelligence on systems: submitted, collected, or live. */
import { EMPIRES, GOODS } from '../../core/catalog/index.ts'
import type { ChartedPoi, ChartedSystem } from '../../core/public/intel-map.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { baseId, baseName } from '../base/model.ts'
import { factionIdOf, factionName } from '../faction/model.ts'
import { depletionPercent, depositsOf, remainingDisplay } from '../mining/model.ts'
import { Deposit } from '../mining/state.ts'
import { systemOfBase } from '../siege/model.ts'
import {
  neighboursOf,
  poiById,
  poiId,
  poiName,
  poisOf,
  poiType,
  systemId,
  systemName,
} from '../travel/model.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import { levelOfService, liveBases, readingOf, recordOf, submitterOf, systemsOf } from './model.ts'
import type { GivenPoi, GivenSystem } from './schemas.ts'
import type { SystemNote } from './state.ts'

/** Renders the faction itself as the source of live data. */
export const seenLive = (view: WorldView, faction: Row) => ({
  submitted_at_tick: view.tick,
  submitted_by: factionIdOf(view, faction),
  submitter_name: factionName(view, faction),
  auto_synced: true,
})

/** A system that a faction knows, by a note or live. */
export interface KnownSystem {
  readonly system: Row
  readonly note?: SystemNote
  readonly isLive: boolean
}

/** Returns the public POIs of a system and the hidden ones that members have charted. */
export function knownPois(view: WorldView, entry: KnownSystem): Row[] {
  const { hidden, seq } = view.read(Poi)
  const charted = entry.note?.hidden ?? []
  return poisOf(view, entry.system).filter((poi) => hidden[poi] === 0 || charted.includes(seq[poi]))
}

/**
 * Returns the units left in each deposit of a POI, as last read; empty if no member has been there.
 */
function unitsLeft(view: WorldView, { note, isLive }: KnownSystem, poi: Row): readonly number[] {
  if (isLive) return readingOf(view, poi).slice(1)
  const { seq } = view.read(Poi)
  return note?.readings.find(([place]) => place === seq[poi])?.slice(1) ?? []
}

/** Returns the number of POIs of a system, as submitted or else as known. */
export const countPois = (view: WorldView, entry: KnownSystem): number =>
  entry.note?.pois ?? knownPois(view, entry).length

/** Returns the note of a system if a member submitted it and the system is not live. */
export const submittedNote = ({ note, isLive }: KnownSystem) =>
  !isLive && note?.given !== undefined ? note : undefined

/** Returns whether any of these POIs is known to have a deposit. */
export function holdsAny(view: WorldView, { note, isLive }: KnownSystem, pois: readonly Row[]) {
  if (isLive) return pois.some((poi) => depositsOf(view, poi).length > 0)
  const { seq } = view.read(Poi)
  const read = note?.readings.filter((reading) => reading.length > 1) ?? []
  return read.some(([place]) => pois.some((poi) => seq[poi] === place))
}

/** Returns the ids of the items that a POI is known to hold. */
export function knownResources(view: WorldView, entry: KnownSystem, poi: Row): string[] {
  const { item } = view.read(Deposit)
  const deposits = depositsOf(view, poi)
  return unitsLeft(view, entry, poi).map((_, i) => GOODS[item[deposits[i]]].id)
}

/** Renders the deposits of a POI as a faction knows them, as last read or live. */
export function renderResources(view: WorldView, entry: KnownSystem, poi: Row) {
  const { item, richness, max } = view.read(Deposit)
  const deposits = depositsOf(view, poi)
  return unitsLeft(view, entry, poi).map((remaining, i) => {
    const row = deposits[i]
    return {
      resource_id: GOODS[item[row]].id,
      richness: richness[row],
      remaining,
      remaining_display: remainingDisplay(remaining),
      ...(remaining < 0
        ? {}
        : { max_remaining: max[row], depletion_percent: depletionPercent(remaining, max[row]) }),
    }
  })
}

/** Thousandths of an AU in one: the unit of coordinates. */
const MILLI = 1_000

function renderPoi(view: WorldView, entry: KnownSystem, poi: Row): ChartedPoi {
  const { class: kinds, x, y, base, description } = view.read(Poi)
  const kind = view.texts.get(kinds[poi])
  const resources = renderResources(view, entry, poi)
  return {
    id: poiId(view, poi),
    name: poiName(view, poi),
    type: poiType(view, poi),
    ...(kind === '' ? {} : { class: kind }),
    description: view.texts.get(description[poi]),
    position: { x: x[poi] / MILLI, y: y[poi] / MILLI },
    ...(base[poi] === 0
      ? {}
      : { base_id: baseId(view, base[poi]), base_name: baseName(view, base[poi]) }),
    ...(resources.length === 0 ? {} : { resources }),
  }
}

function renderChart(view: WorldView, entry: KnownSystem) {
  const { system } = entry
  const { description, empire, police } = view.read(StarSystem)
  return {
    system_id: systemId(view, system),
    name: systemName(view, system),
    description: view.texts.get(description[system]),
    ...(empire[system] === 0 ? {} : { empire: EMPIRES[empire[system] - 1].id }),
    police_level: police[system],
    connections: neighboursOf(view, system).map(({ to, distance }) => ({
      system_id: systemId(view, to),
      name: systemName(view, to),
      distance,
    })),
    pois: knownPois(view, entry).map((poi) => renderPoi(view, entry, poi)),
  }
}

const NOWHERE = { x: 0, y: 0 }

/** Returns what everybody's map shows of a place; of hidden and unknown ones only the id. */
function chartedPoi(view: WorldView, id: string) {
  const poi = poiById(view, id)
  const { hidden, x, y } = view.read(Poi)
  if (poi === 0 || hidden[poi] === 1) return { name: id, type: 'unknown', position: NOWHERE }
  const position = { x: x[poi] / MILLI, y: y[poi] / MILLI }
  return { name: poiName(view, poi), type: poiType(view, poi), position }
}

/** Renders a POI as it was submitted; required fields that it lacks come from the chart. */
function renderGivenPoi(view: WorldView, { resources, ...poi }: GivenPoi): ChartedPoi {
  return {
    ...chartedPoi(view, poi.id),
    ...poi,
    ...(resources && {
      resources: resources.map(({ remaining = -1, richness = 0, ...row }) => ({
        ...row,
        remaining,
        richness,
      })),
    }),
  }
}

/** Renders a submission; required fields that it lacks come from the chart. */
const renderGiven = (view: WorldView, system: Row, { pois, ...given }: GivenSystem) => ({
  ...given,
  name: given.name ?? systemName(view, system),
  police_level: given.police_level ?? view.read(StarSystem).police[system],
  ...(pois && { pois: pois.map((poi) => renderGivenPoi(view, poi)) }),
})

/** Renders an entry of a faction's intelligence. */
export function renderKnown(view: WorldView, faction: Row, entry: KnownSystem): ChartedSystem {
  const { note, system, isLive } = entry
  if (isLive || !note) return { ...renderChart(view, entry), ...seenLive(view, faction) }
  const from = { submitted_at_tick: note.tick, ...submitterOf(view, note.by) }
  if (note.given === undefined) {
    return { ...renderChart(view, entry), ...from, auto_synced: true }
  }
  const given = JSON.parse(note.given) as GivenSystem
  return { ...renderGiven(view, system, given), ...from, auto_synced: false }
}

/** Returns the systems that a faction sees live: those where it has a desk of LIVE_LEVEL. */
export const liveSystems = (view: WorldView, faction: Row): Set<Row> =>
  new Set(liveBases(view, faction, 'faction_intel').map((base) => systemOfBase(view, base)))

/** Returns all systems that a faction knows, in their order. */
export function knownSystems(view: WorldView, faction: Row): KnownSystem[] {
  const live = liveSystems(view, faction)
  return systemsOf(view).flatMap((system) => {
    const note = recordOf(view, faction, system)
    const isLive = live.has(system)
    return note || isLive ? [{ system, note, isLive }] : []
  })
}

/** Renders a system that a faction with an intelligence desk knows; undefined if it does not. */
export function chartedSystem(view: WorldView, faction: Row, system: Row) {
  if (faction === 0 || levelOfService(view, faction, 'faction_intel') === 0) return undefined
  const note = recordOf(view, faction, system)
  const isLive = liveSystems(view, faction).has(system)
  return note || isLive ? renderKnown(view, faction, { system, note, isLive }) : undefined
}
