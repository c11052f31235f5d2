/** Packages as payment: what is in them must be exactly what is needed. Source: crafting.md 6. */
import { itemIndex, type MaterialRow } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { namedContainer } from '../../core/goods.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { lockerOf } from '../cargo/rules.ts'
import { manifestOf, openPackage, sealedById, standsIn } from '../package/rules.ts'
import { Ship } from '../ship/columns.ts'
import { OF_FACTION } from './columns.ts'
import { closeEmptied, type Purse, takeMaterials } from './purse.ts'

/** Materials of a building, and the packages that hold them; without packages they are loose. */
export interface Supply {
  readonly materials: readonly MaterialRow[]
  readonly packages: readonly Row[]
}

export const isPackaged = ({ packages }: Supply): boolean => packages.length > 0

/** Places whose packages may pay: those of the purse, the locker and the hold of who builds. */
function places(view: WorldView, purse: Purse): Row[] {
  const { player, base, ship } = purse
  const hold = ship === 0 ? 0 : view.read(Ship).hold[ship]
  const stores = purse.owner.kind === OF_FACTION ? purse.stores : []
  return [...stores, lockerOf(view, player, base), hold].filter((row) => row !== 0)
}

/** Refusals: not_found for a package that is not at hand, package_mismatch. */
export function supplyOf(
  view: WorldView,
  purse: Purse,
  materials: readonly MaterialRow[],
  ids: readonly string[] = [],
): Supply | Failure {
  const from = places(view, purse)
  const packages: Row[] = []
  for (const id of ids) {
    const pkg = sealedById(view, id)
    if (pkg === 0 || !from.some((place) => standsIn(view, place, pkg))) {
      return fail('not_found', { package_id: id })
    }
    // ids are read in any case: two texts may name one package
    if (!packages.includes(pkg)) packages.push(pkg)
  }
  if (packages.length === 0) return { materials, packages }
  const sums = new Map<number, number>()
  for (const pkg of packages) {
    for (const { item, units } of manifestOf(view, pkg)) {
      sums.set(item, (sums.get(item) ?? 0) + units)
    }
  }
  const isExact =
    sums.size === materials.length &&
    materials.every(({ item_id, quantity }) => sums.get(itemIndex(item_id)) === quantity)
  return isExact ? { materials, packages } : fail('package_mismatch', { need: [...materials] })
}

/** Uses the materials up: out of the packages, whose containers go too, or out of the purse. */
export function takeSupply(world: World, purse: Purse, supply: Supply): void {
  if (!isPackaged(supply)) {
    takeMaterials(world, purse, supply.materials)
    return
  }
  const container = namedContainer('construction')
  for (const pkg of supply.packages) openPackage(world, pkg, { kind: 'escrow', container }, false)
  closeEmptied(world, purse)
}
