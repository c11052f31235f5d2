/**
 * Notices of gifts their recipient has not seen yet, by recipient and base. The goods are in the
 * locker already, the credits in the wallet. Source: trade-storage.md section 3.
 */
import { emit, toPlayer } from '../../core/event.ts'
import { addToList } from '../../core/groups.ts'
import { MAX_SAFE } from '../../core/math.ts'
import type { Eid, World } from '../../core/types.ts'
import { isBound } from '../account/model.ts'
import { baseId } from '../base/model.ts'
import { mayPush } from '../chat/model.ts'
import { counterpartyIdentity } from '../sensing/model.ts'
import { boxOf } from './gift-model.ts'
import { renderGift } from './gift-views.ts'
import { giftReceived } from './schemas.ts'
import {
  BOXES,
  GIFT_LINES_MAX,
  GIFTS,
  GIFTS_MAX,
  GIFTS_PER_BOX_MAX,
  type Gift,
  type GiftContents,
  UNSENT_GIFTS,
} from './state.ts'

/** The sender of a notice that merges gifts of several. */
const SEVERAL = { sender: 'several senders', senderId: '' }

/** Adds up two lists of goods by id, and keeps at most GIFT_LINES_MAX lines. */
function addItems(one: Gift['items'], two: Gift['items']): Gift['items'] {
  const sums = new Map(one)
  for (const [id, units] of two) sums.set(id, Math.min(MAX_SAFE, (sums.get(id) ?? 0) + units))
  return [...sums].slice(0, GIFT_LINES_MAX)
}

/** Merges two gifts into one, which names no sender if they differ. */
function merge(one: Gift, two: Gift): Gift {
  const isSameSender = one.senderId === two.senderId && one.senderId !== ''
  return {
    ...two,
    ...(isSameSender ? {} : SEVERAL),
    items: addItems(one.items, two.items),
    credits: Math.min(MAX_SAFE, one.credits + two.credits),
    ships: [...one.ships, ...two.ships].slice(0, GIFT_LINES_MAX),
    message: two.message || one.message,
  }
}

/** Makes room by merging the two oldest notices of a box; returns false if it has fewer. */
function mergeOldest(world: World, numbers: number[]): boolean {
  if (numbers.length < 2) return false
  const gifts = world.records(GIFTS)
  const [first, second] = numbers.map((number) => gifts.get(String(number)))
  if (!first || !second) return false
  gifts.set(String(numbers[0]), merge(first, second))
  gifts.delete(String(numbers[1]))
  numbers.splice(1, 1)
  return true
}

/** Stores a notice. ours: without room the notice is dropped, but the gift itself arrives. */
function storeNotice(world: World, gift: Gift): void {
  const gifts = world.records(GIFTS)
  const boxes = world.index(BOXES)
  const numbers = boxes.get(gift.box) ?? []
  if (numbers.length >= GIFTS_PER_BOX_MAX && !mergeOldest(world, numbers)) return
  if (gifts.size >= GIFTS_MAX && !mergeOldest(world, numbers)) return
  const number = world.nextNumber('gift')
  gifts.set(String(number), gift)
  numbers.push(number)
  boxes.set(gift.box, numbers)
}

interface Giving {
  readonly from: Eid
  readonly to: Eid
  readonly base: Eid
  readonly message?: string
}

/** Leaves a notice of a gift at a base, and queues the event that the end of the tick sends. */
export function recordGift(world: World, giving: Giving, contents: Partial<GiftContents>): void {
  const { from, to, base, message = '' } = giving
  const { id, name } = counterpartyIdentity(world, from)
  const gift: Gift = {
    box: boxOf(world, to, base),
    sender: name,
    senderId: id,
    items: [],
    credits: 0,
    ships: [],
    ...contents,
    message,
    ms: world.wallMs,
  }
  storeNotice(world, gift)
  const unsent = world.index(UNSENT_GIFTS)
  const before = unsent.get(to)
  if (before) before.gift = merge(before.gift, gift)
  else unsent.set(to, { from, base, gift })
}

/** Deletes a player's notices at a base: they have seen them. */
export function markSeen(world: World, player: Eid, base: Eid): void {
  const box = boxOf(world, player, base)
  const boxes = world.index(BOXES)
  for (const number of boxes.get(box) ?? []) world.records(GIFTS).delete(String(number))
  boxes.delete(box)
}

/** Sends each recipient one event for all gifts of the tick. */
export function notifyGifts(world: World): void {
  const unsent = world.index(UNSENT_GIFTS)
  for (const [player, { from, base, gift }] of unsent) {
    if (!isBound(world, player) || !mayPush(world, player, from)) continue
    const payload = { ...renderGift(world, gift), base_id: baseId(world, base) }
    emit(world, giftReceived, payload, toPlayer(player))
  }
  unsent.clear()
}

/** Fills the index from the records, after a restore. */
export function rebuildGifts(world: World): void {
  const boxes = world.index(BOXES)
  boxes.clear()
  world.index(UNSENT_GIFTS).clear()
  for (const [key, { box }] of world.records(GIFTS).entries()) {
    addToList(boxes, box, Number(key))
  }
  for (const numbers of boxes.values()) numbers.sort((a, b) => a - b)
}
