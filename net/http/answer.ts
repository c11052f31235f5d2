/**
 * HTTP answers on their way out: given to the native library as fast as they are read, so that what
 * waits is ours to count and to drop. While one waits, the library ends a connection that sends its
 * next request. Source: RELIABILITY 5 (A2), PERFORMANCE pitfall 4.
 */
import { ANSWER_PIECE_BYTES, ANSWER_WHOLE_MS } from '../../core/limits.ts'
import { countUnread, type Reader, type Unread } from '../session/unread.ts'

interface Waiting extends Reader {
  ageMs: number
}

export interface Answers {
  readonly unread: Unread
  readonly waiting: Set<Waiting>
}

export const createAnswers = (unread: Unread): Answers => ({ unread, waiting: new Set() })

/** An answer that its client has not read whole. */
export interface Wait {
  /** Counts what is left of it; nothing when it is out or its client is gone. */
  left(bytes: number): void
}

/** Begins to count an answer; `cutOff` ends its connection. */
export function waitForReader(answers: Answers, address: string, cutOff: () => void): Wait {
  const waiting: Waiting = {
    address,
    unreadBytes: 0,
    ageMs: 0,
    // Not within a call of the library, which may be in the midst of this connection.
    drop: () => setImmediate(() => answers.waiting.has(waiting) && cutOff()),
  }
  answers.waiting.add(waiting)
  return {
    left: (bytes) => {
      if (bytes === 0) answers.waiting.delete(waiting)
      countUnread(answers.unread, waiting, bytes)
    },
  }
}

/** Cuts off who takes too long to read an answer. `elapsedMs` since the last look. */
export function sweepAnswers({ waiting, unread }: Answers, elapsedMs: number): void {
  for (const answer of waiting) {
    answer.ageMs += elapsedMs
    if (answer.ageMs < ANSWER_WHOLE_MS) continue
    countUnread(unread, answer, 0)
    answer.drop()
  }
}

/** The part of the native response that takes a body in pieces. */
export interface NativeBody {
  /** Whether all it could take went, and whether the answer is out. */
  tryEnd(body: Buffer, totalBytes: number): [boolean, boolean]
  onWritable(handler: (offset: number) => boolean): unknown
}

/** Sends a body; what the socket does not take waits. Must run after status and headers. */
export function sendBody(res: NativeBody, body: Buffer, wait: () => Wait): void {
  const total = body.byteLength
  const [, isOut] = res.tryEnd(body, total)
  if (isOut) return
  const waiting = wait()
  res.onWritable((offset) => {
    const [isTaken, isEnd] = res.tryEnd(body.subarray(offset), total)
    waiting.left(isEnd ? 0 : total - offset)
    return isTaken
  })
}

/** An answer that leaves in pieces, as they come to be. */
export interface Stream {
  write(text: string): void
  /** Ends the answer once all of it is out. */
  end(): void
}

/** The part of the native response that takes pieces. */
export interface NativePieces {
  /** False when the library holds some of it: it takes what it is given, whatever that is. */
  write(piece: Buffer): boolean
  onWritable(handler: (offset: number) => boolean): unknown
  end(body: undefined, closeConnection: boolean): unknown
  cork(handler: () => void): unknown
}

/**
 * Sends pieces as fast as they are read; the library holds one of them at most. Must run after
 * status and headers.
 */
export function sendPieces(
  res: NativePieces,
  isLast: boolean,
  wait: () => Wait,
): Stream & { write(text: string | Buffer): void } {
  let rest = Buffer.alloc(0)
  /** Bytes of the piece that the library has not sent whole. */
  let heldBytes = 0
  let isEnded = false
  let waiting: Wait | undefined
  const flush = (): void => {
    while (heldBytes === 0 && rest.byteLength > 0) {
      const piece = rest.subarray(0, ANSWER_PIECE_BYTES)
      rest = rest.subarray(piece.byteLength)
      if (!res.write(piece)) heldBytes = piece.byteLength
    }
    if (heldBytes > 0) {
      waiting ??= wait()
      waiting.left(heldBytes + rest.byteLength)
      return
    }
    waiting?.left(0)
    waiting = undefined
    if (isEnded) res.end(undefined, isLast)
  }
  res.onWritable(() => {
    heldBytes = 0
    flush()
    return heldBytes === 0
  })
  return {
    write: (text) => {
      rest = Buffer.concat([rest, Buffer.from(text)])
      if (heldBytes === 0) res.cork(flush)
      else waiting?.left(heldBytes + rest.byteLength)
    },
    end: () => {
      isEnded = true
      if (heldBytes === 0) res.cork(flush)
    },
  }
}
