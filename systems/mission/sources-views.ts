/**
 * Nearest sources of what a mission requires: where its goods are mined, made or traded, and where
 * its prey is at home.
 */
import {
  CREATURES,
  GOODS,
  type ObjectiveRow,
  PIRATES,
  packAt,
  RECIPES,
} from '../../core/catalog/index.ts'
import { counted } from '../../core/say.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { Herd } from '../creature/state.ts'
import { bookOf } from '../market/book-model.ts'
import { Book } from '../market/state.ts'
import { depthOf } from '../travel/depth-model.ts'
import { systemName } from '../travel/model.ts'
import { StarSystem } from '../travel/state.ts'
import { jumpsTo, minedBySystem, systemOfBase, UNREACHED } from './model.ts'
import { SOURCES } from './state.ts'

const RECIPE_OF: ReadonlyMap<string, string> = new Map(
  RECIPES.filter(({ hidden, package_operation }) => !hidden && package_operation === undefined)
    .reverse()
    .flatMap(({ id, outputs }) => outputs.map(({ item_id }) => [item_id, id] as const)),
)

/** Returns the row with the fewest jumps, and how many. */
function nearestOf(rows: readonly Eid[], jumpsOf: (row: Eid) => number) {
  let nearest: { row: Eid; jumps: number } | undefined
  for (const row of rows) {
    const jumps = jumpsOf(row)
    if (jumps < (nearest?.jumps ?? UNREACHED)) nearest = { row, jumps }
  }
  return nearest
}

/** Writes how far a system is from the board that offers the mission. */
const distance = (jumps: number): string =>
  jumps === 0 ? 'in the system of the board' : `${counted(jumps, 'jump')} from the board`

function minedAt(view: WorldView, base: Eid, item: number): string[] {
  const systems = [...minedBySystem(view)].flatMap(([system, items]) =>
    items.has(item) ? [system] : [],
  )
  const found = nearestOf(systems, (system) => jumpsTo(view, base, system))
  return found ? [`Mined in ${systemName(view, found.row)}, ${distance(found.jumps)}.`] : []
}

/** Names the nearest other station whose manager trades in a good, even if it is sold out. */
function tradedAt(view: WorldView, base: Eid, item: number): string[] {
  const { alive, pirateRepRequired } = view.read(Base)
  const { managed } = view.read(Book)
  const bases: Eid[] = []
  for (let row = 1; row <= view.highOf(Base); row++) {
    if (row === base || alive[row] === 0 || pirateRepRequired[row] !== 0) continue
    const book = bookOf(view, row, item)
    if (book !== 0 && managed[book] !== 0) bases.push(row)
  }
  const found = nearestOf(bases, (row) => jumpsTo(view, base, systemOfBase(view, row)))
  return found ? [`Traded at ${baseName(view, found.row)}, ${distance(found.jumps)}.`] : []
}

/** Names the nearest system in which pirates of a tier, or of any, are at home. */
function piratesAt(view: WorldView, base: Eid, tier: ObjectiveRow['tier']): string[] {
  const { police, stronghold } = view.read(StarSystem)
  const isHome = (system: Eid): boolean =>
    packAt({
      police: police[system],
      jumps: depthOf(view, system),
      isStronghold: stronghold[system] === 1,
      random: 0,
    }).some((count, type) => count > 0 && (tier === undefined || PIRATES[type].tier === tier))
  const systems: Eid[] = []
  for (let row = 1; row <= view.highOf(StarSystem); row++) if (isHome(row)) systems.push(row)
  const found = nearestOf(systems, (system) => jumpsTo(view, base, system))
  return found ? [`Pirates lurk in ${systemName(view, found.row)}, ${distance(found.jumps)}.`] : []
}

/** Names the nearest system with a herd, and what grazes there. */
function herdsAt(view: WorldView, base: Eid): string[] {
  const { system, kind } = view.read(Herd)
  const herds = Array.from({ length: view.highOf(Herd) }, (_, i) => i + 1)
  const found = nearestOf(herds, (herd) => jumpsTo(view, base, system[herd]))
  if (!found) return []
  const where = `${systemName(view, system[found.row])}, ${distance(found.jumps)}`
  return [`A herd of ${CREATURES[kind[found.row]].name} grazes in ${where}.`]
}

/**
 * Lists where the prey of an objective is at home, seen from a base; nothing for other objectives.
 * Packs and herds never change place, so each answer is computed only once.
 */
export function huntsOf(
  view: WorldView,
  base: Eid,
  { type, tier }: ObjectiveRow,
): readonly string[] {
  if (type !== 'kill_pirate' && type !== 'hunt_creature') return []
  const sources = view.index(SOURCES)
  const key = `${base}:${type}:${tier ?? ''}`
  const known = sources.get(key)
  if (known) return known
  const found = type === 'kill_pirate' ? piratesAt(view, base, tier) : herdsAt(view, base)
  sources.set(key, found)
  return found
}

/**
 * Lists the sources of a good, seen from a base. Neither deposits nor the goods that managers trade
 * in ever change place, so each answer is computed only once.
 */
export function sourcesOf(view: WorldView, base: Eid, item: number): readonly string[] {
  const sources = view.index(SOURCES)
  const key = `${base}:${item}`
  const known = sources.get(key)
  if (known) return known
  const recipe = RECIPE_OF.get(GOODS[item].id)
  const found = [
    ...minedAt(view, base, item),
    ...(recipe === undefined ? [] : [`Made by the recipe ${recipe}.`]),
    ...tradedAt(view, base, item),
  ]
  sources.set(key, found)
  return found
}
