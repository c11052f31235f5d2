/**
 * Decides when each keyed section is read: stations, factions and the cards of online players in
 * turn every few ticks, records and boards once an hour, so that nobody can be tracked by their
 * counters. Source: WEB 1.5, 3.
 */
import { PUBLIC_CARDS_A_TICK, PUBLIC_LOOK_TICKS, PUBLIC_ROUND_TICKS } from '../../core/limits.ts'
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
import { dueSlots, isDue, type Span } from './due-views.ts'
import { recordOfFaction, renderShownFaction } from './faction-views.ts'
import { renderMovers } from './mover-views.ts'
import { cardSigner, recordOfPlayer, recordSignature, renderCard } from './player-views.ts'
import { isShownBase, renderShownStation } from './station-views.ts'
import { renderTerritory } from './territory-views.ts'

/** Rows read, and documents rendered, between two yields. */
const ROWS_PER_STEP = 4_096
const DOCS_PER_STEP = 16
/** Neighbouring rows of players whose records are updated in the same tick. */
const TURN_ROWS = 16

/** The ids under which the rows of a table are published. */
interface PublishedRows {
  readonly ids: Map<Row, string>
}

/** Sets the id that a row is published under; removes what was published under the old one. */
function moveRow(
  docs: Docs,
  { ids }: PublishedRows,
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
  readonly stations: PublishedRows
  readonly factions: PublishedRows
  readonly cards: Signed
  readonly records: Signed
  /** The tick of the last update; -1 before the first. */
  lastTick: number
  /** The player whose card was checked last, in turn. */
  cursor: number
  /** Number of the round in which the movers were rendered last. */
  round: number
}

function* updateStations(memory: Memory, view: WorldView, span: Span): Generator<void> {
  const { docs, stations } = memory
  const high = view.highOf(Base)
  let made = 0
  for (let base = 1; base <= high; base++) {
    if (!isDue(span, base, PUBLIC_LOOK_TICKS)) continue
    const id = isShownBase(view, base) ? baseId(view, base) : undefined
    moveRow(docs, stations, ['stations'], [base, id])
    if (id === undefined) continue
    docs.update('stations', id, renderShownStation(view, base))
    if (++made % DOCS_PER_STEP === 0) yield
  }
}

function* updateFactions(memory: Memory, view: WorldView, span: Span): Generator<void> {
  const { docs, factions } = memory
  const { alive, seq } = view.read(Faction)
  let made = 0
  for (let faction = 1; faction <= view.highOf(Faction); faction++) {
    const id = alive[faction] === 1 ? factionIdOf(view, faction) : undefined
    moveRow(docs, factions, ['factions', 'factionRecords'], [faction, id])
    if (id === undefined) continue
    if (isDue(span, seq[faction] % HOUR_TICKS, HOUR_TICKS))
      docs.update('factionRecords', id, recordOfFaction(view, faction))
    if (!isDue(span, faction, PUBLIC_LOOK_TICKS)) continue
    docs.update('factions', id, renderShownFaction(view, faction))
    if (++made % DOCS_PER_STEP === 0) yield
  }
}

/** What was last published of each player, by row: the player's number, and its signature. */
interface Signed {
  numbers: Float64Array
  signatures: Int32Array
}

const newSigned = (): Signed => ({ numbers: new Float64Array(), signatures: new Int32Array() })

/** Makes room for rows up to `high`. */
function growTo(signed: Signed, high: number): void {
  if (signed.numbers.length > high) return
  const { numbers, signatures } = signed
  signed.numbers = new Float64Array(2 * high + 1)
  signed.numbers.set(numbers)
  signed.signatures = new Int32Array(2 * high + 1)
  signed.signatures.set(signatures)
}

/** Updates the signature of what is published of a player; false if it is unchanged. */
function updateSignature(
  { numbers, signatures }: Signed,
  row: Row,
  number: number,
  signature: number,
): boolean {
  if (numbers[row] === number && signatures[row] === signature) return false
  numbers[row] = number
  signatures[row] = signature
  return true
}

/**
 * Returns a function that publishes a player's card if it has changed, and returns how many it has
 * published: 0 or 1.
 */
function createCardUpdater({ docs, cards }: Memory, view: WorldView): (player: Row) => number {
  const { seq } = view.read(Player)
  const signatureOf = cardSigner(view)
  return (player) => {
    if (!updateSignature(cards, player, seq[player], signatureOf(player))) return 0
    docs.update('players', String(seq[player]), renderCard(view, player))
    return 1
  }
}

function updateRecord({ docs, records }: Memory, view: WorldView, player: Row): number {
  const number = view.read(Player).seq[player]
  if (!updateSignature(records, player, number, recordSignature(view, player))) return 0
  docs.update('playerRecords', String(number), recordOfPlayer(view, player))
  return 1
}

