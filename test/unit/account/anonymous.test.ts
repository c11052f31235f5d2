/** Anonymous players, whose name others do not see. Source: travel.md section 8. */
import { beforeEach, expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let small: SmallWorld
let ada: Eid
let ben: Eid
beforeEach(async () => {
  small = await smallWorld({ players: 2 })
  ;[ada, ben] = small.players
})

const hide = (player: number, anonymous: boolean) =>
  small.ask(0, 'internal:set_anonymous', { player, anonymous })
const nearbyTo = (viewer: Eid) => {
  const answer = small.ask(viewer, 'get_nearby')
  if (!answer.ok) throw new Error(answer.message)
  return (answer.result as { nearby: Record<string, unknown>[] }).nearby
}

test('an anonymous player is listed without a name until the setting is cleared', async () => {
  const number = small.world.read(Player).seq[ben]
  const id = playerId(small.world, ben)
  expect(nearbyTo(ada)).toMatchObject([{ player_id: id, username: 'Tester 2', anonymous: false }])
  expect(hide(number, true).ok).toBe(true)
  expect(nearbyTo(ada)).toMatchObject([{ username: '', anonymous: true }])
  expect(JSON.stringify(nearbyTo(ada))).not.toContain(id)
  const status = small.ask(ben, 'get_status')
  expect(status).toMatchObject({ result: { player: { username: 'Tester 2', anonymous: true } } })
  const restored = await small.reload()
  expect(restored.world.read(Player).anonymous[ben]).toBe(1)
  expect(hide(number, false).ok).toBe(true)
  expect(nearbyTo(ada)).toMatchObject([{ player_id: id, username: 'Tester 2', anonymous: false }])
})

test('anonymity is refused for unknown players, and players have no command for it', () => {
  const before = small.hash()
  expect(hide(99, true)).toMatchObject({ code: 'player_not_found' })
  expect(small.hash()).toBe(before)
  const playerCommands = [...small.registry.commands.values()].filter(
    ({ category, params }) => category !== 'internal' && 'anonymous' in params.properties,
  )
  expect(playerCommands.map(({ name }) => name)).toEqual([])
})
