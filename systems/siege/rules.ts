/**
 * Calling a station to arms and standing it down: the hull that fights for it is made when it joins
 * a battle and goes when it is out of it; how it fares meanwhile is written back to its base.
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
import { mendWorks, wreckWorks } from '../facility/rules.ts'
import { membersOf, recordFactionLog } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import { logAction } from '../log/rules.ts'
import { crewIn } from '../npc/model.ts'
import { ATTACK_STANDING, broadcast, changeStanding, KILL_STANDING } from '../npc/rules.ts'
import { makeDebris } from '../salvage/make-rules.ts'
import { createShip, recompute, releaseShip, trackShield } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { ownerOfBase, REPAIR_CREDITS } from '../station/model.ts'
import { playersAt, systemId } from '../travel/model.ts'
import { place, unplace } from '../travel/rules.ts'
import {
  hullOf,
  isManned,
  isPirateBase,
  isWrecked,
  ownerOfStation,
  stationOf,
  systemOfBase,
} from './model.ts'
import { baseDestroyed, stationRepaired } from './schemas.ts'
import { BESIEGED, DAMAGED, Siege, StationHull } from './state.ts'

/*
 * The end of a station's hull, and its return: services off, guns silent, everybody there told.
 * Source: combat.md section 13.
 */

function isWhole(view: WorldView, base: Eid): boolean {
  const { hull, hullMax, shield, shieldMax } = view.read(Base)
  return hull[base] === hullMax[base] && shield[base] === shieldMax[base]
}

/** Notes whether a base is to be mended: while it fights it is not. */
export function trackDamage(world: World, base: Eid): void {
  const isMended = hullOf(world, base) === 0 && (!isWhole(world, base) || isWrecked(world, base))
  if (isMended) world.index(DAMAGED).add(base)
  else world.index(DAMAGED).delete(base)
}

/**
 * Gives a base the hull it fights with; the caller takes it into the battle and has made sure of
 * room. Returns the hull.
 */
export function mobilize(world: World, base: Eid): Eid {
  assert(hullOf(world, base) === 0, `base ${base} is in two battles`)
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
  place(world, ship, poi[base])
  world.index(BESIEGED).add(base)
  trackDamage(world, base)
  return ship
}

/** Writes hull and shield of the fighting station to its base. */
export function reportDamage(world: World, base: Eid): void {
  const { hull, shield } = world.read(Ship)
  const ship = hullOf(world, base)
  const columns = world.write(Base)
  columns.hull[base] = hull[ship]
  columns.shield[base] = shield[ship]
}

/** Takes a base that is out of its battle off the hull it fought with. */
export function standDown(world: World, base: Eid): void {
  const ship = hullOf(world, base)
  assert(ship !== 0, `base ${base} is in no battle`)
  reportDamage(world, base)
  world.write(Siege).ship[base] = 0
  world.write(StationHull).base[ship] = 0
  unplace(world, ship)
  releaseShip(world, ship)
  world.index(BESIEGED).delete(base)
  trackDamage(world, base)
}

/** Forgets a base that is about to go, whole or not; it is in no battle. */
export function forgetStation(world: World, base: Eid): void {
  assert(hullOf(world, base) === 0, `base ${base} goes while it fights`)
  world.index(DAMAGED).delete(base)
}

/** Its guns are back, unless it is wrecked still. Source: combat.md section 13. */
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
    if (hullOf(world, base) !== 0) world.index(BESIEGED).add(base)
    trackDamage(world, base)
  }
}

/* Who hears of a station in a fight: pilots at its place, and whose it is wherever they are. */

/** Tells what befell a station. Source: combat.md section 16. */
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
  const there = new Set(playersAt(world, poi))
  const away = membersOf(world, faction).filter((member) => !there.has(member))
  if (away.length > 0) emit(world, event, payload, { kind: 'players', rows: away })
}

/** Ticks until a wrecked station works again, and for which a scratched one mends. */
export const REPAIR_TICKS = 8_640

