/** Pilots at a base, and fleets of them, for tests. */
import { expect } from 'vitest'
import type { Outcome } from '../../../core/errors.ts'
import type { PublishedEmission } from '../../../core/ports.ts'
import type { Eid } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { poisOf } from '../../../systems/travel/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Poi, StarSystem } from '../../../systems/travel/state.ts'
import type { SmallWorld } from '../../small-world.ts'

type Answer = Outcome<Record<string, unknown>>

/** Runs an action of the fleet command, about another player where one is given. */
export const fleet = (small: SmallWorld, player: Eid, action: string, target?: Eid): Answer =>
  small.act(player, 'fleet', {
    action,
    ...(target === undefined ? {} : { player_id: playerId(small.world, target) }),
  }) as Answer

export const hullOf = (small: SmallWorld, player: Eid): Eid => small.world.read(Player).ship[player]

/** Returns a visible place without a base, in a system with little police and no pirates. */
export function quietPlace(small: SmallWorld): Eid {
  const { world } = small
  const { police } = world.read(StarSystem)
  const { hidden, base } = world.read(Poi)
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    if (police[system] <= 20 || police[system] >= 60) continue
    const found = poisOf(world, system).find((poi) => hidden[poi] === 0 && base[poi] === 0)
    if (found !== undefined) return found
  }
  throw new Error('there is no quiet place')
}

/** Puts players in space at a place. */
export function gather(small: SmallWorld, poi: Eid, ...players: Eid[]): void {
  for (const player of players) placeInSpace(small.world, hullOf(small, player), poi)
}

/** Forms a fleet led by the first player, with the others at the leader's place. */
export function form(small: SmallWorld, leader: Eid, ...others: Eid[]): void {
  expect(fleet(small, leader, 'create').ok).toBe(true)
  for (const other of others) {
    expect(fleet(small, leader, 'invite', other)).toMatchObject({ ok: true })
    expect(fleet(small, other, 'accept')).toMatchObject({ ok: true })
  }
  small.takeEmissions()
}

/** Returns the events of a type that a player got since the last call. */
export function heard(
  small: SmallWorld,
  player: Eid,
  type = 'fleet_update',
): PublishedEmission['payload'][] {
  const number = small.world.read(Player).seq[player]
  return small
    .takeEmissions()
    .filter((emission) => emission.type === type && emission.to.includes(number))
    .map(({ payload }) => payload)
}

/** Expects a mutation to be refused and to leave the world as in a twin that did not run it. */
export async function refuses(
  small: SmallWorld,
  player: Eid,
  [command, params]: readonly [string, object],
  refusal: object | string,
): Promise<void> {
  const twin = await small.reload()
  const { tick } = small.world
  const expected = typeof refusal === 'string' ? { code: refusal } : refusal
  expect(small.act(player, command, params)).toMatchObject({ ok: false, ...expected })
  twin.ticks(small.world.tick - tick)
  expect(small.hash()).toBe(twin.hash())
}

export const disconnect = (small: SmallWorld, player: Eid): void => {
  const number = small.world.read(Player).seq[player]
  expect(small.ask(0, 'internal:unbind', { player: number, channel: 'ws' }).ok).toBe(true)
}
