/**
 * Lookups of postings: which are at a base, a posting as a mission template, who may accept it, and
 * whether its reward can be refunded. Source: factions.md section 7.
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

/** Returns the key of a posting in POSTING_TEXTS. */
export const keyOf = (view: WorldView, posting: Row): string =>
  String(view.read(Posting).seq[posting])

/** Returns the text of a posting, which always exists. */
export function postingText(view: WorldView, posting: Row): PostingText {
  const text = view.records(POSTING_TEXTS).get(keyOf(view, posting))
  assert(text, `posting ${posting} has no text`)
  return text
}

/** Returns the postings at a base, oldest first. */
export const postingsAt = (view: WorldView, base: Eid): readonly Row[] =>
  view.index(POSTINGS).at.get(base) ?? []

/** Returns the postings of a faction at a base, accepted ones included. */
export function postingsOf(view: WorldView, faction: Row, base: Eid): Row[] {
  const { faction: poster } = view.read(Posting)
  return postingsAt(view, base).filter((row) => poster[row] === faction)
}

/** Returns a posting as a mission template; each template is made only once. */
export function postingTemplate(view: WorldView, posting: Row): MissionRow {
  const { templates } = view.index(POSTINGS)
  const cached = templates.get(posting)
  if (cached) return cached
  const { objectives, spurned: _, ...text } = postingText(view, posting)
  const template: MissionRow = {
    ...text,
    template_id: postingId(view, posting),
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
  templates.set(posting, template)
  return template
}

/** Returns the target base and system of each objective; 0 for none. */
export function postingTargets(view: WorldView, posting: Row): { toBase: Eid[]; toSystem: Eid[] } {
  const { objectives } = postingText(view, posting)
  return {
    toBase: objectives.map(({ base }) => (base === undefined ? 0 : view.rowOf(Base, base))),
    toSystem: objectives.map(({ system }) =>
      system === undefined ? 0 : view.rowOf(StarSystem, system),
    ),
  }
}

/* Who may accept it */

const isFree = (view: WorldView, posting: Row): boolean => {
  const { mission, expireTick } = view.read(Posting)
  return mission[posting] === 0 && expireTick[posting] > view.tick
}

/** Returns whether a posting is open to all or the player is a member of its faction. */
export function isOpenTo(view: WorldView, player: Eid, posting: Row): boolean {
  const { isOpen, faction } = view.read(Posting)
  return isOpen[posting] === 1 || factionOf(view, player) === faction[posting]
}

/** Returns whether a posting is free, and the player has not dropped it and is not its target. */
export function isAvailableTo(view: WorldView, player: Eid, posting: Row): boolean {
  const number = view.read(Player).seq[player]
  const { spurned, objectives } = postingText(view, posting)
  const isTarget = objectives.some(({ player: target }) => target === number)
  return isFree(view, posting) && !isTarget && !spurned.includes(number)
}

/** Returns the postings that a board shows to a player, those of their own faction first. */
export function postingsFor(view: WorldView, player: Eid, base: Eid): Row[] {
  const { faction } = view.read(Posting)
  const own = factionOf(view, player)
  const shown = postingsAt(view, base).filter(
    (row) => isOpenTo(view, player, row) && isAvailableTo(view, player, row),
  )
  const isOwn = (row: Row): boolean => own !== 0 && faction[row] === own
  const sorted = [...shown.filter(isOwn), ...shown.filter((row) => !isOwn(row))]
  return sorted.slice(0, POSTINGS_SHOWN_MAX)
}

/** Returns whether the treasury has room for the credits of a posting. */
export function canRefund(view: WorldView, posting: Row): boolean {
  const { faction, credits } = view.read(Posting)
  return canReceive(view, treasuryOf(view, faction[posting]), credits[posting])
}

/** Returns all postings of a faction, oldest first. O(postings). */
export function allPostingsOf(view: WorldView, faction: Row): Row[] {
  const { alive, faction: poster, seq } = view.read(Posting)
  assert(view.read(Faction).alive[faction] === 1, 'postings of no faction')
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Posting); row++) {
    if (alive[row] === 1 && poster[row] === faction) rows.push(row)
  }
  return rows.sort((a, b) => seq[a] - seq[b])
}
