/**
 * Postings as boards and missions see them: which hang where, what each asks as a template, who may
 * take it, and what becomes of its reward. Source: factions.md section 7.
 */
import { assert } from '../../core/assert.ts'
import type { MissionRow } from '../../core/catalog/index.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { closeContainer, contentsOf, moveItems } from '../../core/goods.ts'
import { Account, canReceive, post } from '../../core/ledger.ts'
import {
  POSTING_HELD_TICKS,
  POSTING_RETRY_TICKS,
  POSTING_SPURNED_MAX,
  POSTINGS_SHOWN_MAX,
} from '../../core/limits-posting.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { Base } from '../base/columns.ts'
import { noteStoreMove } from '../faction/activity-rules.ts'
import { Faction } from '../faction/columns.ts'
import { factionOf, noteFactionLog, treasuryOf } from '../faction/rules.ts'
import { openStore } from '../faction/store-rules.ts'
import { StarSystem } from '../travel/columns.ts'
import { POSTING_TEXTS, Posting, type PostingText } from './columns.ts'

/** Postings by base, the oldest first; those due by tick; what each is as a template. */
const POSTINGS = defineIndex('posting.all', () => ({
  at: new Map<Eid, Row[]>(),
  due: new Map<number, Row[]>(),
  templates: new Map<Row, MissionRow>(),
}))

/* Finding */

export const postingId = (view: WorldView, posting: Row): string => idOf(view, Posting, posting)

export const postingById = (view: WorldView, id: string): Row => rowOfId(view, Posting, id)

const keyOf = (view: WorldView, posting: Row): string => String(view.read(Posting).seq[posting])

export function postingText(view: WorldView, posting: Row): PostingText {
  const text = view.records(POSTING_TEXTS).get(keyOf(view, posting))
  assert(text, `posting ${posting} has no words`)
  return text
}

/** Postings that hang at a base, the oldest first. */
export const postingsAt = (view: WorldView, base: Eid): readonly Row[] =>
  view.index(POSTINGS).at.get(base) ?? []

/** Those of one faction, taken ones too. */
export function postingsOf(view: WorldView, faction: Row, base: Eid): Row[] {
  const { faction: of } = view.read(Posting)
  return postingsAt(view, base).filter((row) => of[row] === faction)
}

/** A posting as missions know a template; it is made once. */
export function postingTemplate(view: WorldView, posting: Row): MissionRow {
  const { templates } = view.index(POSTINGS)
  const kept = templates.get(posting)
  if (kept) return kept
  const { title, type, description, difficulty, giver, dialog, objectives, items } = postingText(
    view,
    posting,
  )
  const made: MissionRow = {
    ...{ template_id: postingId(view, posting), title, type, description, difficulty },
    ...{ giver, dialog, items },
    objectives: objectives.map(({ type: kind, quantity, item, tier, player, text }) => ({
      ...{ type: kind, quantity },
      ...(item === undefined ? {} : { item }),
      ...(tier === undefined ? {} : { tier }),
      ...(player === undefined ? {} : { player }),
      ...(text === undefined ? {} : { text }),
    })),
    credits: view.read(Posting).credits[posting],
    creditsPerJump: 0,
    skills: [],
    requires: {},
    provided: {},
    repeatable: false,
    ttlTicks: POSTING_HELD_TICKS,
    issuers: { kinds: [] },
    kind: 'posting',
  }
  templates.set(posting, made)
  return made
}

/** Targets of each objective; 0 none. */
export function postingTargets(view: WorldView, posting: Row): { toBase: Eid[]; toSystem: Eid[] } {
  const { objectives } = postingText(view, posting)
  return {
    toBase: objectives.map(({ base }) => (base === undefined ? 0 : view.rowOf(Base, base))),
    toSystem: objectives.map(({ system }) =>
      system === undefined ? 0 : view.rowOf(StarSystem, system),
    ),
  }
}

/* Who may take it */

