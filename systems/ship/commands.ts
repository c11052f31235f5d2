/** The command `repair`: at a station, with kits from the hold, or for another player. */
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import { defineNeed, mutation } from '../../core/command.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { namedContainer } from '../../core/goods.ts'
import { namedAccount } from '../../core/ledger.ts'
import { divFloor } from '../../core/math.ts'
import {
  bools,
  ints,
  itemId,
  list,
  obj,
  opt,
  optional,
  quantity,
  type Static,
  str,
  strings,
  words,
} from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { baseTreasury, hasService } from '../base/model.ts'
import { inBattle } from '../combat/model.ts'
import { completeCallOf } from '../distress/rules.ts'
import { fleetIdOf, fleetOf, identityFor, isLeader, rosterOf } from '../fleet/model.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { visibleIdentity } from '../sensing/model.ts'
import { ownerOfBase } from '../station/model.ts'
import { dockedBase, inTransit, poiOf } from '../travel/location-model.ts'
import { dockIfAdmitted } from '../travel/needs.ts'
import { dockingRefusal } from '../travel/rules.ts'
import { Poi } from '../travel/state.ts'
import { activeShip, hasSpecial, shipClassOf, unloadCargo } from './model.ts'
import {
  type KitRepair,
  kitsText,
  planKitRepair,
  planStationRepair,
  type RepairParams,
} from './repair-model.ts'
import { findRepairTarget, mendHull } from './rules.ts'
import { repairedBy } from './schemas.ts'
import { Ship } from './state.ts'

/** Target that lists the hulls of the fleet instead of repairing. */
const FLEET = 'fleet'

const memberSchema = obj({
  ...strings('player_id', 'username', 'ship_class'),
  ...ints('hull', 'max_hull', 'hull_pct', 'shield', 'max_shield'),
  ...bools('is_leader', 'is_you'),
})

const repairSchema = obj({
  ...strings('action', 'source'),
  ...opt(strings('message', 'item_id', 'item_name', 'fleet_id')),
  ...opt(strings('target_player_id', 'target_player_name')),
  ...opt(ints('cost', 'repaired', 'hull', 'max_hull', 'kits_used')),
  ...opt(ints('target_hull_now', 'target_hull_max')),
  ...opt(bools('has_arm')),
  members: optional(list(memberSchema)),
})
type RepairResult = Static<typeof repairSchema>

function renderHull(view: WorldView, viewer: Eid, member: Eid) {
  const ship = activeShip(view, member)
  const columns = view.read(Ship)
  const { id, name } = identityFor(view, viewer, member)
  return {
    player_id: id,
    username: name,
    ship_class: shipClassOf(view, ship).id,
    hull: columns.hull[ship],
    max_hull: columns.hullMax[ship],
    hull_pct: divFloor(columns.hull[ship] * 100, columns.hullMax[ship]),
    shield: columns.shield[ship],
    max_shield: columns.shieldMax[ship],
    is_leader: isLeader(view, member),
    is_you: member === viewer,
  }
}

/** Lists the hulls of the player's fleet; without a fleet, their own hull alone. */
function fleetStatus(view: WorldView, player: Eid): RepairResult {
  const fleet = fleetOf(view, player)
  return {
    action: 'fleet_status',
    source: FLEET,
    has_arm: hasSpecial(view, activeShip(view, player), 'repair_arm'),
    ...(fleet === 0 ? {} : { fleet_id: fleetIdOf(view, fleet) }),
    members: rosterOf(view, player).map((member) => renderHull(view, player, member)),
  }
}

function repairAtStation(
  world: World,
  player: Eid,
  base: Eid,
): Outcome<RepairResult, 'hull_full' | 'no_credits' | 'service_restricted'> {
  const plan = planStationRepair(world, player, base)
  if (!plan.ok) return plan
  const { points, credits } = plan.result
  const ship = activeShip(world, player)
  const summary = `Hull repaired by ${counted(points, 'point')}.`
  const isOwned = ownerOfBase(world, base) !== 0
  const sink = isOwned ? baseTreasury(world, base) : namedAccount('repair_sink')
  creditMove(world, player, walletOf(world, player), sink, credits, 'ship', 'repair', summary, {
    repaired: points,
  })
  addStat(world, player, 'credits_spent', credits)
  const mended = mendHull(world, ship, points)
  assert(mended === points, 'the station repairs what it was paid for')
  const { hull, hullMax } = world.read(Ship)
  return ok({
    action: 'repair',
    source: 'station',
    cost: credits,
    repaired: points,
    hull: hull[ship],
    max_hull: hullMax[ship],
    message: `${summary} It cost ${counted(credits, 'credit')}.`,
  })
}

