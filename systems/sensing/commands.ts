/** Scans, cloaks and surveys. Source: travel.md sections 8, 9. */
import { type CommandDef, mutation } from '../../core/command.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { bool, int, NO_PARAMS, obj, optional, str, words } from '../../core/params.ts'
import { counted, say } from '../../core/say.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { governed } from '../account/governor-model.ts'
import { addStat } from '../account/rules.ts'
import { raiseCounter } from '../achievement/rules.ts'
import { areApart } from '../arena/model.ts'
import { isBoardingLocked } from '../boarding/model.ts'
import { Participant, ShipCombat } from '../combat/state.ts'
import { renderWildlife } from '../creature/views.ts'
import { bodyById } from '../drone/model.ts'
import { logAction } from '../log/rules.ts'
import { renderDeposits } from '../mining/views.ts'
import { payExploration } from '../mission/faucet-rules.ts'
import { recordProgress } from '../mission/rules.ts'
import { shipByName } from '../npc/listing-model.ts'
import { prizeById } from '../prize/model.ts'
import { Prize } from '../prize/state.ts'
import { isTowing } from '../salvage/model.ts'
import { shipById } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { levelOf } from '../skill/model.ts'
import { awardXp } from '../skill/rules.ts'
import { poiOf, shipOf, systemOf } from '../travel/location-model.ts'
import { poiId, poiName, poisOf, poiType, systemId, systemName } from '../travel/model.ts'
import { UNDOCKED } from '../travel/needs.ts'
import { burnFuel } from '../travel/rules.ts'
import { Location, Poi, StarSystem } from '../travel/state.ts'
import { predictPaths } from '../wormhole/rules.ts'
import { renderPrediction } from '../wormhole/views.ts'
import {
  cloakOf,
  hasScanner,
  isCloakOn,
  playerMeant,
  type Reading,
  requestedCloak,
  revealedTo,
  seePlayer,
  sweepPlace,
} from './model.ts'
import { IN_SPACE_TO_HIDE, IN_SPACE_TO_SCAN } from './needs.ts'
import {
  addContacts,
  finishScan,
  notifyScanned,
  readShip,
  recordSurvey,
  renderContact,
  reveal,
  type Subject,
  setCloak,
} from './rules.ts'
import { cloakResult, scanResult, scanResultEvent, surveyResult } from './schemas.ts'
import { chartCredits, revealCredits } from './survey-model.ts'

/** XP of a scan. Source: missions.md section 5. */
const SCAN_XP = 4
/** Level of stealth from which a cloak takes no fuel. Source: travel.md section 8. */
export const FREE_CLOAK_LEVEL = 10

/** Returns whether a ship is in space at the scanner's place, or in the same battle or match. */
function isInReach(view: WorldView, player: Eid, ship: Eid): boolean {
  const { poi, base } = view.read(Location)
  const own = shipOf(view, player)
  if (areApart(view, own, ship)) return false
  const { participant } = view.read(ShipCombat)
  const { battle } = view.read(Participant)
  const ownRow = participant[own]
  const otherRow = participant[ship]
  if (ownRow !== 0 && otherRow !== 0 && battle[ownRow] === battle[otherRow]) return true
  return poi[own] !== 0 && poi[own] === poi[ship] && base[ship] === 0
}

/**
 * Finds the ship that an id or name means: a player's, a prize, or a ship of the server. A player
 * elsewhere or here may have taken the name of a ship of the server, which comes first.
 */
function subjectOf(view: WorldView, player: Eid, id: string): Subject | undefined {
  const named = shipByName(view, poiOf(view, player), id)
  if (named !== 0) return { ship: named, player: 0 }
  const other = playerMeant(view, player, id)
  if (other !== 0) return { ship: shipOf(view, other), player: other }
  const prize = prizeById(view, id)
  const hull = shipById(view, id) || bodyById(view, id)
  const ship = prize === 0 ? hull : view.read(Prize).ship[prize]
  if (ship === 0 || view.read(Ship).owner[ship] !== 0) return undefined
  return { ship, player: 0 }
}

