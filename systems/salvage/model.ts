/** Lookups of wrecks and towing lines. Source: salvage.md sections 1, 4. */
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { Container, contentsOf, type Held, isBare } from '../../core/goods.ts'
import { clamp } from '../../core/math.ts'
import { type ReferenceDef, referenceById } from '../../core/reference.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { containerById } from '../cargo/model.ts'
import { activeShip, modulesOf, moduleTypeOf, shipClassOf } from '../ship/model.ts'
import { Module, Ship } from '../ship/state.ts'
import { poiOf } from '../travel/location-model.ts'
import { Tow, WRECK_TYPES, WRECKS, Wreck, type WreckType } from './state.ts'

/* Finding */

/** Returns whether an id, or its absence, means the wreck that a player tows. */
export const isOwnTow = (view: WorldView, player: Eid, id: string | undefined): boolean => {
  const tow = towedWreck(view, activeShip(view, player))
  return tow !== 0 && (id === undefined || wreckById(view, id) === tow)
}

/** Resolves the id of a wreck, or of a container at the player's place. */
export const wrecks: ReferenceDef = referenceById(
  'wreck',
  (view, id, player) => wreckById(view, id) || containerById(view, poiOf(view, player), id),
  'wreck_not_found',
)

/** Returns the goods in a wreck, in order of items. */
export const goodsOf = (view: WorldView, wreck: Row): Held[] =>
  contentsOf(view, view.read(Wreck).cargo[wreck])

/* Towing */

/** Returns the wreck a ship tows; 0 none. */
export const towedWreck = (view: WorldView, tug: Eid): Row => view.read(Tow).wreck[tug]

/** Returns the ship of the same owner that a ship tows; 0 none. */
export const towedShip = (view: WorldView, tug: Eid): Eid => view.read(Tow).ship[tug]

/** Returns whether a ship has something on its line: it cannot cloak, nor board a carrier. */
export const isTowing = (view: WorldView, ship: Eid): boolean =>
  towedWreck(view, ship) !== 0 || towedShip(view, ship) !== 0

/** Returns whether a ship is on the line of another: it may be neither flown nor sold. */
export const isTowed = (view: WorldView, ship: Eid): boolean => view.read(Tow).tug[ship] !== 0

/** Largest share of its speed that a ship loses by towing, %. */
const TOW_PENALTY_PCT_MAX = 90

/**
 * Returns the share of its speed that a ship would lose by towing, %: by the best fitted rig, less
 * the bonus of the hull; -1 without a rig.
 */
export function towPenaltyPct(view: WorldView, tug: Eid): number {
  const rigs = modulesOf(view, tug).flatMap(
    (module) => moduleTypeOf(view, module).tow_speed_penalty ?? [],
  )
  if (rigs.length === 0) return -1
  return clamp(Math.min(...rigs) - shipClassOf(view, tug).tow_speed_bonus, 0, TOW_PENALTY_PCT_MAX)
}

/** Returns whether the rig and the scale of a ship are enough for a hulk. */
export const canTow = (view: WorldView, tug: Eid, wreck: Row): boolean =>
  towPenaltyPct(view, tug) >= 0 &&
  SHIP_CLASSES[view.read(Wreck).class[wreck]].scale <= view.read(Ship).scale[tug]

/* Wrecks */

/** Returns the wrecks at a place in the order of their making, without those towed. */
export const wrecksAt = (view: WorldView, poi: Eid): readonly Row[] =>
  view.index(WRECKS).at.get(poi) ?? []

export const wreckId = (view: WorldView, wreck: Row): string => idOf(view, Wreck, wreck)

/** Returns a wreck by wire id, wherever it is; 0 none. */
export const wreckById = (view: WorldView, id: string): Row => rowOfId(view, Wreck, id)

export const wreckTypeOf = (view: WorldView, wreck: Row): WreckType =>
  WRECK_TYPES[view.read(Wreck).type[wreck]]

/** Returns whether a wreck is a hulk that never had a pilot. */
export function isDerelict(view: WorldView, wreck: Row): boolean {
  const { type, victimId } = view.read(Wreck)
  return WRECK_TYPES[type[wreck]] === 'ship' && view.texts.get(victimId[wreck]) === ''
}

/** Returns whether loose goods are in a wreck; packages do not count. */
export const hasCargo = (view: WorldView, wreck: Row): boolean =>
  view.read(Container).first[view.read(Wreck).cargo[wreck]] !== 0

export const hasModules = (view: WorldView, wreck: Row): boolean =>
  view.read(Wreck).firstModule[wreck] !== 0

/** Returns whether nothing is left to loot; the hulk may still be worth something. */
export const isLooted = (view: WorldView, wreck: Row): boolean =>
  isBare(view, view.read(Wreck).cargo[wreck]) && !hasModules(view, wreck)

/** Returns the modules in a wreck, in order of fitting. */
export function wreckModules(view: WorldView, wreck: Row): Row[] {
  const { next } = view.read(Module)
  const rows: Row[] = []
  for (let row = view.read(Wreck).firstModule[wreck]; row !== 0; row = next[row]) rows.push(row)
  return rows
}
