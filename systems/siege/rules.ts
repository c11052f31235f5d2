/**
 * Stations that fight. The hull of a station is made when it joins a battle and removed when it
 * leaves; its state is written back to the base. Also the wrecking and restoring of stations.
 */
import { assert } from '../../core/assert.ts'
import { shipClassIndex } from '../../core/catalog/index.ts'
import { type EventDef, emit } from '../../core/event.ts'
import { divFloor } from '../../core/math.ts'
import type { Static, TObject } from '../../core/params.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { baseId, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { damageProduction, restoreStationFacilities } from '../facility/rules.ts'
import { membersOf, recordFactionLog } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import { logAction } from '../log/rules.ts'
import { crewIn } from '../npc/model.ts'
import { broadcast } from '../npc/radio-rules.ts'
import { ATTACK_STANDING, changeStanding, KILL_STANDING } from '../npc/rules.ts'
import { makeDebris } from '../salvage/make-rules.ts'
import { createShip, recompute, releaseShip, trackShield } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { ownerOfBase, REPAIR_CREDITS } from '../station/model.ts'
import { playersAt, systemId } from '../travel/model.ts'
import { placeInSpace, removeFromMap } from '../travel/rules.ts'
import {
  isManned,
  isPirateBase,
  isWrecked,
  ownerOfStation,
  stationOf,
  stationShipOf,
  systemOfBase,
} from './model.ts'
import { baseDestroyed, stationRepaired } from './schemas.ts'
import { BESIEGED, DAMAGED, Siege, StationHull } from './state.ts'

/* Arms */

function isWhole(view: WorldView, base: Eid): boolean {
  const { hull, hullMax, shield, shieldMax } = view.read(Base)
  return hull[base] === hullMax[base] && shield[base] === shieldMax[base]
}

/** Updates whether a base is in the list of those to be repaired; one that fights is not. */
export function trackDamage(world: World, base: Eid): void {
  const needsRepair = !isWhole(world, base) || isWrecked(world, base)
  if (stationShipOf(world, base) === 0 && needsRepair) world.index(DAMAGED).add(base)
  else world.index(DAMAGED).delete(base)
}

/**
 * Makes the hull that a base fights with; returns it. The caller has made sure that there is room
 * for it, and adds it to the battle.
 */
export function mobilize(world: World, base: Eid): Eid {
  assert(stationShipOf(world, base) === 0, `base ${base} is in two battles`)
  assert(!isWrecked(world, base), `base ${base} fights and is wrecked`)
  const ship = createShip(world, { owner: 0, shipClass: shipClassIndex('station'), modules: [] })
  world.write(StationHull).base[ship] = base
  world.write(Siege).ship[base] = ship
  recompute(world, ship)
  const { hull, shield, poi } = world.read(Base)
  const columns = world.write(Ship)
  columns.hull[ship] = hull[base]
  columns.shield[ship] = shield[base]
  columns.crewFit[ship] = columns.crewCap[ship]
  trackShield(world, ship)
  placeInSpace(world, ship, poi[base])
  world.index(BESIEGED).add(base)
  trackDamage(world, base)
  return ship
}

/** Writes hull and shield of a fighting station to its base. */
export function reportDamage(world: World, base: Eid): void {
  const { hull, shield } = world.read(Ship)
  const ship = stationShipOf(world, base)
  const columns = world.write(Base)
  columns.hull[base] = hull[ship]
  columns.shield[base] = shield[ship]
}

/** Removes the hull of a base that has left its battle. */
export function standDown(world: World, base: Eid): void {
  const ship = stationShipOf(world, base)
  assert(ship !== 0, `base ${base} is in no battle`)
  reportDamage(world, base)
  world.write(Siege).ship[base] = 0
  world.write(StationHull).base[ship] = 0
  removeFromMap(world, ship)
  releaseShip(world, ship)
  world.index(BESIEGED).delete(base)
  trackDamage(world, base)
}

/** Drops a base that is about to be removed from the list of damaged bases. */
export function forgetStation(world: World, base: Eid): void {
  assert(stationShipOf(world, base) === 0, `base ${base} is removed while it fights`)
  world.index(DAMAGED).delete(base)
}

/** Gives a station its guns back, unless it is wrecked. Source: combat.md section 13. */
export function rearm(world: World, base: Eid): void {
  if (!isWrecked(world, base)) world.write(Siege).disarmed[base] = 0
}

/** Fills the indexes from the tables, after a restore. */
export function rebuildSieges(world: World): void {
  world.index(BESIEGED).clear()
  world.index(DAMAGED).clear()
  const { alive } = world.read(Base)
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 0) continue
    if (stationShipOf(world, base) !== 0) world.index(BESIEGED).add(base)
    trackDamage(world, base)
  }
}

/* Events */

/**
 * Sends an event to pilots at a station, and to the members of its faction wherever they are.
 * Source: combat.md 16.
 */
