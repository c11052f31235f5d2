/** Wire forms of packages, for those who hold them. Source: contract, InspectPackageData. */
import { GOODS } from '../../core/catalog/index.ts'
import { isoTime } from '../../core/time.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { playerId, usernameOf } from '../account/rules.ts'
import { factionIdOf, factionName, factionTag } from '../faction/rules.ts'
import { Package } from './columns.ts'
import { labelOf, manifestOf, packageId, packageOwner } from './rules.ts'

/** Whose it is; empty fields for what lies about. */
function renderOwner(view: WorldView, pkg: Row) {
  const { player, faction } = packageOwner(view, pkg)
  if (faction !== 0) {
    const [name, tag] = [factionName(view, faction), factionTag(view, faction)]
    return { id: factionIdOf(view, faction), type: 'faction', name, tag }
  }
  if (player === 0) return { id: '', type: 'player' }
  return { id: playerId(view, player), type: 'player', name: usernameOf(view, player) }
}

/** All of a package, its manifest too. */
export function renderPackage(view: WorldView, pkg: Row) {
  const { creator, createdMs, size } = view.read(Package)
  const by = creator[pkg]
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
      by === 0
        ? { player_id: '' }
        : { player_id: playerId(view, by), username: usernameOf(view, by) },
    owner: renderOwner(view, pkg),
  }
}
