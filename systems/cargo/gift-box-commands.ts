/**
 * Gifts nobody has looked at yet: a notice each, by recipient and base. The goods lie in the
 * locker already, the credits are in the wallet. Source: trade-storage.md section 3.
 */

import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { append } from '../../core/groups.ts'
import { MAX_SAFE } from '../../core/math.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { isBound } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { baseId } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { mayPush } from '../chat/model.ts'
import { counterpartyIdentity } from '../sensing/model.ts'
import { kindOfId } from './model.ts'
import { giftReceived } from './schemas.ts'
import {
  BOXES,
  GIFT_LINES_MAX,
  GIFTS,
  GIFTS_MAX,
  GIFTS_PER_BOX_MAX,
  type Gift,
  type GiftContents,
  type GiftShip,
  isPackageId,
  TOLD,
} from './state.ts'

/** What stands for those who sent what was merged into one line. */
const SEVERAL = { sender: 'several senders', senderId: '' }

const boxOf = (view: WorldView, player: Eid, base: Eid): string =>
  `${view.read(Player).seq[player]}:${view.read(Base).seq[base]}`

/** Unseen gifts of a player at a base, the oldest first. */
export function giftsAt(view: WorldView, player: Eid, base: Eid): Gift[] {
  const numbers = view.index(BOXES).get(boxOf(view, player, base)) ?? []
  return numbers.flatMap((number) => view.records(GIFTS).get(String(number)) ?? [])
}

/** Sum of two lists of goods by id, as many lines as are kept. */
function addItems(one: Gift['items'], two: Gift['items']): Gift['items'] {
  const sums = new Map(one)
  for (const [id, units] of two) sums.set(id, Math.min(MAX_SAFE, (sums.get(id) ?? 0) + units))
  return [...sums].slice(0, GIFT_LINES_MAX)
}

/** Two gifts as one; of several senders none is named. */
function merge(one: Gift, two: Gift): Gift {
  const isOne = one.senderId === two.senderId && one.senderId !== ''
  return {
    ...two,
    ...(isOne ? {} : SEVERAL),
    items: addItems(one.items, two.items),
    credits: Math.min(MAX_SAFE, one.credits + two.credits),
    ships: [...one.ships, ...two.ships].slice(0, GIFT_LINES_MAX),
    message: two.message || one.message,
  }
}

/** Makes room for one more: the two oldest of a box become one line. False where it has but one. */
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

/** ours: with no room for another notice anywhere, none is left; what was given is there. */
function store(world: World, gift: Gift): void {
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

/** Leaves a notice of a gift at a base, and has the recipient told at the end of the tick. */
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
  store(world, gift)
  const told = world.index(TOLD)
  const before = told.get(to)
  if (before) before.gift = merge(before.gift, gift)
  else told.set(to, { from, base, gift })
}

const renderItems = (items: Gift['items']) =>
  items.map(([id, quantity]) => ({
    item_id: id,
    name: isPackageId(id) ? kindOfId(id) : GOODS[itemIndex(id)].name,
    quantity,
  }))

const renderShips = (ships: readonly GiftShip[]) => ships.map((ship) => ({ ...ship }))

/** What of a gift there is to tell. */
function renderContents({ items, credits, ships, message }: Gift) {
  return {
    ...(items.length === 0 ? {} : { items: renderItems(items) }),
    ...(credits === 0 ? {} : { credits }),
    ...(ships.length === 0 ? {} : { ships: renderShips(ships) }),
    ...(message === '' ? {} : { message }),
  }
}

/** Unseen gifts as view_storage lists them. Source: contract, StorageGift. */
export const renderGifts = (view: WorldView, player: Eid, base: Eid) =>
  giftsAt(view, player, base).map((gift) => ({
    sender: gift.sender,
    sender_id: gift.senderId,
    timestamp: isoTime(gift.ms),
    ...renderContents(gift),
  }))

/** Forgets the notices of a box: its owner has seen them. */
export function markSeen(world: World, player: Eid, base: Eid): void {
  const box = boxOf(world, player, base)
  const boxes = world.index(BOXES)
  for (const number of boxes.get(box) ?? []) world.records(GIFTS).delete(String(number))
  boxes.delete(box)
}

/** One frame a tick and recipient, whatever they were given in it. */
export function notifyGifts(world: World): void {
  const told = world.index(TOLD)
  for (const [player, { from, base, gift }] of told) {
    if (!isBound(world, player) || !mayPush(world, player, from)) continue
    const payload = {
      sender: gift.sender,
      sender_id: gift.senderId,
      base_id: baseId(world, base),
      timestamp: isoTime(gift.ms),
      ...renderContents(gift),
    }
    emit(world, giftReceived, payload, toPlayer(player))
  }
  told.clear()
}

/** Fills the index from the records, after a restore. */
export function rebuildGifts(world: World): void {
  const boxes = world.index(BOXES)
  boxes.clear()
  world.index(TOLD).clear()
  for (const [key, { box }] of world.records(GIFTS).entries()) {
    append(boxes, box, Number(key))
  }
  for (const numbers of boxes.values()) numbers.sort((a, b) => a - b)
}
