/**
 * The showrooms of a new world: a few hulls at each yard, so that whoever has saved up can have a
 * better ship at once. Source: ships.md section 8, showroom; numbers ours.
 */
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../core/goods.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { hasService } from '../base/rules.ts'
import { Ship } from '../ship/columns.ts'
import { createShip } from '../ship/rules.ts'
import { fittedOf, isBuildable, showroomPrice } from './bill.ts'
import { yardBuilds } from './blockers.ts'
import { openListing } from './listings.ts'

/** Hulls a showroom begins with, at a capital and elsewhere, and their highest tier. */
const HULLS_CAPITAL = 3
const HULLS_ELSEWHERE = 1
const TIER_MAX = 2

/** Classes that a yard may show, in catalogue order. */
const shownAt = (view: WorldView, base: Eid): number[] =>
  SHIP_CLASSES.flatMap((row, shipClass) => {
    const suits = isBuildable(row) && row.tier >= 1 && row.tier <= TIER_MAX
    return suits && yardBuilds(view, base, shipClass) ? [shipClass] : []
  })

function show(world: World, base: Eid, shipClass: number): void {
  const modules = fittedOf(shipClass, false)
  for (const good of modules) {
    moveItems(world, namedContainer('produced'), namedContainer('fitted'), good, 1)
  }
  const ship = createShip(world, { owner: 0, shipClass, modules })
  openListing(world, ship, base, showroomPrice(shipClass))
}

/** Each yard begins elsewhere in its list, so that neighbours show different hulls. */
export function fillShowrooms(world: World): void {
  const { alive, capital } = world.read(Base)
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 0 || !hasService(world, base, 'shipyard')) continue
    const classes = shownAt(world, base)
    const most = capital[base] === 1 ? HULLS_CAPITAL : HULLS_ELSEWHERE
    const count = Math.min(most, classes.length)
    for (let i = 0; i < count && world.roomIn(Ship) > 0; i++) {
      show(world, base, classes[(base * HULLS_CAPITAL + i) % classes.length])
    }
  }
}
