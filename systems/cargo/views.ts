/** Wire forms of holds, lockers and packages. */
import { GOODS } from '../../core/catalog/index.ts'
import { contentsOf } from '../../core/goods.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { playerId, usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { factionIdOf, factionName, factionTag } from '../faction/model.ts'
import { Ship } from '../ship/state.ts'
import { footprintOf, labelOf, manifestOf, packageOwner, packagesIn } from './model.ts'
import { packageId, packageName } from './rules.ts'
import { Package } from './state.ts'

interface StackView {
  item_id: string
  name: string
  quantity: number
  size: number
}

/**
 * Renders the stacks of a container in the order of the catalogue, then its packages, the oldest
 * first; `size` is the space of one unit. The contents of packages are not shown.
 */
export function renderStacks(view: WorldView, container: Row): StackView[] {
  if (container === 0) return []
  const stacks = contentsOf(view, container).map(({ item, units }) => ({
    item_id: GOODS[item].id,
    name: GOODS[item].name,
    quantity: units,
    size: GOODS[item].size,
  }))
  const packages = packagesIn(view, container).map((pkg) => ({
    item_id: packageId(view, pkg),
    name: packageName(view, pkg),
    quantity: 1,
    size: footprintOf(view, pkg),
  }))
  return [...stacks, ...packages]
}

/** Renders the hold of a ship for `get_cargo`. */
export function renderHold(view: WorldView, ship: Eid) {
  const { cargoCap, cargoUsed, hold } = view.read(Ship)
  return {
    available: Math.max(0, cargoCap[ship] - cargoUsed[ship]),
    capacity: cargoCap[ship],
    used: cargoUsed[ship],
    cargo: renderStacks(view, hold[ship]),
  }
}

/** Renders the hold of the active ship as the v2 section lists it. */
export function renderCargo(view: WorldView, player: Eid) {
  const ship = view.read(Player).ship[player]
  if (ship === 0) return []
  return renderStacks(view, view.read(Ship).hold[ship]).map(
    ({ item_id, name, quantity, size }) => ({
      item_id,
      item_name: name,
      quantity,
      size,
    }),
  )
}

/** Renders the owner of a package; an empty id where nobody owns it. */
function renderOwner(view: WorldView, pkg: Row) {
  const { player, faction } = packageOwner(view, pkg)
  if (faction !== 0) {
    const [name, tag] = [factionName(view, faction), factionTag(view, faction)]
    return { id: factionIdOf(view, faction), type: 'faction', name, tag }
  }
  if (player === 0) return { id: '', type: 'player' }
  return { id: playerId(view, player), type: 'player', name: usernameOf(view, player) }
}

/** Renders a package with its manifest. */
export function renderPackage(view: WorldView, pkg: Row) {
  const { creator, createdMs, size } = view.read(Package)
  const player = creator[pkg]
  return {
    package_id: packageId(view, pkg),
    label: labelOf(view, pkg),
    created_at: isoTime(createdMs[pkg]),
    size: size[pkg],
    contents: manifestOf(view, pkg).map(({ item, units }) => ({
      item_id: GOODS[item].id,
      name: GOODS[item].name,
      quantity: units,
      size: GOODS[item].size,
    })),
    creator:
      player === 0
        ? { player_id: '' }
        : { player_id: playerId(view, player), username: usernameOf(view, player) },
    owner: renderOwner(view, pkg),
  }
}
