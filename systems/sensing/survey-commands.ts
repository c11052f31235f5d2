/**
 * Surveys: what of a system's hidden places a survey scanner makes out. The same ship finds the
 * same, whenever it looks. Source: travel.md section 8.
 */
import { mutation } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { NO_PARAMS } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { raiseCounter } from '../achievement/rules.ts'
import { renderWildlife } from '../creature/views.ts'
import { logAction } from '../log/rules.ts'
import { renderDeposits } from '../mining/views.ts'
import { recordProgress } from '../mission/rules.ts'
import { Ship } from '../ship/state.ts'
import { awardXp } from '../skill/rules.ts'
import { shipOf, systemOf } from '../travel/drift-model.ts'
import { poiId, poiName, poisOf, poiType, systemId, systemName } from '../travel/model.ts'
import { UNDOCKED } from '../travel/needs.ts'
import { burnFuel } from '../travel/rules.ts'
import { Poi } from '../travel/state.ts'
import { revealedTo } from './model.ts'
import { reveal } from './rules.ts'
import { surveyResult } from './schemas.ts'

const SURVEY_FUEL = 5
/** XP. Source: missions.md section 5; travel.md section 8. */
const SURVEY_XP = 10
const DEPOSIT_XP = 25

/** Difficulties up to these are called low and medium; the rest is high. Source: ours. */
const LOW_MAX = 40
const MEDIUM_MAX = 75

const difficultyWord = (difficulty: number): 'low' | 'medium' | 'high' => {
  if (difficulty <= LOW_MAX) return 'low'
  return difficulty <= MEDIUM_MAX ? 'medium' : 'high'
}

const HINTS = {
  low: 'An echo just below what your instruments can place.',
  medium: 'A return that is there on one sweep and gone on the next.',
  high: 'Something bends the noise; what it is, a far better scanner might say.',
} as const

/** A place that the player knows by survey, with what is in it now. */
function renderSurveyed(view: WorldView, player: Eid, poi: Eid) {
  const row = view.read(Poi)
  const kind = view.texts.get(row.class[poi])
  return {
    id: poiId(view, poi),
    name: poiName(view, poi),
    type: poiType(view, poi),
    ...(kind === '' ? {} : { class: kind }),
    description: view.texts.get(row.description[poi]),
    resources: renderDeposits(view, shipOf(view, player), poi),
  }
}

/** A place that is felt, but not found: never what it is called or where. */
function renderFaint(view: WorldView, poi: Eid) {
  const { difficulty } = view.read(Poi)
  const word = difficultyWord(difficulty[poi])
  return { type: poiType(view, poi), hint: HINTS[word], difficulty: word }
}

const NO_SURVEY_SCANNER = say`No survey scanner is fitted: {install_mod} one, then survey again.`

interface Survey {
  readonly known: readonly Eid[]
  readonly found: readonly Eid[]
  readonly faint: readonly Eid[]
}

/**
 * Hidden places of a system, by what a survey of this power makes of them; also what of them the
 * player knows already. Source: travel.md section 8.
 */
function surveyOf(view: WorldView, player: Eid, system: Eid, power: number): Survey {
  const { hidden, difficulty, seq } = view.read(Poi)
  const revealed = revealedTo(view, player)
  const places = poisOf(view, system).filter((poi) => hidden[poi] === 1)
  const unknown = places.filter((poi) => !revealed.includes(seq[poi]))
  return {
    known: places.filter((poi) => revealed.includes(seq[poi])),
    found: unknown.filter((poi) => power >= difficulty[poi]),
    faint: unknown.filter((poi) => power < difficulty[poi] && difficulty[poi] <= 2 * power),
  }
}

/** Reveals what was found, and counts it. Returns the experience gained. */
function rewardSurvey(world: World, player: Eid, found: readonly Eid[]) {
  reveal(world, player, found)
  recordProgress(world, player, 'survey_system')
  raiseCounter(world, player, 'surveys_made')
  const isDeepCore = (poi: Eid) => world.texts.get(world.read(Poi).class[poi]) === 'deep_core'
  addStat(world, player, 'deep_core_pois_discovered', found.filter(isDeepCore).length)
  const gained = {
    scanning: awardXp(world, player, 'scanning', SURVEY_XP),
    deep_core_mining: awardXp(world, player, 'deep_core_mining', DEPOSIT_XP * found.length),
  }
  return Object.fromEntries(Object.entries(gained).filter(([, xp]) => xp > 0))
}

const placesSaid = (count: number): string => `${count} hidden place${count === 1 ? '' : 's'}`

export const surveySystem = mutation({
  name: 'survey_system',
  v2: { tool: 'game', action: 'survey_system' },
  summary: 'Look for hidden places of this system with a survey scanner; takes 5 units of fuel.',
  category: 'navigation',
  order: 'plain',
  params: NO_PARAMS,
  result: surveyResult,
  needs: [UNDOCKED],
  changes: ['location', 'skills', 'missions'],
  errors: ['in_transit', 'no_scanner', 'no_fuel'],
  run(world, player) {
    const ship = shipOf(world, player)
    const { surveyPower, fuel } = world.read(Ship)
    if (surveyPower[ship] === 0) return fail('no_scanner', undefined, NO_SURVEY_SCANNER)
    if (fuel[ship] < SURVEY_FUEL) return fail('no_fuel', { need: SURVEY_FUEL, have: fuel[ship] })
    const system = systemOf(world, player)
    const power = surveyPower[ship]
    const { known, found, faint } = surveyOf(world, player, system, power)
    burnFuel(world, ship, SURVEY_FUEL)
    const xp_gained = rewardSurvey(world, player, found)
    const name = systemName(world, system)
    const message = `Surveyed ${name}: ${placesSaid(found.length)} found.`
    const data = { system_id: systemId(world, system), found: found.length }
    logAction(world, player, 'navigation', 'surveyed', message, data)
    return ok({
      system_id: systemId(world, system),
      system_name: name,
      survey_power: power,
      newly_revealed: found.map((poi) => renderSurveyed(world, player, poi)),
      already_revealed: known.map((poi) => renderSurveyed(world, player, poi)),
      faint_signatures: faint.map((poi) => renderFaint(world, poi)),
      wildlife: renderWildlife(world, system),
      bloom_status: 'none',
      bloom_intensity: 0,
      xp_gained,
      message,
    })
  },
})
