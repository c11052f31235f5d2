/** Expiry, end and invariants of relations between factions. Source: factions.md sections 5, 11. */
import { assert } from '../../core/assert.ts'
import { grant } from '../../core/guard.ts'
import { observe } from '../../core/occurrence.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { WorldView } from '../../core/types.ts'
import { allied } from '../account/state.ts'
import { factionOf } from '../faction/model.ts'
import { disbanded, Faction, memberLeaving } from '../faction/state.ts'
import {
  areFactionsAllied,
  currentPact,
  ENEMY_BOOK,
  PACT_BOOK,
  type PairBook,
  PROPOSAL_BOOK,
  pairKey,
} from './model.ts'
import { expireDue, forgetFaction, keepOldWars } from './rules.ts'
import { ENEMIES, OLD_WARS, PACTS, type Pair, PROPOSALS } from './state.ts'

/* Invariants of relations between factions. Source: factions.md section 12. */

/** Checks that both factions of a relation exist and that either of them finds it. */
function checkPair<T extends Pair>(view: WorldView, book: PairBook<T>, key: string, pair: T): void {
  assert(key === pairKey(pair) && pair.from !== pair.to, `relation ${key} has a wrong key`)
  for (const number of [pair.from, pair.to]) {
    assert(view.rowOf(Faction, number) !== 0, `relation ${key} is with no faction`)
    assert(!book.hasNoPairs(view, number), `relation ${key} is not found`)
  }
}

export const relationsHold: CheckDef = {
  name: 'relations: between two existing factions; allies are neither at war nor enemies',
  run(view, full) {
    if (!full) return
    for (const [key, pact] of view.records(PACTS).entries()) {
      checkPair(view, PACT_BOOK, key, pact)
      assert(pact.from < pact.to, `pact ${key} is listed twice`)
      const isHostile =
        ENEMY_BOOK.get(view, pact) ?? ENEMY_BOOK.get(view, { from: pact.to, to: pact.from })
      assert(pact.war || !isHostile, `allies ${key} are enemies`)
    }
    for (const [key, flag] of view.records(ENEMIES).entries()) {
      checkPair(view, ENEMY_BOOK, key, flag)
    }
    for (const [key, proposal] of view.records(PROPOSALS).entries()) {
      checkPair(view, PROPOSAL_BOOK, key, proposal)
      const pact = currentPact(view, proposal.from, proposal.to)
      const fits = proposal.kind === 'peace' ? pact?.war !== undefined : pact === undefined
      assert(fits, `proposal ${key} does not fit the pact`)
    }
    for (const [player, wars] of view.records(OLD_WARS).entries()) {
      assert(wars.length > 0, `player ${player} keeps no wars`)
    }
  },
}

/* Relations when members leave and factions end. */

export const alliesGrant = grant(allied, (view, { player, other }) =>
  areFactionsAllied(view, factionOf(view, player), factionOf(view, other)),
)

export const keepWarsOnLeaving = observe(memberLeaving, (world, { player, faction }) =>
  keepOldWars(world, player, faction),
)

export const endRelations = observe(disbanded, (world, { faction, heir }) => {
  keepOldWars(world, heir, faction)
  forgetFaction(world, faction)
})

/** Runs before the attacks of the tick: from here on the changes of the previous tick hold. */
export const expireRelations: SystemDef = {
  name: 'diplomacy.lapse',
  phase: 'arrive',
  writes: [],
  run: expireDue,
}
