/**
 * MessagePack by subprotocol and frames in two parts, over real sockets of both listeners; and that
 * JSON and MessagePack agree on every event and answer of the game.
 */
import { connect as connectTcp } from 'node:net'
import fc from 'fast-check'
import { unpack } from 'msgpackr'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createRegistry } from '../../../core/registry.ts'
import { chooseProtocol, encodeFrame } from '../../../net/ws/codec.ts'
import { DOMAINS } from '../../../systems/registry.ts'
import { createFeedModel, patched } from '../../feed-model.ts'
import { battleTick } from './battle-tick.ts'
import { type FakeNet, startFakeNet } from './fake-net.ts'
import { fakeRegistry } from './fake-world.ts'
import { LOGIN } from './ws-client.ts'

const nets: FakeNet[] = []
const sockets: WebSocket[] = []
const initialFallback = process.env.UWS_USE_FALLBACK
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  for (const started of nets.splice(0)) await started.close()
  if (initialFallback === undefined) delete process.env.UWS_USE_FALLBACK
  else process.env.UWS_USE_FALLBACK = initialFallback
})

const startNet = async (): Promise<FakeNet> => {
  const started = await startFakeNet({ limits: false })
  nets.push(started)
  return started
}

type Payload = Record<string, unknown>
interface Frame {
  readonly type: string
  readonly payload: Payload
}

interface Client {
  readonly protocol: string
  send(frame: object): void
  next(): Promise<Frame>
}

/** Opens a client on /ws, which expects text or binary messages as its subprotocol says. */
async function open(port: number, protocols: string[], path = '/ws'): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols)
  sockets.push(socket)
  const frames: Frame[] = []
  const waiting: ((frame: Frame) => void)[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    expect(isBinary).toBe(socket.protocol !== '')
    const frame = (isBinary ? unpack(data) : JSON.parse(String(data))) as Frame
    const first = waiting.shift()
    if (first) first(frame)
    else frames.push(frame)
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return {
    protocol: socket.protocol,
    send: (frame) => socket.send(JSON.stringify(frame)),
    next: () => {
      const frame = frames.shift()
      return frame ? Promise.resolve(frame) : new Promise((resolve) => waiting.push(resolve))
    },
  }
}

async function logIn(port: number, protocols: string[], username: string): Promise<Client> {
  const client = await open(port, protocols)
  expect((await client.next()).type).toBe('welcome')
  client.send({ type: 'login', payload: { ...LOGIN, username } })
  expect((await client.next()).type).toBe('logged_in')
  return client
}

/** Returns the status and the subprotocol that a handshake is answered with. */
function shakeHands(port: number, offered: string): Promise<{ status: string; protocol: string }> {
  return new Promise((resolve, reject) => {
    const tcp = connectTcp(port, '127.0.0.1', () => {
      tcp.write(
        `GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${[
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
          'Sec-WebSocket-Version: 13',
          `Sec-WebSocket-Protocol: ${offered}`,
        ].join('\r\n')}\r\n\r\n`,
      )
    })
    tcp.on('error', reject)
    tcp.once('data', (data) => {
      tcp.destroy()
      const text = data.toString('latin1')
      const protocol = /^sec-websocket-protocol: *(.*)\r$/im.exec(text)?.[1] ?? ''
      resolve({ status: text.slice(9, 12), protocol })
    })
  })
}

