/**
 * HTTP answers being sent: passed to the native library only as fast as clients read, so that
 * unread bytes can be counted and dropped here. Meanwhile the library closes a connection that
 * sends its next request. Source: RELIABILITY 5 (A2), PERFORMANCE pitfall 4.
 */
import { ANSWER_PIECE_BYTES, ANSWER_WHOLE_MS } from '../../core/limits.ts'
import { countUnread, type Reader, type Unread } from '../session/unread.ts'

interface Waiting extends Reader {
  ageMs: number
}

/** Answers that their clients have not read completely. */
export interface Answers {
  readonly unread: Unread
  readonly waiting: Set<Waiting>
}

export const createAnswers = (unread: Unread): Answers => ({ unread, waiting: new Set() })

/** An answer that its client has not read completely. */
export interface Wait {
  /** Sets the unread bytes; 0 once it is sent or its client is gone. */
  left(bytes: number): void
}

/** Starts to count an answer; `cutOff` closes its connection. */
export function waitForReader(answers: Answers, address: string, cutOff: () => void): Wait {
  const waiting: Waiting = {
    address,
    unreadBytes: 0,
    ageMs: 0,
    // Deferred, because the library may be processing this connection right now.
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

/** Cuts off clients that take too long to read an answer. `elapsedMs`: since the last sweep. */
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
  /** Returns whether the piece was accepted, and whether the answer is complete. */
  tryEnd(body: Buffer, totalBytes: number): [boolean, boolean]
  onWritable(handler: (offset: number) => boolean): unknown
}

/**
 * Sends a body; the part that the socket does not accept is buffered. Must run after status and
 * headers.
 */
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

/** An answer that is sent in pieces. */
export interface Stream {
  /** Writes a piece; returns false if some of the answer is buffered for its reader. */
  write(piece: string | Buffer): boolean
  /** Returns the written bytes that are still buffered in this process. */
  pending(): number
  /** Ends the answer once all of it is sent. */
  end(): void
}

/** The part of an exchange that its stream changes. */
interface Streaming {
  isDone: boolean
  isStreaming: boolean
}

/** Wraps a stream: writes are ignored after the exchange has ended, and it ends only once. */
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

/** A stream that discards everything. */
export const LOST: Stream = { write: () => false, pending: () => 0, end: () => undefined }

/** The part of the native response that takes pieces. */
export interface NativePieces {
  /** Writes a piece; returns false if the library buffers some of it. It never refuses a piece. */
  write(piece: Buffer): boolean
  onWritable(handler: (offset: number) => boolean): unknown
  end(body: undefined, closeConnection: boolean): unknown
  cork(handler: () => void): unknown
}

const NOTHING = Buffer.alloc(0)

/**
 * Sends pieces as fast as they are read. The library buffers at most one piece, and the end of the
 * last one until more is written. It reports a piece of up to 16 KiB as buffered only with the next
 * one. Must run after status and headers.
 */
export function sendPieces(res: NativePieces, isLast: boolean, wait: () => Wait): Stream {
  let rest: Buffer = NOTHING
  /** Bytes of the piece that the library is still buffering. */
  let heldBytes = 0
  let isEnded = false
  /** True once the library has the end of the answer: the response must not be used any more. */
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
    // The library may report the end of a piece that it had not reported as buffered.
    if (isOut) return true
    heldBytes = 0
    flush()
    return heldBytes === 0
  })
  return {
    write: (piece) => {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
      // Avoids copying bytes that many readers share.
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
