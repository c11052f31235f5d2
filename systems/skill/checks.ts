/** Invariants of skills. */
import { assert } from '../../core/assert.ts'
import { SKILL_LEVEL_MAX, SKILLS, XP_PER_LEVEL } from '../../core/catalog/index.ts'
import { sampleOf } from '../../core/invariants.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Player } from '../account/state.ts'
import { PlayerSkills, SKILLS_WIDTH } from './state.ts'

/** Some thirty skills a player: a sample of a large world. */
export const skillRanges: CheckDef = {
  name: 'I8 skills within their ranges',
  run(view, full) {
    if (!full) return
    const { alive } = view.read(Player)
    const { level, xp } = view.read(PlayerSkills)
    const { first, step } = sampleOf(view, Player)
    for (let player = first; player <= view.highOf(Player); player += step) {
      if (alive[player] === 0) continue
      for (let index = 0; index < SKILLS.length; index++) {
        const at = player * SKILLS_WIDTH + index
        const isTop = level[at] === SKILL_LEVEL_MAX
        if (level[at] < SKILL_LEVEL_MAX ? xp[at] < XP_PER_LEVEL[level[at]] : isTop && xp[at] === 0)
          continue
        assert(false, `player ${player}: ${xp[at]} XP of ${SKILLS[index].id} at ${level[at]}`)
      }
    }
  },
}