const isFree = (view: WorldView, posting: Row): boolean => {
  const { mission, expireTick } = view.read(Posting)
  return mission[posting] === 0 && expireTick[posting] > view.tick
}

/** True for members, and for everybody where the posting is open to all. */
export function admits(view: WorldView, player: Eid, posting: Row): boolean {
  const { isOpen, faction } = view.read(Posting)
  return isOpen[posting] === 1 || factionOf(view, player) === faction[posting]
}

/** Free for this player: nobody is at it, they have not dropped it, nor are they its prey. */
export function isOffered(view: WorldView, player: Eid, posting: Row): boolean {
  const number = view.read(Player).seq[player]
  const { spurned, objectives } = postingText(view, posting)
  const isPrey = objectives.some(({ player: hunted }) => hunted === number)
  return isFree(view, posting) && !isPrey && !spurned.includes(number)
}

/** What a board shows a player of postings: those of his own faction first. */
export function postingsFor(view: WorldView, player: Eid, base: Eid): Row[] {
  const { faction } = view.read(Posting)
  const own = factionOf(view, player)
  const shown = postingsAt(view, base).filter(
    (row) => admits(view, player, row) && isOffered(view, player, row),
  )
  const isOwn = (row: Row): boolean => own !== 0 && faction[row] === own
  return [...shown.filter(isOwn), ...shown.filter((row) => !isOwn(row))].slice(
    0,
    POSTINGS_SHOWN_MAX,
  )
}

/* Entering and ending */

function expect(world: World, posting: Row): void {
  const { due } = world.index(POSTINGS)
  const tick = world.read(Posting).expireTick[posting]
  const rows = due.get(tick)
  if (rows) rows.push(posting)
  else due.set(tick, [posting])
}

/** Enters a posting whose row and words are there. */
export function enterPosting(world: World, posting: Row): void {
  const { at } = world.index(POSTINGS)
  const base = world.read(Posting).base[posting]
  at.set(base, [...postingsAt(world, base), posting])
  expect(world, posting)
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
  const left = postingsAt(world, base[posting]).filter((row) => row !== posting)
  if (left.length === 0) at.delete(base[posting])
  else at.set(base[posting], left)
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
  expect(world, posting)
}

/** True while the treasury takes back what a posting would have paid. */
export function canRefund(view: WorldView, posting: Row): boolean {
  const { faction, credits } = view.read(Posting)
  return canReceive(view, treasuryOf(view, faction[posting]), credits[posting])
}

/** Gives the reward back to the faction: credits to the treasury, goods to its store there. */
export function refundPosting(world: World, posting: Row, actor: Eid, action: string): void {
  const { faction, base, credits, escrow, goods } = world.read(Posting)
  const of = faction[posting]
  const { title } = postingText(world, posting)
  const summary = `The reward of "${title}" is back with the faction.`
  const noted = { faction: of, player: actor, action, summary, base: base[posting] }
  post(world, escrow[posting], treasuryOf(world, of), credits[posting])
  if (credits[posting] > 0) noteStoreMove(world, { ...noted, credits: credits[posting] })
  else noteFactionLog(world, of, actor, { verb: action, summary })
  for (const { item, units } of goods[posting] === 0 ? [] : contentsOf(world, goods[posting])) {
    const store = openStore(world, { faction: of, base: base[posting], bucket: 0 })
    moveItems(world, goods[posting], store, item, units)
    noteStoreMove(world, { ...noted, item, quantity: units })
  }
}

/** Ends postings whose time is over; one that somebody is at waits for him. O(due). */
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
      expect(world, posting)
    }
  }
}

/** Every posting of a faction, the oldest first. O(postings). */
export function allPostingsOf(view: WorldView, faction: Row): Row[] {
  const { alive, faction: of, seq } = view.read(Posting)
  assert(view.read(Faction).alive[faction] === 1, 'postings of no faction')
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Posting); row++) {
    if (alive[row] === 1 && of[row] === faction) rows.push(row)
  }
  return rows.sort((a, b) => seq[a] - seq[b])
}
