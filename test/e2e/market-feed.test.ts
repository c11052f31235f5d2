/** The market feed on every channel: a snapshot, then what changes, until the ship undocks. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHANNELS, type Client, type Params } from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { newPlayer } from './wire.ts'

const server = useTestServer(useTestDatabase())
let trader: Client
beforeAll(async () => {
  trader = await join('ws1')
})
afterAll(async () => {
  await trader.close()
})

async function join(channel: Client['channel']): Promise<Client> {
  const client = await connect(server.url, channel)
  const { ok, message } = await client.call('register', newPlayer())
  if (!ok) throw new Error(message)
  return client
}

interface Listing {
  readonly item_id: string
  readonly sell_orders: { price_each: number; quantity: number; source?: string }[]
}
const listingsIn = (payload: Params): Listing[] => payload.items as Listing[]
const listingIn = (payload: Params, id: string): Listing | undefined =>
  listingsIn(payload).find(({ item_id }) => item_id === id)

/** Returns the updates since the last call, pushed or taken from the queue. */
async function updates(client: Client): Promise<Params[]> {
  if (client.channel.startsWith('ws')) await client.call('get_status')
  else {
    const polled = await client.call('get_notifications', { types: ['market'] })
    const entries = (polled.result.notifications ?? []) as { msg_type: string; data: Params }[]
    const queued = entries.filter(({ msg_type }) => msg_type === 'market_update')
    return queued.map(({ data }) => data)
  }
  return client
    .pushes()
    .filter(({ type }) => type === 'market_update')
    .map(({ payload }) => payload)
}

async function buy(item_id: string): Promise<void> {
  const reply = await server.play(trader, 'buy', { item_id, quantity: 1 })
  expect(reply).toMatchObject({ ok: true })
}

test.each(CHANNELS)('the feed on %s sends changes until the ship undocks', async (channel) => {
  const reader = await join(channel)
  const { result: snapshot } = await reader.call('subscribe_market')
  const cheap = listingsIn(snapshot)
    .filter(({ sell_orders }) => sell_orders.length > 0 && sell_orders[0].quantity > 10)
    .sort((a, b) => a.sell_orders[0].price_each - b.sell_orders[0].price_each)
  const { item_id } = cheap[0]
  await updates(reader)

  await buy(item_id)
  await buy(item_id)
  const changes = await updates(reader)
  // A socket receives an update each tick; a queue merges them into one entry.
  expect(changes).toHaveLength(channel.startsWith('ws') ? 2 : 1)
  expect(changes.at(-1)).toMatchObject({
    base_id: snapshot.base_id,
    base_name: snapshot.base_name,
    tick: server.link.state().tick,
  })
  const { result: now } = await trader.call('subscribe_market')
  await trader.call('unsubscribe_market')
  expect(listingIn(changes.at(-1)!, item_id)).toEqual(listingIn(now, item_id))

  expect(await reader.call('unsubscribe_market')).toMatchObject({ ok: true })
  await buy(item_id)
  expect(await updates(reader)).toEqual([])

  await reader.call('subscribe_market')
  await server.play(reader, 'undock')
  await updates(reader)
  await buy(item_id)
  expect(await updates(reader)).toEqual([])
  expect(await reader.call('subscribe_market')).toMatchObject({ ok: false, code: 'not_docked' })
  await reader.close()
})
