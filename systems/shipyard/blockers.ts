/** Why a yard does not build a class for a player. Writes nothing. Source: ships.md section 7. */
import { EMPIRES, SHIP_CLASSES, type ShipClassRow } from '../../core/catalog/index.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { reputationOf } from '../account/rules.ts'
import { Base } from '../base/columns.ts'
import { empireOfBase } from '../base/rules.ts'
import { levelOf } from '../skill/rules.ts'
import { ownerOfBase } from '../station/access-rules.ts'
import { licensesOf } from './license-commands.ts'

/** What is wrong whoever pays. */
export const BLOCKERS = ['wrong_empire', 'shipyard_tier', 'piloting', 'reputation'] as const
/** What a purse or a hold can mend. */
export type Blocker = (typeof BLOCKERS)[number] | 'materials' | 'credits'

/** True for what a base may build: open designs, its empire's, its faction's by licence. */
const isOwnDesign = (view: WorldView, base: Eid, { id, faction }: ShipClassRow): boolean => {
  const owner = ownerOfBase(view, base)
  if (owner !== 0 && licensesOf(view, owner).includes(id)) return true
  const empire = empireOfBase(view, base)
  return faction === '' || (empire >= 0 && EMPIRES[empire].id === faction)
}

/** True if the yard of a base could build the class, whoever asks. */
export function yardBuilds(view: WorldView, base: Eid, shipClass: number): boolean {
  const row = SHIP_CLASSES[shipClass]
  return isOwnDesign(view, base, row) && row.shipyard_tier <= view.read(Base).shipyardTier[base]
}

function lacksReputation(view: WorldView, player: Eid, base: Eid, row: ShipClassRow): boolean {
  const empire = empireOfBase(view, base)
  if (row.required_reputation <= 0 || empire < 0) return false
  return reputationOf(view, player, empire) < row.required_reputation
}

export const lacksPiloting = (view: WorldView, player: Eid, shipClass: number): boolean =>
  levelOf(view, player, 'piloting') < SHIP_CLASSES[shipClass].piloting_required

/** Blockers other than money and materials, in the order of the sheet. */
export function blockersOf(view: WorldView, player: Eid, base: Eid, shipClass: number): Blocker[] {
  const row = SHIP_CLASSES[shipClass]
  const is: Readonly<Record<(typeof BLOCKERS)[number], boolean>> = {
    wrong_empire: !isOwnDesign(view, base, row),
    shipyard_tier: row.shipyard_tier > view.read(Base).shipyardTier[base],
    piloting: lacksPiloting(view, player, shipClass),
    reputation: lacksReputation(view, player, base, row),
  }
  return BLOCKERS.filter((blocker) => is[blocker])
}
