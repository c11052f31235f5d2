/** Giving to a collection: out of the hold, then out of storage. Source: missions.md section 2. */
import { GOODS, OBJECTIVES_MAX } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { moveItems, namedContainer } from '../../core/goods.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { cargoUnits, closeEmptyLocker, lockerOf, storedUnits, unloadCargo } from '../cargo/rules.ts'
import { logAction } from '../log/rules.ts'
import { activeShip } from '../ship/rules.ts'
import { dockedBase } from '../travel/rules.ts'
import { Mission } from './columns.ts'
import {
  goalOf,
  hasShareRoom,
  isCollecting,
  noteGift,
  poolOf,
  renderPool,
  restFor,
  shareOf,
  shareWorth,
} from './community-rules.ts'
import { creditsLeft } from './pay-rules.ts'
import { noteChanged } from './progress-rules.ts'
import { missionId, templateOf } from './rules.ts'

/**
 * Why nothing can be given now. Refusals: mission_expired (the collection is full), wrong_station,
 * insufficient_items, limit_reached.
 */
export function refusesGift(view: WorldView, player: Eid, mission: Row): Failure | undefined {
  const template = templateOf(view, mission)
  if (!isCollecting(view, template.template_id)) {
    const said = 'There is enough already; whoever gave is being paid.'
    return fail('mission_expired', undefined, said)
  }
  const base = view.read(Mission).toBase[mission * OBJECTIVES_MAX]
  if (dockedBase(view, player) !== base) return fail('wrong_station')
  const { item } = goalOf(template)
  const have =
    cargoUnits(view, activeShip(view, player), item) + storedUnits(view, player, base, item)
  if (have === 0) {
    const missing = [{ item_id: GOODS[item].id, item_name: GOODS[item].name, need: 1, have: 0 }]
    return fail('insufficient_items', { missing })
  }
  return hasShareRoom(view, template.template_id, player) ? undefined : fail('limit_reached')
}

/** Gives all that the player holds and the collection still takes. */
export function giveTo(world: World, player: Eid, mission: Row) {
  const template = templateOf(world, mission)
  const { item, units: goal } = goalOf(template)
  const base = dockedBase(world, player)
  const ship = activeShip(world, player)
  const rest = goal - poolOf(world, template.template_id).given
  const to = namedContainer('consumption')
  const aboard = Math.min(rest, cargoUnits(world, ship, item))
  if (aboard > 0) unloadCargo(world, ship, to, item, aboard)
  const stored = Math.min(rest - aboard, storedUnits(world, player, base, item))
  if (stored > 0) {
    moveItems(world, lockerOf(world, player, base), to, item, stored)
    closeEmptyLocker(world, player, base)
  }
  const given = aboard + stored
  noteGift(world, template, player, given)
  noteChanged(world, player)
  const { community_percent, community_progress } = renderPool(world, template)
  const id = missionId(world, mission)
  const said = `Gave ${given} ${GOODS[item].name} to "${template.title}".`
  logAction(world, player, 'mission', 'contributed', said, { mission_id: id, units: given })
  const isFull = given === rest
  const worth = shareWorth(world, template, player)
  const pay = isFull ? worth + restFor(world, template, player) : worth
  const credits_earned = isFull ? Math.min(pay, creditsLeft(world, player)) : 0
  const share = `${shareOf(world, template.template_id, player)} of ${goal} units are yours`
  return {
    mission_id: id,
    title: template.title,
    credits_earned,
    community_share_credits: pay,
    community_contributed: { [GOODS[item].id]: given },
    ...{ community_percent, community_progress },
    message: isFull
      ? `${template.dialog.complete} ${share}: you are paid ${credits_earned} credits.`
      : `${said} ${share}, worth ${pay} credits; you are paid when there is enough.`,
  }
}
