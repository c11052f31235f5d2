/** The command `get_skills`. */
import { SKILLS } from '../../core/catalog/index.ts'
import { query } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { gameState, NO_PARAMS, obj, opt, strings } from '../../core/params.ts'
import { skillIndex } from './model.ts'
import { skillsSection } from './schemas.ts'
import { renderSkills } from './views.ts'

const shared = {
  name: 'get_skills',
  summary: 'Your skills with level and experience.',
  category: 'status',
  params: NO_PARAMS,
  errors: [],
  needs: [],
} as const

/** Adds what trains each skill. */
const withTraining = (skills: ReturnType<typeof renderSkills>) =>
  Object.fromEntries(
    Object.entries(skills).map(([id, skill]) => [
      id,
      { ...skill, trained_by: SKILLS[skillIndex(id)].training_source },
    ]),
  )

export const getSkills = query({
  ...shared,
  result: obj({ skills: skillsSection, ...opt(strings('message')) }),
  run: (view, player) => ok({ skills: withTraining(renderSkills(view, player)) }),
})

export const getSkillsV2 = query({
  ...shared,
  v1: false,
  v2: { tool: 'game', action: 'get_skills' },
  result: gameState(),
  run: (view, player) => ok({ skills: view.section('skills', player) }),
})
