/** What a faction knows of systems, on the wire: submitted, collected, or as it is now. */
import { EMPIRES, GOODS } from '../../core/catalog/index.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { baseId, baseName } from '../base/model.ts'
import { factionIdOf, factionName } from '../faction/model.ts'
import { depletionPercent, depositsOf, remainingDisplay } from '../mining/model.ts'
import { Deposit } from '../mining/state.ts'
import { systemOfBase } from '../siege/model.ts'
import {
  neighboursOf,
  poiId,
  poiName,
  poisOf,
  poiType,
  systemId,
  systemName,
} from '../travel/model.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import { levelOfService, liveBases, readingOf, recordOf, submitterOf, systemsOf } from './model.ts'
import type { ChartedPoi, ChartedSystem, GivenPoi, GivenSystem } from './schemas.ts'
import type { SystemNote } from './state.ts'

/** What is seen at this moment comes from the faction itself. */
export const seenLive = (view: WorldView, faction: Row) => ({
  submitted_at_tick: view.tick,
  submitted_by: factionIdOf(view, faction),
  submitter_name: factionName(view, faction),
  auto_synced: true,
})

/** Something known of a system: a note, or what is so now. */
export interface Known {
  readonly system: Row
  readonly note?: SystemNote
  readonly isLive: boolean
}

const hiddenOf = ({ note }: Known): readonly number[] => note?.hidden ?? []

/** Places of a system on everybody's chart, and the hidden ones that were charted. */
export function knownPois(view: WorldView, known: Known): Row[] {
  const { hidden, seq } = view.read(Poi)
  const charted = hiddenOf(known)
  return poisOf(view, known.system).filter((poi) => hidden[poi] === 0 || charted.includes(seq[poi]))
}

/** Units left of each deposit of a place, as it was read last; empty where nobody has been. */
function unitsLeft(view: WorldView, { note, isLive }: Known, poi: Row): readonly number[] {
  if (isLive) return readingOf(view, poi).slice(1)
  const { seq } = view.read(Poi)
  return note?.readings.find(([place]) => place === seq[poi])?.slice(1) ?? []
}

/** Items that a place is known to hold. */
export const knownResources = (view: WorldView, known: Known, poi: Row): string[] =>
  unitsLeft(view, known, poi).map(
    (_, at) => GOODS[view.read(Deposit).item[depositsOf(view, poi)[at]]].id,
  )

function renderResources(view: WorldView, known: Known, poi: Row) {
  const { item, richness, max } = view.read(Deposit)
  const deposits = depositsOf(view, poi)
  return unitsLeft(view, known, poi).map((remaining, at) => {
    const row = deposits[at]
    return {
      resource_id: GOODS[item[row]].id,
      richness: richness[row],
      remaining,
      remaining_display: remainingDisplay(remaining),
      ...(remaining < 0
        ? {}
        : {
            max_remaining: max[row],
            depletion_percent: depletionPercent(remaining, max[row]),
          }),
    }
  })
}

/** Of an AU. */
const MILLI = 1_000

function renderPoi(view: WorldView, known: Known, poi: Row): ChartedPoi {
  const { class: kinds, x, y, base, description } = view.read(Poi)
  const kind = view.texts.get(kinds[poi])
  const resources = renderResources(view, known, poi)
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

function renderChart(view: WorldView, known: Known) {
  const { system } = known
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
    pois: knownPois(view, known).map((poi) => renderPoi(view, known, poi)),
  }
}

const NOWHERE = { x: 0, y: 0 }

/** A place as it was submitted. */
function renderGivenPoi({ position, resources, ...poi }: GivenPoi): ChartedPoi {
  return {
    ...poi,
    name: poi.name ?? poi.id,
    type: poi.type ?? 'unknown',
    position: position ?? NOWHERE,
    ...(resources && {
      resources: resources.map(({ remaining = -1, richness = 0, ...row }) => ({
        ...row,
        remaining,
        richness,
      })),
    }),
  }
}

/** As it was submitted; what an entry cannot do without is taken from the chart, or says so. */
const renderGiven = (view: WorldView, system: Row, { pois, ...given }: GivenSystem) => ({
  ...given,
  name: given.name ?? systemName(view, system),
  police_level: given.police_level ?? view.read(StarSystem).police[system],
  ...(pois && { pois: pois.map(renderGivenPoi) }),
})

/** An entry of what a faction knows. */
export function renderKnown(view: WorldView, faction: Row, known: Known): ChartedSystem {
  const { note, system, isLive } = known
  if (isLive || !note) return { ...renderChart(view, known), ...seenLive(view, faction) }
  const from = { submitted_at_tick: note.tick, ...submitterOf(view, note.by) }
  if (note.given === undefined) {
    return { ...renderChart(view, known), ...from, auto_synced: true }
  }
  const given = JSON.parse(note.given) as GivenSystem
  return { ...renderGiven(view, system, given), ...from, auto_synced: false }
}

/** Systems in which the faction's second tier stands: what is there is known as it is now. */
export function liveSystems(view: WorldView, faction: Row): Set<Row> {
  return new Set(liveBases(view, faction, 'faction_intel').map((base) => systemOfBase(view, base)))
}

/** All that a faction knows of systems, in their order. */
export function knownSystems(view: WorldView, faction: Row): Known[] {
  const live = liveSystems(view, faction)
  return systemsOf(view).flatMap((system) => {
    const note = recordOf(view, faction, system)
    const isLive = live.has(system)
    return note || isLive ? [{ system, note, isLive }] : []
  })
}

/** What a faction with an intelligence desk has charted of a system, and of a place; or nothing. */
export function chartedSystem(view: WorldView, faction: Row, system: Row) {
  if (faction === 0 || levelOfService(view, faction, 'faction_intel') === 0) return undefined
  const note = recordOf(view, faction, system)
  const isLive = liveSystems(view, faction).has(system)
  return note || isLive ? renderKnown(view, faction, { system, note, isLive }) : undefined
}