/** Uses up the kits and repairs the ship; returns the part of the answer about it. */
function useKits(world: World, player: Eid, damagedShip: Eid, plan: KitRepair) {
  const ship = activeShip(world, player)
  const used = plan.kits.reduce((sum, kit) => sum + kit.units, 0)
  for (const kit of plan.kits) {
    unloadCargo(world, ship, namedContainer('consumption'), kit.item, kit.units)
  }
  addStat(world, player, 'consumables_used', used)
  const points = mendHull(world, damagedShip, plan.points)
  assert(points === plan.points && used > 0, 'kits repair what was planned')
  const first = GOODS[plan.kits[0].item]
  const message = `Hull repaired by ${counted(points, 'point')} with ${kitsText(plan)}.`
  logAction(world, player, 'ship', 'repair', message, { repaired: points, kits_used: used })
  return {
    action: 'repair',
    source: 'cargo',
    item_id: first.id,
    item_name: first.name,
    kits_used: used,
    repaired: points,
    message,
  }
}

function repairFromCargo(
  world: World,
  player: Eid,
  params: RepairParams,
): Outcome<RepairResult, 'hull_full' | 'no_repair_kits' | 'unknown_item'> {
  const ship = activeShip(world, player)
  const plan = planKitRepair(world, player, ship, params)
  if (!plan.ok) return plan
  const report = useKits(world, player, ship, plan.result)
  const { hull, hullMax } = world.read(Ship)
  return ok({ ...report, hull: hull[ship], max_hull: hullMax[ship] })
}

function repairOther(world: World, player: Eid, target: string, params: RepairParams) {
  const found = findRepairTarget(world, player, target)
  if (!found.ok) return found
  if (!hasSpecial(world, activeShip(world, player), 'repair_arm')) return fail('no_repair_arm')
  const other = found.result
  const damagedShip = activeShip(world, other)
  const plan = planKitRepair(world, player, damagedShip, params)
  if (!plan.ok) return plan
  const report = useKits(world, player, damagedShip, plan.result)
  addStat(world, player, 'repairs_given', 1)
  notifyRepaired(world, player, other, report.repaired)
  completeCallOf(world, player, other)
  const { hull, hullMax } = world.read(Ship)
  const seen = visibleIdentity(world, player, other)
  return ok({
    ...report,
    has_arm: true,
    target_player_id: seen.id,
    target_player_name: seen.name,
    target_hull_now: hull[damagedShip],
    target_hull_max: hullMax[damagedShip],
  })
}

/** Notifies a player who repaired their ship; a helper whom they cannot see is not named. */
function notifyRepaired(world: World, helper: Eid, player: Eid, repaired: number): void {
  const ship = activeShip(world, player)
  const { hull, hullMax } = world.read(Ship)
  const { id, name } = visibleIdentity(world, player, helper)
  emit(
    world,
    repairedBy,
    {
      source_player_id: id,
      source_username: name,
      repaired,
      hull: hull[ship],
      max_hull: hullMax[ship],
    },
    toPlayer(player),
  )
}

/**
 * Docks the player automatically, where they name neither item nor target and the base here repairs
 * and admits them. Source: travel.md section 6.
 */
const DOCKED_FOR_REPAIR = defineNeed({
  name: 'served',
  errors: ['in_transit'],
  check: inTransit,
  ensure(world, player, params) {
    if (inBattle(world, player)) return undefined
    const refusal = inTransit(world, player)
    if (refusal) return refusal
    const { item_id, target } = params as RepairParams
    if (item_id !== undefined || target !== undefined || dockedBase(world, player) !== 0) {
      return undefined
    }
    const base = world.read(Poi).base[poiOf(world, player)]
    if (!hasService(world, base, 'repair') || dockingRefusal(world, player, base)) return undefined
    return dockIfAdmitted
  },
})

export const repair = mutation({
  name: 'repair',
  v2: { tool: 'game', action: 'repair' },
  summary: 'Mend the hull: at a station for credits, elsewhere with kits from the hold.',
  category: 'ship',
  params: obj({
    item_id: optional(itemId('Kit to use; the cheapest aboard if absent.')),
    quantity: optional(quantity('Kits to use, 1 if absent; never more than the damage takes.')),
    target: optional(
      str('A player here (needs a repair arm), or "fleet" for a list of hulls.', {
        min: 1,
        example: FLEET,
      }),
    ),
  }),
  result: repairSchema,
  errors: words(
    'hull_full no_repair_kits no_service no_repair_arm invalid_target no_credits unknown_item',
    'service_restricted',
  ),
  order: 'plain',
  inBattle: true,
  needs: [DOCKED_FOR_REPAIR],
  changes: ['player', 'ship', 'cargo'],
  readsOnly: ({ target }) => target === FLEET,
  run(world, player, params) {
    const { target, item_id } = params
    if (target === FLEET) return ok(fleetStatus(world, player))
    if (target !== undefined) return repairOther(world, player, target, params)
    const base = dockedBase(world, player)
    if (item_id === undefined && hasService(world, base, 'repair')) {
      return repairAtStation(world, player, base)
    }
    const outcome = repairFromCargo(world, player, params)
    const lacksService = base !== 0 && item_id === undefined
    return !outcome.ok && outcome.code === 'no_repair_kits' && lacksService
      ? fail('no_service')
      : outcome
  },
})
