/** Players who meet under the law of an empire: a lawless system is given police. */
import { balanceOf, namedAccount } from '../../../core/ledger.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { reputationOf, walletOf } from '../../../systems/account/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { bountyOf } from '../../../systems/law/model.ts'
import { CriminalRecord, Offence } from '../../../systems/law/state.ts'
import { creditMove } from '../../../systems/log/rules.ts'
import { npcsOf, POLICE } from '../../../systems/npc/model.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { poisOf } from '../../../systems/travel/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Poi, StarSystem } from '../../../systems/travel/state.ts'
import { baseIn, hullOf, meeting, payloadsTo, type Scene } from '../combat/scene.ts'

export { hullOf, meeting, open, payloadsTo, putAt, rowOf, type Scene } from '../combat/scene.ts'

/** The empire whose law holds in the scene: Solarian, of which all testers are citizens. */
export const LAW = 0

/** Makes this many players at one place of a system with this police level. */
export async function policed(count: number, level = 100): Promise<Scene> {
  const scene = await meeting(count)
  const { police, empire } = scene.world.write(StarSystem)
  police[scene.system] = level
  empire[scene.system] = LAW + 1
  const base = baseIn(scene.world, scene.system)
  const columns = scene.world.write(Base)
  columns.empire[base] = LAW + 1
  columns.pirateRepRequired[base] = 0
  return scene
}

export const attack = (scene: Scene, player: Eid, target: Eid) =>
  scene.small.act(player, 'attack', { target_id: scene.id(target) })

export const owed = (scene: Scene, player: Eid): number => bountyOf(scene.world, player, LAW)
export const standing = (scene: Scene, player: Eid): number =>
  reputationOf(scene.world, player, LAW)

/** Puts a player in space at the base of the system. */
export function besideBase(scene: Scene, player: Eid): void {
  const { base } = scene.world.read(Poi)
  const poi = poisOf(scene.world, scene.system).find((place) => base[place] !== 0) ?? 0
  placeInSpace(scene.world, hullOf(scene.world, player), poi)
}

/** Gives or takes credits until the wallet holds this many. */
export function setCredits(world: World, player: Eid, credits: number): void {
  const wallet = walletOf(world, player)
  const have = balanceOf(world, wallet)
  const sink = namedAccount('fee_sink')
  const [from, to] = have > credits ? [wallet, sink] : [sink, wallet]
  creditMove(world, player, from, to, Math.abs(credits - have), 'other', 'test', 'For a test.')
}

export const creditsOf = (world: World, player: Eid): number =>
  balanceOf(world, walletOf(world, player))

/** Returns the hulls of police drones in the system. */
export function dronesIn({ world, system }: Scene): Eid[] {
  const { kind, ship } = world.read(Npc)
  const { seq } = world.read(Ship)
  return npcsOf(world, system)
    .filter((npc) => kind[npc] === POLICE)
    .map((npc) => ship[npc])
    .sort((a, b) => seq[a] - seq[b])
}

export const offencesOf = (world: World, player: Eid): Row[] => {
  const rows: Row[] = []
  const { next } = world.read(Offence)
  let row = world.read(CriminalRecord).firstOffence[player]
  for (; row !== 0; row = next[row]) rows.push(row)
  return rows
}

/** Returns the notices of empires that a player was sent since emissions were last taken. */
export const notices = (scene: Scene, player: Eid): Record<string, unknown>[] =>
  payloadsTo(scene, scene.takeEmissions(), player, 'empire_notice')
