/**
 * NPC ships as other domains see them: which ship is flown by one, its name and figures, who stands
 * by a pirate that is attacked, taking one on and taking it out of the world.
 */
import { assert } from '../../core/assert.ts'
import {
  EMPIRE_NPCS,
  type EmpireNpcRow,
  PIRATES,
  type PirateRow,
  pirateName,
  policeFigures,
  policeName,
} from '../../core/catalog/index.ts'
import type { NpcFigures } from '../../core/catalog/types.ts'
import { PIRATES_PER_BATTLE_MAX } from '../../core/limits.ts'
import { hash32, hashText } from '../../core/rng.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { fighterOf } from '../arena/rules.ts'
import { Fighting } from '../combat/columns.ts'
import { creatureOf } from '../creature/rules.ts'
import { droneFigures, droneOf, droneTitle } from '../drone/hull-rules.ts'
import { Ship } from '../ship/columns.ts'
import { recompute, shipName } from '../ship/rules.ts'
import { stationFigures } from '../siege/station-rules.ts'
import { StarSystem } from '../travel/columns.ts'
import { Haunt, Helm, NPC_KINDS, Npc, type NpcKind } from './columns.ts'
import { crewRowIn } from './crew-rules.ts'

export { customsAt, isBorder, watchOf } from './empire-rules.ts'
export { boast, callForHelp, countHunted, loadLoot, rewardHunter } from './rewards.ts'

export const PIRATE = NPC_KINDS.indexOf('pirate')
export const EMPIRE_SHIP = NPC_KINDS.indexOf('npc')
export const POLICE = NPC_KINDS.indexOf('police')
const NAME = hashText('npc.name')
/** Ticks until a stronghold has a boss again. Source: combat.md section 13. */
export const BOSS_TICKS = 8_640

/** Who flies a ship: a row of `Npc`, 0 if it is none. */
export const npcOf = (view: WorldView, ship: Eid): Row => view.read(Helm).npc[ship]

/** The catalogue's row of the pirate who flies a ship; undefined if none does. */
export function pirateOf(view: WorldView, ship: Eid): PirateRow | undefined {
  const npc = npcOf(view, ship)
  return npc !== 0 && view.read(Npc).kind[npc] === PIRATE
    ? PIRATES[view.read(Npc).type[npc]]
    : undefined
}

/** The catalogue's row of the empire NPC who flies a ship; undefined if none does. */
export function empireNpcOf(view: WorldView, ship: Eid): EmpireNpcRow | undefined {
  const npc = npcOf(view, ship)
  return npc !== 0 && view.read(Npc).kind[npc] === EMPIRE_SHIP
    ? EMPIRE_NPCS[view.read(Npc).type[npc]]
    : undefined
}

/** What the NPC who flies a ship is; undefined if none does. */
export function npcKindOf(view: WorldView, ship: Eid): NpcKind | undefined {
  const npc = npcOf(view, ship)
  return npc === 0 ? undefined : NPC_KINDS[view.read(Npc).kind[npc]]
}

/**
 * Figures of what the server flies, in place of those of hull and fit; undefined for other ships.
 * A kind of NPC, a station and a creature have their place here.
 */
export function figuresOf(view: WorldView, ship: Eid): NpcFigures | undefined {
  if (isPolice(view, ship)) return policeFigures(view.read(Npc).type[npcOf(view, ship)])
  const npc = pirateOf(view, ship) ?? empireNpcOf(view, ship) ?? stationFigures(view, ship)
  return npc ?? droneFigures(view, ship) ?? creatureOf(view, ship) ?? fighterOf(view, ship)
}

export const isPolice = (view: WorldView, ship: Eid): boolean => npcKindOf(view, ship) === 'police'

/** True for ships of an empire, police included: to attack one is a crime where there is law. */
export const isOfficial = (view: WorldView, ship: Eid): boolean =>
  isPolice(view, ship) || npcKindOf(view, ship) === 'npc'

/** True for the boss of a stronghold. */
export const isBoss = (view: WorldView, ship: Eid): boolean => pirateOf(view, ship)?.isBoss === true

export const isPirate = (view: WorldView, ship: Eid): boolean => pirateOf(view, ship) !== undefined

