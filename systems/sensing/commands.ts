/** Looking hard and hiding: scan and cloak. Source: travel.md sections 8, 9. */
import { type CommandDef, mutation } from '../../core/command.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { bool, int, obj, optional, str } from '../../core/params.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { areApart } from '../arena/model.ts'
import { isBoardingLocked } from '../boarding/model.ts'
import { Participant, ShipCombat } from '../combat/state.ts'
import { bodyById } from '../drone/model.ts'
import { logAction } from '../log/rules.ts'
import { recordProgress } from '../mission/rules.ts'
import { prizeById } from '../prize/model.ts'
import { Prize } from '../prize/state.ts'
import { isTowing } from '../salvage/model.ts'
import { shipById } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { levelOf } from '../skill/model.ts'
import { awardXp } from '../skill/rules.ts'
import { poiOf, shipOf } from '../travel/drift-model.ts'
import { Location } from '../travel/state.ts'
import {
  cloakOf,
  hasScanner,
  isOn,
  playerMeant,
  type Reading,
  seePlayer,
  sweepPlace,
  wanted,
} from './model.ts'
import { IN_SPACE, IN_SPACE_TO_HIDE } from './needs.ts'
import {
  afterScan,
  makeOut,
  notifyScanned,
  readShip,
  renderContact,
  type Subject,
  setCloak,
} from './rules.ts'
import { cloakResult, scanResult, scanResultEvent } from './schemas.ts'

/** XP of a scan. Source: missions.md section 5. */
const SCAN_XP = 2
/** Level of stealth from which a cloak takes no fuel. Source: travel.md section 8. */
export const FREE_CLOAK_LEVEL = 10

/** In space at the place of the scanner, or in the same battle; a match is a place of its own. */
function isInReach(view: WorldView, player: Eid, ship: Eid): boolean {
  const { poi, base } = view.read(Location)
  const own = shipOf(view, player)
  if (areApart(view, own, ship)) return false
  const { participant } = view.read(ShipCombat)
  const { battle } = view.read(Participant)
  const [a, b] = [participant[own], participant[ship]]
  if (a !== 0 && b !== 0 && battle[a] === battle[b]) return true
  return poi[own] !== 0 && poi[own] === poi[ship] && base[ship] === 0
}

/** The ship that is meant by an id, or undefined: that of a player, a prize, an NPC's. */
function subjectOf(view: WorldView, player: Eid, id: string): Subject | undefined {
  const other = playerMeant(view, player, id)
  if (other !== 0) return { ship: shipOf(view, other), player: other }
  const prize = prizeById(view, id)
  const hull = shipById(view, id) || bodyById(view, id)
  const ship = prize === 0 ? hull : view.read(Prize).ship[prize]
  if (ship === 0 || view.read(Ship).owner[ship] !== 0) return undefined
  return { ship, player: 0 }
}

/** A cloak that holds looks like one somewhere else: nobody finds out where it is. */
const failed = (id: string): Reading => ({ target_id: id, success: false, revealed_info: [] })

/** Reads the target, or says that there is none. Refusal: invalid_target. */
function scanTarget(world: World, player: Eid, id: string): Outcome<Reading, 'invalid_target'> {
  const subject = subjectOf(world, player, id)
  if (!subject || subject.player === player) return fail('invalid_target', { target_id: id })
  const isThere = isInReach(world, player, subject.ship)
  const isCloaked = subject.player !== 0 && seePlayer(world, 0, subject.player) === 'nothing'
  if (!isThere) return isCloaked ? ok(failed(id)) : fail('invalid_target', { target_id: id })
  const reading = readShip(world, player, subject)
  if (subject.player !== 0) afterScan(world, player, subject.player, reading)
  return ok(reading.success ? reading : failed(id))
}

function sweep(world: World, player: Eid) {
  const { found, isSignature } = sweepPlace(world, player, poiOf(world, player))
  makeOut(world, player, found)
  const contacts = found.map((other) => renderContact(world, player, other))
  for (const [i, other] of found.entries()) {
    notifyScanned(world, player, other, contacts[i].revealed_info)
  }
  const said = contacts.length === 0 ? 'no cloaked ship' : `${contacts.length} cloaked`
  return {
    target_id: '',
    success: contacts.length > 0,
    revealed_info: [],
    swept: true,
    contacts,
    signature_detected: isSignature,
    message: `Sweep: ${said} made out.`,
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
      str('Player by id or name, or a ship of the server by its id; absent: a sweep.'),
    ),
  }),
  result: scanResult,
  needs: [IN_SPACE],
  changes: ['skills'],
  errors: ['in_transit', 'docked', 'no_scanner', 'invalid_target'],
  judge(view, player, { target_id = '' }) {
    const id = target_id.trim()
    const isSomebody = id === '' || subjectOf(view, player, id) !== undefined
    return isSomebody ? undefined : fail('invalid_target', { target_id: id })
  },
  run(world, player, { target_id = '' }) {
    const id = target_id.trim()
    if (id === '' && !hasScanner(world, shipOf(world, player))) return fail('no_scanner')
    const done = id === '' ? ok(sweep(world, player)) : scanTarget(world, player, id)
    if (!done.ok) return done
    addStat(world, player, 'scans_performed', 1)
    awardXp(world, player, 'scanning', SCAN_XP)
    if (id === '') return done
    if (done.result.success) recordProgress(world, player, 'scan_target')
    emit(world, scanResultEvent, done.result, toPlayer(player))
    const message = done.result.success ? 'Scan complete.' : 'The scan resolved nothing.'
    return ok({ ...done.result, message })
  },
})

/** Why a cloak cannot go on; nothing where it can. */
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

/** Boarders hold the ship: said before that there is a battle. Source: combat.md section 17. */
function whileBoardedRefusal(view: WorldView, player: Eid): Failure<'boarding_locked'> | undefined {
  const row = view.read(ShipCombat).participant[shipOf(view, player)]
  return row !== 0 && isBoardingLocked(view, row) ? fail('boarding_locked') : undefined
}

export const cloak = mutation({
  name: 'cloak',
  v2: { tool: 'game', action: 'cloak' },
  summary: 'Switch the cloak on or off; the other way round when nothing is said.',
  category: 'combat',
  order: 'plain',
  params: obj({
    enable: optional(bool('True switches it on, false off.')),
    quantity: optional(int('1 for on, 0 for off.', { min: 0, max: 1, example: 1 })),
  }),
  result: cloakResult,
  needs: [IN_SPACE_TO_HIDE],
  changes: ['ship'],
  errors: [
    ...['in_transit', 'docked', 'no_cloak', 'no_fuel', 'already_cloaked', 'boarding_locked'],
    'already_towing',
  ] as const,
  run(world, player, params) {
    const enabled = wanted(world, player, params)
    if (enabled === isOn(world, player)) return fail('already_cloaked', { enabled })
    const refused = enabled ? cloakRefusal(world, player) : undefined
    if (refused) return refused
    setCloak(world, player, enabled)
    if (enabled) addStat(world, player, 'cloak_activations', 1)
    const cloak_strength = cloakOf(world, player)
    const message = enabled ? `Cloaked at strength ${cloak_strength}.` : 'The cloak is off.'
    logAction(world, player, 'ship', enabled ? 'cloaked' : 'decloaked', message)
    return ok({ enabled, cloak_strength, message })
  },
})

/** Comes before the refusal of everything in a battle: boarders are why. */
export function cloakAdmission(
  view: WorldView,
  player: Eid,
  def: CommandDef,
): Failure<'boarding_locked'> | undefined {
  return def.name === cloak.name ? whileBoardedRefusal(view, player) : undefined
}
