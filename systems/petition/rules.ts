/**
 * Files entries with the rulers of an empire: petitions of players, and entries that the server
 * writes about donations and applications. Their texts are archived for operators. Source:
 * social.md section 5.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import { PETITION_CHARACTERS_MAX } from '../../core/limits.ts'
import type { Eid, World } from '../../core/types.ts'
import { playerId, usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'

/** Kinds of entries; players write petitions, the server writes the others. */
type PetitionKind = 'petition' | 'donation' | 'citizenship'

/** Files an entry with an empire; the entry is archived with the batch. */
export function filePetition(
  world: World,
  player: Eid,
  empire: number,
  kind: PetitionKind,
  text: string,
): void {
  assert(EMPIRES[empire] !== undefined, `no empire ${empire}`)
  assert(text !== '' && text.length <= 2 * PETITION_CHARACTERS_MAX, 'an entry is empty or too long')
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