/** Returns a failed scan: it does not reveal whether a cloaked target is here at all. */
const failed = (id: string): Reading => ({ target_id: id, success: false, revealed_info: [] })

/** Scans a target. Refusal: invalid_target. */
function scanTarget(world: World, player: Eid, id: string): Outcome<Reading, 'invalid_target'> {
  const subject = subjectOf(world, player, id)
  if (!subject || subject.player === player) return fail('invalid_target', { target_id: id })
  const isThere = isInReach(world, player, subject.ship)
  const isCloaked = subject.player !== 0 && seePlayer(world, 0, subject.player) === 'nothing'
  if (!isThere) return isCloaked ? ok(failed(id)) : fail('invalid_target', { target_id: id })
  const reading = readShip(world, player, subject)
  if (subject.player !== 0) finishScan(world, player, subject.player, reading)
  return ok(reading.success ? reading : failed(id))
}

function sweep(world: World, player: Eid) {
  const { detected, hasSignature } = sweepPlace(world, player, poiOf(world, player))
  addContacts(world, player, detected)
  const contacts = detected.map((other) => renderContact(world, player, other))
  for (const [i, other] of detected.entries()) {
    notifyScanned(world, player, other, contacts[i].revealed_info)
  }
  const count = contacts.length
  const result = count === 0 ? 'no cloaked ship' : counted(count, 'cloaked ship')
  return {
    target_id: '',
    success: count > 0,
    revealed_info: [],
    swept: true,
    contacts,
    signature_detected: hasSignature,
    message: `The sweep made out ${result}.`,
  }
}

export const scan = mutation({
  name: 'scan',
  v2: { tool: 'game', action: 'scan', rename: { target_id: 'id' } },
  summary: 'Scan a ship at your place, or without a target sweep it for cloaked ones.',
  category: 'combat',
  order: 'plain',
  inBattle: true,
  params: obj({
    target_id: optional(
      str('A player, or a ship or creature at your place, by id or name; absent: a sweep.'),
    ),
  }),
  result: scanResult,
  needs: [IN_SPACE_TO_SCAN],
  changes: ['skills'],
  errors: ['in_transit', 'docked', 'no_scanner', 'invalid_target'],
  judge(view, player, { target_id = '' }) {
    const id = target_id.trim()
    if (id === '' || subjectOf(view, player, id)) return undefined
    return fail('invalid_target', { target_id: id })
  },
  run(world, player, { target_id = '' }) {
    const id = target_id.trim()
    if (id === '' && !hasScanner(world, shipOf(world, player))) return fail('no_scanner')
    const outcome = id === '' ? ok(sweep(world, player)) : scanTarget(world, player, id)
    if (!outcome.ok) return outcome
    addStat(world, player, 'scans_performed', 1)
    awardXp(world, player, 'scanning', SCAN_XP)
    if (id === '') return outcome
    const { result } = outcome
    if (result.success) recordProgress(world, player, 'scan_target')
    emit(world, scanResultEvent, result, toPlayer(player))
    const message = result.success ? 'Scan complete.' : 'The scan revealed nothing.'
    return ok({ ...result, message })
  },
})

/** Refuses a cloak that cannot be switched on. */
function cloakRefusal(
  view: WorldView,
  player: Eid,
): Failure<'already_towing' | 'no_cloak' | 'no_fuel'> | undefined {
  const ship = shipOf(view, player)
  const { cloakDevice, fuel } = view.read(Ship)
  if (cloakDevice[ship] === 0) return fail('no_cloak')
  if (isTowing(view, ship)) return fail('already_towing')
  const isFree = levelOf(view, player, 'stealth') >= FREE_CLOAK_LEVEL
  return isFree || fuel[ship] > 0 ? undefined : fail('no_fuel', { need: 1, have: 0 })
}