/**
 * Name of the NPC who flies a ship: a function of the ship's durable number; a boss is who rules the
 * crew, a ship of an empire has a name of its own.
 */
export function npcName(view: WorldView, ship: Eid): string {
  const { system } = view.read(Npc)
  const random = hash32(view.seed, NAME, view.read(Ship).seq[ship])
  if (isBoss(view, ship)) return crewRowIn(view, system[npcOf(view, ship)]).boss
  if (isPolice(view, ship)) {
    return policeName(view.read(StarSystem).empire[system[npcOf(view, ship)]] - 1, random)
  }
  const office = empireNpcOf(view, ship)
  return office ? office.names[random % office.names.length] : pirateName(random)
}

/** Index into EMPIRES of the empire that a ship of the server sails for; -1 for others. */
export function empireOfNpc(view: WorldView, ship: Eid): number {
  if (npcKindOf(view, ship) !== 'npc') return -1
  return view.read(StarSystem).empire[view.read(Npc).system[npcOf(view, ship)]] - 1
}

/** Who flies a ship without a pilot: the NPC's name, or that of the hull. */
export function helmName(view: WorldView, ship: Eid): string {
  const drone = droneOf(view, ship)
  if (drone !== 0) return droneTitle(view, drone)
  return npcOf(view, ship) === 0 ? shipName(view, ship) : npcName(view, ship)
}

/** NPCs at home in a system, the one that came last first. */
export function npcsOf(view: WorldView, system: Eid): Row[] {
  const { next } = view.read(Npc)
  const rows: Row[] = []
  for (let npc = view.read(Haunt).firstNpc[system]; npc !== 0; npc = next[npc]) rows.push(npc)
  return rows
}

/**
 * Hulls that join a pirate who is attacked in this system: every pirate there that is in no battle,
 * in order of their durable numbers. Source: combat.md section 1.
 */
export function uncommittedPirates(view: WorldView, system: Eid): Eid[] {
  const { kind, ship } = view.read(Npc)
  const { seq } = view.read(Ship)
  const { participant } = view.read(Fighting)
  return npcsOf(view, system)
    .filter((npc) => kind[npc] === PIRATE && participant[ship[npc]] === 0)
    .map((npc) => ship[npc])
    .sort((a, b) => seq[a] - seq[b])
    .slice(0, PIRATES_PER_BATTLE_MAX)
}

export interface NewNpc {
  readonly kind: number
  readonly type: number
  readonly system: Eid
}

/** Puts an NPC at the helm of a ship without an owner, and gives the ship its figures. */
export function enlist(world: World, ship: Eid, plan: NewNpc): Row {
  assert(world.read(Ship).owner[ship] === 0, `ship ${ship} has an owner and an NPC`)
  assert(npcOf(world, ship) === 0, `ship ${ship} has an NPC already`)
  const npc = world.take(Npc)
  const row = world.write(Npc)
  const { firstNpc } = world.write(Haunt)
  row.ship[npc] = ship
  row.kind[npc] = plan.kind
  row.type[npc] = plan.type
  row.system[npc] = plan.system
  row.next[npc] = firstNpc[plan.system]
  if (row.next[npc] !== 0) row.previous[row.next[npc]] = npc
  firstNpc[plan.system] = npc
  world.write(Helm).npc[ship] = npc
  recompute(world, ship)
  return npc
}

/** Takes the NPC off its ship, which keeps the figures of its class: destroyed, or captured. */
export function dismiss(world: World, ship: Eid): void {
  const npc = npcOf(world, ship)
  assert(npc !== 0, `ship ${ship} has no NPC`)
  const row = world.write(Npc)
  const [next, previous] = [row.next[npc], row.previous[npc]]
  if (isBoss(world, ship)) world.write(Haunt).bossTick[row.system[npc]] = world.tick + BOSS_TICKS
  if (previous === 0) world.write(Haunt).firstNpc[row.system[npc]] = next
  else row.next[previous] = next
  if (next !== 0) row.previous[next] = previous
  world.write(Helm).npc[ship] = 0
  world.release(Npc, npc)
  recompute(world, ship)
}