describe.each(['native', 'fallback'])('on the %s listener', (listener) => {
  beforeEach(() => {
    if (listener === 'fallback') process.env.UWS_USE_FALLBACK = 'true'
    else delete process.env.UWS_USE_FALLBACK
  })

  test.each([
    ['game.msgpack', 'game.msgpack'],
    ['chat, game.msgpack.patch, game.msgpack', 'game.msgpack.patch'],
    ['game.msgpack.zip, soap', ''],
    ['toString', ''],
  ])('an offer of "%s" is answered with "%s"', async (offered, chosen) => {
    const { port } = await startNet()
    expect(await shakeHands(port, offered)).toEqual({ status: '101', protocol: chosen })
  })

  test('answers, refusals and events are the same in JSON and MessagePack', async () => {
    const { port, thread } = await startNet()
    const clients = [await logIn(port, [], 'ada'), await logIn(port, ['game.msgpack'], 'bob')]
    const exchanges = [
      { type: 'get_status', request_id: 'é 1' },
      { type: 'set_status', payload: { status_message: 'long — '.repeat(20) }, request_id: '2' },
      { type: 'sell', payload: { item_id: 7 }, request_id: '3' },
      { type: 'nothing_such', request_id: '4' },
    ]
    for (const frame of exchanges) {
      for (const client of clients) client.send(frame)
      const [json, msgpack] = await Promise.all(clients.map((client) => client.next()))
      if (frame.type === 'get_status') json.payload.player = { id: 2 }
      expect(msgpack).toEqual(json)
    }
    thread().emit([{ type: 'mining_yield', payload: { quantity: 70_000, n: 1.5 }, to: [1, 2] }])
    const [json, msgpack] = await Promise.all(clients.map((client) => client.next()))
    expect(json.payload).toEqual({ quantity: 70_000, n: 1.5 })
    expect(msgpack).toEqual(json)
  })

  test('a message to the server must be JSON, even with a MessagePack subprotocol', async () => {
    const { port } = await startNet()
    const client = await logIn(port, ['game.msgpack'], 'ada')
    // The map { type: 'x' } in MessagePack.
    sockets.at(-1)!.send(Buffer.from([0x81, 0xa4, 0x74, 0x79, 0x70, 0x65, 0xa1, 0x78]))
    expect(await client.next()).toMatchObject({ type: 'error', payload: { code: 'invalid_json' } })
  })

  test('a battle reaches each client complete and with its own head, in each format', async () => {
    const { port, thread } = await startNet()
    const json = await logIn(port, [], 'ada')
    const patch = await logIn(port, ['game.msgpack.patch'], 'bob')
    const shape = fakeRegistry().events.get('battle_update')!.feed!
    const model = createFeedModel()
    let list: Payload[] = []
    for (let tick = 1; tick <= 5; tick++) {
      const emission = battleTick(tick, 1000, [1, 2])
      const [first, second] = model.follow(emission, shape)
      thread().emit([emission])
      expect(await json.next()).toEqual(first)
      const frame = await patch.next()
      const { patch: change, ...payload } = frame.payload
      expect(change === undefined).toBe(tick === 1)
      list = change ? patched(list, change, shape) : (payload.participants as Payload[])
      expect({ ...frame, payload: { ...payload, participants: list } }).toEqual(second)
    }
  })

  test('a client that reads ten ticks late is not closed by 200 kB a tick', async () => {
    const { port, thread, server } = await startNet()
    const client = await logIn(port, [], 'ada')
    for (let tick = 1; tick <= 50; tick++) {
      thread().emit([battleTick(tick, 1000, [1])])
      server.sweep(1_000)
      if (tick % 10 !== 0) continue
      for (let read = tick - 9; read <= tick; read++) {
        expect((await client.next()).payload.tick).toBe(read)
      }
    }
  })
})

test('a client gets one of our subprotocols or none, whatever it offers', () => {
  const word = fc.oneof(fc.constantFrom('game.msgpack', 'game.msgpack.patch', ' '), fc.string())
  fc.assert(
    fc.property(fc.array(word), (offered) => {
      const chosen = chooseProtocol(offered.join(','))
      const names = offered.join(',').split(',').slice(0, 32)
      const spoken = names
        .map((name) => name.trim())
        .find((name) => /^game\.msgpack(\.patch)?$/.test(name))
      expect(chosen).toBe(spoken ?? '')
    }),
  )
})

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

/** Draws values of a schema, each field present, absent or undefined, as views may leave it. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf))
  switch (schema.type) {
    case 'string':
      return fc.string({ unit: 'grapheme', maxLength: 40 })
    case 'integer':
      return fc.oneof(fc.integer(), fc.maxSafeInteger())
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), { maxLength: 20 })
    default:
  }
  const { properties = {}, patternProperties = {} } = schema
  const fields = Object.entries(properties).map(([name, field]) => {
    const value = fc.oneof({ weight: 5, arbitrary: valuesOf(field) }, fc.constant(undefined))
    return [name, value] as const
  })
  const patterned = Object.values(patternProperties).map(
    (field) => ['of any name é', valuesOf(field)] as const,
  )
  return fc.record(Object.fromEntries([...fields, ...patterned]), { requiredKeys: [] })
}

describe('JSON and MessagePack', () => {
  const registry = createRegistry(DOMAINS)
  const cases = [
    ...[...registry.events.values()].map(({ type, fields }) => [type, fields] as const),
    ...[...registry.commands].map(([key, { result }]) => [key, result] as const),
  ]
  test('encode every event and every answer alike', () => {
    for (const [name, schema] of cases) {
      fc.assert(
        fc.property(valuesOf(schema as Schema), fc.string(), (payload, request_id) => {
          const frame = { type: name, request_id, payload }
          const text = encodeFrame('json', frame).toString()
          expect(unpack(Buffer.from(encodeFrame('msgpack', frame)))).toEqual(JSON.parse(text))
        }),
        { numRuns: 5 },
      )
    }
  })
})
