/** The bus over the NATS protocol: unreadable messages, lost connections and refusals. */
import { deflateRawSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { NODE_SILENCE_MS } from '../../../core/limits-cluster.ts'
import { openBus } from '../../../storage/bus.ts'
import { createRowJoiner, packMessage, unpackMessage } from '../../../storage/bus-messages.ts'
import { LEADER_BEAT, NODE_ANSWERS, ROW_PART, SLICE } from '../../../storage/bus-shapes.ts'
import { BusMessageError } from '../../../storage/errors.ts'
import { startBusServer } from '../../bus-server.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const BEAT = { leadership: 1, from: 0, head: 1 }

/** No MessagePack, two messages in one, a message cut short, and fields of the wrong type. */
const UNREADABLE = [
  Uint8Array.of(0xc1),
  Uint8Array.of(1, 2),
  packMessage([1]).subarray(0, 1),
  packMessage({ ...BEAT, head: 'far' }),
]

test('an unreadable message is logged once and skipped; the next one arrives', async () => {
  const server = await startBusServer()
  closers.push(server.close)
  const logged: string[] = []
  const bus = await openBus(server.url, (level, _fields, text) => logged.push(`${level}: ${text}`))
  closers.push(bus.close)
  const taken: unknown[] = []
  bus.subscribe('orrery.test', (bytes) => void taken.push(unpackMessage(LEADER_BEAT, bytes)))
  for (const bytes of UNREADABLE) bus.publish('orrery.test', bytes)
  bus.publish('orrery.test', packMessage(BEAT))
  await expect.poll(() => taken).toEqual([BEAT])
  expect(logged).toEqual(['warn: a message on orrery.test could not be read and is ignored'])
})

test('a refusal of the credentials is logged once, and retried until it is lifted', async () => {
  const server = await startBusServer()
  closers.push(server.close)
  const logged: string[] = []
  const bus = await openBus(server.url, (level, _fields, text) => logged.push(`${level}: ${text}`))
  closers.push(bus.close)
  server.trusts(false)
  await server.down()
  await server.up()
  const refused =
    'error: the bus refuses this node (Authorization Violation): this node keeps trying; correct ' +
    'its credentials at the bus, or correct BUS_URL and restart this node'
  await expect.poll(() => logged, { timeout: 10_000 }).toContain(refused)
  // Beyond the second refusal, after which the client would give up.
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  expect(logged.filter((text) => text === refused)).toHaveLength(1)
  server.trusts(true)
  await expect.poll(() => bus.isUp(), { timeout: 10_000 }).toBe(true)
})

test('user, password and token are read from the URL', async () => {
  const server = await startBusServer()
  closers.push(server.close)
  const urlOf = (address: string, credentials: string): string =>
    `${server.url.replace('127.0.0.1', address).replace('nats://', `nats://${credentials}@`)}`
  for (const url of [
    urlOf('127.0.0.1', 'orrery:3fa9'),
    urlOf('localhost', 'orrery:a%2Fb'),
    urlOf('127.0.0.1', '77'),
  ]) {
    const bus = await openBus(url, () => {})
    await bus.close()
  }
  expect(server.connects).toMatchObject([
    { user: 'orrery', pass: '3fa9' },
    { user: 'orrery', pass: 'a/b' },
    { auth_token: '77' },
  ])
})

test('opening the bus fails without a server, or waits for it if asked to', async () => {
  const server = await startBusServer()
  closers.push(server.close)
  await server.down()
  await expect(openBus(server.url, () => {})).rejects.toThrow(/no NATS server answers at BUS_URL/)
  let isOpen = false
  const opening = openBus(server.url, () => {}, true).then((bus) => {
    isOpen = true
    closers.push(bus.close)
  })
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(isOpen).toBe(false)
  await server.up()
  await opening
})

test('a bus with wrong credentials, TLS or message length is refused with the reason', async () => {
  const server = await startBusServer()
  const small = await startBusServer({ maxPayload: 65_536 })
  closers.push(server.close, small.close)
  const open = (url: string) => openBus(url, () => {})
  await expect(open(server.url.replace('nats:', 'tls:'))).rejects.toThrow(/BUS_URL.*tls/)
  await expect(open(small.url)).rejects.toThrow(
    /accepts at most 65536 bytes in a message: set its max_payload/,
  )
  server.trusts(false)
  await expect(open(server.url)).rejects.toThrow(/refuses this node .*: check user and password/)
})

test('a bus that answers nothing counts as down within seconds', async () => {
  const server = await startBusServer()
  closers.push(server.close)
  const bus = await openBus(server.url, () => {})
  closers.push(bus.close)
  server.swallows(true)
  // This is before a leader drops the nodes that it does not hear.
  await expect.poll(() => bus.isUp(), { timeout: NODE_SILENCE_MS - 500 }).toBe(false)
  server.swallows(false)
  // An attempt that is under way waits for an answer that will not come, the next one succeeds.
  await expect.poll(() => bus.isUp(), { timeout: 5_000 }).toBe(true)
})

test('a message longer than the bus takes is logged and not sent', async () => {
  const server = await startBusServer()
  closers.push(server.close)
  const logged: string[] = []
  const bus = await openBus(server.url, (level, _fields, text) => logged.push(`${level}: ${text}`))
  closers.push(bus.close)
  bus.publish('orrery.test', new Uint8Array(2 << 20))
  expect(logged).toEqual([
    'error: a message on orrery.test is longer than NATS accepts and is not sent',
  ])
})

test('an error of a subscriber ends the thread, but not the connection', async () => {
  const server = await startBusServer()
  closers.push(server.close)
  const bus = await openBus(server.url, () => {})
  closers.push(bus.close)
  const thrown: unknown[] = []
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', (error) => void thrown.push(error))
  closers.push(async () => {
    process.removeAllListeners('uncaughtException')
    for (const listener of others) process.on('uncaughtException', listener)
  })
  const bug = new Error('a bug')
  let taken = 0
  bus.subscribe('orrery.test', () => {
    taken += 1
    if (taken === 1) throw bug
  })
  bus.publish('orrery.test', packMessage(BEAT))
  bus.publish('orrery.test', packMessage(BEAT))
  await expect.poll(() => taken).toBe(2)
  await expect.poll(() => thrown).toEqual([bug])
})

/* Messages of each kind, and wrong values of their fields */
const COMMAND = { ref: 1, player: 1, command: 'mine', params: {}, framing: 'ws2' }
const ANSWER = { ...COMMAND, stage: 'final', tick: 1, outcome: { ok: true, result: {} } }
const SLICE_SENT = { node: 1, sender: 1, slice: 1, got: 0, applied: 1, commands: [COMMAND] }
const ANSWERS_SENT = { leadership: 1, sender: 1, first: 1, answers: [ANSWER] }
const PART_SENT = { batch: 1, part: 0, parts: 1, bytes: Uint8Array.of(1) }

test.each([
  ['slice', SLICE, SLICE_SENT, 'commands', [[null], [{ ...COMMAND, params: [] }], {}, undefined]],
  ['slice', SLICE, SLICE_SENT, 'node', ['1', -1, 0.5, null]],
  ['answers', NODE_ANSWERS, ANSWERS_SENT, 'answers', [[null], [{ ...ANSWER, outcome: null }], 7]],
  ['part', ROW_PART, PART_SENT, 'bytes', [undefined, 'text', [1]]],
  ['part', ROW_PART, PART_SENT, 'parts', [0, 1e9]],
] as const)('a %s with a wrong field cannot be read', (_, shape, message, field, wrong) => {
  const read = (sent: object): unknown => unpackMessage<object>(shape, packMessage(sent))
  expect(read(message)).toEqual(message)
  for (const value of wrong) {
    expect(() => read({ ...message, [field]: value })).toThrow(BusMessageError)
  }
})

test('a row whose parts do not inflate cannot be read', () => {
  const join = createRowJoiner()
  const part = { batch: 1, part: 0, parts: 1, bytes: Uint8Array.of(7, 7, 7) }
  expect(() => join(packMessage(part))).toThrow('could not be read')
})

test('parts that inflate to something other than a row cannot be read', () => {
  const join = createRowJoiner()
  const bytes = deflateRawSync(packMessage({ batch: 1, body: 'none' }))
  expect(() => join(packMessage({ batch: 1, part: 0, parts: 1, bytes }))).toThrow(BusMessageError)
})
