/**
 * What other domains ask of boarding: figures frozen when a ship joins a battle, the request to
 * board, and who holds whom. The course of a boarding is in kernels.ts, its arithmetic in
 * assault.ts.
 */
import { assert } from '../../core/assert.ts'
import type { ModuleRow } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { BATTLE_SIDES_MAX } from '../../core/limits.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Battle, PARTICIPANT_KINDS, Participant, STANCES } from '../combat/columns.ts'
import { keepsHulls } from '../npc/crew-rules.ts'
import { npcKindOf } from '../npc/rules.ts'
import { Ship } from '../ship/columns.ts'
import { hasSpecial, modulesOf, moduleTypeOf, shipClassOf } from '../ship/rules.ts'
import { BattleBoarding, BOARDABLE_KINDS, Boarding, LINK_PHASES, Link } from './columns.ts'

export { leaveBoarding } from './course.ts'

const BOARD_ORDER = STANCES.indexOf('board') + 1
const TRIAGE_MAX_PCT = 100

/** What a crew of the server is after; empires keep a hull, as players do. */
const plunders = (view: WorldView, hull: Eid): boolean =>
  view.read(Ship).owner[hull] === 0 && npcKindOf(view, hull) !== 'npc' && !keepsHulls(view, hull)

/** Fills the frozen figures of a participant from its hull and modules; when it joins. */
export function freezeBoarding(world: World, participant: Row): void {
  const { ship, battle } = world.read(Participant)
  const hull = ship[participant]
  const row = shipClassOf(world, hull)
  const fit = modulesOf(world, hull).map((module) => moduleTypeOf(world, module))
  const sum = (field: keyof ModuleRow) =>
    fit.reduce((total, module) => total + ((module[field] as number | undefined) ?? 0), 0)
  const own = (type: string) =>
    row.inherent_capabilities.reduce(
      (total, found) => total + (found.type === type ? found.value : 0),
      0,
    )
  const columns = world.write(Boarding)
  columns.capable[participant] = hasSpecial(world, hull, 'boarding_capability') ? 1 : 0
  columns.uncapturable[participant] = row.capture_policy === 'forbidden' ? 1 : 0
  columns.plunders[participant] = plunders(world, hull) ? 1 : 0
  columns.latchStrength[participant] = own('latch_strength') + sum('latch_strength')
  columns.latchResistance[participant] = row.latch_resistance + sum('latch_resistance_bonus')
  columns.marineBonusPct[participant] = sum('marine_combat_bonus')
  columns.crewBonusPct[participant] = sum('crew_combat_bonus')
  columns.defenseBonusPct[participant] =
    row.boarding_defense_bonus_pct + sum('boarding_defense_bonus')
  columns.contactDefense[participant] = fit.filter(
    (module) => module.special === 'boarding_contact_defense',
  ).length
  columns.triagePct[participant] = Math.min(TRIAGE_MAX_PCT, sum('fleet_triage_pct'))
  if (columns.triagePct[participant] > 0)
    world.write(BattleBoarding).triage[battle[participant]] = 1
}

function mayBoard(view: WorldView, participant: Row, target: Row): boolean {
  const { alive, battle, side, kind } = view.read(Participant)
  if (target === 0 || alive[target] === 0 || battle[target] !== battle[participant]) return false
  if (view.read(Boarding).uncapturable[target] === 1) return false
  const hostile = view.read(Battle).hostile[battle[target] * (BATTLE_SIDES_MAX + 1) + side[target]]
  if (((hostile >>> (side[participant] - 1)) & 1) === 0) return false
  return BOARDABLE_KINDS.includes(PARTICIPANT_KINDS[kind[target]])
}

/**
 * The order to board: judged in phase fight, where initiative decides between contenders. Asked
 * again while it boards, it changes nothing. Refusals: no_boarding_gear, no_marines,
 * invalid_target. Source: combat.md sections 10, 17.
 */
export function askBoarding(
  world: World,
  participant: Row,
  target: Row,
  marines: number,
): Failure | undefined {
  const { ship, stance } = world.read(Participant)
  if (world.read(Boarding).capable[participant] === 0) return fail('no_boarding_gear')
  const fit = world.read(Ship).marinesFit[ship[participant]]
  if (marines < 1 || fit === 0) return fail('no_marines', { fit_marines: fit })
  if (!mayBoard(world, participant, target)) return fail('invalid_target')
  if (STANCES[stance[participant]] === 'board') return undefined
  const columns = world.write(Boarding)
  columns.wanted[participant] = target
  columns.marines[participant] = Math.min(marines, fit)
  world.write(Participant).orderStance[participant] = BOARD_ORDER
  world.write(BattleBoarding).asked[world.read(Participant).battle[participant]] = 1
  return undefined
}

/** True while boarders are attached to it: it can neither flee nor warp nor cloak. */
export const isBoardingLocked = (view: WorldView, participant: Row): boolean =>
  view.read(Boarding).locked[participant] === 1

/** True for a hull that boarders are attached to, and for the one they came from. */
export const isAttached = (view: WorldView, participant: Row): boolean =>
  isBoardingLocked(view, participant) || attachedTo(view, participant) !== 0

/** True while a boarding of a battle gets ahead: it latches on, or is fought out aboard. */
export function isBoardingAhead(view: WorldView, battle: Row): boolean {
  const { next, phase, progress, timer } = view.read(Link)
  const isAhead = (row: Row): boolean => {
    const name = LINK_PHASES[phase[row]]
    return name === 'assault' || (name === 'closing' && progress[row] > 0 && timer[row] === 0)
  }
  let row = view.read(BattleBoarding).first[battle]
  while (row !== 0 && !isAhead(row)) row = next[row]
  return row !== 0
}

/** The hull attached to this one, whichever of them boards; 0 none. */
export function attachedTo(view: WorldView, participant: Row): Row {
  const link = view.read(Boarding).link[participant]
  const { attached, attacker, target } = view.read(Link)
  if (link === 0 || attached[link] === 0) return 0
  assert(attacker[link] === participant || target[link] === participant, 'a link of others')
  return attacker[link] === participant ? target[link] : attacker[link]
}
