/** Invariants of missions. Source: missions.md section 10. */
import { assert } from '../../core/assert.ts'
import { OBJECTIVES_MAX } from '../../core/catalog/index.ts'
import { MISSIONS_MAX } from '../../core/limits.ts'
import { RESCUES_BESIDE_MAX } from '../../core/limits-posting.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Mission, POOLS } from './columns.ts'
import { sharesSum } from './community-rules.ts'
import { missionsOf, templateOf } from './rules.ts'

/** Missions are open for hours: every one, in the costly form. */
export const missionsHold: CheckDef = {
  name: 'missions: found by their players, so many at most, not over, counted',
  run(view, full) {
    if (!full || view.countOf(Mission) === 0) return
    const { alive, player, expireTick, progress } = view.read(Mission)
    for (let mission = 1; mission <= view.highOf(Mission); mission++) {
      if (alive[mission] === 0) continue
      const open = missionsOf(view, player[mission])
      assert(open.includes(mission), `mission ${mission} is not listed`)
      const most = MISSIONS_MAX + RESCUES_BESIDE_MAX
      assert(open.length <= most, `player ${player[mission]} has too many missions`)
      assert(expireTick[mission] > view.tick, `mission ${mission} is over`)
      for (const [index, { quantity }] of templateOf(view, mission).objectives.entries()) {
        const counted = progress[mission * OBJECTIVES_MAX + index]
        assert(counted >= 0 && counted <= quantity, `mission ${mission} counts ${counted}`)
      }
    }
  },
}

export const collectionsHold: CheckDef = {
  name: 'collections: what is given is the sum of what each has given',
  run(view, full) {
    if (!full) return
    for (const [id, { given, phase }] of view.records(POOLS).entries()) {
      if (phase === 'open') assert(sharesSum(view, id) === given, `${id} has other shares`)
    }
  },
}