export const cloak = mutation({
  name: 'cloak',
  v2: { tool: 'game', action: 'cloak' },
  summary: 'Switch the cloak on or off; toggles it by default.',
  category: 'combat',
  order: 'plain',
  params: obj({
    enable: optional(bool('True switches it on, false off.')),
    quantity: optional(int('1 for on, 0 for off.', { min: 0, max: 1, example: 1 })),
  }),
  result: cloakResult,
  needs: [IN_SPACE_TO_HIDE],
  changes: ['ship'],
  errors: words(
    'in_transit docked no_cloak no_fuel already_cloaked boarding_locked already_towing',
  ),
  run(world, player, params) {
    const enabled = requestedCloak(world, player, params)
    if (enabled === isCloakOn(world, player)) return fail('already_cloaked', { enabled })
    const refusal = enabled ? cloakRefusal(world, player) : undefined
    if (refusal) return refusal
    setCloak(world, player, enabled)
    if (enabled) addStat(world, player, 'cloak_activations', 1)
    const cloak_strength = cloakOf(world, player)
    const message = enabled ? `Cloaked at strength ${cloak_strength}.` : 'The cloak is off.'
    logAction(world, player, 'ship', enabled ? 'cloaked' : 'decloaked', message)
    return ok({ enabled, cloak_strength, message })
  },
})

/**
 * Refuses `cloak` while boarders hold the ship, before the general refusal in battle applies.
 * Source: combat.md section 17.
 */
export function cloakAdmission(
  view: WorldView,
  player: Eid,
  def: CommandDef,
): Failure<'boarding_locked'> | undefined {
  if (def.name !== cloak.name) return undefined
  const row = view.read(ShipCombat).participant[shipOf(view, player)]
  return row !== 0 && isBoardingLocked(view, row) ? fail('boarding_locked') : undefined
}

/* Surveys */

const SURVEY_FUEL = 5
/** XP of a survey, and of each place it reveals. Source: missions.md section 5; travel.md 8. */
const SURVEY_XP = 30
const REVEAL_XP = 25

/** Largest difficulties that are called low and medium. Source: ours. */
const LOW_MAX = 40
const MEDIUM_MAX = 75

const HINTS = {
  low: 'An echo just below what your instruments can place.',
  medium: 'A return that is there on one sweep and gone on the next.',
  high: 'Something bends the noise; what it is, a far better scanner might say.',
} as const

/** Renders a place revealed by a survey, with its deposits as of now. */
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

function difficultyLevel(difficulty: number): keyof typeof HINTS {
  if (difficulty <= LOW_MAX) return 'low'
  return difficulty <= MEDIUM_MAX ? 'medium' : 'high'
}

/** Renders a place that is sensed but not revealed: neither its name nor its location. */
function renderFaint(view: WorldView, poi: Eid) {
  const difficulty = difficultyLevel(view.read(Poi).difficulty[poi])
  return { type: poiType(view, poi), hint: HINTS[difficulty], difficulty }
}

const KNOWN_CHART =
  'Your chart of it is still fresh, so this survey earns nothing. Survey another system.'
const NO_SURVEY_SCANNER = say`No survey scanner is fitted: {install_mod} one, then survey again.`

/**
 * Sorts the hidden places of a system by what a survey of this power makes of them. The same power
 * always finds the same places. Source: travel.md section 8.
 */
function surveyOf(view: WorldView, player: Eid, system: Eid, power: number) {
  const { hidden, difficulty, seq } = view.read(Poi)
  const revealed = revealedTo(view, player)
  const places = poisOf(view, system).filter((poi) => hidden[poi] === 1)
  const unknown = places.filter((poi) => !revealed.includes(seq[poi]))
  return {
    charted: places.filter((poi) => revealed.includes(seq[poi])),
    found: unknown.filter((poi) => power >= difficulty[poi]),
    faint: unknown.filter((poi) => power < difficulty[poi] && difficulty[poi] <= 2 * power),
  }
}

