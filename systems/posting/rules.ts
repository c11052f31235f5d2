/** Lists, assigns, refunds and ends postings. Source: factions.md section 7. */
import { assert } from '../../core/assert.ts'
import { closeContainer, contentsOf, moveItems } from '../../core/goods.ts'
import { addToList, removeFromList } from '../../core/groups.ts'
import { Account, post } from '../../core/ledger.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { recordFactionLog, treasuryOf } from '../faction/model.ts'
import { recordStoreMove } from '../faction/rules.ts'
import { openStore } from '../faction/store-model.ts'
import { canRefund, keyOf, postingsAt, postingText } from './model.ts'
import {
  POSTING_RETRY_TICKS,
  POSTING_SPURNED_MAX,
  POSTING_TEXTS,
  POSTINGS,
  Posting,
} from './state.ts'

function scheduleExpiry(world: World, posting: Row): void {
  addToList(world.index(POSTINGS).due, world.read(Posting).expireTick[posting], posting)
}

/** Adds a posting to its board and schedules its expiry; its row and text must exist. */
export function enterPosting(world: World, posting: Row): void {
  const { at } = world.index(POSTINGS)
  const base = world.read(Posting).base[posting]
  at.set(base, [...postingsAt(world, base), posting])
  scheduleExpiry(world, posting)
}

/** Rebuilds the index from the table after a restore. */
export function rebuildPostings(world: World): void {
  const { at, due, templates } = world.index(POSTINGS)
  for (const map of [at, due, templates]) map.clear()
  const { alive, seq } = world.read(Posting)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(Posting); row++) if (alive[row] === 1) rows.push(row)
  for (const row of rows.sort((a, b) => seq[a] - seq[b])) enterPosting(world, row)
}

/** Removes a posting whose reward has been paid out or refunded. */
export function closePosting(world: World, posting: Row): void {
  const { at, templates } = world.index(POSTINGS)
  const { base, escrow, goods, mission } = world.read(Posting)
  assert(mission[posting] === 0, `posting ${posting} ends while it has a mission`)
  if (goods[posting] !== 0) closeContainer(world, goods[posting])
  world.release(Account, escrow[posting])
  removeFromList(at, base[posting], posting)
  templates.delete(posting)
  world.records(POSTING_TEXTS).delete(keyOf(world, posting))
  world.release(Posting, posting)
}

/** Assigns a posting to a mission; nobody else can accept it until the mission ends. */
export function assignPosting(world: World, posting: Row, mission: Row): void {
  const columns = world.write(Posting)
  assert(columns.mission[posting] === 0, `posting ${posting} is accepted twice`)
  columns.mission[posting] = mission
}

/** Returns a posting to its board; the player who dropped it is not offered it again. */
export function relistPosting(world: World, posting: Row, player: Eid): void {
  const columns = world.write(Posting)
  columns.mission[posting] = 0
  const text = postingText(world, posting)
  const droppedBy = [...text.spurned, world.read(Player).seq[player]].slice(-POSTING_SPURNED_MAX)
  world.records(POSTING_TEXTS).set(keyOf(world, posting), { ...text, spurned: droppedBy })
  if (columns.expireTick[posting] > world.tick) return
  columns.expireTick[posting] = world.tick + 1
  scheduleExpiry(world, posting)
}

/** Returns the reward to the faction: credits to the treasury, goods to its store there. */
export function refundPosting(world: World, posting: Row, actor: Eid, action: string): void {
  const columns = world.read(Posting)
  const faction = columns.faction[posting]
  const base = columns.base[posting]
  const credits = columns.credits[posting]
  const goods = columns.goods[posting]
  const summary = `The reward of "${postingText(world, posting).title}" was returned to the faction.`
  const entry = { faction, player: actor, action, summary, base }
  post(world, columns.escrow[posting], treasuryOf(world, faction), credits)
  if (credits > 0) recordStoreMove(world, { ...entry, credits })
  else recordFactionLog(world, faction, actor, { verb: action, summary })
  for (const { item, units } of goods === 0 ? [] : contentsOf(world, goods)) {
    const store = openStore(world, { faction, base, bucket: 0 })
    moveItems(world, goods, store, item, units)
    recordStoreMove(world, { ...entry, item, quantity: units })
  }
}

/**
 * Refunds and removes the postings that expire in this tick. One with a mission stays until the
 * mission ends; a refund that is not possible yet is retried after POSTING_RETRY_TICKS. O(due).
 */
export function expirePostings(world: World): void {
  const { due } = world.index(POSTINGS)
  const rows = due.get(world.tick)
  if (!rows) return
  due.delete(world.tick)
  const { alive, expireTick, mission, seq, poster } = world.read(Posting)
  const expired = [...new Set(rows)].filter(
    (row) => alive[row] === 1 && expireTick[row] === world.tick && mission[row] === 0,
  )
  for (const posting of expired.sort((a, b) => seq[a] - seq[b])) {
    if (canRefund(world, posting)) {
      refundPosting(world, posting, poster[posting], 'mission_lapsed')
      closePosting(world, posting)
    } else {
      world.write(Posting).expireTick[posting] = world.tick + POSTING_RETRY_TICKS
      scheduleExpiry(world, posting)
    }
  }
}
