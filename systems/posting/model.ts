/**
 * Postings as boards and missions see them: which hang where, what each asks as a template, who
 * may take it, and what becomes of its reward. Source: factions.md section 7.
 */
import { assert } from '../../core/assert.ts'
import type { MissionRow } from '../../core/catalog/index.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { canReceive } from '../../core/ledger.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { Base } from '../base/state.ts'
import { factionOf, treasuryOf } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import { StarSystem } from '../travel/state.ts'
import {
  POSTING_HELD_TICKS,
  POSTING_TEXTS,
  POSTINGS,
  POSTINGS_SHOWN_MAX,
  Posting,
  type PostingText,
} from './state.ts'

/* Finding */

export const postingId = (view: WorldView, posting: Row): string => idOf(view, Posting, posting)

export const postingById = (view: WorldView, id: string): Row => rowOfId(view, Posting, id)

export const keyOf = (view: WorldView, posting: Row): string =>
  String(view.read(Posting).seq[posting])

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
    template_id: postingId(view, posting),
    title,
    type,
    description,
    difficulty,
    giver,
    dialog,
    items,
    objectives: objectives.map(({ type: kind, quantity, item, tier, player, text }) => ({
      type: kind,
      quantity,
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

/** What a board shows a player of postings: those of their own faction first. */
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

/** True while the treasury takes back what a posting would have paid. */
export function canRefund(view: WorldView, posting: Row): boolean {
  const { faction, credits } = view.read(Posting)
  return canReceive(view, treasuryOf(view, faction[posting]), credits[posting])
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