/**
 * Reveals the places found, and counts a survey that finds something new. Returns the XP gained by
 * skill. ours: a second survey of the same chart gives nothing, and is not counted.
 */
function rewardSurvey(world: World, player: Eid, found: readonly Eid[], isFresh: boolean) {
  if (!isFresh && found.length === 0) return {}
  reveal(world, player, found)
  recordProgress(world, player, 'survey_system')
  raiseCounter(world, player, 'surveys_made')
  const isDeepCore = (poi: Eid) => world.texts.get(world.read(Poi).class[poi]) === 'deep_core'
  addStat(world, player, 'deep_core_pois_discovered', found.filter(isDeepCore).length)
  const gained = {
    scanning: awardXp(world, player, 'scanning', SURVEY_XP),
    deep_core_mining: awardXp(world, player, 'deep_core_mining', REVEAL_XP * found.length),
  }
  return Object.fromEntries(Object.entries(gained).filter(([, xp]) => xp > 0))
}

interface Survey {
  readonly system: Eid
  readonly found: readonly Eid[]
  readonly isFresh: boolean
}

/** Pays a player for a fresh chart of a system and for what it reveals; returns the credits. */
function paySurvey(world: World, player: Eid, { system, found, isFresh }: Survey): number {
  const ship = shipOf(world, player)
  const power = world.read(Ship).surveyPower[ship]
  const chart = isFresh ? chartCredits(world, ship, system, power) : 0
  const due = chart + revealCredits(world, found)
  const summary = `Payment for the survey of ${systemName(world, system)}.`
  return due === 0 ? 0 : payExploration(world, player, governed(world, due), summary)
}

export const surveySystem = mutation({
  name: 'survey_system',
  v2: { tool: 'game', action: 'survey_system' },
  summary: 'Look for hidden places here with a survey scanner; takes 5 fuel.',
  category: 'navigation',
  order: 'plain',
  params: NO_PARAMS,
  result: surveyResult,
  needs: [UNDOCKED],
  changes: ['ship', 'location', 'player', 'skills', 'missions'],
  errors: ['in_transit', 'no_scanner', 'no_fuel'],
  run(world, player) {
    const ship = shipOf(world, player)
    const { surveyPower, fuel } = world.read(Ship)
    if (surveyPower[ship] === 0) return fail('no_scanner', undefined, NO_SURVEY_SCANNER)
    if (fuel[ship] < SURVEY_FUEL) return fail('no_fuel', { need: SURVEY_FUEL, have: fuel[ship] })
    const system = systemOf(world, player)
    const power = surveyPower[ship]
    const { charted, found, faint } = surveyOf(world, player, system, power)
    burnFuel(world, ship, SURVEY_FUEL)
    const isFresh = recordSurvey(world, player, world.read(StarSystem).seq[system])
    const xp_gained = rewardSurvey(world, player, found, isFresh)
    const name = systemName(world, system)
    const predicted = predictPaths(world, player, [...charted, ...found])
    const paid = paySurvey(world, player, { system, found, isFresh })
    const message = [
      `Surveyed ${name}: ${counted(found.length, 'hidden place')} found.`,
      ...predicted.map((path) => renderPrediction(world, path)),
      ...(paid === 0 ? [] : [`The survey pays ${counted(paid, 'credit')}.`]),
      ...(isFresh || found.length > 0 ? [] : [KNOWN_CHART]),
    ].join(' ')
    const data = { system_id: systemId(world, system), found: found.length }
    logAction(world, player, 'navigation', 'surveyed', message, data)
    return ok({
      system_id: systemId(world, system),
      system_name: name,
      survey_power: power,
      newly_revealed: found.map((poi) => renderSurveyed(world, player, poi)),
      already_revealed: charted.map((poi) => renderSurveyed(world, player, poi)),
      faint_signatures: faint.map((poi) => renderFaint(world, poi)),
      wildlife: renderWildlife(world, system),
      bloom_status: 'none',
      bloom_intensity: 0,
      xp_gained,
      message,
    })
  },
})