/** A station whose hull is gone. */
interface Fall {
  readonly ship: Eid
  /** Who did it; empty and 0 for nobody. */
  readonly killerId: string
  readonly killerName: string
  readonly killer: Eid
}

/** What crews say of their stronghold. */
function sayOfStronghold(
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

/** A stronghold under attack calls its crew, which remembers who did it. */
export function callStronghold(world: World, base: Eid, attacker: Eid): void {
  if (!isPirateBase(world, base)) return
  changeStanding(world, attacker, crewIn(world, systemOfBase(world, base)), ATTACK_STANDING)
  sayOfStronghold(world, base, 'stronghold_attacked', attacker)
}

/** What wrecking a station does to who did it. */
function credit(world: World, base: Eid, killer: Eid): void {
  if (killer === 0) return
  addStat(world, killer, 'bases_destroyed', 1)
  const said = `Wrecked the station ${baseName(world, base)}.`
  logAction(world, killer, 'combat', 'station_wrecked', said, { base_id: baseId(world, base) })
  if (!isPirateBase(world, base)) return
  changeStanding(world, killer, crewIn(world, systemOfBase(world, base)), KILL_STANDING)
}

/**
 * What came off the station drifts beside it. ours: worth a tenth of what its hull costs to mend,
 * as the hulk of a ship is worth a tenth of what it costs anew. Source: salvage.md section 1.
 */
function leaveDebris(world: World, base: Eid, { killerId, killerName }: Fall): void {
  const name = baseName(world, base)
  const { poi, hullMax } = world.read(Base)
  const remains = { poi: poi[base], name, victimId: baseId(world, base), victimName: name }
  const worth = divFloor(hullMax[base] * REPAIR_CREDITS, 10)
  makeDebris(world, { ...remains, killerId, killerName }, worth)
}

/** Notes the wreck in the log of the faction whose it is. */
function recordWreck(world: World, base: Eid, by: string): void {
  const faction = ownerOfBase(world, base)
  if (faction === 0) return
  const leader = world.read(Faction).leader[faction]
  const summary = `${baseName(world, base)} was wrecked by ${by || 'nobody known'}.`
  const data = { base_id: baseId(world, base) }
  recordFactionLog(world, faction, leader, { verb: 'base_wrecked', summary, data })
}

/**
 * Makes a wreck of a station that has left its battle: it serves nothing but its market and its
 * store, and fires no more until it is repaired.
 */
export function wreckStation(world: World, fall: Fall): void {
  const base = stationOf(world, fall.ship)
  const siege = world.write(Siege)
  siege.repairedTick[base] = world.tick + REPAIR_TICKS
  siege.disarmed[base] = 1
  world.write(Ship).shield[fall.ship] = 0
  standDown(world, base)
  wreckWorks(world, base)
  leaveDebris(world, base, fall)
  credit(world, base, fall.killer)
  const payload = {
    attacker_id: fall.killerId,
    attacker_name: fall.killerName,
    base_id: baseId(world, base),
    base_name: baseName(world, base),
    owner_id: ownerOfStation(world, base),
    system_id: systemId(world, systemOfBase(world, base)),
  }
  notifyStation(world, baseDestroyed, payload, base)
  recordWreck(world, base, fall.killerName)
  sayOfStronghold(world, base, 'stronghold_wrecked', fall.killer)
}

/** Makes a wrecked station whole: its services are back, and its guns if somebody mans them. */
export function restoreStation(world: World, base: Eid): void {
  const columns = world.write(Base)
  const siege = world.write(Siege)
  columns.hull[base] = columns.hullMax[base]
  columns.shield[base] = columns.shieldMax[base]
  siege.repairedTick[base] = 0
  if (isManned(world, base)) siege.disarmed[base] = 0
  trackDamage(world, base)
  mendWorks(world, base)
  const payload = {
    base_id: baseId(world, base),
    base_name: baseName(world, base),
    system_id: systemId(world, systemOfBase(world, base)),
  }
  notifyStation(world, stationRepaired, payload, base)
  sayOfStronghold(world, base, 'stronghold_restored', 0)
}
