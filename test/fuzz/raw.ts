/** A bare TCP connection, and the frames of RFC 6455 written and read by hand. */
import { connect, type Socket } from 'node:net'

export interface Raw {
  write(bytes: Buffer | string): void
  /** Sends the last bytes, if any, and ends this side. */
  finish(bytes?: Buffer | string): void
  /** Everything received so far. */
  received(): Buffer
  readonly isClosed: boolean
  /** Resolves once the condition holds, or the connection is closed. */
  until(condition: (received: Buffer) => boolean): Promise<void>
  destroy(): void
}

export function openRaw(port: number): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let received = Buffer.alloc(0)
    let isClosed = false
    const waiting: (() => void)[] = []
    const wake = (): void => {
      for (const check of waiting.splice(0)) check()
    }
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      wake()
    })
    const closed = (): void => {
      isClosed = true
      wake()
    }
    socket.once('end', closed)
    socket.once('close', closed)
    socket.on('error', closed)
    socket.once('error', reject)
    const raw: Raw = {
      write: (bytes) => void socket.write(bytes),
      finish: (bytes) => void (bytes === undefined ? socket.end() : socket.end(bytes)),
      received: () => received,
      get isClosed() {
        return isClosed
      },
      until: (condition) =>
        new Promise((done) => {
          const check = (): void => {
            if (isClosed || condition(received)) done()
            else waiting.push(check)
          }
          check()
        }),
      destroy: () => void socket.destroy(),
    }
    socket.once('connect', () => resolve(raw))
  })
}

export const handshake = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
  `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n${headers}\r\n`

interface FrameBits {
  readonly fin?: boolean
  readonly rsv?: number
  readonly mask?: boolean
  /** Length field to send instead of the payload's own. */
  readonly length?: Buffer
}

export const TEXT = 1
export const BINARY = 2
export const CLOSE = 8
export const PING = 9
export const PONG = 10
export const MORE = 0

function lengthField(bytes: number): Buffer {
  if (bytes < 126) return Buffer.from([bytes])
  const field = Buffer.alloc(bytes < 65_536 ? 3 : 9)
  field[0] = bytes < 65_536 ? 126 : 127
  if (bytes < 65_536) field.writeUInt16BE(bytes, 1)
  else field.writeBigUInt64BE(BigInt(bytes), 1)
  return field
}

/** Makes one frame of a client, valid or not. */
export function frameOf(opcode: number, payload: Buffer | string, bits: FrameBits = {}): Buffer {
  const { fin = true, rsv = 0, mask = true } = bits
  const body = Buffer.from(payload)
  const field = Buffer.from(bits.length ?? lengthField(body.length))
  if (mask) field[0] |= 0x80
  const key = Buffer.from([0x12, 0x34, 0x56, 0x78])
  const masked = mask ? body.map((byte, i) => byte ^ key[i % 4]) : body
  const first = (fin ? 0x80 : 0) | (rsv << 4) | opcode
  return Buffer.concat([Buffer.from([first]), field, mask ? key : Buffer.alloc(0), masked])
}

interface ReceivedFrame {
  readonly opcode: number
  readonly text: string
}

/** Returns the whole frames that a server sent after the response to the handshake. */
export function framesIn(received: Buffer): ReceivedFrame[] {
  const found: ReceivedFrame[] = []
  let index = received.indexOf('\r\n\r\n') + 4
  while (index + 2 <= received.length) {
    let length = received[index + 1] & 0x7f
    let head = 2
    if (length === 126) {
      length = received.readUInt16BE(index + 2)
      head = 4
    } else if (length === 127) {
      length = Number(received.readBigUInt64BE(index + 2))
      head = 10
    }
    if (index + head + length > received.length) break
    const text = received.subarray(index + head, index + head + length).toString()
    found.push({ opcode: received[index] & 0x0f, text })
    index += head + length
  }
  return found
}
