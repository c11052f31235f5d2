/** Invariants of achievements. Source: missions.md sections 6, 10. */
import { assert } from '../../core/assert.ts'
import {
  ACHIEVEMENT_CREDITS_SUM_MAX,
  type AchievementRow,
  SKILL_COUNTER,
} from '../../core/catalog/index.ts'
import { sampleOf } from '../../core/invariants.ts'
import { balanceOf, namedAccount } from '../../core/ledger.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { PlayerFeats } from './columns.ts'
import { aliveIn, earnedBy, hasEarned, isDue, isMarked, KINDS, type Kind } from './rules.ts'

/** Levels are also set where nobody counts: by genesis, and by whoever sets a stage. */
const namesSkill = ({ criteria }: AchievementRow): boolean =>
  criteria.some(([counter]) => counter.startsWith(SKILL_COUNTER))

function checkHolder(view: WorldView, kind: Kind, holder: Row): void {
  const times = earnedBy(view, kind, holder)
  const rows = kind.book.rows.filter((row) => hasEarned(view, kind, holder, row.no))
  assert(times.length >= rows.length, `${kind.feats.name} ${holder}: bits without a time`)
  for (const { no, after } of rows) {
    if (!times.some(([noted]) => noted === no)) assert(false, `${holder} earned ${no} at no time`)
    const before = after === undefined ? undefined : kind.book.byId.get(after)
    if (before && !hasEarned(view, kind, holder, before.no)) {
      assert(false, `${kind.feats.name} ${holder} has ${no}, but not what comes before`)
    }
  }
  for (const row of kind.book.rows) {
    if (namesSkill(row) || !isDue(view, kind, holder, row)) continue
    assert(isMarked(view, kind, holder, row), `${holder} has met ${row.id}, and nobody has seen`)
  }
}

/** Two hundred definitions a player: a sample of a large world. */
export const featsHold: CheckDef = {
  name: 'achievements: each has its time and what comes before it; what is met is earned',
  run(view, full) {
    if (!full) return
    for (const kind of KINDS) {
      const alive = aliveIn(view, kind)
      const { first, step } = sampleOf(view, kind.table)
      for (let holder = first; holder <= view.highOf(kind.table); holder += step) {
        if (alive[holder] === 1) checkHolder(view, kind, holder)
      }
    }
  },
}

/** Two reads a player: every player. */
export const featsPaid: CheckDef = {
  name: 'achievements: what players got is what their source gave, and bounded',
  run(view, full) {
    if (!full) return
    const { alive } = view.read(Player)
    const { paid } = view.read(PlayerFeats)
    let sum = 0
    for (let player = 1; player <= view.highOf(Player); player++) {
      if (alive[player] === 0) continue
      if (paid[player] > ACHIEVEMENT_CREDITS_SUM_MAX) assert(false, `${player} was paid too much`)
      sum += paid[player]
    }
    const given = -balanceOf(view, namedAccount('achievements'))
    assert(sum === given, `achievements paid ${sum}, their source gave ${given}`)
  },
}
