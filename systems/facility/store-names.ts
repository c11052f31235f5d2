/**
 * Names of what a faction keeps goods in: the stores of one faction at a base are told apart by
 * them, so no two are called the same. Source: factions.md section 4; trade-storage.md section 4.
 */
import type { Row, World, WorldView } from '../../core/types.ts'
import { Facility, OF_FACTION } from './columns.ts'
import { facilitiesAt, facilityName, facilityTypeAt } from './rules.ts'

const STORES: ReadonlySet<string | undefined> = new Set(['faction_storage', 'storage_extension'])

const isStore = (view: WorldView, row: Row): boolean =>
  view.read(Facility).ownerKind[row] === OF_FACTION &&
  STORES.has(facilityTypeAt(view, row).faction_service_type)

/** True for a name that another store of the same faction here goes by, in any case. */
export function isStoreNameTaken(view: WorldView, row: Row, name: string): boolean {
  if (!isStore(view, row)) return false
  const { base, faction } = view.read(Facility)
  const word = name.toLowerCase()
  return facilitiesAt(view, base[row]).some(
    (other) =>
      other !== row &&
      faction[other] === faction[row] &&
      isStore(view, other) &&
      facilityName(view, other).toLowerCase() === word,
  )
}

/** Numbers a new store where another goes by the name of its kind. */
export function numberStore(world: World, row: Row): void {
  const { name } = facilityTypeAt(world, row)
  let number = 1
  let said = name
  while (isStoreNameTaken(world, row, said)) said = `${name} ${++number}`
  if (number > 1) world.setText(Facility, 'name', row, said)
}
