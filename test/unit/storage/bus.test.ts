/** The bus over NATS's protocol: what is no message of ours ends nobody who listens. */
import { afterEach, expect, test } from 'vitest'
import { openBus } from '../../../storage/bus.ts'
import { createRowJoiner, packMessage, unpackMessage } from '../../../storage/bus-messages.ts'
import { startBusServer } from '../../bus-server.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** What cannot be read: no MessagePack, two messages in one, and one that is cut short. */
const STRANGE = [Uint8Array.of(0xc1), Uint8Array.of(1, 2), packMessage([1]).subarray(0, 1)]

test('what cannot be read is logged and passed over; the next message comes', async () => {
  const server = await startBusServer()
  closers.push(server.close)
  const logged: string[] = []
  const bus = await openBus(server.url, (level, _fields, text) => logged.push(`${level}: ${text}`))
  closers.push(bus.close)
  const taken: unknown[] = []
  bus.subscribe('orrery.test', (bytes) => void taken.push(unpackMessage(bytes)))
  for (const bytes of STRANGE) bus.publish('orrery.test', bytes)
  bus.publish('orrery.test', packMessage({ head: 1 }))
  await expect.poll(() => taken).toEqual([{ head: 1 }])
  expect(logged).toEqual(
    STRANGE.map(() => 'warn: a message of the bus could not be read and is passed over'),
  )
})

test('a row whose parts do not inflate cannot be read either', () => {
  const join = createRowJoiner()
  const part = { batch: 1, part: 0, parts: 1, bytes: Uint8Array.of(7, 7, 7) }
  expect(() => join(packMessage(part))).toThrow('could not be read')
})
