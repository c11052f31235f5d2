/** Invariants of skills. */
import { assert } from '../../core/assert.ts'
import { SKILL_LEVEL_MAX, SKILLS, XP_PER_LEVEL } from '../../core/catalog/index.ts'
import { sampleOf } from '../../core/invariants.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Player } from '../account/state.ts'
import { slotOf } from './model.ts'
import { PlayerSkills } from './state.ts'

/** Checks skills; of a large world only a sample, since a player has some thirty skills. */
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
        const slot = slotOf(player, index)
        const isTop = level[slot] === SKILL_LEVEL_MAX
        if (isTop ? xp[slot] === 0 : xp[slot] < XP_PER_LEVEL[level[slot]]) continue
        assert(false, `player ${player}: ${xp[slot]} XP of ${SKILLS[index].id} at ${level[slot]}`)
      }
    }
  },
}
