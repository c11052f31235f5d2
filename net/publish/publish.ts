/**
 * What a batch does on main: its events and its outcomes, each recipient's in their order and all
 * at once, so a socket is written to once; and in slices, so a query never waits long behind them.
 * Source: DESIGN 5, combat.md section 16 (order), social.md section 11.
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
  /** Lists of feeds by type and number: what the world builds its next diffs on. */
  readonly images: Map<string, FeedImage>
  /** Frames of events handed to sockets so far. */
  frames: number
  /** Notifications that full queues parted with so far. */
  dropped: number
}

export const createFanOut = (parts: Pick<FanOut, 'registry' | 'bindings' | 'clock'>): FanOut => ({
  ...parts,
  images: new Map(),
  frames: 0,
  dropped: 0,
})

/** An emission on its way out: what is the same for all its recipients. */
interface Wire {
  readonly emission: PublishedEmission
  /** Of one that is text, once it was read. */
  payload: PublishedEmission['payload'] | undefined
  /** The bit of the channel that mutes it; 0 when nothing can. */
  readonly bit: number
  readonly queue: string
  readonly importance: Importance
  readonly key: string
  readonly image: FeedImage | undefined
  /** Its frame by encoding; made when the first socket needs it. Feeds have theirs in the image. */
  readonly frames: Partial<Record<Encoding, Frame>>
  /** The same of a long list, in two parts. */
  readonly listFrames: Partial<Record<Encoding, ListFrame>>
}

/** What one player gets of a batch. */
interface Mail {
  readonly wires: Wire[]
  /** Place of the player among the recipients of each. */
  readonly places: number[]
  answers: Answer[] | undefined
}

/** Returns an event's frame, the same on both WebSocket versions. */
const eventFrame = (
  encoding: Encoding,
  type: string,
  payload: Readonly<Record<string, unknown>>,
): Frame => encodeFrame(encoding, { type, payload })

/**
 * Hands a batch to sockets, queues and waiting exchanges; resolves when all of it is handed over.
 * A player's events come before the outcome of their command; they go to the connection that is
 * bound when their turn comes.
 */
export async function publishBatch(
  fan: FanOut,
  batch: Pick<PublishedBatch, 'tick' | 'answers' | 'emissions'>,
  answer: (answer: Answer) => void,
  turns: Turns = createTurns(fan.clock.monoMs),
): Promise<void> {
  const slice = { turns, recipients: 0 }
  const mails = new Map<number, Mail>()
  for (const outcome of batch.answers) {
    const mail = mailOf(mails, outcome.player)
    if (mail.answers) mail.answers.push(outcome)
    else mail.answers = [outcome]
  }
  let failure: unknown
  for (const emission of batch.emissions) {
    if (isSliceOver(slice, 0)) await nextSlice(slice)
    try {
      const wire = sort(fan, mails, emission)
      if (emission.list) await writeList(fan, slice, wire)
    } catch (error) {
      // The others have theirs; the caller reports to the world that some got lost.
      failure = error
    }
  }
  if (batch.tick > 0) dropImages(fan, batch.tick)
  for (const [player, mail] of mails) {
    if (isSliceOver(slice, 1)) await nextSlice(slice)
    const socket = fan.bindings.players.get(player)?.socket
    const handOver = (): void => deliver(fan, player, mail, answer)
    if (socket) socket.cork(handOver)
    else handOver()
  }
  if (failure) throw failure
}

function mailOf(mails: Map<number, Mail>, player: number): Mail {
  let mail = mails.get(player)
  if (!mail) {
    mail = { wires: [], places: [], answers: undefined }
    mails.set(player, mail)
  }
  return mail
}

/** Puts an emission into the mail of its recipients. */
function sort(fan: FanOut, mails: Map<number, Mail>, emission: PublishedEmission): Wire {
  const wire = wireOf(fan, emission)
  for (let place = 0; place < emission.to.length; place++) {
    const mail = mailOf(mails, emission.to[place])
    mail.wires.push(wire)
    mail.places.push(place)
  }
  return wire
}

/**
 * Writes the frames of a long list that its recipients need, in slices: one of thousands of price
 * levels takes longer than a slice. Who comes meanwhile with another encoding has it made at once.
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
  // Few channels depend on what an event says: the others are not worth reading it.
  if (def?.channel && def.channel.length > 0) payload ??= wholeEmission(emission).payload
  const channel = def?.channel?.(payload ?? emission.payload)
  const bit = channel ? 1 << MUTE_CHANNELS.indexOf(channel) : 0
  const queue = def?.queue ?? 'system'
  const importance = importanceOf(queue, channel)
  const key = feed ? `${type}/${feed.feed}` : type
  let image: FeedImage | undefined
  if (feed && def?.feed) {
    image = fan.images.get(key) ?? createImage(type, def.feed)
    // Set only when it could follow: else the next telling must be full.
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

/** Drops images of feeds that had no frame this tick: a feed has one every tick until it ends. */
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

/** Encodes an event that names commands, with the names of the socket's version. */
function namedFrame(fan: FanOut, socket: SocketClient, wire: Wire): Frame {
  const payload = namesOf(fan.registry).value(versionOf(socket.framing), payloadOf(wire))
  return eventFrame(encodingOf(socket.format), wire.emission.type, payload)
}

/** Returns the frame of an event: as bytes where many have it, as they are encoded once then. */
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

/** Returns true when the slice has no room for this many recipients more; else counts them. */
function isSliceOver(slice: Slice, recipients: number): boolean {
  if (slice.recipients + recipients > PUBLISH_SLICE_SOCKETS) return true
  slice.recipients += recipients
  return slice.turns.sliceMs() >= PUBLISH_SLICE_MS
}

async function nextSlice(slice: Slice): Promise<void> {
  await slice.turns.next()
  slice.recipients = 0
}
