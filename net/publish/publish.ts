/**
 * Publishes a batch: its events and outcomes, in order and together for each recipient, so that a
 * socket is written to once; and in slices, so that no query waits long behind a batch. Source:
 * DESIGN 5, combat.md section 16 (order), social.md section 11.
 */
import { MUTE_CHANNELS } from '../../core/event.ts'
import { PUBLISH_SLICE_MS, PUBLISH_SLICE_SOCKETS } from '../../core/limits.ts'
import type { Answer, PublishedBatch, PublishedEmission } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import { MARK } from '../../core/say.ts'
import { runSteps } from '../../core/steps.ts'
import { wholeEmission } from '../../core/wire/packed.ts'
import { namesOf, versionOf } from '../names.ts'
import type { Clock } from '../ports.ts'
import { enqueue, type Importance, importanceOf } from '../session/notifications.ts'
import type { Bindings, Bound, Session, SocketClient } from '../session/session.ts'
import { type Encoding, encodeFrame, encodingOf, type Frame, packedFrame } from '../ws/codec.ts'
import { type ListFrame, listFrame } from '../ws/list-frame.ts'
import type { Arriving } from './arriving.ts'
import {
  applyEmission,
  createImage,
  type FeedImage,
  frameOf,
  isPatch,
  queuedPayload,
} from './feed-image.ts'
import { createTurns, type Turns } from './turns.ts'

export interface FanOut {
  readonly registry: Registry
  readonly bindings: { readonly players: Pick<Bindings['players'], 'get'> }
  readonly clock: Clock
  /** Images of feeds by type and number, the base of the next diffs of the world. */
  readonly images: Map<string, FeedImage>
  /** Frames of events handed to sockets so far. */
  frames: number
  /** Notifications dropped from full queues so far. */
  dropped: number
}

export const createFanOut = (parts: Pick<FanOut, 'registry' | 'bindings' | 'clock'>): FanOut => ({
  ...parts,
  images: new Map(),
  frames: 0,
  dropped: 0,
})

/** An emission being published: the part that all its recipients share. */
interface Wire {
  readonly emission: PublishedEmission
  /** Payload; of an emission in text form only once it has been parsed. */
  payload: PublishedEmission['payload'] | undefined
  /** Bit of its channel in the mute mask; 0 if it cannot be muted. */
  readonly bit: number
  readonly queue: string
  readonly importance: Importance
  readonly key: string
  readonly image: FeedImage | undefined
  /**
   * Its frame by encoding, built when the first socket needs it. Frames of feeds are in the image.
   */
  readonly frames: Partial<Record<Encoding, Frame>>
  /** Frames of a long list, in two parts. */
  readonly listFrames: Partial<Record<Encoding, ListFrame>>
}

/** The part of a batch for one player. */
interface Mail {
  readonly wires: Wire[]
  /** Index of the player among the recipients of each. */
  readonly places: number[]
  answers: Answer[] | undefined
}

/** Encodes an event; its frame is the same on both WebSocket versions. */
const eventFrame = (
  encoding: Encoding,
  type: string,
  payload: Readonly<Record<string, unknown>>,
): Frame => encodeFrame(encoding, { type, payload })

/**
 * Hands a batch to sockets, queues and pending exchanges; resolves once all of it is handed over.
 * Events of a player come before the outcome of their command and go to the connection that is
 * bound at that moment.
 */
export async function publishBatch(
  fan: FanOut,
  batch: Pick<PublishedBatch, 'tick' | 'answers' | 'emissions'>,
  answer: (answer: Answer) => void,
  turns: Turns = createTurns(fan.clock.monoMs),
  arriving?: Arriving,
): Promise<void> {
  const slice = { turns, recipients: 0 }
  const mails = new Map<number, Mail>()
  let failure: unknown
  let [nextEmission, nextAnswer] = [0, 0]
  const send = async (players: Iterable<number>): Promise<void> => {
    for (const player of players) {
      if (isSliceOver(slice, 1)) await nextSlice(slice)
      handMail(fan, player, { mails, answer, served: arriving?.served })
    }
  }
  for (;;) {
    const isOver = arriving?.isOver() ?? true
    for (; nextEmission < batch.emissions.length; nextEmission++) {
      const emission = batch.emissions[nextEmission]
      if (isSliceOver(slice, 0)) await nextSlice(slice)
      try {
        const wire = addEmission(fan, mails, emission)
        if (emission.list) await writeList(fan, slice, wire)
      } catch (error) {
        // Other emissions are not affected; the caller reports to the world that some were lost.
        failure = error
      }
    }
    const players = new Set<number>()
    for (; nextAnswer < batch.answers.length; nextAnswer++) {
      const outcome = batch.answers[nextAnswer]
      addAnswer(mails, outcome)
      players.add(outcome.player)
    }
    if (players.size > 0) await send(players)
    if (isOver) break
    await turns.next(arriving?.next())
    if (arriving?.isCut()) return
  }
  if (batch.tick > 0) dropImages(fan, batch.tick)
  await send(mails.keys())
  if (failure) throw failure
}

