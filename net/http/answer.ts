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

/** Cuts off clients that take too long to read an answer. `elapsedMs` since the last sweep. */
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
  /** False when some of what was written waits for its reader. */
  write(piece: string | Buffer): boolean
  /** Bytes written that the reader has not taken, as far as they wait in this process. */
  pending(): number
  /** Ends the answer once all of it is out. */
  end(): void
}

/** The part of an exchange that its stream moves. */
interface Streaming {
  isDone: boolean
  isStreaming: boolean
}

/** Lets a stream be written to for as long as its exchange lives, and ended once. */
export function within(life: Streaming, stream: Stream): Stream {
  life.isStreaming = true
  return {
    write: (piece) => !life.isDone && (piece.length === 0 || stream.write(piece)),
    pending: () => (life.isDone ? 0 : stream.pending()),
    end: () => {
      if (life.isDone) return
      life.isDone = true
      stream.end()
    },
  }
}

/** Takes what nobody will read. */
export const LOST: Stream = { write: () => false, pending: () => 0, end: () => undefined }

/** The part of the native response that takes pieces. */
export interface NativePieces {
  /** False when the library holds some of it: it takes what it is given, whatever that is. */
  write(piece: Buffer): boolean
  onWritable(handler: (offset: number) => boolean): unknown
  end(body: undefined, closeConnection: boolean): unknown
  cork(handler: () => void): unknown
}

const NOTHING = Buffer.alloc(0)

/**
 * Sends pieces as fast as they are read; the library holds one of them at most, and the end of the
 * last until more is written. For a piece of up to 16 KiB it reports only with the next one that it
 * is held back. Must run after status and headers.
 */
export function sendPieces(res: NativePieces, isLast: boolean, wait: () => Wait): Stream {
  let rest: Buffer = NOTHING
  /** Bytes of the piece that the library has not sent whole. */
  let heldBytes = 0
  let isEnded = false
  /** The library has the end of the answer: it is not to be touched again. */
  let isOut = false
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
    if (!isEnded) return
    isOut = true
    res.end(undefined, isLast)
  }
  res.onWritable(() => {
    // The library then reports the rest of a piece that it had not reported as held.
    if (isOut) return true
    heldBytes = 0
    flush()
    return heldBytes === 0
  })
  return {
    write: (piece) => {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
      // What many readers share is not copied for each of them.
      rest = rest.byteLength === 0 ? bytes : Buffer.concat([rest, bytes])
      if (heldBytes === 0) res.cork(flush)
      else waiting?.left(heldBytes + rest.byteLength)
      return heldBytes === 0
    },
    pending: () => heldBytes + rest.byteLength,
    end: () => {
      isEnded = true
      if (heldBytes === 0) res.cork(flush)
    },
  }
}
