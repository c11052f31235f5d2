/** Players in lawless space with scanners and cloaks. */
import { itemIndex } from '../../../core/catalog/index.ts'
import type { Outcome } from '../../../core/errors.ts'
import type { Eid } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { fitModule, recompute } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { skillIndex } from '../../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { hullOf, meeting, payloadsTo, putAt, type Scene } from '../combat/scene.ts'

export interface Sensing extends Scene {
  /** Takes all emissions; returns the payloads of one type that were sent to a player. */
  takePayloads(player: Eid, type: string): Record<string, unknown>[]
  fit(player: Eid, ...modules: string[]): void
  skill(player: Eid, id: string, level: number): void
  hide(player: Eid): void
}

/** A hull with enough slots for all modules of these tests. */
export const ROOMY = 'deepsift'

export async function sensing(count: number): Promise<Sensing> {
  const scene = await meeting(count)
  const { world, small, poi } = scene
  for (const player of scene.players) putAt(world, player, poi, { shipClass: ROOMY })
  world.recycle()
  return {
    ...scene,
    takePayloads: (player, type) => payloadsTo(scene, scene.takeEmissions(), player, type),
    fit(player, ...modules) {
      for (const module of modules) fitModule(world, hullOf(world, player), itemIndex(module))
      recompute(world, hullOf(world, player))
    },
    skill(player, id, level) {
      world.write(PlayerSkills).level[player * SKILLS_WIDTH + skillIndex(id)] = level
      recompute(world, hullOf(world, player))
    },
    hide(player) {
      resultOf(small.act(player, 'cloak', { enable: true }))
    },
  }
}

export function resultOf<T = Record<string, unknown>>(outcome: Outcome<unknown>): T {
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`)
  return outcome.result as T
}

export const codeOf = (outcome: Outcome<unknown>): string => (outcome.ok ? 'ok' : outcome.code)

export const isCloaked = (scene: Scene, player: Eid): boolean =>
  scene.world.read(Player).cloaked[player] === 1

export const fuelOf = (scene: Scene, player: Eid): number =>
  scene.world.read(Ship).fuel[hullOf(scene.world, player)]

export function setFuel(scene: Scene, player: Eid, units: number): void {
  const ship = hullOf(scene.world, player)
  scene.world.write(Ship).fuel[ship] = units
  scene.world.write(Ship).issueFuel[ship] = 0
}
