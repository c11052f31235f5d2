/** The faction channel: who may write, who receives it, and its unread messages. */
import { beforeEach, expect, test } from 'vitest'
import type { Eid, World } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { mayPush } from '../../../systems/chat/model.ts'
import { addMember, removeMember } from '../../../systems/faction/member-rules.ts'
import { factionIdOf } from '../../../systems/faction/model.ts'
import { OFFICER } from '../../../systems/faction/role-model.ts'
import { onSmallMap, type SmallWorld } from '../../small-world.ts'
import { type Guild, guild, refusesNow } from '../faction/scene.ts'

onSmallMap()

let scene: Guild
let small: SmallWorld
let world: World
let leader: Eid
let recruit: Eid
let stranger: Eid
beforeEach(async () => {
  scene = await guild()
  ;({ small, leader, recruit, stranger } = scene)
  world = small.world
})

const numberOf = (player: Eid): number => world.read(Player).seq[player]
const message = (content: string) => ({ channel: 'faction', content })

test('a message reaches every other member who is online, and nobody else', () => {
  const factionId = factionIdOf(world, scene.faction)
  expect(small.ask(leader, 'chat', message(' muster at dawn '))).toMatchObject({
    result: { channel: 'faction', message: 'Sent.' },
  })
  const emissions = small.takeEmissions().filter(({ type }) => type === 'chat_message')
  expect(emissions.map(({ to }) => to)).toEqual([[numberOf(recruit)]])
  expect(emissions[0].payload).toMatchObject({
    channel: 'faction',
    content: 'muster at dawn',
    faction_id: factionId,
    target_id: factionId,
  })
  expect(emissions[0].payload).not.toHaveProperty('system_id')
})

test('a member who has left gets no more messages', () => {
  removeMember(world, recruit)
  expect(small.ask(leader, 'chat', message('who is left?')).ok).toBe(true)
  expect(small.takeEmissions().filter(({ type }) => type === 'chat_message')).toEqual([])
})

test('writing needs a faction and the permission to broadcast', () => {
  refusesNow(small, stranger, ['chat', message('hello')], 'not_in_faction')
  refusesNow(small, recruit, ['chat', message('hello')], 'no_permission')
  removeMember(world, recruit)
  addMember(world, recruit, scene.faction, OFFICER)
  expect(small.ask(recruit, 'chat', message('hello')).ok).toBe(true)
})

test("get_chat_history and the summary of a login read only the player's faction", () => {
  const scope = `faction:${factionIdOf(world, scene.faction)}`
  expect(small.ask(recruit, 'get_chat_history', { channel: 'faction' })).toMatchObject({
    result: { channel: 'faction', scopes: [scope] },
  })
  refusesNow(small, stranger, ['get_chat_history', { channel: 'faction' }], 'not_in_faction')
  expect(small.ask(recruit, 'internal:chat_summary')).toMatchObject({
    result: { faction: { scope, sinceMs: 0 } },
  })
  small.ask(recruit, 'internal:chat_seen', { channel: 'faction' })
  expect(small.ask(recruit, 'internal:chat_summary')).toMatchObject({
    result: { faction: { scope, sinceMs: world.wallMs } },
  })
  expect(small.ask(stranger, 'internal:chat_summary')).not.toHaveProperty('result.faction')
})

test('messages of faction members do not count as those of strangers', () => {
  for (let i = 0; i < 60; i++) expect(mayPush(world, recruit, leader)).toBe(true)
  for (let i = 0; i < 20; i++) expect(mayPush(world, recruit, stranger)).toBe(true)
  expect(mayPush(world, recruit, stranger)).toBe(false)
})
