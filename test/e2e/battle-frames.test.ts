/**
 * A battle as its pilots see it, each on a channel of their own: the same state in JSON, in
 * MessagePack, as patches and in a polled queue.
 */
import { expect, test } from 'vitest'
import type { Params } from '../../bench/client.ts'
import { battleUpdate } from '../../systems/combat/feed-systems.ts'
import { patched } from '../feed-model.ts'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { pilotsOn } from './pilots.ts'

const server = useTestServer(useTestDatabase())

const { join, playAll, wayOut } = pilotsOn(server)

const updatesOf = (pushes: readonly { type: string; payload: Params }[]): Params[] =>
  pushes.filter(({ type }) => type === 'battle_update').map(({ payload }) => payload)

test('every channel and format shows the same battle', async () => {
  const pilots = [
    await join('ws1'),
    await join('ws2', 'game.msgpack'),
    await join('ws2', 'game.msgpack.patch'),
    await join('http2'),
  ]
  const [json, msgpack, patch, queue] = pilots.map(({ client }) => client)
  const { result: home } = await json.call('get_system')
  const route = await wayOut(String((home.system as Params).id))
  const clients = pilots.map(({ client }) => client)
  for (const target_system of route) await playAll(clients, 'jump', { target_system })
  await playAll([json, patch, queue], 'attack', { target_id: pilots[1].id })
  await Promise.all(clients.map((client) => client.call('get_status')))
  for (const client of [json, msgpack, queue]) client.pushes()
  let list: Params[] = []
  let patches = 0
  for (let tick = 0; tick < 8; tick++) {
    await server.link.step(1)
    await Promise.all(clients.map((client) => client.call('get_status')))
    const [plain] = updatesOf(json.pushes())
    const participants = plain.participants as Params[]
    expect(plain.tick).toBe(server.link.state().tick)
    for (const { id } of pilots) {
      expect(participants).toContainEqual(expect.objectContaining({ player_id: id }))
    }
    for (const client of [msgpack, queue]) {
      expect(updatesOf(client.pushes())).toEqual([
        expect.objectContaining({ ...shared(plain), participants }),
      ])
    }
    for (const { patch: change, participants: all } of updatesOf(patch.pushes())) {
      if (change) patches += 1
      list = change ? patched(list, change, battleUpdate.feed) : (all as Params[])
    }
    expect(list).toEqual(participants)
  }
  expect(patches).toBeGreaterThan(0)
  for (const client of clients) await client.close()
})

/** Returns the part of a frame that is the same for all recipients, except the participants. */
const shared = ({ battle_id, tick, sides }: Params): Params => ({ battle_id, tick, sides })
