/** Rules of postings that reach other domains. */

import { assert } from '../../core/assert.ts'
import { closeContainer, contentsOf, moveItems } from '../../core/goods.ts'
import { append, drop } from '../../core/groups.ts'
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

/* Entering and ending */

function scheduleExpiry(world: World, posting: Row): void {
  const { due } = world.index(POSTINGS)
  const tick = world.read(Posting).expireTick[posting]
  append(due, tick, posting)
}

/** Enters a posting whose row and words are there. */
export function enterPosting(world: World, posting: Row): void {
  const { at } = world.index(POSTINGS)
  const base = world.read(Posting).base[posting]
  at.set(base, [...postingsAt(world, base), posting])
  scheduleExpiry(world, posting)
}

/** Fills the index from the table, after a restore. */
export function rebuildPostings(world: World): void {
  const { at, due, templates } = world.index(POSTINGS)
  for (const map of [at, due, templates]) map.clear()
  const { alive, seq } = world.read(Posting)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(Posting); row++) if (alive[row] === 1) rows.push(row)
  for (const row of rows.sort((a, b) => seq[a] - seq[b])) enterPosting(world, row)
}

/** Takes a posting whose reward is gone off its board. */
export function closePosting(world: World, posting: Row): void {
  const { at, templates } = world.index(POSTINGS)
  const { base, escrow, goods, mission } = world.read(Posting)
  assert(mission[posting] === 0, `somebody is at posting ${posting}`)
  if (goods[posting] !== 0) closeContainer(world, goods[posting])
  world.release(Account, escrow[posting])
  drop(at, base[posting], posting)
  templates.delete(posting)
  world.records(POSTING_TEXTS).delete(keyOf(world, posting))
  world.release(Posting, posting)
}

/** Notes that a mission is of this posting: until it ends nobody else takes it. */
export function holdPosting(world: World, posting: Row, mission: Row): void {
  const columns = world.write(Posting)
  assert(columns.mission[posting] === 0, `posting ${posting} is taken twice`)
  columns.mission[posting] = mission
}

/** Puts a posting back on its board; the player who was at it is not offered it again. */
export function freePosting(world: World, posting: Row, player: Eid): void {
  const columns = world.write(Posting)
  columns.mission[posting] = 0
  const text = postingText(world, posting)
  const spurned = [...text.spurned, world.read(Player).seq[player]].slice(-POSTING_SPURNED_MAX)
  world.records(POSTING_TEXTS).set(keyOf(world, posting), { ...text, spurned })
  if (columns.expireTick[posting] > world.tick) return
  columns.expireTick[posting] = world.tick + 1
  scheduleExpiry(world, posting)
}

/** Gives the reward back to the faction: credits to the treasury, goods to its store there. */
export function refundPosting(world: World, posting: Row, actor: Eid, action: string): void {
  const { faction, base, credits, escrow, goods } = world.read(Posting)
  const of = faction[posting]
  const { title } = postingText(world, posting)
  const summary = `The reward of "${title}" is back with the faction.`
  const noted = { faction: of, player: actor, action, summary, base: base[posting] }
  post(world, escrow[posting], treasuryOf(world, of), credits[posting])
  if (credits[posting] > 0) recordStoreMove(world, { ...noted, credits: credits[posting] })
  else recordFactionLog(world, of, actor, { verb: action, summary })
  for (const { item, units } of goods[posting] === 0 ? [] : contentsOf(world, goods[posting])) {
    const store = openStore(world, { faction: of, base: base[posting], bucket: 0 })
    moveItems(world, goods[posting], store, item, units)
    recordStoreMove(world, { ...noted, item, quantity: units })
  }
}

/** Ends postings whose time is over; one that somebody is at waits for them. O(due). */
export function lapsePostings(world: World): void {
  const { due } = world.index(POSTINGS)
  const rows = due.get(world.tick)
  if (!rows) return
  due.delete(world.tick)
  const { alive, expireTick, mission, seq, poster } = world.read(Posting)
  const over = [...new Set(rows)].filter(
    (row) => alive[row] === 1 && expireTick[row] === world.tick && mission[row] === 0,
  )
  for (const posting of over.sort((a, b) => seq[a] - seq[b])) {
    if (canRefund(world, posting)) {
      refundPosting(world, posting, poster[posting], 'mission_lapsed')
      closePosting(world, posting)
    } else {
      world.write(Posting).expireTick[posting] = world.tick + POSTING_RETRY_TICKS
      scheduleExpiry(world, posting)
    }
  }
}
