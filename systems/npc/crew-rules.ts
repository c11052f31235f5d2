/**
 * The crews of lawless space: which of them a system belongs to, where they sit, and what they
 * think of players.
 */
import { CREWS, type CrewRow, PIRATES } from '../../core/catalog/index.ts'
import { clamp } from '../../core/math.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { logAction } from '../log/rules.ts'
import { Ship } from '../ship/columns.ts'
import { Poi, StarSystem } from '../travel/columns.ts'
import { lanesFrom, poisOf } from '../travel/rules.ts'
import { CREWS_WIDTH, Haunt, Helm, Npc, Outlaw } from './columns.ts'
import { PIRATE } from './rules.ts'

/** Source: combat.md section 13. */
export const ATTACK_STANDING = -2
export const KILL_STANDING = -5
const STANDING_MAX = 100

/** Index into CREWS of the crew that rules a system's lanes: that of the nearest stronghold. */
export const crewIn = (view: WorldView, system: Eid): number => view.read(Haunt).crew[system]

export const crewRowIn = (view: WorldView, system: Eid): CrewRow => CREWS[crewIn(view, system)]

/**
 * Writes for each system whose it is, from the strongholds outwards; of two as near the first.
 * Derived from the chart.
 */
export function rebuildCrews(world: World): void {
  const { crew } = world.write(Haunt)
  const { name, stronghold } = world.read(StarSystem)
  const systems = Array.from({ length: world.highOf(StarSystem) }, (_, i) => i + 1)
  const seats = systems.filter((system) => stronghold[system] === 1)
  const crewOfSeat = (system: Eid): number => {
    const named = world.texts.get(name[system])
    return Math.max(
      0,
      CREWS.findIndex((row) => row.stronghold === named),
    )
  }
  const reached = new Set<Eid>(seats)
  for (const seat of seats) crew[seat] = crewOfSeat(seat)
  let ring = [...seats].sort((a, b) => crew[a] - crew[b])
  while (ring.length > 0) {
    const next: Eid[] = []
    for (const system of ring) {
      for (const to of lanesFrom(world, system)) {
        if (reached.has(to)) continue
        reached.add(to)
        crew[to] = crew[system]
        next.push(to)
      }
    }
    ring = next
  }
}

/** The base of a stronghold; 0 in other systems. */
export function strongholdBase(view: WorldView, system: Eid): Eid {
  if (view.read(StarSystem).stronghold[system] === 0) return 0
  const { base } = view.read(Poi)
  const poi = poisOf(view, system).find((at) => base[at] !== 0)
  return poi === undefined ? 0 : base[poi]
}

/**
 * True for a crew that keeps the hulls it boards: a boss; the others plunder and let go. ours: the
 * sheet knows both doctrines and does not say whose they are. Source: combat.md section 10.
 */
export function keepsHulls(view: WorldView, ship: Eid): boolean {
  const npc = view.read(Helm).npc[ship]
  const { kind, type } = view.read(Npc)
  return npc !== 0 && kind[npc] === PIRATE && PIRATES[type[npc]].doctrine === 'capture'
}

/** What a crew thinks of a player, -100…100. */
export const standingWith = (view: WorldView, player: Eid, crew: number): number =>
  view.read(Outlaw).standing[player * CREWS_WIDTH + crew]

/** Changes what a crew thinks of a player, within its bounds; the action log has it. */
export function changeStanding(world: World, player: Eid, crew: number, points: number): void {
  const { standing } = world.write(Outlaw)
  const at = player * CREWS_WIDTH + crew
  const before = standing[at]
  standing[at] = clamp(before + points, -STANDING_MAX, STANDING_MAX)
  const change = standing[at] - before
  if (change === 0) return
  const { key, name } = CREWS[crew]
  const said = `Standing with ${name} changed by ${change} to ${standing[at]}.`
  const data = { crew: key, change, standing: standing[at] }
  logAction(world, player, 'reputation', 'pirate_standing', said, data)
}

/** Lowers the standing of a player with the crew that a ship of the server belongs to. */
export function resent(world: World, player: Eid, pirate: Eid, points: number): void {
  const npc = world.read(Helm).npc[pirate]
  const { kind, system } = world.read(Npc)
  if (npc === 0 || kind[npc] !== PIRATE || world.read(Ship).owner[pirate] !== 0) return
  changeStanding(world, player, crewIn(world, system[npc]), points)
}
