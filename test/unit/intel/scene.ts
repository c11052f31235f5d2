/** A faction with intel facilities, for tests. */
import { expect } from 'vitest'
import type { Outcome } from '../../../core/errors.ts'
import type { Eid, Row } from '../../../core/types.ts'
import { Base } from '../../../systems/base/state.ts'
import { foundFaction } from '../../../systems/faction/member-rules.ts'
import { Faction } from '../../../systems/faction/state.ts'
import { systemId } from '../../../systems/travel/model.ts'
import { Poi, StarSystem } from '../../../systems/travel/state.ts'
import { mapInUse, type SmallWorld } from '../../small-world.ts'
import { addService, dockAt, type Guild, guild, openBase } from '../faction/scene.ts'

export interface Bureau extends Guild {
  /** A base open to everybody, where the leader and the recruit are docked. */
  readonly base: Eid
  readonly system: Eid
  /** Another faction, whose only member is the stranger. */
  readonly rivals: Row
}

/** The first scene made of each map and set of services; later ones are loaded from its image. */
const scenes = new Map<string, Bureau>()

/** Makes two factions, one of which has these services at a base. The values are tiers. */
export async function bureau(services: Readonly<Record<string, number>>): Promise<Bureau> {
  const key = JSON.stringify([mapInUse(), services])
  const first = scenes.get(key) ?? (await createBureau(services))
  scenes.set(key, first)
  return { ...first, small: await first.small.reload() }
}

async function createBureau(services: Readonly<Record<string, number>>): Promise<Bureau> {
  const scene = await guild()
  const { world } = scene.small
  const base = openBase(world)
  const rivals = foundFaction(world, scene.stranger, 'Quiet Neighbours', 'HUSH')
  for (const [service, level] of Object.entries(services)) {
    addService(world, scene.faction, base, service, level)
  }
  for (const player of [scene.leader, scene.recruit]) dockAt(world, player, base)
  const system = world.read(Poi).system[world.read(Base).poi[base]]
  return { ...scene, base, system, rivals }
}

/** Returns the result of a mutation or query that must not be refused. */
function resultOf(outcome: Outcome<unknown>): Record<string, unknown> {
  expect(outcome).toMatchObject({ ok: true })
  return (outcome as { result: Record<string, unknown> }).result
}

export const ask = (small: SmallWorld, player: Eid, command: string, params: object = {}) =>
  resultOf(small.ask(player, command, params))

export const act = (small: SmallWorld, player: Eid, command: string, params: object = {}) =>
  resultOf(small.act(player, command, params))

/** Expects a mutation to be refused, judged as a tick would judge it, and to change nothing. */
export function refusesMove(
  small: SmallWorld,
  player: Eid,
  [command, params]: readonly [string, object],
  refusal: object | string,
): void {
  const { world, registry } = small
  const def = registry.commands.get(command)
  if (def?.kind !== 'mutation') throw new Error(`${command} is not a mutation`)
  const before = small.hash()
  const needs = def.needs.map((need) => need.ensure(world, player, params))
  const unmet = needs.find((met) => typeof met === 'object')
  const expected = typeof refusal === 'string' ? { code: refusal } : refusal
  expect(unmet ?? def.run(world, player, params)).toMatchObject({ ok: false, ...expected })
  expect(small.hash()).toBe(before)
}

/** Returns a system with places and without the base, and its wire id. */
export function elsewhere(small: SmallWorld, home: Eid, nth = 0): { system: Eid; id: string } {
  const { alive, poiCount } = small.world.read(StarSystem)
  const systems: Eid[] = []
  for (let row = 1; row <= small.world.highOf(StarSystem); row++) {
    if (alive[row] === 1 && row !== home && poiCount[row] > 2) systems.push(row)
  }
  return { system: systems[nth], id: systemId(small.world, systems[nth]) }
}

/** Allies the two factions. */
export function ally({ small, leader, stranger }: Bureau): void {
  act(small, leader, 'faction_propose_ally', { target_faction_id: 'HUSH' })
  act(small, stranger, 'faction_accept_ally', { target_faction_id: 'FREE' })
  small.tick()
}

/** Sets whether a faction withholds its intel from allies. */
export function setOptOut(small: SmallWorld, faction: Row, isOn: boolean): void {
  small.world.write(Faction).allyIntelOptOut[faction] = isOn ? 1 : 0
}