/**
 * Lists the players of a block of rows whose cards are due: online ones in turn, or at once if they
 * are new; the first time, offline ones too.
 */
function dueCards(
  { cards: { numbers } }: Memory,
  { alive, bound, seq }: Readonly<Record<'alive' | 'bound' | 'seq', ArrayLike<number>>>,
  [from, to]: readonly [Row, Row],
  { isFirst, isTurn }: { readonly isFirst: boolean; readonly isTurn: Uint8Array },
): Row[] {
  const due: Row[] = []
  for (let player = from; player <= to; player++) {
    if ((bound[player] === 0 && !isFirst) || alive[player] === 0) continue
    if (isTurn[player % PUBLIC_LOOK_TICKS] === 1 || numbers[player] !== seq[player])
      due.push(player)
  }
  return due
}

/** Updates cards: of online players in turn, of new ones at once, of a few others in row order. */
function* updateCards(memory: Memory, view: WorldView, span: Span): Generator<void> {
  const columns = view.read(Player)
  const { alive } = columns
  const high = view.highOf(Player)
  const isTurn = new Uint8Array(PUBLIC_LOOK_TICKS)
  for (const slot of dueSlots(span, PUBLIC_LOOK_TICKS)) isTurn[slot] = 1
  const selection = { isFirst: span.from < 0, isTurn }
  const updateCard = createCardUpdater(memory, view)
  let made = 0
  for (let from = 1; from <= high; from += ROWS_PER_STEP) {
    const block = [from, Math.min(high, from + ROWS_PER_STEP - 1)] as const
    for (const player of dueCards(memory, columns, block, selection)) {
      made += updateCard(player)
      if (made < DOCS_PER_STEP) continue
      made = 0
      yield
    }
    yield
  }
  for (let i = 0; i < Math.min(high, PUBLIC_CARDS_A_TICK); i++) {
    memory.cursor = (memory.cursor % high) + 1
    if (alive[memory.cursor] === 1) updateCard(memory.cursor)
  }
}

/**
 * Updates the records of the players whose turn in the hour has come. Neighbouring rows have their
 * turn together, since their counters share pages of memory.
 */
function* updateRecords(memory: Memory, view: WorldView, span: Span): Generator<void> {
  const { alive } = view.read(Player)
  const high = view.highOf(Player)
  let made = 0
  for (const slot of dueSlots(span, HOUR_TICKS)) {
    for (let first = slot * TURN_ROWS; first <= high; first += HOUR_TICKS * TURN_ROWS) {
      for (let player = first; player < first + TURN_ROWS; player++) {
        if (player !== 0 && alive[player] === 1) made += updateRecord(memory, view, player)
      }
      if (made < DOCS_PER_STEP) continue
      made = 0
      yield
    }
    yield
  }
}

function* updateBoards({ docs }: Memory, view: WorldView, span: Span): Generator<void> {
  for (const [slot, [key, make]] of BOARDS.entries()) {
    if (!isDue(span, slot, HOUR_TICKS)) continue
    docs.update('boards', key, yield* renderBoard(view, make))
    yield
  }
}

function* updateWorld(memory: Memory, view: WorldView, span: Span): Generator<void> {
  const { docs } = memory
  if (isDue(span, 0, PUBLIC_LOOK_TICKS)) docs.update('world', 'territory', renderTerritory(view))
  yield
  const round = divFloor(view.tick, PUBLIC_ROUND_TICKS)
  if (round === memory.round) return
  memory.round = round
  docs.update('world', 'mobile_base', homeOfCapital(view))
  docs.update('world', 'movers', yield* renderMovers(view))
}

/** Returns a function that updates `docs` from the sections that are due; yields between steps. */
export function createRounds(docs: Docs): (view: WorldView) => Generator<void> {
  const memory: Memory = {
    docs,
    stations: { ids: new Map() },
    factions: { ids: new Map() },
    cards: newSigned(),
    records: newSigned(),
    lastTick: -1,
    cursor: 0,
    round: -1,
  }
  return function* updateDue(view) {
    const span = { from: memory.lastTick, to: view.tick }
    yield* updateStations(memory, view, span)
    yield
    yield* updateFactions(memory, view, span)
    yield
    growTo(memory.cards, view.highOf(Player))
    growTo(memory.records, view.highOf(Player))
    yield* updateCards(memory, view, span)
    yield
    yield* updateRecords(memory, view, span)
    yield
    yield* updateBoards(memory, view, span)
    yield* updateWorld(memory, view, span)
    memory.lastTick = view.tick
  }
}
