/** The fights of the combat ladder, with the bounds of their results. Source: balance.md 8. */

export interface FightRow {
  readonly id: string
  /** Tiers of the pilots' hulls: 0 is a starter, others are fighters with their default modules. */
  readonly crew: readonly number[]
  /** Numbers of pirates by row of PIRATES; or a second player in the same hull; or a creature. */
  readonly foes: readonly number[] | 'mirror' | 'prey'
  readonly preyTier?: number
  /** The pirate strikes first, and the pilot flees at once; escaping counts as winning. */
  readonly isAmbush?: true
  /** Which share of the fights is bounded: those won, ended by stalemate, or with a ship lost. */
  readonly counts: 'won' | 'stale' | 'lost'
  readonly pct: readonly [min: number, max: number]
}

/** Points by which a share may differ from the figure of the sheet. */
const SLACK = 8
const about = (pct: number): readonly [number, number] => [
  Math.max(0, pct - SLACK),
  Math.min(100, pct + SLACK),
]
const atLeast = (pct: number): readonly [number, number] => [pct, 100]
const atMost = (pct: number): readonly [number, number] => [0, pct]

const SCOUT = [1]
const PACK = [3]
const FRINGE = [3, 1]
const DEEP = [4, 2, 2]

export const FIGHTS: readonly FightRow[] = [
  { id: 'starter-scout', crew: [0], foes: SCOUT, counts: 'won', pct: atLeast(90) },
  { id: 'starter-two-scouts', crew: [0], foes: [2], counts: 'won', pct: about(64) },
  { id: 'starter-duel', crew: [0], foes: 'mirror', counts: 'stale', pct: atMost(12) },
  { id: 'starter-flees', crew: [0], foes: SCOUT, isAmbush: true, counts: 'won', pct: atLeast(92) },
  { id: 't1-duel', crew: [1], foes: 'mirror', counts: 'stale', pct: atMost(12) },
  { id: 't2-duel', crew: [2], foes: 'mirror', counts: 'stale', pct: atMost(12) },
  { id: 't3-duel', crew: [3], foes: 'mirror', counts: 'stale', pct: atMost(12) },
  { id: 't1-pack', crew: [1], foes: PACK, counts: 'lost', pct: atMost(5) },
  { id: 't1-raider', crew: [1], foes: [0, 1], counts: 'won', pct: about(89) },
  { id: 't1-fringe', crew: [1], foes: FRINGE, counts: 'won', pct: about(0) },
  { id: 'two-t1-fringe', crew: [1, 1], foes: FRINGE, counts: 'won', pct: about(100) },
  { id: 't2-fringe', crew: [2], foes: FRINGE, counts: 'won', pct: about(100) },
  { id: 't2-enforcer', crew: [2], foes: [0, 0, 1], counts: 'won', pct: atMost(20) },
  { id: 't3-enforcer', crew: [3], foes: [0, 0, 1], counts: 'won', pct: about(100) },
  { id: 'three-t2-deep', crew: [2, 2, 2], foes: DEEP, counts: 'won', pct: about(26) },
  { id: 't3-deep', crew: [3], foes: DEEP, counts: 'won', pct: about(2) },
  { id: 'two-t3-deep', crew: [3, 3], foes: DEEP, counts: 'won', pct: about(100) },
  { id: 'starter-prey-1', crew: [0], foes: 'prey', preyTier: 1, counts: 'won', pct: atLeast(60) },
  { id: 'starter-prey-2', crew: [0], foes: 'prey', preyTier: 2, counts: 'won', pct: atLeast(30) },
]
