/**
 * Who is hunted where. A warrant holds for one system; who answers it is police.ts. Source:
 * combat.md section 12.
 */
import { EMPIRES } from '../../core/catalog/index.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { StarSystem } from '../travel/columns.ts'
import { CriminalRecord, Warrant } from './columns.ts'
import { isWelcome, tellNotice } from './debts.ts'

/** Ticks of a warrant, and what each further crime adds. */
export const WARRANT_TICKS = 60
/** ours: the most that adds up; a day. */
export const WARRANT_TICKS_MAX = 8_640

/** Index into EMPIRES of the empire whose law holds in a system; -1 where there is none. */
export function lawOf(view: WorldView, system: Eid): number {
  const { police, empire } = view.read(StarSystem)
  return police[system] > 0 ? empire[system] - 1 : -1
}

/** Ticks until drones come. Source: combat.md section 12. */
export function responseTicks(level: number): number {
  if (level >= 100) return 0
  if (level >= 80) return 1
  if (level >= 60) return 2
  if (level >= 40) return 3
  return level >= 20 ? 4 : 5
}

/** The warrant on a player in a system; 0 none. */
export function warrantOf(view: WorldView, player: Eid, system: Eid): Row {
  const { system: of, next } = view.read(Warrant)
  let row = view.read(CriminalRecord).firstWarrant[player]
  while (row !== 0 && of[row] !== system) row = next[row]
  return row
}

/** True while the police of a system are after a player. */
export function isWanted(view: WorldView, player: Eid, system: Eid): boolean {
  const row = warrantOf(view, player, system)
  return row !== 0 && view.read(Warrant).until[row] >= view.tick
}

function openWarrant(world: World, player: Eid, system: Eid): Row {
  if (world.roomIn(Warrant) === 0) return 0
  const row = world.take(Warrant)
  const columns = world.write(Warrant)
  const record = world.write(CriminalRecord)
  columns.player[row] = player
  columns.system[row] = system
  columns.empire[row] = lawOf(world, system) + 1
  columns.next[row] = record.firstWarrant[player]
  record.firstWarrant[player] = row
  return row
}

/**
 * Sets the police of a system on a player for 60 ticks, or for 60 more; calls drones as late as the
 * system's police level has it. Nothing in lawless space, or where nobody keeps so many warrants.
 */
export function raiseWarrant(world: World, player: Eid, system: Eid): void {
  if (lawOf(world, system) < 0) return
  const row = warrantOf(world, player, system) || openWarrant(world, player, system)
  if (row === 0) return
  const { until, respondTick } = world.write(Warrant)
  const from = Math.max(until[row], world.tick)
  until[row] = Math.min(from + WARRANT_TICKS, world.tick + WARRANT_TICKS_MAX)
  const level = world.read(StarSystem).police[system]
  if (respondTick[row] === 0) respondTick[row] = world.tick + responseTicks(level)
}

/** Releases a warrant that nobody pursues any more. */
export function closeWarrant(world: World, warrant: Row): void {
  const { player, next } = world.read(Warrant)
  const { firstWarrant } = world.write(CriminalRecord)
  const of = player[warrant]
  if (firstWarrant[of] === warrant) firstWarrant[of] = next[warrant]
  else {
    let before = firstWarrant[of]
    while (next[before] !== warrant) before = next[before]
    world.write(Warrant).next[before] = next[warrant]
  }
  world.release(Warrant, warrant)
}

/**
 * A player comes into the open of a system: where he is not welcome he is warned once, then hunted.
 */
export function meetLaw(world: World, player: Eid, system: Eid): void {
  const empire = lawOf(world, system)
  if (empire < 0 || isWelcome(world, player, empire)) return
  const { warned } = world.write(CriminalRecord)
  const { name } = EMPIRES[empire]
  const place = placeOf(world, system)
  const isWarned = (warned[player] & (1 << empire)) !== 0
  warned[player] |= 1 << empire
  if (!isWarned) {
    const message = `${name} warns you: leave, and come back when you are welcome.`
    tellNotice(world, player, empire, { kind: 'warning', message, ...place })
    return
  }
  if (isWanted(world, player, system)) return
  raiseWarrant(world, player, system)
  const message = `${name} shoots at you on sight in ${place.system_name}.`
  tellNotice(world, player, empire, { kind: 'wanted', message, ...place })
}

/** How notices name a system. */
export function placeOf(view: WorldView, system: Eid) {
  const { id, name } = view.read(StarSystem)
  return { system_id: view.texts.get(id[system]), system_name: view.texts.get(name[system]) }
}