function addAnswer(mails: Map<number, Mail>, outcome: Answer): void {
  const mail = mailOf(mails, outcome.player)
  if (mail.answers) mail.answers.push(outcome)
  else mail.answers = [outcome]
}

interface Sending {
  readonly mails: Map<number, Mail>
  readonly answer: (answer: Answer) => void
  /** Players who have been sent their events of this batch. */
  readonly served: Set<number> | undefined
}

/** Hands a player what there is of the batch for them: to a socket in one write. */
function handMail(fan: FanOut, player: number, { mails, answer, served }: Sending): void {
  const mail = mails.get(player)
  if (!mail) return
  mails.delete(player)
  const wires = served?.has(player) ? [] : mail.wires
  served?.add(player)
  const socket = fan.bindings.players.get(player)?.socket
  const handOver = (): void => deliver(fan, player, { ...mail, wires }, answer)
  if (socket) socket.cork(handOver)
  else handOver()
}

function mailOf(mails: Map<number, Mail>, player: number): Mail {
  let mail = mails.get(player)
  if (!mail) {
    mail = { wires: [], places: [], answers: undefined }
    mails.set(player, mail)
  }
  return mail
}

/** Adds an emission to the mail of its recipients. */
function addEmission(fan: FanOut, mails: Map<number, Mail>, emission: PublishedEmission): Wire {
  const wire = wireOf(fan, emission)
  for (let place = 0; place < emission.to.length; place++) {
    const mail = mailOf(mails, emission.to[place])
    mail.wires.push(wire)
    mail.places.push(place)
  }
  return wire
}

/**
 * Encodes the frames of a long list that its recipients need, in slices: a list of thousands of
 * price levels takes longer than a slice. If a socket with another encoding connects meanwhile, its
 * frame is encoded when it is pushed.
 */
async function writeList(fan: FanOut, slice: Slice, wire: Wire): Promise<void> {
  const { emission, listFrames } = wire
  const wanted = new Set<Encoding>()
  for (const player of emission.to) {
    const socket = fan.bindings.players.get(player)?.socket
    if (socket) wanted.add(encodingOf(socket.format))
  }
  for (const encoding of wanted) {
    const steps = listFrame(encoding, emission)
    let step = steps.next()
    while (!step.done) {
      if (isSliceOver(slice, 0)) await nextSlice(slice)
      step = steps.next()
    }
    listFrames[encoding] = step.value
  }
}

function wireOf(fan: FanOut, emission: PublishedEmission): Wire {
  const { type, text, feed } = emission
  const def = fan.registry.events.get(type)
  let payload = text === undefined ? emission.payload : undefined
  // Only few channels depend on the payload; for the others it is not parsed.
  if (def?.channel && def.channel.length > 0) payload ??= wholeEmission(emission).payload
  const channel = def?.channel?.(payload ?? emission.payload)
  const bit = channel ? 1 << MUTE_CHANNELS.indexOf(channel) : 0
  const queue = def?.queue ?? 'system'
  const importance = importanceOf(queue, channel)
  const key = feed ? `${type}/${feed.feed}` : type
  let image: FeedImage | undefined
  if (feed && def?.feed) {
    image = fan.images.get(key) ?? createImage(type, def.feed)
    // Set only if the diff applies: otherwise the next emission must be a full one.
    fan.images.delete(key)
    applyEmission(image, emission, feed)
    fan.images.set(key, image)
  }
  return { emission, payload, bit, queue, importance, key, image, frames: {}, listFrames: {} }
}

