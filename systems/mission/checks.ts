/** Invariants of missions. Source: missions.md section 10. */
import { assert } from '../../core/assert.ts'
import { OBJECTIVES_MAX } from '../../core/catalog/index.ts'
import { MISSIONS_MAX } from '../../core/limits.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Mission } from './columns.ts'
import { missionsOf, templateOf } from './rules.ts'

/** Missions are open for hours: every one, in the costly form. */
export const missionsHold: CheckDef = {
  name: 'missions: found by their players, five at most, not over, counted within bounds',
  run(view, full) {
    if (!full || view.countOf(Mission) === 0) return
    const { alive, player, expireTick, progress } = view.read(Mission)
    for (let mission = 1; mission <= view.highOf(Mission); mission++) {
      if (alive[mission] === 0) continue
      const open = missionsOf(view, player[mission])
      assert(open.includes(mission), `mission ${mission} is not listed`)
      assert(open.length <= MISSIONS_MAX, `player ${player[mission]} has too many missions`)
      assert(expireTick[mission] > view.tick, `mission ${mission} is over`)
      for (const [index, { quantity }] of templateOf(view, mission).objectives.entries()) {
        const counted = progress[mission * OBJECTIVES_MAX + index]
        assert(counted >= 0 && counted <= quantity, `mission ${mission} counts ${counted}`)
      }
    }
  },
}
