/** The query `inspect`: anything by its id, as far as the player may see it. */
import {
  findGoods,
  findShipClasses,
  GOODS,
  isModule,
  SHIP_CLASSES,
} from '../../core/catalog/index.ts'
import { query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { obj, ref, str } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { baseById, workingServices } from '../base/model.ts'
import { renderBase, renderFuel } from '../base/views.ts'
import { holdsPackage, sealedById } from '../cargo/model.ts'
import { renderPackage } from '../cargo/views.ts'
import { factionOf } from '../faction/model.ts'
import { chartedSystem } from '../intel/views.ts'
import { renderDeposits } from '../mining/views.ts'
import { seesPoi } from '../sensing/model.ts'
import { renderStation } from '../siege/station-views.ts'
import { isOfferedInTrade } from '../trade/rules.ts'
import { dockedBase, poiOf, shipOf, systemOf } from '../travel/location-model.ts'
import { poiById, poiId, systemById } from '../travel/model.ts'
import { Poi } from '../travel/state.ts'
import { renderChart, renderPlace, renderPoi } from '../travel/views.ts'
import { type CatalogType, catalogEntries } from './model.ts'
import { catalogPageOf } from './queries.ts'
import { type INSPECT_KINDS, inspectResult } from './schemas.ts'

interface Found {
  readonly kind: (typeof INSPECT_KINDS)[number]
  /** The catalogue, the public map, the player's own place, or the charts of their faction. */
  readonly source: 'catalog' | 'map' | 'local' | 'faction_intel'
  readonly part: Readonly<Record<string, unknown>>
}

function fromCatalog(type: CatalogType, kind: Found['kind'], id: string): Found | undefined {
  const entry = catalogEntries(type).find((candidate) => candidate.id === id)
  if (!entry) return undefined
  return { kind, source: 'catalog', part: { catalog: catalogPageOf(type, [entry], {}) } }
}

/** Finds an item, module or hull class by id, or by name if it is unique. */
function findEntry(text: string): Found | undefined {
  const goods = findGoods(text)
  if (goods.length === 1) {
    const row = GOODS[goods[0]]
    return fromCatalog('items', isModule(row) ? 'module' : 'item', row.id)
  }
  const classes = findShipClasses(text)
  return classes.length === 1
    ? fromCatalog('ships', 'ship_class', SHIP_CLASSES[classes[0]].id)
    : undefined
}

function findSystem(view: WorldView, player: Eid, id: string): Found | undefined {
  const system = systemById(view, id)
  if (system === 0) return undefined
  const [shown] = renderChart(view, player, [system])
  const charted = chartedSystem(view, factionOf(view, player), system)
  const part = { system: shown, ...(charted ? { faction_system_intel: charted } : {}) }
  return { kind: 'system', source: 'map', part }
}

/** Returns what the player's faction has charted of a POI. */
function chartedPoi(view: WorldView, player: Eid, poi: Eid): Found['part'] {
  const charted = chartedSystem(view, factionOf(view, player), view.read(Poi).system[poi])
  // Members may chart invented entries: showing a match would reveal that a hidden POI exists.
  if (charted?.auto_synced !== true && !seesPoi(view, player, poi)) return {}
  const found = charted?.pois?.find(({ id }) => id === poiId(view, poi))
  return found ? { faction_poi_intel: found } : {}
}

/**
 * Finds a POI of the player's system, in full if they are there, and what their faction has charted
 * of it. Hidden POIs that are not revealed are not found.
 */
function findPoi(view: WorldView, player: Eid, id: string): Found | undefined {
  const poi = poiById(view, id)
  if (poi === 0) return undefined
  const charted = chartedPoi(view, player, poi)
  const isHere = poiOf(view, player) === poi
  const isNear = isHere || view.read(Poi).system[poi] === systemOf(view, player)
  if (!isNear || !seesPoi(view, player, poi)) {
    const isCharted = Object.keys(charted).length > 0
    return isCharted ? { kind: 'poi', source: 'faction_intel', part: charted } : undefined
  }
  const summary = renderPlace(view, poi)
  if (!isHere) return { kind: 'poi', source: 'map', part: { poi: { summary }, ...charted } }
  return {
    kind: 'poi',
    source: 'local',
    part: { poi: { summary, detail: detailOf(view, player) }, ...charted },
  }
}

/** Renders the POI where the player is, as `get_poi` does. */
function detailOf(view: WorldView, player: Eid) {
  const poi = poiOf(view, player)
  const base = view.read(Poi).base[poi]
  return {
    action: 'get_poi',
    kind: 'normal',
    poi: renderPoi(view, player, poi),
    resources: renderDeposits(view, shipOf(view, player), poi),
    ...(base === 0
      ? {}
      : {
          base: renderBase(view, base),
          services: workingServices(view, base),
          ...renderFuel(view, base),
        }),
  }
}

/** Finds the base at which the player is docked. */
function findBase(view: WorldView, player: Eid, id: string): Found | undefined {
  const base = baseById(view, id)
  if (base === 0 || dockedBase(view, player) !== base) return undefined
  return { kind: 'base', source: 'local', part: { base: renderStation(view, player, base) } }
}

/** Finds a package in the player's hold or storage, in a store of their faction, or on offer. */
function findPackage(view: WorldView, player: Eid, id: string): Found | undefined {
  const pkg = sealedById(view, id)
  if (pkg === 0) return undefined
  const isHeld = holdsPackage(view, player, pkg, factionOf(view, player))
  if (!isHeld && !isOfferedInTrade(view, player, pkg)) return undefined
  return { kind: 'package', source: 'local', part: { package: renderPackage(view, pkg) } }
}

export const inspect = query({
  name: 'inspect',
  v2: { tool: 'game', action: 'inspect' },
  summary:
    'Shows an item, module, ship class, system, place of your system, package, or your base.',
  category: 'info',
  params: obj({
    id: ref(
      ['item', 'ship_class', 'system', 'place', 'base'],
      str('Id to look up; for items and ship classes also the name.', {
        min: 1,
        example: 'mining_laser_i',
      }),
      { isOpen: true },
    ),
  }),
  result: inspectResult,
  needs: [],
  errors: ['not_found'],
  run(view, player, params) {
    const id = params.id.trim()
    const found =
      findPackage(view, player, id) ??
      findSystem(view, player, id) ??
      findPoi(view, player, id) ??
      findBase(view, player, id) ??
      findEntry(id)
    if (!found) return fail('not_found', { id })
    return ok({ id, kind: found.kind, source: found.source, ...found.part })
  },
})
