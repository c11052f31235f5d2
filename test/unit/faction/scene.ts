/** A faction and its members, for tests. */
import { expect } from 'vitest'
import type { Outcome } from '../../../core/errors.ts'
import type { PublishedEmission } from '../../../core/ports.ts'
import type { Eid, Row } from '../../../core/world.ts'
import { Player } from '../../../systems/account/columns.ts'
import { enlist, foundFaction } from '../../../systems/faction/membership.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

export interface Guild {
  readonly small: SmallWorld
  readonly faction: Row
  readonly leader: Eid
  readonly recruit: Eid
  readonly stranger: Eid
}

/** A faction of a leader and a recruit, and a stranger. */
export async function guild(): Promise<Guild> {
  const small = await smallWorld()
  const [leader, recruit, stranger] = ['Leader', 'Recruit', 'Stranger'].map((name) =>
    small.join(name),
  )
  const faction = foundFaction(small.world, leader, 'Free Haulers', 'FREE')
  enlist(small.world, recruit, faction)
  small.told()
  return { small, faction, leader, recruit, stranger }
}

/** What a player was told of factions since the last call. */
export function heard(small: SmallWorld, player: Eid): PublishedEmission['payload'][] {
  const number = small.world.read(Player).seq[player]
  return small
    .told()
    .filter(({ type, to }) => type === 'faction_event' && to.includes(number))
    .map(({ payload }) => payload)
}

/** A refused immediate or query changes nothing. */
export function refusesNow(
  small: SmallWorld,
  player: Eid,
  [command, params]: readonly [string, object],
  refusal: object | string,
): void {
  const before = small.hash()
  const expected = typeof refusal === 'string' ? { code: refusal } : refusal
  expect(small.ask(player, command, params)).toMatchObject({ ok: false, ...expected })
  expect(small.hash()).toBe(before)
}

export type Answer = Outcome<Record<string, unknown>>
