/**
 * What reaches the rulers of an empire: letters of players, and entries the server files itself
 * (donations, applications). Texts are in the archive, for the operators. Source: social.md 5.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { PETITION_CHARACTERS_MAX } from '../../core/limits.ts'
import { divCeil } from '../../core/math.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { playerId, usernameOf } from '../account/rules.ts'
import { PETITIONED } from './columns.ts'

const HOUR_MS = 3_600_000

const keyOf = (view: WorldView, player: Eid): string => String(view.read(Player).seq[player])

/** Refuses a second petition to an empire within an hour: rate_limited. */
export function refusesPetition(view: WorldView, player: Eid, empire: number): Failure | undefined {
  const last = view.records(PETITIONED).get(keyOf(view, player))?.[empire] ?? 0
  const waitMs = last + HOUR_MS - view.wallMs
  // a clock set back lets the player write again
  if (last === 0 || waitMs <= 0 || waitMs > HOUR_MS) return undefined
  return fail(
    'rate_limited',
    { wait_seconds: Math.max(1, divCeil(waitMs, 1_000)) },
    `${EMPIRES[empire].name} hears one petition of yours an hour.`,
  )
}

/** Notes that the player has written to an empire now. */
export function notePetition(world: World, player: Eid, empire: number): void {
  const records = world.records(PETITIONED)
  const before = records.get(keyOf(world, player)) ?? []
  const times = EMPIRES.map((_, i) => (i === empire ? world.wallMs : (before[i] ?? 0)))
  records.set(keyOf(world, player), times)
}

/** Who wrote an entry: the player, or the server about what the player did. */
export type PetitionKind = 'petition' | 'donation' | 'citizenship'

/** Files an entry in the list of an empire; it leaves with the batch. */
export function filePetition(
  world: World,
  player: Eid,
  empire: number,
  kind: PetitionKind,
  text: string,
): void {
  assert(EMPIRES[empire] !== undefined, `no empire ${empire}`)
  assert(text !== '' && text.length <= 2 * PETITION_CHARACTERS_MAX, 'an entry without bounds')
  world.outbox.writes.push({
    method: 'filePetition',
    args: {
      empire: EMPIRES[empire].id,
      player: world.read(Player).seq[player],
      playerId: playerId(world, player),
      username: usernameOf(world, player),
      kind,
      content: text,
    },
  })
}
