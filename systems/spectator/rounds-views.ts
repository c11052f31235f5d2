/**
 * When each keyed section is looked at: stations and factions every few ticks in turn, cards of
 * those who are online each tick, counters and boards once an hour, so that no counter follows
 * anybody. Source: WEB 1.5, 3.
 */
import { PUBLIC_CARDS_A_TICK, PUBLIC_FULL_TICKS, PUBLIC_LOOK_TICKS } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { baseId } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { factionIdOf } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import { BOARDS, renderBoard } from './board-views.ts'
import { homeOfCapital } from './chart-views.ts'
import type { Docs } from './docs-views.ts'
import { recordOfFaction, renderShownFaction } from './faction-views.ts'
import { renderMovers } from './mover-views.ts'
import { cardSignature, recordOfPlayer, renderCard } from './player-views.ts'
import { isShownBase, renderShownStation } from './station-views.ts'
import { renderTerritory } from './territory-views.ts'

/** Rows looked at, and documents made, between two yields. */
const ROWS_A_STEP = 8_192
const DOCS_A_STEP = 16

/** A span of ticks: those after `from`, up to `to`; all of them at the first look. */
interface Span {
  readonly from: number
  readonly to: number
}

/** Tells whether a slot of a cycle falls into a span. */
const isDue = ({ from, to }: Span, slot: number, cycle: number): boolean =>
  from < 0 || (((to - slot) % cycle) + cycle) % cycle < to - from

/** What is told of a table row by row, each under an id that ends with the row. */
interface Looked {
  readonly ids: Map<Row, string>
}

/** Forgets what a row told under another id, or what it no longer tells. */
function moveRow(
  docs: Docs,
  { ids }: Looked,
  sections: readonly ('stations' | 'factions' | 'factionRecords')[],
  [row, id]: readonly [Row, string | undefined],
): void {
  const before = ids.get(row)
  if (before === id) return
  if (before !== undefined) for (const section of sections) docs.forget(section, before)
  if (id === undefined) ids.delete(row)
  else ids.set(row, id)
}

export interface Rounds {
  look(view: WorldView): Generator<void>
}

export function createRounds(docs: Docs): Rounds {
  const stations: Looked = { ids: new Map() }
  const factions: Looked = { ids: new Map() }
  const signatures = new Map<number, number>()
  let lastTick = -1
  let cursor = 0
  let moversAge = -1

  function* lookAtStations(view: WorldView, span: Span): Generator<void> {
    let made = 0
    for (let base = 1; base <= view.highOf(Base); base++) {
      if (!isDue(span, base, PUBLIC_LOOK_TICKS)) continue
      const id = isShownBase(view, base) ? baseId(view, base) : undefined
      moveRow(docs, stations, ['stations'], [base, id])
      if (id === undefined) continue
      docs.tell('stations', id, renderShownStation(view, base))
      if (++made % DOCS_A_STEP === 0) yield
    }
  }

  function* lookAtFactions(view: WorldView, span: Span): Generator<void> {
    const { alive, seq } = view.read(Faction)
    let made = 0
    for (let faction = 1; faction <= view.highOf(Faction); faction++) {
      const id = alive[faction] === 1 ? factionIdOf(view, faction) : undefined
      moveRow(docs, factions, ['factions', 'factionRecords'], [faction, id])
      if (id === undefined) continue
      if (isDue(span, seq[faction] % HOUR_TICKS, HOUR_TICKS))
        docs.tell('factionRecords', id, recordOfFaction(view, faction))
      if (!isDue(span, faction, PUBLIC_LOOK_TICKS)) continue
      docs.tell('factions', id, renderShownFaction(view, faction))
      if (++made % DOCS_A_STEP === 0) yield
    }
  }

  const lookAtCard = (view: WorldView, player: Row): void => {
    const number = view.read(Player).seq[player]
    const signature = cardSignature(view, player)
    if (signatures.get(number) === signature) return
    signatures.set(number, signature)
    docs.tell('players', String(number), renderCard(view, player))
  }

  function* lookAtPlayers(view: WorldView, span: Span): Generator<void> {
    const { alive, bound, seq } = view.read(Player)
    const high = view.highOf(Player)
    for (let player = 1; player <= high; player++) {
      if (player % ROWS_A_STEP === 0) yield
      if (alive[player] === 0) continue
      if (bound[player] !== 0 || span.from < 0) lookAtCard(view, player)
      if (!isDue(span, seq[player] % HOUR_TICKS, HOUR_TICKS)) continue
      docs.tell('playerRecords', String(seq[player]), recordOfPlayer(view, player))
    }
    for (let i = 0; i < Math.min(high, PUBLIC_CARDS_A_TICK); i++) {
      cursor = (cursor % high) + 1
      if (alive[cursor] === 1) lookAtCard(view, cursor)
    }
  }

  function* lookAtBoards(view: WorldView, span: Span): Generator<void> {
    for (const [slot, [key, make]] of BOARDS.entries()) {
      if (!isDue(span, slot, HOUR_TICKS)) continue
      docs.tell('boards', key, renderBoard(view, make))
      yield
    }
  }

  function* lookAtWorld(view: WorldView, span: Span): Generator<void> {
    if (isDue(span, 0, PUBLIC_LOOK_TICKS)) docs.tell('world', 'territory', renderTerritory(view))
    yield
    const age = divFloor(view.tick, PUBLIC_FULL_TICKS)
    if (age === moversAge) return
    moversAge = age
    docs.tell('world', 'mobile_base', homeOfCapital(view))
    docs.tell('world', 'movers', yield* renderMovers(view))
  }

  return {
    *look(view) {
      const span = { from: lastTick, to: view.tick }
      yield* lookAtStations(view, span)
      yield
      yield* lookAtFactions(view, span)
      yield
      yield* lookAtPlayers(view, span)
      yield
      yield* lookAtBoards(view, span)
      yield* lookAtWorld(view, span)
      lastTick = view.tick
    },
  }
}
