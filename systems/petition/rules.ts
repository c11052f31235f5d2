/**
 * What reaches the rulers of an empire: letters of players, and entries the server files itself
 * (donations, applications). Texts are in the archive, for the operators. Source: social.md 5.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import { PETITION_CHARACTERS_MAX } from '../../core/limits.ts'
import type { Eid, World } from '../../core/types.ts'
import { playerId, usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { keyOf } from './model.ts'
import { PETITIONED } from './state.ts'

/** Notes that the player has written to an empire now. */
export function recordPetition(world: World, player: Eid, empire: number): void {
  const records = world.records(PETITIONED)
  const before = records.get(keyOf(world, player)) ?? []
  const times = EMPIRES.map((_, i) => (i === empire ? world.wallMs : (before[i] ?? 0)))
  records.set(keyOf(world, player), times)
}

/** Who wrote an entry: the player, or the server about what the player did. */
type PetitionKind = 'petition' | 'donation' | 'citizenship'

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