export function notifyStation<S extends TObject>(
  world: World,
  event: EventDef<S>,
  payload: Static<S>,
  base: Eid,
): void {
  const poi = world.read(Base).poi[base]
  emit(world, event, payload, { kind: 'poi', row: poi })
  const faction = ownerOfBase(world, base)
  if (faction === 0) return
  const present = new Set(playersAt(world, poi))
  const away = membersOf(world, faction).filter((member) => !present.has(member))
  if (away.length > 0) emit(world, event, payload, { kind: 'players', rows: away })
}

/* Wrecks. Source: combat.md section 13. */

/** Ticks until a wrecked station works again, and in which any other regains a whole hull. */
export const REPAIR_TICKS = 8_640

/** The loss of a station's hull. */
interface StationLoss {
  readonly ship: Eid
  /** Empty, or 0, if there is no known killer. */
  readonly killerId: string
  readonly killerName: string
  readonly killer: Eid
}

/** Broadcasts what a crew says about an event at its stronghold. */
function broadcastForStronghold(
  world: World,
  base: Eid,
  event: 'stronghold_attacked' | 'stronghold_wrecked' | 'stronghold_restored',
  actor: Eid,
): void {
  if (!isPirateBase(world, base)) return
  const system = systemOfBase(world, base)
  broadcast(world, {
    event,
    operation: 'siege',
    speaker: baseName(world, base),
    system,
    actor,
    poi: world.read(Base).poi[base],
    number: world.read(Base).seq[base],
  })
}

/** Lets a stronghold under attack call its crew, at a cost in standing to the attacker. */
export function callStronghold(world: World, base: Eid, attacker: Eid): void {
  if (!isPirateBase(world, base)) return
  changeStanding(world, attacker, crewIn(world, systemOfBase(world, base)), ATTACK_STANDING)
  broadcastForStronghold(world, base, 'stronghold_attacked', attacker)
}

/** Credits a player with wrecking a station; that of a crew costs them standing with it. */
function creditWreck(world: World, base: Eid, killer: Eid): void {
  if (killer === 0) return
  addStat(world, killer, 'bases_destroyed', 1)
  const message = `Wrecked the station ${baseName(world, base)}.`
  logAction(world, killer, 'combat', 'station_wrecked', message, { base_id: baseId(world, base) })
  if (!isPirateBase(world, base)) return
  changeStanding(world, killer, crewIn(world, systemOfBase(world, base)), KILL_STANDING)
}

/**
 * Leaves debris beside a wrecked station. ours: worth a tenth of the repair of its hull, as a
 * ship's wreck is worth a tenth of its price. Source: salvage.md section 1.
 */
function leaveDebris(world: World, base: Eid, { killerId, killerName }: StationLoss): void {
  const name = baseName(world, base)
  const { poi, hullMax } = world.read(Base)
  const victimId = baseId(world, base)
  const remains = { poi: poi[base], name, victimId, victimName: name, killerId, killerName }
  makeDebris(world, remains, divFloor(hullMax[base] * REPAIR_CREDITS, 10))
}

/** Records the wreck in the log of the faction that owns it. */
function recordWreck(world: World, base: Eid, killerName: string): void {
  const faction = ownerOfBase(world, base)
  if (faction === 0) return
  const leader = world.read(Faction).leader[faction]
  const summary = `${baseName(world, base)} was wrecked by ${killerName || 'an unknown attacker'}.`
  const data = { base_id: baseId(world, base) }
  recordFactionLog(world, faction, leader, { verb: 'base_wrecked', summary, data })
}

/**
 * Turns a station into a wreck and takes it out of its battle: until it is repaired it has no guns,
 * and no services except market and storage.
 */
export function wreckStation(world: World, loss: StationLoss): void {
  const base = stationOf(world, loss.ship)
  const siege = world.write(Siege)
  siege.repairedTick[base] = world.tick + REPAIR_TICKS
  siege.disarmed[base] = 1
  world.write(Ship).shield[loss.ship] = 0
  standDown(world, base)
  damageProduction(world, base)
  leaveDebris(world, base, loss)
  creditWreck(world, base, loss.killer)
  const payload = {
    attacker_id: loss.killerId,
    attacker_name: loss.killerName,
    base_id: baseId(world, base),
    base_name: baseName(world, base),
    owner_id: ownerOfStation(world, base),
    system_id: systemId(world, systemOfBase(world, base)),
  }
  notifyStation(world, baseDestroyed, payload, base)
  recordWreck(world, base, loss.killerName)
  broadcastForStronghold(world, base, 'stronghold_wrecked', loss.killer)
}

/** Restores a wrecked station: its services, and its guns if it is manned. */
export function restoreStation(world: World, base: Eid): void {
  const columns = world.write(Base)
  const siege = world.write(Siege)
  columns.hull[base] = columns.hullMax[base]
  columns.shield[base] = columns.shieldMax[base]
  siege.repairedTick[base] = 0
  if (isManned(world, base)) siege.disarmed[base] = 0
  trackDamage(world, base)
  restoreStationFacilities(world, base)
  const payload = {
    base_id: baseId(world, base),
    base_name: baseName(world, base),
    system_id: systemId(world, systemOfBase(world, base)),
  }
  notifyStation(world, stationRepaired, payload, base)
  broadcastForStronghold(world, base, 'stronghold_restored', 0)
}
