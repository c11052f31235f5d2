/** Using consumables in the hold. Source: missions.md section 8, ships.md section 6. */
import { GOODS } from '../../core/catalog/index.ts'
import { mutation } from '../../core/command.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { namedContainer } from '../../core/goods.ts'
import { divCeil } from '../../core/math.ts'
import {
  choice,
  ints,
  itemId,
  list,
  obj,
  opt,
  optional,
  quantity,
  strings,
  words,
} from '../../core/params.ts'
import { counted, say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'
import { matchOf } from '../arena/model.ts'
import { baseName } from '../base/model.ts'
import { isAttached } from '../boarding/model.ts'
import { findGood, isNearlyFull } from '../cargo/model.ts'
import { escapeBattle } from '../combat/battles-rules.ts'
import { refreshFit } from '../combat/fit-rules.ts'
import { combatantOf, inBattle } from '../combat/model.ts'
import { alertArrival } from '../combat/notice-rules.ts'
import { ejectShip } from '../combat/rules.ts'
import { ShipCombat } from '../combat/state.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { settleDebts } from '../law/rules.ts'
import { logAction } from '../log/rules.ts'
import { isTowing } from '../salvage/model.ts'
import { dropTow } from '../salvage/tow-rules.ts'
import { activeShip, cargoUnits, unloadCargo } from '../ship/model.ts'
import { mendHull, recompute, trackShield } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import {
  dockedBase,
  inTransit,
  inTransitUnlessAdrift,
  isDrifting,
  systemOf,
} from '../travel/location-model.ts'
import { poiId, systemId } from '../travel/model.ts'
import { dockingRefusal, dockShip } from '../travel/rules.ts'
import { Location } from '../travel/state.ts'
import { effectOf, hasRoomForBuff, renderBuffs } from './model.ts'
import { startBuff } from './rules.ts'
import { Buff } from './state.ts'

const useItemSchema = obj({
  action: choice('Always use_item.', ['use_item']),
  ...strings('effect_type', 'item_id', 'item_name'),
  ...ints('quantity_used', 'quantity_remaining'),
  ...opt(strings('message', 'stat', 'destination_poi', 'destination_system')),
  ...opt(strings('origin_poi', 'origin_system', 'docked_at', 'home_base_name')),
  ...opt(ints('amount', 'duration', 'expires_at', 'hull', 'max_hull', 'hull_restored')),
  ...opt(ints('shield', 'max_shield', 'shield_restored', 'fuel_added', 'fuel_now', 'fuel_max')),
  active_buffs: optional(
    list(obj({ ...strings('item_id', 'stat'), ...ints('amount', 'expires_at', 'ticks_left') })),
  ),
})

/** A use of a good by a pilot. */
interface Use {
  readonly world: World
  readonly player: Eid
  readonly ship: Eid
  /** Index into GOODS. */
  readonly item: number
  /** Units aboard, and units requested. */
  readonly held: number
  readonly wanted: number
}

/** Uses up units from the hold; the caller has made all refusals. */
function consume({ world, player, ship, item }: Use, units: number): void {
  unloadCargo(world, ship, namedContainer('consumption'), item, units)
  addStat(world, player, 'consumables_used', units)
}

/** Returns the units to use up, no more than needed, and the points they restore. */
function restorationOf(
  { item, held, wanted }: Use,
  missing: number,
): { units: number; points: number } {
  const each = effectOf(item)?.amount ?? 0
  const units = each === 0 ? 0 : Math.min(wanted, held, divCeil(missing, each))
  return { units, points: Math.min(missing, units * each) }
}

function repairHull(use: Use) {
  const { world, ship } = use
  const { hull, hullMax } = world.read(Ship)
  const { units, points } = restorationOf(use, hullMax[ship] - hull[ship])
  if (units === 0) return fail('nothing_to_restore', { hull: hull[ship] })
  consume(use, units)
  mendHull(world, ship, points)
  return ok({
    quantity_used: units,
    hull_restored: points,
    hull: hull[ship],
    max_hull: hullMax[ship],
    message: `Hull restored by ${counted(points, 'point')}.`,
  })
}

function rechargeShield(use: Use) {
  const { world, ship } = use
  const { shield, shieldMax } = world.write(Ship)
  const { units, points } = restorationOf(use, shieldMax[ship] - shield[ship])
  if (units === 0) return fail('nothing_to_restore', { shield: shield[ship] })
  consume(use, units)
  shield[ship] += points
  trackShield(world, ship)
  return ok({
    quantity_used: units,
    shield_restored: points,
    shield: shield[ship],
    max_shield: shieldMax[ship],
    message: `Shields restored by ${counted(points, 'point')}.`,
  })
}

function applyBooster(use: Use) {
  const { world, ship, item } = use
  if (!hasRoomForBuff(world, ship, item) || isNearlyFull(world, Buff)) return fail('limit_reached')
  consume(use, 1)
  const { stat = 'speed', amount = 0, duration = 0 } = effectOf(item) ?? {}
  const expires_at = startBuff(world, ship, item)
  recompute(world, ship)
  refreshFit(world, ship)
  return ok({
    quantity_used: 1,
    stat,
    amount,
    duration,
    expires_at,
    active_buffs: renderBuffs(world, ship),
    message: `${GOODS[item].name}: ${stat} +${amount} for ${counted(duration, 'tick')}.`,
  })
}

function useWarp(use: Use) {
  const plan = planWarp(use.world, use.player)
  if (!plan.ok) return plan
  consume(use, 1)
  return ok({ quantity_used: 1, ...warpOut(use.world, use.player, plan.result) })
}

function useBeacon(use: Use) {
  const plan = planReturn(use.world, use.player)
  if (!plan.ok) return plan
  consume(use, 1)
  return ok({ quantity_used: 1, ...returnHome(use.world, use.player, plan.result) })
}

const EFFECTS = {
  hull: repairHull,
  shield: rechargeShield,
  buff: applyBooster,
  warp: useWarp,
  home_return: useBeacon,
}

type Effect = (typeof EFFECTS)[keyof typeof EFFECTS]

/** Refuses a ship in transit, unless it is in a battle or adrift. Refusal: in_transit. */
const steeringRefusal = (world: World, player: Eid) =>
  combatantOf(world, player) !== 0 || isDrifting(world, activeShip(world, player))
    ? undefined
    : inTransitUnlessAdrift(world, player)

export const useItem = mutation({
  name: 'use_item',
  v2: { tool: 'game', action: 'use_item', rename: { item_id: 'id' } },
  summary: 'Use a consumable from the hold: kits, shield cells, boosters, emergency devices.',
  category: 'ship',
  order: 'plain',
  inBattle: true,
  adrift: true,
  uninterrupted: true,
  params: obj({
    item_id: itemId('Consumable in your hold.'),
    quantity: optional(quantity('Units to use, 1 if absent; no more are used than needed.')),
  }),
  result: useItemSchema,
  needs: [
    {
      name: 'steerable',
      errors: ['in_transit'],
      check: (view, player) => inTransitUnlessAdrift(view, player),
      ensure: (world, player) => steeringRefusal(world, player),
    },
  ],
  changes: ['player', 'ship', 'modules', 'cargo', 'location'],
  errors: words(
    'in_transit unknown_item not_usable use_refuel insufficient_items nothing_to_restore in_combat',
    'boarding_locked limit_reached access_denied station_under_attack already_docked detained',
  ),
  run(world, player, { item_id, quantity: wanted = 1 }) {
    const found = findGood(item_id)
    if (!found.ok) return found
    const item = found.result
    const ship = activeShip(world, player)
    const type = effectOf(item)?.type ?? ''
    if (type === 'fuel') return fail('use_refuel', { item_id: GOODS[item].id })
    const use = (EFFECTS as Readonly<Partial<Record<string, Effect>>>)[type]
    if (!use) return fail('not_usable', { item_id: GOODS[item].id })
    const held = cargoUnits(world, ship, item)
    if (held === 0) return fail('insufficient_items', { item_id: GOODS[item].id, have: 0 })
    const outcome = use({ world, player, ship, item, held, wanted })
    if (!outcome.ok) return outcome
    const { id, name } = GOODS[item]
    logAction(world, player, 'ship', 'use_item', outcome.result.message ?? name, { item_id: id })
    return ok({
      action: 'use_item' as const,
      effect_type: type,
      item_id: id,
      item_name: name,
      quantity_remaining: held - outcome.result.quantity_used,
      ...outcome.result,
    })
  },
})

/* Devices that move a ship elsewhere: emergency warp charges and homeward beacons. */

/** Renders where a ship is; in transit the place it left. */
function originOf(view: WorldView, ship: Eid) {
  const { poi, fromPoi, system } = view.read(Location)
  const place = poi[ship] || fromPoi[ship]
  return {
    ...(place === 0 ? {} : { origin_poi: poiId(view, place) }),
    origin_system: systemId(view, system[ship]),
  }
}

/**
 * Returns the participant that leaves its battle by an emergency warp; 0 outside of battles.
 * Refusals: detained, in_combat (a match in an arena), boarding_locked, in_transit.
 */
export function planWarp(
  view: WorldView,
  player: Eid,
): Outcome<Row, 'boarding_locked' | 'detained' | 'in_combat' | 'in_transit'> {
  const detained = AT_LIBERTY.check(view, player)
  if (detained) return detained
  const row = combatantOf(view, player)
  if (matchOf(view, activeShip(view, player)) !== 0) return fail('in_combat')
  if (row !== 0) return isAttached(view, row) ? fail('boarding_locked') : ok(row)
  return inTransit(view, player) ?? ok(0)
}

/** Moves the player's ship to a neighbouring system, out of its battle; a tow is dropped. */
function warpOut(world: World, player: Eid, participant: Row) {
  const ship = activeShip(world, player)
  const origin = originOf(world, ship)
  dropTow(world, ship)
  if (participant !== 0) escapeBattle(world, participant, 'emergency_warp')
  ejectShip(world, ship)
  alertArrival(world, player)
  return {
    ...origin,
    destination_poi: poiId(world, world.read(Location).poi[ship]),
    destination_system: systemId(world, systemOf(world, player)),
    message: 'The charge throws the ship into a neighbouring system.',
  }
}

const TAKES_NO_TOW = say`It takes no tow along: {release_tow} a wreck, {deposit_items} a ship of yours at a base.`
const HAS_NO_HOME = say`You have no home base: {set_home_base}, docked where cloning is offered.`

/**
 * Returns the base that a homeward beacon leads to. Refusals: detained, in_combat (in a battle, or
 * an aggressor), in_transit, not_usable (while towing), already_docked, access_denied (no home) and
 * those of docking.
 */
export function planReturn(view: WorldView, player: Eid) {
  const detained = AT_LIBERTY.check(view, player)
  if (detained) return detained
  const ship = activeShip(view, player)
  if (inBattle(view, player)) return fail('in_combat')
  const { aggressiveUntil } = view.read(ShipCombat)
  if (aggressiveUntil[ship] >= view.tick) {
    const wait = counted(aggressiveUntil[ship] - view.tick + 1, 'tick')
    return fail('in_combat', {}, `You attacked somebody lately; wait ${wait}, then try again.`)
  }
  const refused = inTransit(view, player)
  if (refused) return refused
  const home = view.read(Player).homeBase[player]
  if (isTowing(view, ship)) return fail('not_usable', {}, TAKES_NO_TOW)
  if (home === 0) return fail('access_denied', {}, HAS_NO_HOME)
  if (dockedBase(view, player) === home) return fail('already_docked')
  return dockingRefusal(view, player, home) ?? ok(home)
}

/** Takes the player's ship into the dock of its home base. */
function returnHome(world: World, player: Eid, base: Row) {
  const ship = activeShip(world, player)
  const origin = originOf(world, ship)
  dockShip(world, ship, base)
  settleDebts(world, player, base)
  const name = baseName(world, base)
  return {
    ...origin,
    destination_poi: poiId(world, world.read(Location).poi[ship]),
    destination_system: systemId(world, systemOf(world, player)),
    docked_at: name,
    home_base_name: name,
    message: `The ship is back in the dock of ${name}.`,
  }
}
