/**
 * What bases remember for those who listen: the one function that domains call in which ships are
 * ordered, facilities built and goods bought. Source: factions.md section 6, espionage.
 */
import { assert } from '../../core/assert.ts'
import { FACT_CREDITS_MIN, FACT_TICKS, FACTS_PER_BASE_MAX } from '../../core/limits-intel.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { Base } from '../base/columns.ts'
import { Faction, Membership } from '../faction/columns.ts'
import { FACT_KINDS, FACTS, type Fact, type FactKind } from './columns.ts'

export interface Happened {
  readonly base: Row
  readonly kind: FactKind
  readonly player: Eid
  /** What was ordered, built or bought, as a story tells it. */
  readonly what: string
  readonly credits: number
}

const factsKey = (view: WorldView, base: Row): string => String(view.read(Base).seq[base])

const isFresh = (view: WorldView, { tick }: Fact): boolean => tick + FACT_TICKS > view.tick

/** Notes what a player did at a base; small purchases are nobody's talk. */
export function noteFact(world: World, { base, kind, player, what, credits }: Happened): void {
  assert(what !== '', 'nothing happened')
  if (kind === 'purchase' && credits < FACT_CREDITS_MIN) return
  const { seq, anonymous } = world.read(Player)
  const faction = world.read(Membership).faction[player]
  const fact: Fact = {
    tick: world.tick,
    kind: FACT_KINDS.indexOf(kind),
    by: seq[player],
    faction: faction === 0 ? 0 : world.read(Faction).seq[faction],
    isUnnamed: anonymous[player] === 1,
    what,
    credits,
  }
  const before = factsAt(world, base).slice(0, FACTS_PER_BASE_MAX - 1)
  world.records(FACTS).set(factsKey(world, base), [fact, ...before])
}

/** What a base remembers of the last day, the newest first. */
export const factsAt = (view: WorldView, base: Row): readonly Fact[] =>
  (view.records(FACTS).get(factsKey(view, base)) ?? []).filter((fact) => isFresh(view, fact))
