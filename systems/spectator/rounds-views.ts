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

/** What the rounds remember from frame to frame. */
interface Memory {
  readonly docs: Docs
  readonly stations: Looked
  readonly factions: Looked
  /** Signatures of the cards told last, by number of the player. */
  readonly cards: Map<number, number>
  /** The tick of the last look; -1 before the first. */
  lastTick: number
  /** The player whose card was looked at last in turn. */
  cursor: number
  /** When the whole world was looked at last. */
  age: number
}

function* lookAtStations(memory: Memory, view: WorldView, span: Span): Generator<void> {
  const { docs, stations } = memory
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

function* lookAtFactions(memory: Memory, view: WorldView, span: Span): Generator<void> {
  const { docs, factions } = memory
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

function lookAtCard({ docs, cards }: Memory, view: WorldView, player: Row): void {
  const number = view.read(Player).seq[player]
  const signature = cardSignature(view, player)
  if (cards.get(number) === signature) return
  cards.set(number, signature)
  docs.tell('players', String(number), renderCard(view, player))
}

function* lookAtPlayers(memory: Memory, view: WorldView, span: Span): Generator<void> {
  const { alive, bound, seq } = view.read(Player)
  const high = view.highOf(Player)
  let made = 0
  for (let player = 1; player <= high; player++) {
    if (player % ROWS_A_STEP === 0) yield
    if (alive[player] === 0) continue
    if (bound[player] !== 0 || span.from < 0) lookAtCard(memory, view, player)
    if (!isDue(span, seq[player] % HOUR_TICKS, HOUR_TICKS)) continue
    memory.docs.tell('playerRecords', String(seq[player]), recordOfPlayer(view, player))
    if (++made % DOCS_A_STEP === 0) yield
  }
  for (let i = 0; i < Math.min(high, PUBLIC_CARDS_A_TICK); i++) {
    memory.cursor = (memory.cursor % high) + 1
    if (alive[memory.cursor] === 1) lookAtCard(memory, view, memory.cursor)
  }
}

function* lookAtBoards({ docs }: Memory, view: WorldView, span: Span): Generator<void> {
  for (const [slot, [key, make]] of BOARDS.entries()) {
    if (!isDue(span, slot, HOUR_TICKS)) continue
    docs.tell('boards', key, renderBoard(view, make))
    yield
  }
}

function* lookAtWorld(memory: Memory, view: WorldView, span: Span): Generator<void> {
  const { docs } = memory
  if (isDue(span, 0, PUBLIC_LOOK_TICKS)) docs.tell('world', 'territory', renderTerritory(view))
  yield
  const age = divFloor(view.tick, PUBLIC_FULL_TICKS)
  if (age === memory.age) return
  memory.age = age
  docs.tell('world', 'mobile_base', homeOfCapital(view))
  docs.tell('world', 'movers', yield* renderMovers(view))
}

/** Returns what has the sections looked at that are due, and `docs` told; yields between steps. */
export function createRounds(docs: Docs): (view: WorldView) => Generator<void> {
  const memory: Memory = {
    docs,
    stations: { ids: new Map() },
    factions: { ids: new Map() },
    cards: new Map(),
    lastTick: -1,
    cursor: 0,
    age: -1,
  }
  return function* look(view) {
    const span = { from: memory.lastTick, to: view.tick }
    yield* lookAtStations(memory, view, span)
    yield
    yield* lookAtFactions(memory, view, span)
    yield
    yield* lookAtPlayers(memory, view, span)
    yield
    yield* lookAtBoards(memory, view, span)
    yield* lookAtWorld(memory, view, span)
    memory.lastTick = view.tick
  }
}
