/** Who stands where he can trade. Source: trade-storage.md section 2. */
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { isBound } from '../account/rules.ts'
import { inBattle } from '../combat/rules.ts'
import { playerMeant, sightOf } from '../sensing/rules.ts'
import { dockedBase, isUnderWay, poiOf, shipOf } from '../travel/rules.ts'

/**
 * True while two players are in one place: both docked at one base, or both in space beside each
 * other, and in no battle. Docked ones count when they are offline too.
 */
export function areTogether(view: WorldView, player: Eid, other: Eid): boolean {
  const ships = [shipOf(view, player), shipOf(view, other)]
  if (player === other || ships.some((ship) => ship === 0 || isUnderWay(view, ship))) return false
  const poi = poiOf(view, player)
  if (poi === 0 || poi !== poiOf(view, other)) return false
  const base = dockedBase(view, player)
  if (base !== dockedBase(view, other)) return false
  if (base === 0 && !(isBound(view, player) && isBound(view, other))) return false
  return !inBattle(view, player) && !inBattle(view, other)
}

/** The player whom another offers a trade. Refusals: invalid_target, target_cloaked. */
export function findPartner(view: WorldView, player: Eid, id: string): Outcome<Eid> {
  const other = playerMeant(view, player, id)
  if (other === 0 || !areTogether(view, player, other)) return invalid(id)
  return sightOf(view, player, other) === 'nothing' ? fail('target_cloaked') : ok(other)
}

const invalid = (id: string): Failure => fail('invalid_target', { target_id: id })
