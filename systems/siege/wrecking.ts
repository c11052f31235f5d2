/**
 * The end of a station's hull, and its return: services off, guns silent, everybody there told.
 * Source: combat.md section 13.
 */
import { divFloor } from '../../core/math.ts'
import type { Eid, World } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { Base } from '../base/columns.ts'
import { baseId, baseName } from '../base/rules.ts'
import { mendWorks, wreckWorks } from '../facility/rules.ts'
import { Faction } from '../faction/columns.ts'
import { noteFactionLog } from '../faction/rules.ts'
import { logAction } from '../log/rules.ts'
import { ATTACK_STANDING, changeStanding, crewIn, KILL_STANDING } from '../npc/crew-rules.ts'
import { broadcast } from '../npc/radio-rules.ts'
import { makeDebris } from '../salvage/rules.ts'
import { Ship } from '../ship/columns.ts'
import { ownerOfBase } from '../station/access-rules.ts'
import { REPAIR_CREDITS } from '../station/terms-rules.ts'
import { systemId } from '../travel/rules.ts'
import { Siege } from './columns.ts'
import { baseDestroyed, stationRepaired } from './events.ts'
import { isManned, standDown, trackDamage } from './muster.ts'
import { ownerOfStation } from './rules.ts'
import { isPirateBase, stationOf, systemOfBase } from './station-rules.ts'
import { tellOfStation } from './tell.ts'

/** Ticks until a wrecked station works again, and for which a scratched one mends. */
export const REPAIR_TICKS = 8_640

/** A station whose hull is gone. */
export interface Fall {
  readonly ship: Eid
  /** Who did it; empty and 0 for nobody. */
  readonly killerId: string
  readonly killerName: string
  readonly killer: Eid
}

/** What crews say of their stronghold. */
export function sayOfStronghold(
  world: World,
  base: Eid,
  event: 'stronghold_attacked' | 'stronghold_wrecked' | 'stronghold_restored',
  actor: Eid,
): void {
  if (!isPirateBase(world, base)) return
  const system = systemOfBase(world, base)
  broadcast(world, {
    ...{ event, operation: 'siege', speaker: baseName(world, base), system, actor },
    ...{ poi: world.read(Base).poi[base], number: world.read(Base).seq[base] },
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
function noteWreck(world: World, base: Eid, by: string): void {
  const faction = ownerOfBase(world, base)
  if (faction === 0) return
  const leader = world.read(Faction).leader[faction]
  const summary = `${baseName(world, base)} was wrecked by ${by || 'nobody known'}.`
  const data = { base_id: baseId(world, base) }
  noteFactionLog(world, faction, leader, { verb: 'base_wrecked', summary, data })
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
  tellOfStation(world, baseDestroyed, payload, base)
  noteWreck(world, base, fall.killerName)
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
  tellOfStation(world, stationRepaired, payload, base)
  sayOfStronghold(world, base, 'stronghold_restored', 0)
}