function payloadOf(wire: Wire): PublishedEmission['payload'] {
  wire.payload ??= wholeEmission(wire.emission).payload
  return wire.payload
}

/** Removes the images of feeds without a frame in this tick: an active feed has one every tick. */
function dropImages(fan: FanOut, tick: number): void {
  for (const [key, image] of fan.images) if (image.tick !== tick) fan.images.delete(key)
}

function deliver(fan: FanOut, player: number, mail: Mail, answer: (a: Answer) => void): void {
  const bound = fan.bindings.players.get(player)
  if (bound) {
    for (let i = 0; i < mail.wires.length; i++) {
      deliverNotification(fan, bound, mail.wires[i], mail.places[i])
    }
  }
  for (const outcome of mail.answers ?? []) answer(outcome)
}

function deliverNotification(fan: FanOut, bound: Bound, wire: Wire, place: number): void {
  const { type, payload } = wire.emission
  if (type.startsWith('internal:')) {
    if (type === 'internal:mask') bound.mask = Number(payload.mask) || 0
    return
  }
  const { socket, sessions, mask } = bound
  if (socket && (mask & wire.bit) === 0) {
    pushWire(fan, socket, wire, place)
    fan.frames += 1
  }
  for (const session of sessions) queueWire(fan, session, wire, place)
}

/** Encodes an event with command names, using those of the socket's version. */
function namedFrame(fan: FanOut, socket: SocketClient, wire: Wire): Frame {
  const payload = namesOf(fan.registry).value(versionOf(socket.framing), payloadOf(wire))
  return eventFrame(encodingOf(socket.format), wire.emission.type, payload)
}

/**
 * Returns the frame of an event, as bytes if it has several recipients, so that it is encoded once.
 */
function wireFrame(wire: Wire, encoding: Encoding): Frame {
  const { type, text, to } = wire.emission
  const frame =
    encoding === 'json' && text !== undefined
      ? packedFrame(type, undefined, text)
      : eventFrame(encoding, type, payloadOf(wire))
  return typeof frame === 'string' && to.length > 1 ? Buffer.from(frame) : frame
}

function pushWire(fan: FanOut, socket: SocketClient, wire: Wire, place: number): void {
  const { image, key, emission } = wire
  if (emission.list) {
    const encoding = encodingOf(socket.format)
    wire.listFrames[encoding] ??= runSteps(listFrame(encoding, emission))
    const { head, tail } = wire.listFrames[encoding]
    socket.push(head, tail)
    return
  }
  if (!image) {
    const encoding = encodingOf(socket.format)
    wire.frames[encoding] ??= wireFrame(wire, encoding)
    const frame = wire.frames[encoding]
    socket.push(frame.includes(MARK.open) ? namedFrame(fan, socket, wire) : frame)
    return
  }
  const { lastFeed } = socket
  const follows = lastFeed?.key === key && lastFeed.tick === image.tick - 1 && isPatch(image)
  const format = socket.format === 'patch' && !follows ? 'msgpack' : socket.format
  const { head, tail } = frameOf(image, place, format)
  socket.push(head, tail)
  socket.lastFeed = { key, tick: image.tick }
}

function queueWire(fan: FanOut, session: Session, wire: Wire, place: number): void {
  const { emission, image, queue, importance, key } = wire
  const event = { type: queue, msgType: emission.type, importance, wallMs: fan.clock.wallMs() }
  const { list } = emission
  const payload = image ? emission.payload : payloadOf(wire)
  fan.dropped += image
    ? enqueue(session.queue, { ...event, data: queuedPayload(image, place), replaces: key })
    : enqueue(session.queue, { ...event, data: payload, ...(list ? { list } : {}) })
}

/* ---- slices ---- */

interface Slice {
  readonly turns: Turns
  recipients: number
}

/** Returns true if the slice is used up; otherwise counts these recipients. */
function isSliceOver(slice: Slice, recipients: number): boolean {
  if (slice.recipients + recipients > PUBLISH_SLICE_SOCKETS) return true
  slice.recipients += recipients
  return slice.turns.sliceMs() >= PUBLISH_SLICE_MS
}

async function nextSlice(slice: Slice): Promise<void> {
  await slice.turns.next()
  slice.recipients = 0
}
