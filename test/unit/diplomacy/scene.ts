/** Three factions and a player in none, for tests. */
import { expect } from 'vitest'
import type { Outcome } from '../../../core/errors.ts'
import type { PublishedEmission } from '../../../core/ports.ts'
import type { Eid, Row } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { factionIdOf } from '../../../systems/faction/model.ts'
import { oncePerMap, type SmallWorld, smallWorld } from '../../small-world.ts'

type Answer = Outcome<Record<string, unknown>>

export interface Court {
  readonly small: SmallWorld
  readonly ada: Eid
  /** A recruit of Ada's faction. */
  readonly abe: Eid
  readonly ben: Eid
  readonly bea: Eid
  readonly cleo: Eid
  readonly stranger: Eid
  readonly a: Row
  readonly b: Row
  readonly c: Row
}

async function createCourt(): Promise<Court> {
  const small = await smallWorld()
  const [ada, abe, ben, bea, cleo, stranger] = ['Ada', 'Abe', 'Ben', 'Bea', 'Cleo', 'Sten'].map(
    (name) => small.join(name),
  )
  const { world } = small
  const a = foundFaction(world, ada, 'Amber Line', 'AMBR')
  const b = foundFaction(world, ben, 'Basalt Guild', 'BSLT')
  const c = foundFaction(world, cleo, 'Cinder Fleet', 'CNDR')
  addMember(world, abe, a)
  addMember(world, bea, b)
  world.recycle()
  return { small, ada, abe, ben, bea, cleo, stranger, a, b, c }
}

const original = oncePerMap(createCourt)

/**
 * Returns a copy of the scene: Ada leads A and Ben leads B, each with a recruit; Cleo leads C
 * alone.
 */
export async function court(): Promise<Court> {
  const first = await original()
  return { ...first, small: await first.small.reload() }
}

export const idOf = ({ small }: Court, faction: Row): string => factionIdOf(small.world, faction)

/** Runs an action of a player towards another faction. */
export const towards = (
  scene: Court,
  player: Eid,
  action: string,
  faction: Row,
  extra: object = {},
): Answer =>
  scene.small.act(player, `faction_${action}`, {
    target_faction_id: idOf(scene, faction),
    ...extra,
  }) as Answer

/** Runs an action that must succeed. */
export function does(
  scene: Court,
  player: Eid,
  action: string,
  faction: Row,
  extra: object = {},
): Record<string, unknown> {
  const outcome = towards(scene, player, action, faction, extra)
  expect(outcome).toMatchObject({ ok: true })
  return outcome.ok ? outcome.result : {}
}

type Refused = readonly [
  player: Eid,
  request: readonly [action: string, target: Row | string, extra?: object],
  code: string,
]

/** Expects mutations to be refused and to change nothing but the tick. */
export async function refusesAll(scene: Court, cases: readonly Refused[]): Promise<void> {
  const { small } = scene
  const untouched = await small.reload()
  const { tick } = small.world
  for (const [player, [action, target, extra], code] of cases) {
    const target_faction_id = typeof target === 'string' ? target : idOf(scene, target)
    const params = { target_faction_id, ...extra }
    expect(small.act(player, `faction_${action}`, params)).toMatchObject({ ok: false, code })
  }
  untouched.ticks(small.world.tick - tick)
  expect(small.hash()).toBe(untouched.hash())
}

export const refuses = (scene: Court, ...refused: Refused): Promise<void> =>
  refusesAll(scene, [refused])

type Payload = PublishedEmission['payload']

/** Returns the faction events that players got since the last call, by player. */
export function takePayloads({ small }: Court, ...players: readonly Eid[]): Payload[][] {
  const emissions = small.takeEmissions()
  return players.map((player) =>
    emissions
      .filter(({ type, to }) => {
        const number = small.world.read(Player).seq[player]
        return type === 'faction_event' && to.includes(number)
      })
      .map(({ payload }) => payload),
  )
}

export const info = (scene: Court, player: Eid, faction?: Row): Record<string, unknown> => {
  const params = faction === undefined ? {} : { faction_id: idOf(scene, faction) }
  const outcome = scene.small.ask(player, 'faction_info', params) as Answer
  expect(outcome).toMatchObject({ ok: true })
  return outcome.ok ? outcome.result : {}
}
